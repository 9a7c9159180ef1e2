//! Specifications of the kernels, as terms.
//!
//! They are written from the rules of the game, independently of the templates. Tests compare them with the references
//! of `outflank-checker`.

mod board;
mod children;
mod features;
mod memory;
mod moves;
mod network;
mod order;
mod stability;

use crate::machine::{Array, Location, Machine, Target};
use crate::stages::Stages;
use crate::term::{Term, and_all, concat, number, substitute, variable, zeros};

/// Specification of a kernel.
pub struct Specification {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Number of obligations, which together cover all inputs that the kernel accepts.
    pub obligations: usize,
    /// Makes an obligation from its number.
    pub obligation: fn(usize) -> Obligation,
}

/// Makes claims from the answer at the end of a path and the path condition: one bit each, all of which must hold.
type Claims = Box<dyn Fn(Term, &[Term]) -> Vec<Term>>;

/// Makes claims that imply the given ones; `None` if none are known.
type Sufficient = Box<dyn Fn(&[Term]) -> Option<Vec<Term>>>;

/// Recognises path conditions that no input fulfils.
type IsInfeasible = Box<dyn Fn(&[Term]) -> bool>;

/// Proof obligation: the claims about the answers for a set of inputs.
pub struct Obligation {
    /// Name of the set of inputs: a square, or "every board".
    pub name: String,
    /// Arguments of the call, in the order of the parameters.
    pub arguments: Vec<Term>,
    /// Initial memory, by address.
    pub memory: Vec<(u64, Term)>,
    /// Memory that the code fills.
    pub target: Option<Target>,
    /// Arrays of unknown contents.
    pub arrays: Vec<Array>,
    /// Preconditions, one bit each.
    pub assumptions: Vec<Term>,
    /// Location and width of the answer.
    pub answer: AnswerLocation,
    /// Claims about the answer at the end of a path.
    pub claims: Claims,
    /// Claims that imply the claims above and are easier to prove, if any are known.
    pub sufficient: Sufficient,
    /// Intermediate values that the code probably computes, in groups: those of a group follow from the groups before.
    pub cut_points: Vec<Vec<CutPoint>>,
    /// Terms that both code and specification use unchanged, in an obligation without cut points.
    ///
    /// A claim is proved for arbitrary values in their place first, which is easier. Invariants of loops are proved for
    /// arbitrary values only.
    pub free: Vec<Term>,
    /// Facts that the claims rely on, proved independently of the code: one bit each.
    pub lemmas: Vec<Term>,
    /// Recognises infeasible paths without a solver.
    pub is_infeasible: IsInfeasible,
    /// Proof in stages, in place of the claims.
    pub stages: Option<Stages>,
    /// Proposes invariants; `None` for code without loops, or with loops of few rounds.
    pub loops: Option<Propose>,
}

/// Proposes invariants of a loop.
type Propose = Box<dyn Fn(&Loop) -> Proposal>;

/// A loop that is cut at its head.
pub struct Loop<'a> {
    /// State on entry.
    pub entry: &'a Machine,
    /// State at the head in any round.
    pub head: &'a Machine,
    /// Parts of the state that rounds change.
    pub changes: Vec<Change>,
}

/// Part of the state that rounds of a loop change.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// Register, lane or memory.
    pub location: Location,
    /// Value on entry.
    pub entry: Term,
    /// Value at the head in any round.
    pub head: Term,
}

/// Proposed invariants of a loop; wrong ones do no harm.
#[derive(Default)]
pub struct Proposal {
    /// Facts that may hold at the head in every round: one bit each.
    pub facts: Vec<Term>,
    /// Unsigned numbers that may decrease in each round.
    pub measures: Vec<Term>,
}

/// Intermediate value of the computation.
#[derive(Clone, Copy, Debug)]
pub struct CutPoint {
    /// The value.
    pub term: Term,
    /// Width that holds the unsigned value.
    pub bits: u32,
}

/// Location and width in bits of a kernel's answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnswerLocation {
    /// In registers: up to 128 bits.
    Returned(u32),
    /// In an array whose address the caller passes first.
    Array(u32),
    /// In memory at this address.
    Written(u64, u32),
    /// The observed word of the [`Target`].
    Target,
}

/// Specification with this number of obligations.
const fn specified(
    kernel: &'static str,
    obligations: usize,
    obligation: fn(usize) -> Obligation,
) -> Specification {
    Specification {
        kernel,
        obligations,
        obligation,
    }
}

