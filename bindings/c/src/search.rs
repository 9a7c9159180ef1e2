//! Limits and results of a search.

use std::iter;
use std::time::Duration;

use super::board::{OUTFLANK_NONE, ply_number};
use super::failure::Failure;
use outflank::{Bound, Limits, Ply, SearchResult, Selectivity, Window};

/// Limits of a search, and its window. Begin with outflank_limits_exact(), outflank_limits_depth() or
/// outflank_limits_level(), and change members as needed.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutflankLimits {
    /// Depth in plies. A depth of at least the number of empty squares reaches the end of the game.
    pub depth: u32,
    /// Confidence of selective cuts in percent: 73, 87, 95, 98, 99, or 100 for none.
    pub selectivity: u32,
    /// Lower end of the window in discs. The search does not tell scores at or below alpha apart.
    pub alpha: i32,
    /// Upper end of the window in discs, with -64 <= alpha < beta <= 64. The search does not tell scores at or above
    /// beta apart. A window from -1 to 1 finds only the winner.
    pub beta: i32,
    /// Number of best moves to find, each with its score; 0 means 1.
    pub lines: u32,
    /// Node limit, observed to within some ten thousand nodes for each thread; 0 means no limit. Positions with 12 or
    /// fewer empty squares are solved regardless.
    pub nodes: u64,
    /// Time limit in milliseconds, observed to within a few milliseconds; 0 means no limit.
    pub time_ms: u64,
}

impl OutflankLimits {
    pub(super) fn limits(&self) -> Result<Limits, Failure> {
        let (alpha, beta) = (self.alpha, self.beta);
        let window = Window::new(alpha, beta).ok_or_else(|| {
            Failure::argument(format!(
                "a window has -64 <= alpha < beta <= 64, unlike {alpha} and {beta}"
            ))
        });
        Ok(Limits {
            depth: self.depth,
            selectivity: read_selectivity(self.selectivity)?,
            window: window?,
            lines: self.lines,
            nodes: (self.nodes > 0).then_some(self.nodes),
            time: (self.time_ms > 0).then(|| Duration::from_millis(self.time_ms)),
            ..Limits::EXACT
        })
    }
}

/// Reads a selectivity in percent.
pub(super) fn read_selectivity(percent: u32) -> Result<Selectivity, Failure> {
    Selectivity::of_percent(percent).ok_or_else(|| {
        Failure::argument(format!(
            "a selectivity is 73, 87, 95, 98, 99 or 100, unlike {percent}"
        ))
    })
}

impl From<Limits> for OutflankLimits {
    fn from(limits: Limits) -> OutflankLimits {
        OutflankLimits {
            depth: limits.depth,
            selectivity: limits.selectivity.percent(),
            alpha: limits.window.alpha(),
            beta: limits.window.beta(),
            lines: limits.lines,
            nodes: limits.nodes.unwrap_or(0),
            time_ms: limits.time.map_or(0, |time| time.as_millis() as u64),
        }
    }
}

/// Returns the limits of a search to the end of the game for the exact score.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_limits_exact() -> OutflankLimits {
    Limits::EXACT.into()
}

/// Returns the limits of a search of depth plies with the given selectivity in percent.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_limits_depth(depth: u32, selectivity: u32) -> OutflankLimits {
    OutflankLimits {
        depth,
        selectivity,
        ..Limits::EXACT.into()
    }
}

/// Returns the limits of a level of Edax (0 to 60; larger values count as 60) for a board with the given number of
/// empty squares.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_limits_level(level: u32, empties: u32) -> OutflankLimits {
    Limits::level(level, empties).into()
}

/// Relation of a reported score to the true one.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutflankBound {
    /// The score is exact within the depth and selectivity of the search.
    Exact = 0,
    /// The true score is at least this: the search failed high.
    Lower = 1,
    /// The true score is at most this: the search failed low. If complete, it has no best move, line or candidate.
    Upper = 2,
}

