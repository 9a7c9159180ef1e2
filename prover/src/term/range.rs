//! What is known of a term's value without its inputs.

use super::{Node, Term, Wide};

/// The highest value that a term can have, where that is known to fit into 64 bits.
pub fn highest(term: Term) -> Option<u64> {
    if let Some(known) = super::ARENA.with_borrow(|arena| arena.highest.get(&term).copied()) {
        return known;
    }
    let found = find_highest(term);
    super::ARENA.with_borrow_mut(|arena| arena.highest.insert(term, found));
    found
}

fn find_highest(term: Term) -> Option<u64> {
    let by_width = match term.width() {
        width @ 0..64 => Some((1 << width) - 1),
        64 => Some(u64::MAX),
        _ => None,
    };
    let better = match &*term.node() {
        Node::Constant(value) => return value.to_u64(),
        Node::Concat(parts) => {
            let (mut sum, mut lo) = (Some(0u64), 0);
            for &part in parts {
                if !part.is_zero() {
                    let own = highest(part).filter(|own| lo < 64 && own.leading_zeros() >= lo);
                    sum = sum.zip(own).map(|(sum, own)| sum + (own << lo));
                }
                lo += part.width();
            }
            sum
        }
        &Node::Extract(whole, lo) => {
            highest(whole).map(|highest| highest.checked_shr(lo).unwrap_or(0))
        }
        Node::And(terms) => terms.iter().filter_map(|&term| highest(term)).min(),
        Node::Sum(terms, start) => {
            let mut sum = start.to_u64();
            for &(term, factor) in terms {
                let own = highest(term).zip(factor.to_u64());
                let own = own.and_then(|(own, factor)| own.checked_mul(factor));
                sum = sum.zip(own).and_then(|(sum, own)| sum.checked_add(own));
            }
            // What does not fit is lost, and then nothing is known.
            sum.filter(|&sum| by_width.is_none_or(|all| sum <= all))
        }
        &Node::If(condition, one, other) => {
            // The lesser of a term and a number is no more than the number.
            let one = match &*condition.node() {
                &Node::Below(small, bound)
                    if bound.number().is_some()
                        && one.width() <= small.width()
                        && one == small.extract(0, one.width()) =>
                {
                    bound.number().map(|bound| bound - 1)
                }
                _ => highest(one),
            };
            one.zip(highest(other)).map(|(a, b)| a.max(b))
        }
        &Node::Product(a, b) => {
            let product = highest(a).zip(highest(b));
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

/// The least and the greatest number that a term of up to 64 bits can be in two's complement, as far as is known.
pub(super) fn signed_range(term: Term) -> (i128, i128) {
    if let Some(known) = super::ARENA.with_borrow(|arena| arena.ranges.get(&term).copied()) {
        return known;
    }
    let found = find_signed_range(term);
    super::ARENA.with_borrow_mut(|arena| arena.ranges.insert(term, found));
    found
}

fn find_signed_range(term: Term) -> (i128, i128) {
    let (least, most) = of_width(term.width());
    let found = match &*term.node() {
        Node::Constant(value) => {
            let value = in_twos_complement(*value, term.width());
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
    // What does not fit is lost, and then nothing is known.
    let found = found.filter(|&(low, high)| least <= low && high <= most);
    let (low, high) = found.unwrap_or((least, most));
    match highest(term).map(i128::from) {
        Some(highest) if highest <= most => (low.max(0), high.min(highest)),
        _ => (low, high),
    }
}

/// The numbers of so many bits in two's complement.
fn of_width(width: u32) -> (i128, i128) {
    (-(1 << (width - 1)), (1 << (width - 1)) - 1)
}

fn in_twos_complement(value: Wide, width: u32) -> i128 {
    i128::from(value.extended(width, 64).low_word() as i64)
}

/// What the product can be of two terms of up to 64 bits, before anything is lost.
pub(super) fn product_range(a: Term, b: Term) -> Option<(i128, i128)> {
    let ((a, b), (c, d)) = (signed_range(a), signed_range(b));
    let ends = [a * c, a * d, b * c, b * d];
    ends.into_iter().min().zip(ends.into_iter().max())
}

/// What a sum can be, of terms of `width` bits, up to 64, before anything is lost.
pub(super) fn sum_range(terms: &[(Term, Wide)], start: Wide, width: u32) -> Option<(i128, i128)> {
    let start = in_twos_complement(start, width);
    let each = terms.iter().map(|&(term, factor)| {
        let (low, high) = signed_range(term);
        let factor = in_twos_complement(factor, width);
        let (a, b) = (low * factor, high * factor);
        (a.min(b), a.max(b))
    });
    each.into_iter().try_fold((start, start), |sum, own| {
        let low = sum.0.checked_add(own.0)?;
        Some((low, sum.1.checked_add(own.1)?))
    })
}

/// The number of low bits that are known to be 0.
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

impl Term {
    /// Without a constant that is added: the rest, and the constant.
    pub fn without_offset(self) -> (Term, Wide) {
        match &*self.node() {
            Node::Sum(terms, start) if !start.is_zero() => {
                let rest = super::arithmetic::sum(terms.iter().copied(), Wide::ZERO, self.width());
                (rest, *start)
            }
            // What is added where there are zeros has been put between them.
            Node::Concat(parts) => {
                let (mut rest, mut offset, mut lo) = (Vec::new(), Wide::ZERO, 0);
                for &part in parts {
                    if let Some(value) = part.value() {
                        offset = offset | value.shifted_left(lo);
                        rest.push(super::zeros(part.width()));
                    } else {
                        rest.push(part);
                    }
                    lo += part.width();
                }
                (super::concat(rest), offset)
            }
            Node::Constant(value) => (super::number(0, self.width()), *value),
            _ => (self, Wide::ZERO),
        }
    }
}
