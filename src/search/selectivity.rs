//! Selectivity: a node is not searched deeply if a shallow search leaves no doubt (Buro, "ProbCut: an effective
//! selective extension of the alpha-beta algorithm", 1995).

use std::fmt;

use outflank_kernels::Kernels;

use super::local_table::MAX_LOCAL_EMPTIES;
use crate::board::Board;
use crate::eval::ErrorModel;
use crate::table::SearchDepth;

/// The confidence of selective cuts.
///
/// A selective search cuts a node if a shallow search predicts, with this confidence, that the deep one would fail. The
/// errors of such predictions have the standard deviation sigma. More confidence needs a greater distance between the
/// shallow score and the window, in sigmas.
///
/// ```
/// use outflank::Selectivity;
///
/// assert_eq!(Selectivity::of_percent(95), Some(Selectivity::P95));
/// assert_eq!((Selectivity::P73.percent(), Selectivity::Full.to_string()), (73, "100%".to_owned()));
/// assert!(Selectivity::P73 < Selectivity::Full); // less confidence
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub enum Selectivity {
    /// 73 %: cuts from 1.1 sigma.
    P73,
    /// 87 %: cuts from 1.5 sigma.
    P87,
    /// 95 %: cuts from 2 sigma.
    P95,
    /// 98 %: cuts from 2.6 sigma.
    P98,
    /// 99 %: cuts from 3.3 sigma.
    P99,
    /// No selective cuts.
    #[default]
    Full,
}

impl Selectivity {
    /// All levels, in ascending confidence.
    pub const ALL: [Selectivity; 6] = [
        Selectivity::P73,
        Selectivity::P87,
        Selectivity::P95,
        Selectivity::P98,
        Selectivity::P99,
        Selectivity::Full,
    ];

    /// The confidence in percent: 73, 87, 95, 98, 99 or 100.
    pub const fn percent(self) -> u32 {
        [73, 87, 95, 98, 99, 100][self as usize]
    }

    /// The effective selectivity of a search of `depth` plies: full if the search is too shallow for selective cuts.
    pub(super) fn of_depth(self, depth: u32, to_end: bool) -> Selectivity {
        let uncut = match to_end {
            true => depth <= MAX_LOCAL_EMPTIES,
            false => depth < MIN_DEPTH.into(),
        };
        if uncut { Selectivity::Full } else { self }
    }

    /// The rank in a [`SearchDepth`](crate::table::SearchDepth): 1 or more; greater means more confidence.
    pub(super) const fn rank(self) -> u8 {
        self as u8 + 1
    }

    /// The selectivity of a rank, 1 or more.
    pub(super) const fn of_rank(rank: u8) -> Selectivity {
        Selectivity::ALL[rank as usize - 1]
    }

    /// The selectivity of `percent`; `None` for other percentages.
    pub fn of_percent(percent: u32) -> Option<Selectivity> {
        Selectivity::ALL
            .into_iter()
            .find(|selectivity| selectivity.percent() == percent)
    }
}

impl fmt::Display for Selectivity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.percent())
    }
}

/// The minimum distance, in sigmas, between a shallow score and the window for a cut, by rank.
const SIGMAS: [f32; 6] = [0.66, 1.1, 1.5, 2.0, 2.6, 3.3];

/// The rank of the first search to the end before a solve with linear weights, below any [`Selectivity`]. Searches of
/// more confidence cost more than they save there (docs/lab/search.md).
pub(super) const PREPARATORY: u8 = 0;

/// The rank of searches without selective cuts.
pub(super) const FULL: u8 = Selectivity::Full.rank();

/// The minimum depth of selective cuts, by a shallow search or by the static value.
pub(super) const MIN_DEPTH: u8 = 2;

/// The factor of sigma if the static value replaces a search. Without it, midgame searches were measurably less
/// accurate (docs/lab/search.md).
const STATIC_FACTOR: f32 = 1.4;

/// The plies of the shallow search that replaces one of `depth` plies ([`MIN_DEPTH`] or more): about half as many. The
/// parity stays, because values with different sides to move at the leaves differ.
pub(super) const fn reduced(depth: u8) -> u8 {
    2 * (depth / 4) + (depth & 1)
}

/// The maximum margin in discs. No score is farther from a window.
const MAX_MARGIN: f32 = 128.0;

/// The number of moves of either side at which sigma is that of the error model. Tuned with [`LOG_DECREASES`].
const USUAL_MOVES: f32 = 9.5;

/// The decrease of the logarithm of a margin for each move of the side that the cut favours, and for each move of the
/// other side. A cut above the window favours the mover, a cut below it the opponent.
///
/// The fewer moves, the greater the errors of shallow searches. The more moves, the more a cut saves. Tuned on searches of
/// 10 plies; see docs/lab/search.md.
const LOG_DECREASES: [f32; 2] = [0.09, 0.05];

/// More moves of a side count as this number.
const MAX_COUNTED_MOVES: usize = 20;

/// The margins of selective cuts: sigmas, and their factors by numbers of moves.
pub(crate) struct Margins {
    /// Sigma, in discs, between each search and its shallow search, by empty squares and plies.
    sigmas: Box<[[f32; 61]; 61]>,
    /// The factor of sigma by the number of moves of the side that the cut favours.
    favoured: [f32; MAX_COUNTED_MOVES + 1],
    /// The factor of sigma by the number of moves of the other side.
    other: [f32; MAX_COUNTED_MOVES + 1],
}

