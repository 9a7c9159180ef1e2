//! What the kernels have to do, as terms: written from the rules of the game, apart from the templates and from the
//! references of `outflank-checker`, with which the tests compare them.

mod board;
mod features;
mod moves;
mod network;
mod order;

use crate::machine::Array;
use crate::term::{Term, all, concat, number, variable, zeros};

/// A kernel's specification.
pub struct Specification {
    /// The kernel.
    pub kernel: &'static str,
    /// How many cases there are: together they are all inputs that the kernel may be given.
    pub cases: usize,
    /// Each of them.
    pub case: fn(usize) -> Case,
}

/// What holds for the right answer at the end of a path, by the answer and the path.
type Claims = Box<dyn Fn(Term, &[Term]) -> Vec<Term>>;

/// Claims from which others follow.
type Stronger = Box<dyn Fn(&[Term]) -> Option<Vec<Term>>>;

/// Whether no input takes a path.
type Never = Box<dyn Fn(&[Term]) -> bool>;

/// Inputs that are proved together.
pub struct Case {
    /// What they have in common: a square, or nothing.
    pub name: String,
    /// The arguments, in the order of the parameters.
    pub arguments: Vec<Term>,
    /// What lies in memory.
    pub memory: Vec<(u64, Term)>,
    /// Memory of which only the name is known.
    pub arrays: Vec<Array>,
    /// What holds for all inputs, one bit each.
    pub assumptions: Vec<Term>,
    /// Where the answer is, and how many bits it has.
    pub answer: Place,
    /// What holds for the right answer at the end of a path: one bit each, all of them.
    pub claims: Claims,
    /// Claims that these follow from and that are easier to prove, if there are any.
    pub stronger: Stronger,
    /// Numbers that the code is likely to come by on its way, in the order in which they follow from each other: a
    /// proof goes from one group to the next ([`crate::steps`]).
    pub steps: Vec<Vec<Step>>,
    /// In a case without steps, numbers that code and specification both use as they are: what holds for any numbers in
    /// their places holds for them, and is easier to prove.
    pub free: Vec<Term>,
    /// What else has to hold, whatever the code is: one bit each, all of them.
    pub lemmas: Vec<Term>,
    /// Whether no input takes a path, where that is known without a solver.
    pub never: Never,
}

/// A number on the way to the answer.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// What it is.
    pub term: Term,
    /// In how many bits it fits, without a sign.
    pub bits: u32,
}

/// Where a kernel's answer is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Returned in registers: up to 128 bits.
    Returned(u32),
    /// Returned as an array: where the caller wants it.
    Array(u32),
    /// Written to this address.
    Written(u64, u32),
}

/// All specifications.
pub fn specifications() -> impl Iterator<Item = &'static Specification> {
    [
        board::SPECIFICATIONS,
        features::SPECIFICATIONS,
        moves::SPECIFICATIONS,
        network::SPECIFICATIONS,
    ]
    .into_iter()
    .flatten()
}

/// Algorithms that loop as often as their input says. Paths do not come to an end there, so they are treated as those
/// of kernels without a specification.
const LOOPS: &[(&str, &str)] = &[("ordered_empties", "ranks")];

/// The specification that an algorithm of a kernel is proved by.
pub fn specification(kernel: &str, algorithm: &str) -> Option<&'static Specification> {
    match LOOPS.contains(&(kernel, algorithm)) {
        true => None,
        false => specifications().find(|one| one.kernel == kernel),
    }
}

impl Case {
    /// Of a function whose answer has to be `expected`; parts of `part` bits may be proved one by one.
    fn equal(name: String, arguments: Vec<Term>, expected: Term, part: u32) -> Case {
        Case {
            name,
            arguments,
            memory: Vec::new(),
            arrays: Vec::new(),
            assumptions: Vec::new(),
            answer: Place::Returned(expected.width()),
            stronger: Box::new(|_| None),
            lemmas: Vec::new(),
            steps: Vec::new(),
            free: Vec::new(),
            never: Box::new(|_| false),
            claims: Box::new(move |answer, _| {
                let parts = answer.lanes(part).zip(expected.lanes(part));
                parts.map(|(got, expected)| got.equals(expected)).collect()
            }),
        }
    }

    /// With an array as its answer.
    fn answering_array(mut self) -> Case {
        if let Place::Returned(bits) = self.answer {
            self.answer = Place::Array(bits);
        }
        self
    }

    fn assuming(mut self, assumptions: impl IntoIterator<Item = Term>) -> Case {
        self.assumptions.extend(assumptions);
        self
    }
}

/// The mover's discs.
fn player() -> Term {
    variable("player", 64)
}

/// The opponent's discs.
fn opponent() -> Term {
    variable("opponent", 64)
}

/// No square has discs of both sides.
fn apart() -> Term {
    (player() & opponent()).equals(zeros(64))
}

/// The board without a disc on a square.
fn without(board: Term, square: usize) -> Term {
    board & number(!(1 << square), 64)
}

/// A board by its squares.
fn board(square: impl FnMut(usize) -> Term) -> Term {
    concat((0..64).map(square).collect::<Vec<_>>())
}

/// The name of a square.
fn name(square: usize) -> String {
    format!("{}{}", (b'A' + square as u8 % 8) as char, square / 8 + 1)
}

/// The eight directions as (column step, row step).
const DIRECTIONS: [(i32, i32); 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

/// The squares met when going from a square in a direction, the nearest first.
fn ray(square: usize, (across, down): (i32, i32)) -> Vec<usize> {
    let (mut column, mut row) = (square as i32 % 8, square as i32 / 8);
    let mut squares = Vec::new();
    loop {
        (column, row) = (column + across, row + down);
        if !(0..8).contains(&column) || !(0..8).contains(&row) {
            return squares;
        }
        squares.push((8 * row + column) as usize);
    }
}

/// Whether one of the bits is set.
fn any(bits: impl IntoIterator<Item = Term>) -> Term {
    let none = bits
        .into_iter()
        .map(|bit| !bit)
        .chain([crate::term::bit(true)]);
    !all(none.collect::<Vec<_>>())
}

/// The number of bits set among these, in `width` bits.
fn counted(bits: &[Term], width: u32) -> Term {
    match bits {
        [] => zeros(width),
        [one] => one.resize(width),
        _ => {
            let (low, high) = bits.split_at(bits.len() / 2);
            // No more bits than the number needs: adders of the whole width would be wasted.
            let own = (bits.len().ilog2() + 1).min(width);
            (counted(low, own) + counted(high, own)).resize(width)
        }
    }
}
