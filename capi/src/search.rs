//! Limits and results of a search, as C has them.

use std::time::Duration;

use super::board::{OUTFLANK_NONE, number};
use super::failure::Failure;
use outflank::{Bound, Candidate, Limits, Ply, SearchResult, Selectivity, Window};

/// Limits of a search, and the window of scores. Begin with outflank_limits_exact(), outflank_limits_depth() or
/// outflank_limits_level(), and change members as needed.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutflankLimits {
    /// Plies; as many as empty squares, or more, is to the end of the game.
    pub depth: u32,
    /// Certainty of selective cuts in percent: 73, 87, 95, 98, 99, or 100 for none.
    pub selectivity: u32,
    /// Lower end of the window in discs: all scores at or below alpha are one answer.
    pub alpha: i32,
    /// Upper end of the window: all scores at or above beta are one answer. -64 <= alpha < beta <= 64. A window from -1 to 1
    /// only finds who wins.
    pub beta: i32,
    /// Number of best moves to find, each with its score; 0 is 1.
    pub lines: u32,
    /// Most nodes, give or take some ten thousand for each thread; 0 is no limit.
    pub nodes: u64,
    /// Most milliseconds, give or take a few; 0 is no limit.
    pub time_ms: u64,
}

impl OutflankLimits {
    pub(super) fn limits(&self) -> Result<Limits, Failure> {
        let (alpha, beta) = (self.alpha, self.beta);
        let selectivity = Selectivity::of_percent(self.selectivity);
        Ok(Limits {
            depth: self.depth,
            selectivity: selectivity.ok_or(Failure::Selectivity(self.selectivity))?,
            window: Window::new(alpha, beta).ok_or(Failure::Window(alpha, beta))?,
            lines: self.lines,
            nodes: (self.nodes > 0).then_some(self.nodes),
            time: (self.time_ms > 0).then(|| Duration::from_millis(self.time_ms)),
            ..Limits::EXACT
        })
    }
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

/// Returns the limits of a search of so many plies with cuts of this selectivity, in percent.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_limits_depth(depth: u32, selectivity: u32) -> OutflankLimits {
    OutflankLimits {
        depth,
        selectivity,
        ..Limits::EXACT.into()
    }
}

/// Returns the limits of Edax's level (0 to 60; larger values count as 60) for a board with so many empty squares.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_limits_level(level: u32, empties: u32) -> OutflankLimits {
    Limits::level(level, empties).into()
}

/// Relation of a reported score to the true one.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutflankBound {
    /// The score is exact, as far as the search goes.
    Exact = 0,
    /// The true score is this or more: beta was reached.
    Lower = 1,
    /// The true score is this or less: alpha was not passed. There is no best move then, no line and no candidate.
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

/// A move with its score and line.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OutflankCandidate {
    /// The move: 0 to 63, or OUTFLANK_PASS.
    pub ply: u8,
    /// Score after it in discs, for the side that moves: -64 to 64.
    pub score: i32,
    /// Relation of the score to the true one.
    pub bound: OutflankBound,
    /// Best play: line_length plies, this one first.
    pub line: *const u8,
    /// Number of plies in line.
    pub line_length: usize,
}

/// Result of a search. Its arrays belong to the engine.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OutflankResult {
    /// Discs for the side to move with best play by both, as far as the search goes: -64 to 64. At the end of the game
    /// empty squares go to the winner.
    pub score: i32,
    /// Relation of the score to the true one.
    pub bound: OutflankBound,
    /// Plies searched: as many as empty squares, if the search was to the end of the game.
    pub depth: u32,
    /// Certainty of the search in percent. Few plies leave no room for selective cuts, and count as 100.
    pub selectivity: u32,
    /// True if the search reached its goal. A stop, a node limit or a time limit ends it earlier: the result is then that of
    /// the last complete depth, or a bound at the depth that was being searched.
    pub complete: bool,
    /// The best move, 0 to 63, or OUTFLANK_PASS if the side to move has to pass. It is OUTFLANK_NONE if the game is over,
    /// nothing was searched, or a complete search found an upper bound.
    pub best: u8,
    /// Positions that were reached by a move and searched, on all threads. Positions that were only rated do not count.
    pub nodes: u64,
    /// Wall-clock time in microseconds.
    pub time_us: u64,
    /// Best play: line_length plies, 0 to 63 or OUTFLANK_PASS, the best move first.
    pub line: *const u8,
    /// Number of plies in line.
    pub line_length: usize,
    /// The best moves, the best first: candidate_count of them, if limits asked for several lines. Moves that do not pass
    /// alpha are left out.
    pub candidates: *const OutflankCandidate,
    /// Number of candidates.
    pub candidate_count: usize,
}

/// What a search found, with the memory that C is shown.
#[derive(Default)]
pub(super) struct Told {
    /// The lines, one behind the other: the candidates point into it.
    plies: Vec<u8>,
    candidates: Vec<OutflankCandidate>,
}

// SAFETY: the pointers of the candidates lead into `plies`, which goes along with them and is on the
// heap: where it is used from is all the same.
unsafe impl Send for Told {}

impl Told {
    /// Keeps `found` in place of what was there, and shows it.
    pub(super) fn tell(&mut self, found: &SearchResult) -> OutflankResult {
        self.plies.clear();
        let lines = found.candidates.iter().map(|candidate| &candidate.line);
        let all = std::iter::once(&found.line).chain(lines).flatten();
        self.plies.extend(all.copied().map(number));
        // Nothing is added from here on, so nothing moves.
        let mut rest = &self.plies[..];
        let mut next = |line: &[Ply]| {
            let (line, others) = rest.split_at(line.len());
            rest = others;
            line.as_ptr()
        };
        let line = next(&found.line);
        self.candidates.clear();
        let candidates = found.candidates.iter();
        self.candidates
            .extend(candidates.map(|candidate: &Candidate| OutflankCandidate {
                ply: number(candidate.ply),
                score: candidate.score,
                bound: candidate.bound.into(),
                line: next(&candidate.line),
                line_length: candidate.line.len(),
            }));
        OutflankResult {
            score: found.score,
            bound: found.bound.into(),
            depth: found.depth,
            selectivity: found.selectivity.percent(),
            complete: found.complete,
            best: found.line.first().copied().map_or(OUTFLANK_NONE, number),
            nodes: found.nodes,
            time_us: found.time.as_micros() as u64,
            line,
            line_length: found.line.len(),
            candidates: self.candidates.as_ptr(),
            candidate_count: self.candidates.len(),
        }
    }
}