impl Margins {
    pub(crate) fn new(model: &ErrorModel) -> Margins {
        let mut sigmas = Box::new([[0.0; 61]; 61]);
        for (empties, row) in sigmas.iter_mut().enumerate() {
            for (depth, sigma) in row.iter_mut().enumerate().take(empties + 1).skip(1) {
                let reduced = u32::from(reduced(depth as u8));
                *sigma = model.sigma(empties as u32, depth as u32, reduced);
                if reduced == 0 {
                    *sigma *= STATIC_FACTOR;
                }
                *sigma = to_256ths(*sigma);
            }
        }
        let [favoured, other] = LOG_DECREASES.map(|decrease| {
            let factor = |moves| f64::from(decrease * (USUAL_MOVES - moves as f32)).exp();
            std::array::from_fn(|moves| to_256ths(factor(moves) as f32))
        });
        Margins {
            sigmas,
            favoured,
            other,
        }
    }

    /// The margins of a cut above the window and of one below it, in discs. A margin is the minimum distance between a
    /// shallow score and the window. The mover's legal moves are `mobility`.
    #[inline(always)]
    pub(super) fn of_node<I: Kernels>(
        &self,
        isa: I,
        board: Board,
        mobility: u64,
        depth: SearchDepth,
    ) -> [i32; 2] {
        let empties = board.empty_count();
        let (plies, rank) = (depth.plies, depth.selectivity);
        let to_end = u32::from(plies) >= empties;
        // Inside a preparatory search, searches short of the end cut at 73 %. They keep the preparatory rank, so that
        // entries of the preparatory search cover them.
        let distance = match to_end {
            true => SIGMAS[usize::from(rank)],
            false => SIGMAS[usize::from(rank.max(Selectivity::P73.rank()))],
        };
        // Boards outside of games may have more empties, and strange weights may have any sigma.
        let sigma = self.sigmas[empties.min(60) as usize][usize::from(plies.min(60))];
        let mut factors = [1.0; 2];
        // Solves gain nothing by factors in searches to the end (docs/lab/search.md).
        if !to_end {
            let both = [mobility, isa.mobility(board.opponent, board.player)];
            let [own, other] =
                both.map(|moves| (moves.count_ones() as usize).min(MAX_COUNTED_MOVES));
            let factor = |favoured, other| self.favoured[favoured] * self.other[other];
            factors = [factor(own, other), factor(other, own)];
        }
        // A sigma that is no number gives the maximum margin.
        factors.map(|factor| (distance * sigma * factor + 0.5).min(MAX_MARGIN) as i32)
    }
}

/// The nearest multiple of 1/256. Platforms may differ in the last bits of logarithms and powers; rounding makes their
/// margins equal, and so their searches.
fn to_256ths(number: f32) -> f32 {
    (number * 256.0).round() / 256.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_kernels::{Isa, with_isa};

    fn depth(plies: u8, selectivity: u8) -> SearchDepth {
        SearchDepth { plies, selectivity }
    }

    fn of_node(margins: &Margins, board: Board, depth: SearchDepth) -> [i32; 2] {
        with_isa!(Isa::Portable.token().unwrap(), isa => margins.of_node(isa, board, board.mobility(), depth))
    }

    #[test]
    fn many_moves_of_the_favoured_side_make_a_margin_small() {
        let margins = Margins::new(&ErrorModel::NETWORK);
        // The mover has 14 moves, the opponent 4.
        let squares = "---XXXX-X-XXXO--XXOXOO--XXXOXO--XXOXXO---OXXXOO-O-OOOO------OO--";
        let board: Board = format!("{squares} X").parse().unwrap();
        for rank in [
            PREPARATORY,
            Selectivity::P73.rank(),
            Selectivity::P99.rank(),
        ] {
            for plies in 4..board.empty_count() as u8 {
                let [above, below] = of_node(&margins, board, depth(plies, rank));
                assert!(above < below, "{above} and {below} at {plies} plies");
                // The margins belong to the sides, not to the mover.
                let after_pass = of_node(&margins, board.pass(), depth(plies, rank));
                assert_eq!(after_pass, [below, above], "{plies} plies");
            }
            let to_end = depth(board.empty_count() as u8, rank);
            let [above, below] = of_node(&margins, board, to_end);
            assert_eq!(above, below, "to the end");
        }
    }

    #[test]
    fn strange_models_have_margins_within_limits() {
        let full = Board {
            player: u64::MAX,
            opponent: 0,
        };
        let empty = Board {
            player: 0,
            opponent: 0,
        };
        for constant in [
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            1e30,
            -1e30,
            80.0,
        ] {
            let model = ErrorModel {
                midgame: [constant; 10],
                endgame: [constant; 4],
            };
            let margins = Margins::new(&model);
            for board in [Board::START, full, empty] {
                for plies in [1, 2, 30, 60, 64] {
                    let both = of_node(&margins, board, depth(plies, PREPARATORY));
                    let is_within = |margin| (0..=MAX_MARGIN as i32).contains(margin);
                    assert!(both.iter().all(is_within), "{both:?} for {constant}");
                }
            }
        }
    }
}
