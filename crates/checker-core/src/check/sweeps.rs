//! Exhaustive parts of a check: every line, every edge, and so on.

use crate::cases::Cases;
use crate::input::Case;
use crate::reference::{EDGES, ray};
use crate::registry::CheckerEntry;

/// Cases that cover one aspect of some kernels exhaustively.
pub struct Sweep {
    /// A short name, without spaces.
    pub name: &'static str,
    /// The kernels that the sweep is for.
    pub kernels: SweptKernels,
    /// Makes the cases; every call makes the same ones.
    pub cases: fn() -> Box<dyn Iterator<Item = Case>>,
}

/// The kernels that a sweep is for.
pub enum SweptKernels {
    /// Kernels of these names. Unknown names are ignored.
    Named(&'static [&'static str]),
    /// Kernels that take a whole board and no move on it.
    WholeBoards,
}

use SweptKernels::{Named, WholeBoards};

impl SweptKernels {
    /// Returns `true` if the sweep is for the entry's kernel.
    pub fn includes(&self, entry: &CheckerEntry) -> bool {
        match self {
            Named(names) => names.contains(&entry.kernel),
            WholeBoards => {
                let takes = |name| entry.parameters.contains(&name);
                let is_of_board = ["player", "features"].map(takes);
                let is_of_move = ["square", "flipped"].map(takes);
                is_of_board.contains(&true) && !is_of_move.contains(&true)
            }
        }
    }
}

/// Makes the sweeps from rows `"name", kernels => cases;`.
macro_rules! sweeps {
    ($($name:literal, $kernels:expr => $cases:expr;)*) => {
        /// All sweeps.
        pub static SWEEPS: &[Sweep] = &[$(Sweep {
            name: $name,
            kernels: $kernels,
            cases: || Box::new($cases),
        }),*];
    };
}

sweeps! {
    "lines", Named(&["last_flip_count", "last_move_score"]) => lines();
    "rays", Named(&["flip"]) => rays();
    "alphas", Named(&["last_move_score"]) => alphas();
    "edges", Named(&["edge_stability", "stability"]) => edges();
    "fours", Named(&["neighbour_sort"]) => close_fours();
    "full", WholeBoards => full_boards();
}

const EMPTY: Case = Case::new(0, 0, 0);

/// The `squares` whose digit is `digit`. The digits of `state` in base 3 belong to the squares, lowest digit first.
fn with_digit(squares: &[usize], state: usize, digit: usize) -> u64 {
    let mut state = state;
    squares.iter().fold(0, |discs, square| {
        let is_digit = state % 3 == digit;
        state /= 3;
        discs | u64::from(is_digit) << square
    })
}

/// Every line through every square, with every set of the mover's discs on it.
fn lines() -> impl Iterator<Item = Case> {
    let through = |square: usize| {
        [(1, 0), (1, 1), (0, 1), (-1, 1)].map(|(dx, dy)| {
            let line: Vec<usize> = ray(square, (dx, dy))
                .chain(ray(square, (-dx, -dy)))
                .collect();
            (square, line)
        })
    };
    (0..64).flat_map(through).flat_map(|(square, line)| {
        (0..1_u32 << line.len()).flat_map(move |held| {
            let held = |i: &usize| held >> i & 1 == 1;
            let discs = (0..line.len()).filter(held).map(|i| 1_u64 << line[i]);
            let player = discs.sum();
            [-64, -1, 0, 63].map(|alpha| Case {
                square,
                player,
                alpha,
                ..EMPTY
            })
        })
    })
}

/// Every state of every ray from every square.
fn rays() -> impl Iterator<Item = Case> {
    let from = |square: usize| {
        let ways = (0..9).filter(|&way| way != 4);
        ways.map(move |way| {
            let ray: Vec<usize> = ray(square, (way % 3 - 1, way / 3 - 1)).collect();
            (square, ray)
        })
    };
    (0..64).flat_map(from).flat_map(|(square, ray)| {
        (0..3_usize.pow(ray.len() as u32)).map(move |state| {
            let discs = |digit| with_digit(&ray, state, digit);
            Case::new(square, discs(1), discs(2))
        })
    })
}

/// Random boards with every alpha, on which lazy cut-offs depend. On every other board the mover has a disc
/// on the square, which kernels must ignore.
fn alphas() -> impl Iterator<Item = Case> {
    let boards = Cases::new(3).take(500).enumerate().map(|(i, case)| Case {
        player: case.player | (i as u64 & 1) << case.square,
        ..case
    });
    boards.flat_map(|case| (-64..64).map(move |alpha| Case { alpha, ..case }))
}

