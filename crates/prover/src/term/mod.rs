//! Terms over bit vectors: the results of machine code as functions of its inputs, and the claims of specifications.
//!
//! Terms are hash-consed: equal terms are one entry of an arena, and a [`Term`] is an index into it. Every constructor
//! rewrites its term to a normal form, so that different computations of one value often yield the same term, without a
//! solver:
//!
//! - Constants are folded.
//! - Moves of bits (shifts, masks, shuffles, lanes) become [`Node::Concat`] and [`Node::Extract`].
//! - The operands of exclusive ors and sums are sorted.
//! - Look-ups in linear tables become exclusive ors.
//!
//! The rules of an operation make terms of other operations: the low bits of a sum are a sum, and a sum without carries
//! is a concatenation. They do so through the methods of [`Term`], so no file imports another one that imports it.
//!
//! Each thread has its own arena. [`clear`] empties it and invalidates all terms of the thread.

mod arithmetic;
mod bits;
mod compare;
mod evaluate;
mod range;
mod rewrite;
mod smt;
mod sum;
mod table;
mod wide;

use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::hash::Hash;
use std::marker::PhantomData;
use std::rc::Rc;

pub use bits::{and_all, concat, xor_all, zeros};
pub use evaluate::{Assignment, Evaluator};
pub use range::{trailing_zeros, upper_bound};
pub(crate) use rewrite::{substitute, subterms};
pub use smt::Script;
pub use sum::total;
pub use table::Table;
pub use wide::{WIDEST, Wide};

/// Bit vector of 1 to [`WIDEST`] bits that may depend on inputs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term {
    index: u32,
    /// Ties the term to its thread's arena.
    thread: PhantomData<*const ()>,
}

/// Operation and operands of a term. Operands precede their term in the arena.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant.
    Constant(Wide),
    /// An input, or an unknown value.
    Variable(Rc<str>),
    /// Concatenation, the lowest part first.
    Concat(Box<[Term]>),
    /// Bits of a term, from this index on.
    Extract(Term, u32),
    /// Bitwise and of two or more operands, a constant first.
    And(Box<[Term]>),
    /// Bitwise exclusive or of two or more operands, a constant first.
    Xor(Box<[Term]>),
    /// Sum of terms times factors, plus a constant, cut to the width.
    Sum(Box<[(Term, Wide)]>, Wide),
    /// Product, cut to the width.
    Product(Term, Term),
    /// If-then-else: the second operand if the first operand (one bit) is 1, else the third.
    If(Term, Term, Term),
    /// Equality, as one bit.
    Equal(Term, Term),
    /// Unsigned less-than, as one bit.
    Below(Term, Term),
    /// Signed less-than, as one bit.
    SignedBelow(Term, Term),
    /// Shift of the first term by the second; a distance of the width or more shifts out all bits.
    Shift(Shift, Term, Term),
    /// Sign extension.
    Extend(Term),
    /// Number of set bits among two or more bits, in the least width that holds it.
    Count(Box<[Term]>),
    /// Number of leading zeros; the width for 0.
    LeadingZeros(Term),
    /// Number of trailing zeros; the width for 0.
    TrailingZeros(Term),
    /// Entry of a table of constants.
    Lookup(Rc<Table>, Term),
    /// Application of an uninterpreted function.
    Apply(Rc<str>, Box<[Term]>),
}

/// Kind of shift.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shift {
    /// To higher bits.
    Left,
    /// To lower bits, with zeros from above.
    Right,
    /// To lower bits, with copies of the sign from above.
    SignedRight,
}

/// Distance of a shift of `width` bits, at most this width.
fn shift_distance(by: Wide, width: u32) -> u32 {
    by.to_u64().map_or(width, |by| by.min(width.into()) as u32)
}

#[derive(Default)]
struct Arena {
    nodes: Vec<(Rc<Node>, u32)>,
    known: FxHashMap<(Rc<Node>, u32), Term>,
    /// Known results of [`upper_bound`].
    upper_bounds: FxHashMap<Term, Option<u64>>,
    /// Known results of [`range::signed_range`].
    ranges: FxHashMap<Term, (i128, i128)>,
    /// Known results of [`Term::extract`], so that it descends into shared operands only once.
    extracted: FxHashMap<(Term, u32, u32), Term>,
    unknowns: u32,
}

