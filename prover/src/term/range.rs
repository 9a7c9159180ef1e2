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
        &Node::If(_, one, other) => highest(one).zip(highest(other)).map(|(a, b)| a.max(b)),
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
