//! How far a search goes, and which scores it tells apart.

use std::time::Duration;

use super::selective::Selectivity;

/// The maximum number of threads of an engine.
pub const MAX_THREADS: usize = 512;

/// The scores that a search tells apart: everything at or below `alpha` is one answer, and so is
/// everything at or above `beta`.
///
/// ```
/// use outflank::Window;
///
/// let window = Window::new(-10, 10).unwrap();
/// assert_eq!((window.alpha(), window.clamp(64)), (-10, 10));
/// assert_eq!(Window::new(10, 10), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    /// Every score, -64..=64.
    pub const EXACT: Window = Window {
        alpha: -64,
        beta: 64,
    };

    /// Win, loss or draw.
    pub const WLD: Window = Window { alpha: -1, beta: 1 };

    /// The window between `alpha` and `beta`, in discs; `None` unless -64 <= alpha < beta <= 64.
    pub const fn new(alpha: i32, beta: i32) -> Option<Window> {
        if -64 <= alpha && alpha < beta && beta <= 64 {
            Some(Window { alpha, beta })
        } else {
            None
        }
    }

    /// The lower end.
    pub const fn alpha(self) -> i32 {
        self.alpha
    }

    /// The upper end.
    pub const fn beta(self) -> i32 {
        self.beta
    }

    /// `score`, moved to the nearest end where it lies outside.
    pub fn clamp(self, score: i32) -> i32 {
        score.clamp(self.alpha, self.beta)
    }
}

/// How far a search goes.
///
/// There will be more fields: begin with one of the limits that there are, and end with `..`, as here.
/// (`#[non_exhaustive]` would forbid just that to other crates.)
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
    /// Plies; as many as empty squares, or more, is to the end of the game.
    pub depth: u32,
    /// How certain selective cuts are.
    pub selectivity: Selectivity,
    /// The scores to tell apart.
    pub window: Window,
    /// How many of the best moves to find, each with its score; 0 is as 1.
    pub lines: u32,
    /// Moves that are left out, as a bitboard of their squares: the score is that of the best of the others.
    /// Only for the position itself, not for those below it. Where no other move is left, nothing is left out.
    pub without: u64,
    /// After so many nodes no more are searched, give or take some ten thousand a thread. What has 12 or
    /// fewer empty squares is always solved.
    pub nodes: Option<u64>,
    /// After so long nothing more is searched, give or take a few milliseconds.
    pub time: Option<Duration>,
}

impl Limits {
    /// The exact score.
    pub const EXACT: Limits = Limits {
        depth: 64,
        selectivity: Selectivity::Full,
        window: Window::EXACT,
        lines: 1,
        without: 0,
        nodes: None,
        time: None,
    };

    /// Win, loss or draw.
    pub const WLD: Limits = Limits {
        window: Window::WLD,
        ..Limits::EXACT
    };

    /// `depth` plies, selective or not.
    pub const fn depth(depth: u32, selectivity: Selectivity) -> Limits {
        Limits {
            depth,
            selectivity,
            ..Limits::EXACT
        }
    }

    /// What users of Edax know as `level` (0..=60; more is as 60) for a board with `empties` empty
    /// squares.
    pub fn level(level: u32, empties: u32) -> Limits {
        use Selectivity::{Full, P73, P87, P95, P98, P99};
        // The most empty squares with which a search to the end is so certain.
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
        let reached = to_end.iter().find(|(most, _)| empties <= *most);
        match reached {
            Some(&(_, selectivity)) => Limits::depth(Limits::EXACT.depth, selectivity),
            None if level <= 10 => Limits::depth(level, Full),
            None => Limits::depth(level, P73),
        }
    }
}

/// How far an engine searches whatever the position, as people choose it.
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
    /// What users of Edax know as this level: [`Limits::level`].
    Level(u32),
    /// So many plies, so certainly: [`Limits::depth`].
    Depth(u32, Selectivity),
}

impl Default for Strength {
    /// Level 16: a fraction of a second a move, on one thread.
    fn default() -> Strength {
        Strength::Level(16)
    }
}

impl Strength {
    /// How far to search a board with `empties` empty squares.
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
    fn levels_are_those_of_the_table() {
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
            let limits = Limits::level(level, empties);
            assert_eq!(
                limits,
                Limits::depth(depth, selectivity),
                "{level} {empties}"
            );
        }
    }
}
