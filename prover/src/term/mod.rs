//! Terms over bit-vectors: what machine code computes from inputs that are not known, and what
//! specifications say of them.
//!
//! Equal terms are one term: they are kept in an arena, and a [`Term`] is a number in it. Every
//! function that makes a term puts it into a normal form first, so that much of what two ways to
//! compute something have in common is the same term without a solver: constants are folded, moving
//! bits about (shifts, masks, shuffles, lanes) leaves only [`Node::Concat`] and [`Node::Extract`],
//! exclusive ors and sums forget the order of their operands, and look-ups in tables that are linear
//! become exclusive ors.
//!
//! The arena belongs to a thread. [`clear`] empties it; terms from before it must not be used again.

mod arithmetic;
mod bits;
mod compare;
mod evaluate;
mod range;
mod rewrite;
mod smt;
mod table;
mod wide;

use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;

pub use arithmetic::total;
pub use bits::{all, concat, odd, zeros};
pub use evaluate::{Assignment, Evaluator};
pub use range::{highest, trailing_zeros};
pub use rewrite::Rewriter;
pub use smt::Script;
pub use table::Table;
pub use wide::{WIDEST, Wide};

/// A bit-vector of 1 to 768 bits that may depend on inputs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term {
    index: u32,
    /// It belongs to the arena of its thread.
    thread: PhantomData<*const ()>,
}

/// What a term is made of. Operands come before their term in the arena.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A number.
    Constant(Wide),
    /// An input, or something that is not known.
    Variable(Rc<str>),
    /// Parts side by side, the lowest first.
    Concat(Box<[Term]>),
    /// Some bits of a term, from this one on.
    Extract(Term, u32),
    /// The bits that all operands have: two or more, the constant first if there is one.
    And(Box<[Term]>),
    /// The bits that an odd number of operands have: two or more, the constant first if there is one.
    Xor(Box<[Term]>),
    /// The sum of the terms, each times its factor, and of a constant, without what does not fit.
    Sum(Box<[(Term, Wide)]>, Wide),
    /// The product of two terms, without what does not fit.
    Product(Term, Term),
    /// The second where the first, of one bit, is 1; else the third.
    If(Term, Term, Term),
    /// Whether two terms are equal, as one bit.
    Equal(Term, Term),
    /// Whether the first is less than the second.
    Below(Term, Term),
    /// The same for numbers in two's complement.
    SignedBelow(Term, Term),
    /// The first shifted as far as the second says; by as much as its width or more, nothing is left.
    Shift(Shift, Term, Term),
    /// A number in two's complement, wider.
    Extend(Term),
    /// The number of bits that are set, of these, in as few bits as hold it: two or more bits.
    Count(Box<[Term]>),
    /// The number of zero bits over the highest that is set; the width for 0.
    LeadingZeros(Term),
    /// The number of zero bits below the lowest that is set; the width for 0.
    TrailingZeros(Term),
    /// The entry of a table of constants.
    Lookup(Rc<Table>, Term),
    /// A function of which only the name is known.
    Apply(Rc<str>, Box<[Term]>),
}

/// A direction to shift in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shift {
    /// To higher bits.
    Left,
    /// To lower bits.
    Right,
    /// To lower bits, the highest repeated.
    SignedRight,
}

#[derive(Default)]
struct Arena {
    nodes: Vec<(Rc<Node>, u32)>,
    known: FxHashMap<(Rc<Node>, u32), Term>,
    /// What [`highest`] has found.
    highest: FxHashMap<Term, Option<u64>>,
    /// What [`range::signed_range`] has found.
    ranges: FxHashMap<Term, (i128, i128)>,
    /// What [`Term::extract`] has made: operands are taken apart, too, and shared ones would be again and again.
    extracted: FxHashMap<(Term, u32, u32), Term>,
    unknowns: u32,
}

thread_local! {
    static ARENA: RefCell<Arena> = RefCell::default();
}

/// Forgets all terms of this thread.
pub fn clear() {
    ARENA.with_borrow_mut(|arena| *arena = Arena::default());
}

