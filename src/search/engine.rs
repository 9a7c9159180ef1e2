//! The engine: what searches positions, how far, and what it answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use outflank_kernels::{Level, LevelError, Token, with_isa};

use super::deepen::deepen;
use super::endgame;
use super::line::Line;
use super::local::Local;
use super::selective::{Margins, Selectivity};
use super::tree::Tree;
use super::variants::{LastEmpties, Variant};
use crate::board::Board;
use crate::eval::Evaluation;
use crate::square::{Ply, Square};
use crate::table::{Draft, Table};

/// The scores that a search tells apart: everything at or below `alpha` is one answer, and so is
/// everything at or above `beta`.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Plies; as many as empty squares, or more, is to the end of the game.
    pub depth: u32,
    /// How certain selective cuts are.
    pub selectivity: Selectivity,
    /// The scores to tell apart.
    pub window: Window,
}

impl Limits {
    /// The exact score.
    pub const EXACT: Limits = Limits {
        depth: 64,
        selectivity: Selectivity::Full,
        window: Window::EXACT,
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

/// What a score says about the one that was searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is that one.
    Exact,
    /// That one is this or more: the window's `beta` was reached.
    Lower,
    /// That one is this or less: the window's `alpha` was not passed.
    Upper,
}

/// What a search found.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult {
    /// Discs for the mover with best play by both, as far as the search goes; at the end of the game
    /// with the empties going to the winner: -64..=64.
    pub score: i32,
    /// What `score` says about the score of a search without a window.
    pub bound: Bound,
    /// Plies searched: as many as empty squares, where it was to the end.
    pub depth: u32,
    /// How certain it is. Few plies leave no room for selective cuts, and count as full.
    pub selectivity: Selectivity,
    /// Best play, the best move first; a `None` in it is a pass. To the end of the search where the
    /// score is exact; shorter where it is a bound, or the search was selective. Empty where the game is
    /// over, or nothing was searched.
    pub line: Vec<Ply>,
    /// Boards reached by a move.
    pub nodes: u64,
    /// Wall-clock time.
    pub time: Duration,
}

/// Why a search gave no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SearchError {
    /// The stop handle was used.
    #[error("stopped")]
    Stopped,
    /// The board has a square that both sides hold.
    #[error("both sides hold {}", Square::names(*.squares))]
    Overlap {
        /// The squares held twice.
        squares: u64,
    },
}

/// Why there is no engine.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The CPU lacks the level.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// The table was asked to be larger than the memory that is free, or than the system grants.
    #[error("a hash table of {asked} MiB does not fit in memory ({available} MiB available)")]
    Memory {
        /// MiB asked for.
        asked: usize,
        /// MiB available.
        available: usize,
    },
    /// A table has at least 1 MiB.
    #[error("a hash table has at least 1 MiB")]
    NoTable,
}

/// Stops a running search from another thread or a signal handler.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<AtomicBool>);

impl StopHandle {
    /// Makes the running search, and every later one, return [`SearchError::Stopped`].
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`StopHandle::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// What searches look at.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }
}

/// What an engine is made of.
#[derive(Default)]
pub struct Builder {
    level: Option<Level>,
    hash_mib: Option<usize>,
    evaluation: Option<Arc<Evaluation>>,
    stop: StopHandle,
}

impl Builder {
    /// The instruction-set level of the kernels; without it the best that the CPU has.
    pub fn isa(mut self, level: Level) -> Builder {
        self.level = Some(level);
        self
    }

    /// The size of the hash table in MiB, 1 or more; without it 64.
    pub fn hash_mib(mut self, mib: usize) -> Builder {
        self.hash_mib = Some(mib);
        self
    }

    /// The evaluation; without it the one that the library was built with.
    pub fn evaluation(mut self, evaluation: Arc<Evaluation>) -> Builder {
        self.evaluation = Some(evaluation);
        self
    }

    /// What stops it; without it a handle of its own.
    pub fn stop_handle(mut self, stop: StopHandle) -> Builder {
        self.stop = stop;
        self
    }

    /// The engine.
    pub fn build(self) -> Result<Engine, EngineError> {
        let token = self.level.unwrap_or_else(Level::detect).token()?;
        let evaluation = self.evaluation.unwrap_or_else(Evaluation::embedded);
        Ok(Engine {
            token,
            last: with_isa!(token, isa => LastEmpties::selected(isa)),
            table: Table::new(self.hash_mib.unwrap_or(64))?,
            local: Local::new(),
            margins: Margins::new(&evaluation.errors),
            evaluation,
            stop: self.stop,
        })
    }
}

/// Searches positions, one at a time, at one instruction-set level.
pub struct Engine {
    token: Token,
    last: LastEmpties,
    table: Table,
    local: Local,
    margins: Margins,
    evaluation: Arc<Evaluation>,
    stop: StopHandle,
}

impl Engine {
    /// How an engine is made.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The level that the kernels run at.
    pub fn level(&self) -> Level {
        self.token.level()
    }

    /// Goes over to `variant` and its level: a search finds the same by the same nodes, in another
    /// time. An error where the CPU lacks the level.
    pub fn set_variant(&mut self, variant: &Variant) -> Result<(), LevelError> {
        self.token = variant.level.token()?;
        self.last = LastEmpties::of(variant)?;
        Ok(())
    }

    /// A handle that stops this engine.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Forgets all earlier results, so that the next search counts the same nodes as a new engine's.
    pub fn clear(&mut self) {
        self.table.clear(self.token);
        self.local.clear();
    }

    /// The score of `board`, or which side of the window it lies on. One thread; the same board after
    /// [`Engine::clear`] takes the same nodes at every level.
    pub fn search(&mut self, board: Board, limits: &Limits) -> Result<SearchResult, SearchError> {
        let start = Instant::now();
        let squares = board.player & board.opponent;
        if squares != 0 {
            return Err(SearchError::Overlap { squares });
        }
        let empties = board.empty_count();
        self.table.fit(empties);
        let mut tree = Tree {
            evaluator: &self.evaluation.patterns,
            margins: &self.margins,
            table: &self.table,
            exact: endgame::Search {
                local: &mut self.local,
                stop: self.stop.flag(),
                stopped: self.stop.is_stopped(),
                nodes: 0,
                last: self.last,
            },
            probing: 0,
        };
        // A finished game has its score, however little is searched.
        let depth = match board.is_game_over() {
            true => empties,
            false => limits.depth.min(empties),
        };
        let selectivity = limits.selectivity.of_depth(depth, depth == empties);
        let goal = Draft {
            depth: depth as u8,
            selectivity: selectivity as u8,
        };
        let mut line = Line::default();
        // The ends of the scale are scores like others: let them lie inside.
        let Window { alpha, beta } = limits.window;
        let alpha = if alpha == -64 { -65 } else { alpha };
        let beta = if beta == 64 { 65 } else { beta };
        let score = with_isa!(self.token, isa => {
            deepen(isa, &mut tree, board, goal, (alpha, beta), &mut line)
        });
        if tree.exact.stopped {
            return Err(SearchError::Stopped);
        }
        let bound = if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        Ok(SearchResult {
            score,
            bound,
            depth,
            selectivity,
            line: line.to_vec(),
            nodes: tree.exact.nodes,
            time: start.elapsed(),
        })
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