impl From<Bound> for OutflankBound {
    fn from(bound: Bound) -> OutflankBound {
        match bound {
            Bound::Exact => OutflankBound::Exact,
            Bound::Lower => OutflankBound::Lower,
            Bound::Upper => OutflankBound::Upper,
        }
    }
}

/// Move with its score and line.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OutflankCandidate {
    /// Move: 0 to 63, or OUTFLANK_PASS.
    pub ply: u8,
    /// Score after the move in discs for the side that moves, -64 to 64.
    pub score: i32,
    /// Relation of the score to the true one.
    pub bound: OutflankBound,
    /// Principal variation of line_length plies, this move first.
    pub line: *const u8,
    /// Number of plies in line.
    pub line_length: usize,
}

/// Result of a search. Its arrays belong to the engine.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OutflankResult {
    /// Score in discs for the side to move, -64 to 64. At the end of the game empty squares go to the winner.
    pub score: i32,
    /// Relation of the score to the true one.
    pub bound: OutflankBound,
    /// Depth of the search in plies. The number of empty squares means the end of the game.
    pub depth: u32,
    /// Confidence of the selective cuts in percent. Searches too shallow for selective cuts report 100.
    pub selectivity: u32,
    /// True if the search reached its depth and selectivity. A stop, a node limit or a time limit ends it early. The
    /// result is then that of the last complete depth, or a bound of the interrupted one.
    pub complete: bool,
    /// Best move, 0 to 63, or OUTFLANK_PASS if the side to move has to pass. It is OUTFLANK_NONE if the game is over,
    /// nothing was searched, or a complete search found an upper bound.
    pub best: u8,
    /// Nodes of all threads: positions that were reached by a move and searched. Positions that were only evaluated do
    /// not count.
    pub nodes: u64,
    /// Wall-clock time in microseconds.
    pub time_us: u64,
    /// Principal variation of line_length plies, each 0 to 63 or OUTFLANK_PASS, the best move first.
    pub line: *const u8,
    /// Number of plies in line.
    pub line_length: usize,
    /// Best moves, the best first: candidate_count of them, if the limits ask for several lines. Moves that fail low
    /// are left out.
    pub candidates: *const OutflankCandidate,
    /// Number of candidates.
    pub candidate_count: usize,
}

/// Arrays that a result for C points to.
#[derive(Default)]
pub(super) struct ResultArrays {
    /// Principal variation of the result, and those of the candidates.
    lines: Vec<Vec<u8>>,
    candidates: Vec<OutflankCandidate>,
}

// SAFETY: the candidates point into `lines`, which are on the heap and move along with them. Any thread may read them.
unsafe impl Send for ResultArrays {}

impl ResultArrays {
    /// Replaces the arrays by those of `result`, and returns it with pointers to them.
    pub(super) fn fill(&mut self, result: &SearchResult) -> OutflankResult {
        let numbers = |line: &Vec<Ply>| line.iter().map(|&ply| ply_number(ply)).collect();
        let candidates = &result.candidates;
        let lines = candidates.iter().map(|candidate| &candidate.line);
        self.lines = iter::once(&result.line).chain(lines).map(numbers).collect();
        let candidates = candidates.iter().zip(&self.lines[1..]);
        let candidates = candidates.map(|(candidate, line)| OutflankCandidate {
            ply: ply_number(candidate.ply),
            score: candidate.score,
            bound: candidate.bound.into(),
            line: line.as_ptr(),
            line_length: line.len(),
        });
        self.candidates = candidates.collect();
        OutflankResult {
            score: result.score,
            bound: result.bound.into(),
            depth: result.depth,
            selectivity: result.selectivity.percent(),
            complete: result.complete,
            best: self.lines[0].first().copied().unwrap_or(OUTFLANK_NONE),
            nodes: result.nodes,
            time_us: result.time.as_micros() as u64,
            line: self.lines[0].as_ptr(),
            line_length: self.lines[0].len(),
            candidates: self.candidates.as_ptr(),
            candidate_count: self.candidates.len(),
        }
    }
}