/// All specifications.
pub fn specifications() -> impl Iterator<Item = &'static Specification> {
    [
        board::SPECIFICATIONS,
        children::SPECIFICATIONS,
        features::SPECIFICATIONS,
        memory::SPECIFICATIONS,
        moves::SPECIFICATIONS,
        network::SPECIFICATIONS,
        stability::SPECIFICATIONS,
    ]
    .into_iter()
    .flatten()
}

/// Algorithms that cannot be proved within minutes. They count as unspecified. `one_by_one` has too many paths, and
/// `two_lanes` and `ranks` lead to questions that are too hard. `bit_planes` uses `pdep` with a computed mask, which
/// has no model.
const TOO_HARD: &[(&str, &str)] = &[
    ("children", "one_by_one"),
    ("children", "two_lanes"),
    ("ordered_empties", "bit_planes"),
    ("ordered_empties", "ranks"),
];

/// Finds the specification for an algorithm of a kernel.
pub fn specification(kernel: &str, algorithm: &str) -> Option<&'static Specification> {
    match TOO_HARD.contains(&(kernel, algorithm)) {
        true => None,
        false => specifications().find(|specification| specification.kernel == kernel),
    }
}

impl Obligation {
    /// Obligation that the answer equals `expected`, with one claim for each part of `part` bits.
    fn equal(name: String, arguments: Vec<Term>, expected: Term, part: u32) -> Obligation {
        Obligation {
            name,
            arguments,
            memory: Vec::new(),
            target: None,
            arrays: Vec::new(),
            assumptions: Vec::new(),
            answer: AnswerLocation::Returned(expected.width()),
            sufficient: Box::new(|_| None),
            lemmas: Vec::new(),
            cut_points: Vec::new(),
            free: Vec::new(),
            is_infeasible: Box::new(|_| false),
            stages: None,
            loops: None,
            claims: Box::new(move |answer, _| {
                let parts = answer.lanes(part).zip(expected.lanes(part));
                parts.map(|(got, expected)| got.equals(expected)).collect()
            }),
        }
    }

    /// Obligation of [`equal`](Self::equal) for every board.
    fn every_board(arguments: Vec<Term>, expected: Term, part: u32) -> Obligation {
        Obligation::equal("every board".into(), arguments, expected, part)
    }

    /// Expects the answer in an array instead of registers.
    fn answering_array(mut self) -> Obligation {
        if let AnswerLocation::Returned(bits) = self.answer {
            self.answer = AnswerLocation::Array(bits);
        }
        self
    }

    /// The assumptions and the conditions of a path.
    pub(crate) fn under(&self, path: &[Term]) -> Vec<Term> {
        [&self.assumptions, path].concat()
    }

    /// Terms with variables in place of the free ones.
    pub(crate) fn generalised(&self, terms: &[Term]) -> Vec<Term> {
        let free = self.free.iter().enumerate();
        let free = free.map(|(i, &term)| (term, variable(&format!("free{i}"), term.width())));
        substitute(&Vec::from_iter(free), terms)
    }

    fn assuming(mut self, assumptions: impl IntoIterator<Item = Term>) -> Obligation {
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

/// Condition that no square has discs of both sides.
fn is_disjoint() -> Term {
    (player() & opponent()).equals(zeros(64))
}

/// Clears a square.
fn without(board: Term, square: usize) -> Term {
    board & number(!(1 << square), 64)
}

/// Makes a board from a function of its squares.
fn board(square: impl FnMut(usize) -> Term) -> Term {
    concat((0..64).map(square))
}

/// Name of a square: A1 to H8.
fn name(square: usize) -> String {
    format!("{}{}", (b'A' + square as u8 % 8) as char, square / 8 + 1)
}

/// Eight directions as (column step, row step).
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

/// Squares in a direction from a square, the nearest first.
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

/// Condition that at least one of the bits is set.
fn or_all(bits: impl IntoIterator<Item = Term>) -> Term {
    let none = bits
        .into_iter()
        .map(|bit| !bit)
        .chain([crate::term::bit(true)]);
    !and_all(none)
}

/// Number of set bits among `bits`, in `width` bits.
fn count_set(bits: &[Term], width: u32) -> Term {
    match bits {
        [] => zeros(width),
        [one] => one.resize(width),
        _ => {
            let (low, high) = bits.split_at(bits.len() / 2);
            // Adders no wider than the count needs.
            let needed = (bits.len().ilog2() + 1).min(width);
            (count_set(low, needed) + count_set(high, needed)).resize(width)
        }
    }
}
