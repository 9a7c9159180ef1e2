//! Bounds on the values of terms that hold for all inputs.

use super::{Node, Term, Wide, positioned, remembered};

/// Upper bound of a term's unsigned value, if it is known to fit into 64 bits.
pub fn upper_bound(term: Term) -> Option<u64> {
    remembered(
        |arena| &mut arena.upper_bounds,
        term,
        || find_upper_bound(term),
    )
}

fn find_upper_bound(term: Term) -> Option<u64> {
    let by_width = match term.width() {
        width @ 0..64 => Some((1 << width) - 1),
        64 => Some(u64::MAX),
        _ => None,
    };
    let better = match &*term.node() {
        Node::Constant(value) => return value.to_u64(),
        Node::Concat(parts) => {
            let set = positioned(parts).filter(|(_, part)| !part.is_zero());
            let highest = set.map(|(lo, part)| {
                let highest = upper_bound(part)?;
                (lo < 64 && highest.leading_zeros() >= lo).then(|| highest << lo)
            });
            highest.sum()
        }
        &Node::Extract(whole, lo) => {
            upper_bound(whole).map(|highest| highest.checked_shr(lo).unwrap_or(0))
        }
        Node::And(terms) => terms.iter().filter_map(|&term| upper_bound(term)).min(),
        // If the sum may overflow, only the width bounds it.
        Node::Sum(terms, start) => {
            sum_bound(terms, *start).filter(|&sum| by_width.is_none_or(|all| sum <= all))
        }
        &Node::If(condition, one, other) => {
            // The minimum of a term and a number is bounded by the number.
            let one = match &*condition.node() {
                &Node::Below(small, bound)
                    if bound.number().is_some()
                        && one.width() <= small.width()
                        && one == small.extract(0, one.width()) =>
                {
                    bound.number().map(|bound| bound - 1)
                }
                _ => upper_bound(one),
            };
            one.zip(upper_bound(other)).map(|(a, b)| a.max(b))
        }
        &Node::Product(a, b) => {
            let product = upper_bound(a).zip(upper_bound(b));
            let product = product.and_then(|(a, b)| a.checked_mul(b));
            product.filter(|&product| by_width.is_none_or(|all| product <= all))
        }
        Node::Lookup(table, _) => table.highest(),
        Node::Count(bits) => Some(bits.len() as u64),
        Node::LeadingZeros(_) | Node::TrailingZeros(_) => Some(term.width().into()),
        _ => None,
    };
    match (better, by_width) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Upper bound of the exact unsigned sum of terms times factors and `start`, if it is known to fit into 64 bits.
pub(super) fn sum_bound(terms: &[(Term, Wide)], start: Wide) -> Option<u64> {
    terms
        .iter()
        .try_fold(start.to_u64()?, |sum, &(term, factor)| {
            let product = upper_bound(term)?.checked_mul(factor.to_u64()?)?;
            sum.checked_add(product)
        })
}

/// Mask of the bits that may be set.
pub(super) fn possible(term: Term) -> Wide {
    match &*term.node() {
        Node::Constant(value) => *value,
        Node::Concat(parts) => positioned(parts).fold(Wide::ZERO, |bits, (lo, part)| {
            bits | possible(part).shifted_left(lo)
        }),
        Node::Lookup(table, _) => table.possible(),
        _ => Wide::ones(upper_bound(term).map_or(term.width(), |highest| {
            (64 - highest.leading_zeros()).min(term.width())
        })),
    }
}

/// Bounds of the signed value of a term of up to 64 bits.
pub(super) fn signed_range(term: Term) -> (i128, i128) {
    remembered(|arena| &mut arena.ranges, term, || find_signed_range(term))
}

fn find_signed_range(term: Term) -> (i128, i128) {
    let (least, most) = signed_limits(term.width());
    let found = match &*term.node() {
        Node::Constant(value) => {
            let value = signed(*value, term.width());
            return (value, value);
        }
        &Node::Extend(inner) => return signed_range(inner),
        &Node::Product(a, b) => product_range(a, b),
        Node::Sum(terms, start) => sum_range(terms, *start, term.width()),
        &Node::If(_, one, other) => {
            let (a, b) = (signed_range(one), signed_range(other));
            Some((a.0.min(b.0), a.1.max(b.1)))
        }
        _ => None,
    };
    // If the result may overflow, only the width bounds it.
    let found = found.filter(|&(low, high)| least <= low && high <= most);
    let (low, high) = found.unwrap_or((least, most));
    match upper_bound(term).map(i128::from) {
        Some(highest) if highest <= most => (low.max(0), high.min(highest)),
        _ => (low, high),
    }
}

/// Range of signed numbers of `width` bits.
pub(super) fn signed_limits(width: u32) -> (i128, i128) {
    (-(1 << (width - 1)), (1 << (width - 1)) - 1)
}

fn signed(value: Wide, width: u32) -> i128 {
    i128::from(value.extended(width, 64).low_word() as i64)
}

/// Bounds of the exact signed product of two terms of up to 64 bits.
pub(super) fn product_range(a: Term, b: Term) -> Option<(i128, i128)> {
    let ((a, b), (c, d)) = (signed_range(a), signed_range(b));
    let ends = [a * c, a * d, b * c, b * d];
    ends.into_iter().min().zip(ends.into_iter().max())
}

/// Bounds of the exact signed sum of terms of `width` bits, at most 64.
pub(super) fn sum_range(terms: &[(Term, Wide)], start: Wide, width: u32) -> Option<(i128, i128)> {
    let start = signed(start, width);
    terms
        .iter()
        .try_fold((start, start), |sum, &(term, factor)| {
            let (low, high) = signed_range(term);
            let factor = signed(factor, width);
            let (a, b) = (low * factor, high * factor);
            Some((sum.0.checked_add(a.min(b))?, sum.1.checked_add(a.max(b))?))
        })
}

/// Number of low bits that are known to be 0.
pub fn trailing_zeros(term: Term) -> u32 {
    let width = term.width();
    match &*term.node() {
        Node::Constant(value) => value.trailing_zeros().min(width),
        Node::Concat(parts) if parts[0].is_zero() => parts[0].width() + trailing_zeros(parts[1]),
        Node::Concat(parts) => trailing_zeros(parts[0]),
        Node::Sum(terms, start) => {
            let each = terms
                .iter()
                .map(|&(term, factor)| trailing_zeros(term) + factor.trailing_zeros());
            each.chain([start.trailing_zeros()])
                .min()
                .expect("there is the start")
                .min(width)
        }
        &Node::If(_, one, other) => trailing_zeros(one).min(trailing_zeros(other)),
        Node::Lookup(table, _) => table.possible().trailing_zeros().min(width),
        _ => 0,
    }
}
