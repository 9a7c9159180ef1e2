//! How certain a search is: what a shallow search leaves no doubt about is not searched deeply (ProbCut:
//! Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", 1995).

use std::fmt;

use super::local;
use crate::eval::ErrorModel;

/// How certain selective cuts have to be.
///
/// ```
/// use outflank::Selectivity;
///
/// assert_eq!(Selectivity::of_percent(95), Some(Selectivity::P95));
/// assert_eq!((Selectivity::P73.percent(), Selectivity::Full.to_string()), (73, "100%".to_owned()));
/// assert!(Selectivity::P73 < Selectivity::Full); // less certain
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub enum Selectivity {
    /// 73 %: cuts from 1.1 sigma.
    P73,
    /// 87 %: from 1.5 sigma.
    P87,
    /// 95 %: from 2 sigma.
    P95,
    /// 98 %: from 2.6 sigma.
    P98,
    /// 99 %: from 3.3 sigma.
    P99,
    /// No selective cuts.
    #[default]
    Full,
}

impl Selectivity {
    /// All, from the least certain on.
    pub const ALL: [Selectivity; 6] = [
        Selectivity::P73,
        Selectivity::P87,
        Selectivity::P95,
        Selectivity::P98,
        Selectivity::P99,
        Selectivity::Full,
    ];

    /// The certainty in percent: 73, 87, 95, 98, 99 or 100.
    pub const fn percent(self) -> u32 {
        [73, 87, 95, 98, 99, 100][self as usize]
    }

    /// What is left of it in a search of `depth` plies, to the end of the game or not: where nothing is
    /// cut, it is full.
    pub(super) fn of_depth(self, depth: u32, to_end: bool) -> Selectivity {
        let uncut = match to_end {
            true => depth <= local::MAX_EMPTIES,
            false => depth < MIN_DEPTH.into(),
        };
        if uncut { Selectivity::Full } else { self }
    }

    /// What a [`Draft`](crate::table::Draft) has of it: 1 or more, more is more certain.
    pub(super) const fn rank(self) -> u8 {
        self as u8 + 1
    }

    /// The one of that rank, 1 or more.
    pub(super) const fn of_rank(rank: u8) -> Selectivity {
        Selectivity::ALL[rank as usize - 1]
    }

    /// The one of so many percent.
    pub fn of_percent(percent: u32) -> Option<Selectivity> {
        Selectivity::ALL
            .into_iter()
            .find(|one| one.percent() == percent)
    }
}

impl fmt::Display for Selectivity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.percent())
    }
}

/// By rank: how many sigmas a shallow search must be away.
const SIGMAS: [f32; 6] = [0.66, 1.1, 1.5, 2.0, 2.6, 3.3];

/// The rank of searches to the end that only prepare others, less certain than any [`Selectivity`]: by linear weights,
/// what more certain ones take they do not save (docs/lab/search.md).
pub(super) const ROUGH: u8 = 0;

/// The rank of searches that cut nothing.
pub(super) const FULL: u8 = Selectivity::Full.rank();

/// The fewest plies that a shallow search, or the static value, can stand for.
pub(super) const MIN_DEPTH: u8 = 2;

/// What sigma is multiplied by where the static value stands for [`MIN_DEPTH`] plies: without it, midgame
/// searches were measurably less accurate (docs/lab/search.md).
const STATIC_FACTOR: f32 = 1.4;

/// The plies of the shallow search that stands for one of `depth`, [`MIN_DEPTH`] or more: about half
/// of them, and the same side to move at the leaves, because the two sides' values differ.
pub(super) const fn reduced(depth: u8) -> u8 {
    2 * (depth / 4) + (depth & 1)
}

/// Discs from which on no margin makes a difference.
const MAX_MARGIN: f32 = 128.0;

/// Sigmas of an [`ErrorModel`] between all searches and those of [`reduced`] plies, by empty squares and
/// plies, in discs.
pub(crate) struct Margins(Box<[[f32; 61]; 61]>);

impl Margins {
    pub(crate) fn new(model: &ErrorModel) -> Margins {
        let mut all = Box::new([[0.0; 61]; 61]);
        for (empties, row) in all.iter_mut().enumerate() {
            for (depth, sigma) in row.iter_mut().enumerate().take(empties + 1).skip(1) {
                let reduced = u32::from(reduced(depth as u8));
                *sigma = model.sigma(empties as u32, depth as u32, reduced);
                if reduced == 0 {
                    *sigma *= STATIC_FACTOR;
                }
            }
        }
        Margins(all)
    }

    /// How many discs the shallow search must be away from a bound to let the search be cut.
    #[inline(always)]
    pub(super) fn of(&self, empties: u32, depth: u8, rank: u8) -> i32 {
        // Shallow searches inside rough ones cut as those of 73 %. They have the same rank so that what the table has
        // of the rough ones serves them.
        let sigmas = match u32::from(depth) >= empties {
            true => SIGMAS[usize::from(rank)],
            false => SIGMAS[usize::from(rank.max(Selectivity::P73.rank()))],
        };
        // Boards that no game leads to may have more empties; strange weights may have any sigma.
        let sigma = self.0[empties.min(60) as usize][usize::from(depth.min(60))];
        (sigmas * sigma + 0.5).min(MAX_MARGIN) as i32
    }
}
