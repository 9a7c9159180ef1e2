//! Evaluation of terms for given inputs.

use rustc_hash::FxHashMap;

use super::{Node, Shift, Term, Wide, shift_distance};

/// Values of variables and of uninterpreted functions.
pub trait Assignment {
    /// Value of a variable; bits above `width` must be 0.
    fn variable(&self, name: &str, width: u32) -> Wide;

    /// Value of an uninterpreted function.
    fn apply(&self, function: &str, arguments: &[Wide], width: u32) -> Wide;
}

/// Evaluates terms, each shared subterm once.
pub struct Evaluator<'a, A: Assignment + ?Sized> {
    assignment: &'a A,
    known: FxHashMap<Term, Wide>,
}

impl<'a, A: Assignment + ?Sized> Evaluator<'a, A> {
    /// Evaluator for these inputs.
    pub fn new(assignment: &'a A) -> Self {
        Evaluator {
            assignment,
            known: FxHashMap::default(),
        }
    }

    /// Value of a term.
    pub fn value(&mut self, term: Term) -> Wide {
        for term in super::operands_first(term, |term| self.known.contains_key(&term)) {
            let width = term.width();
            let value = self.of_node(&term.node(), width).low(width);
            self.known.insert(term, value);
        }
        self.known[&term]
    }

    /// Value of a node whose operands are known.
    fn of_node(&self, node: &Node, width: u32) -> Wide {
        let value_of = |term: Term| self.known[&term];
        match node {
            Node::Constant(value) => *value,
            Node::Variable(name) => self.assignment.variable(name, width),
            Node::Apply(function, arguments) => {
                let arguments: Vec<Wide> = arguments.iter().map(|&term| value_of(term)).collect();
                self.assignment.apply(function, &arguments, width)
            }
            Node::Concat(parts) => super::positioned(parts)
                .fold(Wide::ZERO, |value, (lo, part)| {
                    value | value_of(part).shifted_left(lo)
                }),
            &Node::Extract(term, lo) => value_of(term).shifted_right(lo),
            Node::And(terms) => terms
                .iter()
                .fold(Wide::ones(width), |value, &term| value & value_of(term)),
            Node::Xor(terms) => terms
                .iter()
                .fold(Wide::ZERO, |value, &term| value ^ value_of(term)),
            Node::Sum(terms, start) => terms.iter().fold(*start, |sum, &(term, factor)| {
                sum.plus(value_of(term).times(factor))
            }),
            &Node::Product(a, b) => value_of(a).times(value_of(b)),
            &Node::If(condition, one, other) => match value_of(condition).is_zero() {
                true => value_of(other),
                false => value_of(one),
            },
            &Node::Equal(a, b) => one_bit(value_of(a) == value_of(b)),
            &Node::Below(a, b) => one_bit(value_of(a) < value_of(b)),
            &Node::SignedBelow(a, b) => one_bit(value_of(a).is_less_signed(value_of(b), a.width())),
            &Node::Shift(shift, term, by) => {
                let (value, by) = (value_of(term), shift_distance(value_of(by), width));
                match shift {
                    Shift::Left => value.shifted_left(by),
                    Shift::Right => value.shifted_right(by),
                    Shift::SignedRight => {
                        let by = by.min(width - 1);
                        value.shifted_right(by).extended(width - by, width)
                    }
                }
            }
            &Node::Extend(term) => value_of(term).extended(term.width(), width),
            Node::Count(bits) => {
                let set = bits.iter().filter(|&&bit| !value_of(bit).is_zero());
                Wide::new(set.count() as u64)
            }
            &Node::LeadingZeros(term) => Wide::new((width - value_of(term).length()).into()),
            &Node::TrailingZeros(term) => {
                Wide::new(value_of(term).trailing_zeros().min(width).into())
            }
            Node::Lookup(table, index) => table.at(value_of(*index)),
        }
    }
}

fn one_bit(value: bool) -> Wide {
    Wide::new(value.into())
}
