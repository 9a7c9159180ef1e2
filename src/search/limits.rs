//! Limits of a search.

use std::time::Duration;

use super::selectivity::Selectivity;
use super::window::Window;

/// The maximum number of threads of an engine.
pub const MAX_THREADS: usize = 512;

/// Limits of a search: depth, selectivity, window, moves, nodes and time.
///
/// Depth and selectivity are the goal. [`Limits::EXACT`] goes to the end of the game without selective cuts.
/// [`Limits::depth`] stops after a number of plies. [`Limits::level`] chooses both for a level and a number of empty
/// squares; [`Strength`] chooses them for each position.
///
/// All limits apply at once. A search deepens until it reaches the goal, and it ends earlier at the first of
/// [`nodes`](Limits::nodes), [`time`](Limits::time) and a stop. Its result then has
/// [`complete`](crate::SearchResult::complete) `false`. The window, the number of lines and the left-out moves change
/// the result, not the depth.
///
/// More fields will come, so start from an existing value and end with `..`, as here. (`#[non_exhaustive]` would forbid
/// this to other crates.)
///
/// ```
/// use std::time::Duration;
/// use outflank::{Limits, Selectivity};
///
/// let limits = Limits {
///     time: Some(Duration::from_millis(100)),
///     ..Limits::depth(30, Selectivity::P73)
/// };
/// assert_eq!(Limits::level(21, 24), Limits::EXACT);
/// assert_eq!(Limits::level(21, 31), Limits::depth(21, Selectivity::P73));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Depth in plies. A depth of the number of empty squares or more goes to the end of the game.
    pub depth: u32,
    /// The confidence of selective cuts.
    pub selectivity: Selectivity,
    /// The window. A score outside it is returned as a bound.
    pub window: Window,
    /// The number of best moves to find, each with its score; 0 means 1.
    pub lines: u32,
    /// Bitboard of moves to leave out at the root. The score is then that of the best other move. If no other move
    /// exists, none is left out.
    pub without: u64,
    /// Node limit, observed to within some ten thousand nodes a thread. Positions with 12 or fewer empty squares are
    /// solved regardless.
    pub nodes: Option<u64>,
    /// Time limit, observed to within a few milliseconds.
    pub time: Option<Duration>,
}

impl Limits {
    /// A search for the exact score, to the end of the game without selective cuts.
    pub const EXACT: Limits = Limits {
        depth: 64,
        selectivity: Selectivity::Full,
        window: Window::EXACT,
        lines: 1,
        without: 0,
        nodes: None,
        time: None,
    };

    /// A search to the end of the game that tells only win, loss and draw apart.
    pub const WLD: Limits = Limits {
        window: Window::WLD,
        ..Limits::EXACT
    };

    /// A search of `depth` plies with this selectivity.
    pub const fn depth(depth: u32, selectivity: Selectivity) -> Limits {
        Limits {
            depth,
            selectivity,
            ..Limits::EXACT
        }
    }

    /// The depth and selectivity of Edax's level `level` for a board with `empties` empty squares. Levels are 0..=60; a
    /// greater number means 60.
    pub fn level(level: u32, empties: u32) -> Limits {
        use Selectivity::{Full, P73, P87, P95, P98, P99};
        // The maximum number of empty squares for a search to the end, and its selectivity.
        let to_end: &[(u32, Selectivity)] = &match level {
            0..=10 => vec![(2 * level, Full)],
            11..=12 => vec![(21, Full), (24, P98)],
            13..=18 => vec![(21, Full), (24, P98), (27, P87)],
            19..=21 => vec![(24, Full), (27, P98), (30, P87)],
            22..=24 => vec![(24, Full), (27, P99), (30, P95), (33, P73)],
            25..=27 => vec![(27, Full), (30, P98), (33, P87)],
            28..=29 => vec![(27, Full), (30, P99), (33, P95), (36, P73)],
            30..=31 => vec![(30, Full), (33, P98), (36, P87)],
            32..=33 => vec![(30, Full), (33, P99), (36, P95), (39, P73)],
            34..=35 => vec![(30, Full), (33, P99), (36, P98), (39, P87)],
            36..=59 => vec![
                (level - 6, Full),
                (level - 3, P99),
                (level, P98),
                (level + 3, P95),
                (level + 6, P87),
                (level + 9, P73),
            ],
            _ => vec![(64, Full)],
        };
        match to_end.iter().find(|(most, _)| empties <= *most) {
            Some(&(_, selectivity)) => Limits::depth(Limits::EXACT.depth, selectivity),
            None if level <= 10 => Limits::depth(level, Full),
            None => Limits::depth(level, P73),
        }
    }
}

/// User-facing strength setting, which gives the limits for each position.
///
/// ```
/// use outflank::{Limits, Selectivity, search::Strength};
///
/// assert_eq!(Strength::Level(21).limits(24), Limits::EXACT);
/// let limits = Limits::depth(8, Selectivity::Full);
/// assert_eq!(Strength::Depth(8, Selectivity::Full).limits(24), limits);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// Edax's level: [`Limits::level`].
    Level(u32),
    /// Plies and selectivity: [`Limits::depth`].
    Depth(u32, Selectivity),
}

impl Default for Strength {
    /// Level 16, which takes a fraction of a second per move on one thread.
    fn default() -> Strength {
        Strength::Level(16)
    }
}

impl Strength {
    /// The limits for a board with `empties` empty squares.
    pub fn limits(self, empties: u32) -> Limits {
        match self {
            Strength::Level(level) => Limits::level(level, empties),
            Strength::Depth(depth, selectivity) => Limits::depth(depth, selectivity),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_match_the_table_of_edax() {
        use Selectivity::{Full, P73, P87, P95, P98, P99};
        for (level, empties, depth, selectivity) in [
            (0, 30, 0, Full),
            (4, 8, 64, Full),
            (4, 9, 4, Full),
            (10, 20, 64, Full),
            (10, 21, 10, Full),
            (11, 24, 64, P98),
            (11, 25, 11, P73),
            (21, 24, 64, Full),
            (21, 25, 64, P98),
            (21, 30, 64, P87),
            (21, 31, 21, P73),
            (24, 33, 64, P73),
            (36, 30, 64, Full),
            (36, 33, 64, P99),
            (36, 36, 64, P98),
            (36, 39, 64, P95),
            (36, 42, 64, P87),
            (36, 45, 64, P73),
            (36, 46, 36, P73),
            (60, 60, 64, Full),
            (99, 60, 64, Full),
        ] {
            let expected = Limits::depth(depth, selectivity);
            assert_eq!(Limits::level(level, empties), expected, "{level} {empties}");
        }
    }
}