/// All 3^8 states of an edge, on each edge.
fn edges() -> impl Iterator<Item = Case> {
    (0..3_usize.pow(8)).flat_map(|state| {
        EDGES.map(|edge| {
            let discs = |digit| with_digit(&edge, state, digit);
            // A square in the centre is empty on all of these boards.
            Case::new(27, discs(1), discs(2))
        })
    })
}

/// Every four squares within three columns and three rows, in every order. They cover all ways in which four
/// squares can be neighbours.
fn close_fours() -> impl Iterator<Item = Case> {
    let is_close = |a: u8, b: u8| (a % 8).abs_diff(b % 8) <= 2 && (a / 8).abs_diff(b / 8) <= 2;
    let with_one_more = move |squares: Vec<u8>| {
        (0..64).filter_map(move |next| {
            let fits = |&one: &u8| one != next && is_close(one, next);
            squares
                .iter()
                .all(fits)
                .then(|| [&squares[..], &[next]].concat())
        })
    };
    let pairs = (0..64).flat_map(move |first| with_one_more(vec![first]));
    let fours = pairs.flat_map(with_one_more).flat_map(with_one_more);
    fours.map(|squares| Case {
        squares: u32::from_le_bytes(squares.try_into().expect("there are four squares")),
        ..EMPTY
    })
}

/// Full boards, which occur in no other source of cases.
fn full_boards() -> impl Iterator<Item = Case> {
    let one_colour = [Case::new(0, !0, 0), Case::new(0, 0, !0)];
    let boards = Cases::new(4).take(1000);
    let filled = boards.map(|case| Case {
        opponent: !case.player,
        ..case
    });
    one_colour.into_iter().chain(filled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// The expected numbers are computed from the board's shape alone, not by the code that makes the cases.
    #[test]
    fn sweeps_are_exhaustive() {
        // There are 16 rows and columns. Four diagonals have each length from 1 to 7, and two have length 8. For
        // each square of a line there are 2^(length - 1) sets of discs on the other squares. The empty set is
        // common to all lines of a square: the 64 below counts it.
        let diagonals = (1..=8).flat_map(|length| vec![length; if length < 8 { 4 } else { 2 }]);
        let of_line = |length: usize| length * ((1 << (length - 1)) - 1);
        let held: usize = [8; 16].into_iter().chain(diagonals).map(of_line).sum();
        // Rays of length n. In each of four straight directions they start from 8 squares. In each of four
        // diagonal directions (8 - n)^2 squares have at least n squares ahead, and (7 - n)^2 have more.
        let rays = |n: usize| 4 * 8 + 4 * ((8 - n).pow(2) - (7 - n).pow(2));
        let states: usize = (0..8).map(|n| rays(n) * (3_usize.pow(n as u32) - 1)).sum();
        // Inclusion and exclusion: the fours in all blocks of 3 x 3 squares, minus the fours in overlaps of two
        // neighbouring blocks, plus the fours in overlaps of four blocks.
        let orders = |squares: usize| (squares - 3..=squares).product::<usize>();
        // Neighbouring edges share three boards, the states of their corner. All edges share the empty board.
        let (edges, corners, empty) = (4 * 3_usize.pow(8), 4 * 3, 1);
        let expected = [
            ("lines", 4 * (64 + held)),
            ("rays", 64 + states),
            ("alphas", 500 * 128),
            ("edges", edges - (corners + 2 * empty) + 4 * empty - empty),
            (
                "fours",
                6 * 6 * orders(9) - 2 * 6 * 5 * orders(6) + 5 * 5 * orders(4),
            ),
            ("full", 2 + 1000),
        ];
        assert_eq!(expected.len(), SWEEPS.len());
        for (name, number) in expected {
            let sweep = SWEEPS.iter().find(|sweep| sweep.name == name).unwrap();
            let cases = (sweep.cases)().map(|case| format!("{case:?}"));
            assert_eq!(cases.collect::<HashSet<_>>().len(), number, "{name}");
        }
    }

    #[test]
    fn names_are_unique_and_cases_valid() {
        let names: HashSet<_> = SWEEPS.iter().map(|sweep| sweep.name).collect();
        assert_eq!(names.len(), SWEEPS.len());
        for sweep in SWEEPS {
            for case in (sweep.cases)() {
                assert_eq!(case.player & case.opponent, 0, "{}: {case:?}", sweep.name);
                let full = sweep.name == "full";
                let held = |side: u64| side >> case.square & 1 == 1;
                assert!(!held(case.opponent) || full, "{case:?}");
                assert!(
                    !held(case.player) || full || sweep.name == "alphas",
                    "{case:?}"
                );
            }
        }
    }
}
