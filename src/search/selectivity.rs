//! Selectivity: a node is not searched deeply if a shallow search leaves no doubt (Buro, "ProbCut: an effective
//! selective extension of the alpha-beta algorithm", 1995).

use std::fmt;

use super::local_table::MAX_LOCAL_EMPTIES;
use crate::eval::ErrorModel;

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

/// Sigma, in discs, between each search and its shallow search, by empty squares and plies.
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

    /// The minimum distance in discs between a shallow score and the window for a cut.
    #[inline(always)]
    pub(super) fn margin(&self, empties: u32, depth: u8, rank: u8) -> i32 {
        // Inside a preparatory search, searches short of the end cut at 73 %. They keep the preparatory rank, so that
        // entries of the preparatory search cover them.
        let sigmas = match u32::from(depth) >= empties {
            true => SIGMAS[usize::from(rank)],
            false => SIGMAS[usize::from(rank.max(Selectivity::P73.rank()))],
        };
        // Boards outside of games may have more empties, and strange weights may have any sigma.
        let sigma = self.0[empties.min(60) as usize][usize::from(depth.min(60))];
        (sigmas * sigma + 0.5).min(MAX_MARGIN) as i32
    }
}