/// The term of a node that is in normal form.
fn intern(node: Node, width: u32) -> Term {
    debug_assert!((1..=WIDEST).contains(&width), "{width} bits");
    ARENA.with_borrow_mut(|arena| {
        let key = (Rc::new(node), width);
        if let Some(&term) = arena.known.get(&key) {
            return term;
        }
        let term = Term {
            index: arena.nodes.len() as u32,
            thread: PhantomData,
        };
        arena.nodes.push(key.clone());
        arena.known.insert(key, term);
        term
    })
}

/// A constant of `width` bits.
pub fn constant(value: Wide, width: u32) -> Term {
    intern(Node::Constant(value.low(width)), width)
}

/// A constant of `width` bits, from a number of at most 64.
pub fn number(value: u64, width: u32) -> Term {
    constant(Wide::new(value), width)
}

/// One bit.
pub fn bit(value: bool) -> Term {
    number(value.into(), 1)
}

/// The variable of this name.
pub fn variable(name: &str, width: u32) -> Term {
    intern(Node::Variable(name.into()), width)
}

/// A value of which nothing is known, not even that it is the same twice.
pub fn unknown(width: u32) -> Term {
    let number = ARENA.with_borrow_mut(|arena| {
        arena.unknowns += 1;
        arena.unknowns
    });
    variable(&format!("unknown{number}"), width)
}

/// A function of which only the name is known, of these arguments.
pub fn apply(function: &str, arguments: &[Term], width: u32) -> Term {
    intern(Node::Apply(function.into(), arguments.into()), width)
}

impl Term {
    /// What the term is made of.
    pub fn node(self) -> Rc<Node> {
        ARENA.with_borrow(|arena| arena.nodes[self.index as usize].0.clone())
    }

    /// The number of its bits.
    pub fn width(self) -> u32 {
        ARENA.with_borrow(|arena| arena.nodes[self.index as usize].1)
    }

    /// Its value, where it is a constant.
    pub fn value(self) -> Option<Wide> {
        match *self.node() {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Its value, where it is a constant that fits into 64 bits.
    pub fn number(self) -> Option<u64> {
        self.value()?.to_u64()
    }

    /// Whether it is the constant 0.
    pub fn is_zero(self) -> bool {
        self.value().is_some_and(Wide::is_zero)
    }
}

impl Node {
    /// Calls `visit` for each operand.
    pub fn operands(&self, mut visit: impl FnMut(Term)) {
        match self {
            Node::Constant(_) | Node::Variable(_) => (),
            Node::Concat(terms)
            | Node::And(terms)
            | Node::Xor(terms)
            | Node::Count(terms)
            | Node::Apply(_, terms) => {
                terms.iter().copied().for_each(visit);
            }
            Node::Sum(terms, _) => terms.iter().for_each(|&(term, _)| visit(term)),
            &Node::Extract(a, _)
            | &Node::Extend(a)
            | &Node::LeadingZeros(a)
            | &Node::TrailingZeros(a)
            | &Node::Lookup(_, a) => visit(a),
            &Node::Product(a, b)
            | &Node::Equal(a, b)
            | &Node::Below(a, b)
            | &Node::SignedBelow(a, b)
            | &Node::Shift(_, a, b) => [a, b].into_iter().for_each(visit),
            &Node::If(a, b, c) => [a, b, c].into_iter().for_each(visit),
        }
    }
}

/// Comes to a term and all that it is made of and that is not known yet, operands before what is made of them.
fn operands_first<S>(
    term: Term,
    state: &mut S,
    is_known: impl Fn(&S, Term) -> bool,
    mut add: impl FnMut(&mut S, Term, &Node),
) {
    // Not by recursion: terms may be deep.
    let mut left = vec![term];
    while let Some(&next) = left.last() {
        if is_known(state, next) {
            left.pop();
            continue;
        }
        let (node, before) = (next.node(), left.len());
        node.operands(|operand| {
            if !is_known(state, operand) {
                left.push(operand);
            }
        });
        if left.len() == before {
            add(state, next, &node);
            left.pop();
        }
    }
}

impl std::fmt::Debug for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &*self.node() {
            Node::Constant(value) => write!(f, "{value:?}"),
            Node::Variable(name) => f.write_str(name),
            _ => write!(f, "t{}", self.index),
        }
    }
}

#[cfg(test)]
mod tests;