thread_local! {
    static ARENA: RefCell<Arena> = RefCell::default();
}

/// Empties this thread's arena and invalidates its terms.
pub fn clear() {
    ARENA.with_borrow_mut(|arena| *arena = Arena::default());
}

/// Term of a node in normal form.
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

/// Value for a key of one of the arena's maps; computes and adds it at the first request.
fn remembered<K: Copy + Eq + Hash, V: Copy>(
    map: impl Fn(&mut Arena) -> &mut FxHashMap<K, V>,
    key: K,
    compute: impl FnOnce() -> V,
) -> V {
    if let Some(known) = ARENA.with_borrow_mut(|arena| map(arena).get(&key).copied()) {
        return known;
    }
    let value = compute();
    ARENA.with_borrow_mut(|arena| map(arena).insert(key, value));
    value
}

/// Constant of `width` bits.
pub fn constant(value: Wide, width: u32) -> Term {
    intern(Node::Constant(value.low(width)), width)
}

/// Constant of `width` bits, from an integer of at most 64 bits.
pub fn number(value: u64, width: u32) -> Term {
    constant(Wide::new(value), width)
}

/// Constant of one bit.
pub fn bit(value: bool) -> Term {
    number(value.into(), 1)
}

/// Variable of this name.
pub fn variable(name: &str, width: u32) -> Term {
    intern(Node::Variable(name.into()), width)
}

/// Fresh variable, equal to no other.
pub fn unknown(width: u32) -> Term {
    let number = ARENA.with_borrow_mut(|arena| {
        arena.unknowns += 1;
        arena.unknowns
    });
    variable(&format!("unknown{number}"), width)
}

/// Runs a function, then resets the counter of unknown values. So repeated runs make the same unknown values.
pub(crate) fn repeatably<T>(run: impl FnOnce() -> T) -> T {
    let unknowns = ARENA.with_borrow(|arena| arena.unknowns);
    let result = run();
    ARENA.with_borrow_mut(|arena| arena.unknowns = unknowns);
    result
}

/// Application of the uninterpreted function of this name.
pub fn apply(function: &str, arguments: &[Term], width: u32) -> Term {
    intern(Node::Apply(function.into(), arguments.into()), width)
}

impl Term {
    /// Operation and operands of the term.
    pub fn node(self) -> Rc<Node> {
        ARENA.with_borrow(|arena| arena.nodes[self.index as usize].0.clone())
    }

    /// Width in bits.
    pub fn width(self) -> u32 {
        ARENA.with_borrow(|arena| arena.nodes[self.index as usize].1)
    }

    /// Value of a constant, else `None`.
    pub fn value(self) -> Option<Wide> {
        match *self.node() {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Value of a constant that fits into 64 bits, else `None`.
    pub fn number(self) -> Option<u64> {
        self.value()?.to_u64()
    }

    /// Returns `true` for the constant 0.
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

/// Parts of a concatenation, each with the index of its lowest bit.
fn positioned(parts: &[Term]) -> impl Iterator<Item = (u32, Term)> {
    parts.iter().scan(0, |end, &part| {
        let lo = *end;
        *end += part.width();
        Some((lo, part))
    })
}

/// A term and its subterms that are not known yet, operands before their terms.
fn operands_first(term: Term, is_known: impl Fn(Term) -> bool) -> Vec<Term> {
    let (mut ordered, mut done) = (Vec::new(), FxHashSet::default());
    // A stack instead of recursion: terms may be deep.
    let mut left = vec![term];
    while let Some(&next) = left.last() {
        let is_open = |term: Term| !done.contains(&term) && !is_known(term);
        let before = left.len();
        if is_open(next) {
            next.node().operands(|operand| {
                if is_open(operand) {
                    left.push(operand);
                }
            });
            if left.len() > before {
                continue;
            }
            ordered.push(next);
            done.insert(next);
        }
        left.pop();
    }
    ordered
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
