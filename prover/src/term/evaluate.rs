//! The values of terms for given inputs.

use rustc_hash::FxHashMap;

use super::{Node, Shift, Term, Wide};

/// What variables are, and what functions answer that are known by name only.
pub trait Assignment {
    /// The value of a variable.
    fn variable(&self, name: &str, width: u32) -> Wide;

    /// The answer of a function.
    fn apply(&self, function: &str, arguments: &[Wide], width: u32) -> Wide;
}

/// Works out the values of terms, each once.
pub struct Evaluator<'a, A: Assignment + ?Sized> {
    assignment: &'a A,
    known: FxHashMap<Term, Wide>,
}

impl<'a, A: Assignment + ?Sized> Evaluator<'a, A> {
    /// For these inputs.
    pub fn new(assignment: &'a A) -> Self {
        Evaluator {
            assignment,
            known: FxHashMap::default(),
        }
    }

    /// The value of a term.
    pub fn value(&mut self, term: Term) -> Wide {
        super::operands_first(
            term,
            self,
            |own, term| own.known.contains_key(&term),
            |own, term, node| {
                let width = term.width();
                let value = own.of_node(node, width).low(width);
                own.known.insert(term, value);
            },
        );
        self.known[&term]
    }

    /// The value of a node whose operands are known.
    fn of_node(&self, node: &Node, width: u32) -> Wide {
        let of = |term: Term| self.known[&term];
        match node {
            Node::Constant(value) => *value,
            Node::Variable(name) => self.assignment.variable(name, width),
            Node::Apply(function, arguments) => {
                let arguments: Vec<Wide> = arguments.iter().map(|&term| of(term)).collect();
                self.assignment.apply(function, &arguments, width)
            }
            Node::Concat(parts) => {
                let (mut value, mut lo) = (Wide::ZERO, 0);
                for &part in parts {
                    value = value | of(part).shifted_left(lo);
                    lo += part.width();
                }
                value
            }
            &Node::Extract(term, lo) => of(term).shifted_right(lo),
            Node::And(terms) => terms
                .iter()
                .fold(Wide::ones(width), |value, &term| value & of(term)),
            Node::Xor(terms) => terms
                .iter()
                .fold(Wide::ZERO, |value, &term| value ^ of(term)),
            Node::Sum(terms, start) => terms.iter().fold(*start, |sum, &(term, factor)| {
                sum.plus(of(term).times(factor))
            }),
            &Node::Product(a, b) => of(a).times(of(b)),
            &Node::If(condition, one, other) => match of(condition).is_zero() {
                true => of(other),
                false => of(one),
            },
            &Node::Equal(a, b) => truth(of(a) == of(b)),
            &Node::Below(a, b) => truth(of(a).is_less(of(b))),
            &Node::SignedBelow(a, b) => truth(of(a).is_less_signed(of(b), a.width())),
            &Node::Shift(shift, term, by) => {
                let by = of(by)
                    .to_u64()
                    .map_or(width, |by| by.min(width.into()) as u32);
                match shift {
                    Shift::Left => of(term).shifted_left(by),
                    Shift::Right => of(term).shifted_right(by),
                    Shift::SignedRight => {
                        let by = by.min(width - 1);
                        of(term).shifted_right(by).extended(width - by, width)
                    }
                }
            }
            &Node::Extend(term) => of(term).extended(term.width(), width),
            Node::Count(bits) => {
                let set = bits.iter().filter(|&&bit| !of(bit).is_zero());
                Wide::new(set.count() as u64)
            }
            &Node::LeadingZeros(term) => Wide::new((width - of(term).length()).into()),
            &Node::TrailingZeros(term) => Wide::new(of(term).trailing_zeros().min(width).into()),
            Node::Lookup(table, index) => table.at(of(*index)),
        }
    }
}

fn truth(value: bool) -> Wide {
    Wide::new(value.into())
}
