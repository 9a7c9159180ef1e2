//! How far a search goes, and what it finds, as C has them.

use std::time::Duration;

use super::board::{OUTFLANK_NONE, number};
use super::failure::Failure;
use outflank::{Bound, Candidate, Limits, Ply, SearchResult, Selectivity, Window};

/// How far a search goes, and which scores it tells apart. Begin with outflank_limits_exact(),
/// outflank_limits_depth() or outflank_limits_level(), and change what is to be otherwise.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutflankLimits {
    /// Plies; as many as empty squares, or more, is to the end of the game.
    pub depth: u32,
    /// How certain selective cuts are, in percent: 73, 87, 95, 98, 99, or 100 for none.
    pub selectivity: u32,
    /// The scores to tell apart, in discs: everything at or below alpha is one answer,
    pub alpha: i32,
    /// and so is everything at or above beta; -64 <= alpha < beta <= 64. Between -1 and 1 a search only
    /// finds who wins.
    pub beta: i32,
    /// How many of the best moves to find, each with its score; 0 is as 1.
    pub lines: u32,
    /// After so many nodes no more are searched, give or take some ten thousand a thread; 0 is no limit.
    pub nodes: u64,
    /// After so many milliseconds nothing more is searched, give or take a few; 0 is no limit.
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

/// Limits of a search to the end of the game for the exact score.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_limits_exact() -> OutflankLimits {
    Limits::EXACT.into()
}

/// Limits of a search of so many plies with cuts of this selectivity, in percent.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_limits_depth(depth: u32, selectivity: u32) -> OutflankLimits {
    OutflankLimits {
        depth,
        selectivity,
        ..Limits::EXACT.into()
    }
}

/// Limits of what users of Edax know as this level (0 to 60; more is as 60), for a board with so many
/// empty squares.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_limits_level(level: u32, empties: u32) -> OutflankLimits {
    Limits::level(level, empties).into()
}

/// What a score says about the one that was searched for.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutflankBound {
    /// They are equal.
    Exact = 0,
    /// The one searched for is this or more: beta was reached.
    Lower = 1,
    /// The one searched for is this or less: alpha was not passed. There is no best move then, no line and
    /// no candidate.
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

/// A move, and what it leads to.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OutflankCandidate {
    /// The move: 0 to 63, or OUTFLANK_PASS.
    pub ply: u8,
    /// The score after it, in discs for who makes it: -64 to 64.
    pub score: i32,
    /// What the score says.
    pub bound: OutflankBound,
    /// Best play from before it on: line_length plies, the first of them this one.
    pub line: *const u8,
    /// The number of them.
    pub line_length: usize,
}

/// What a search found. The arrays that it points to belong to the engine.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OutflankResult {
    /// Discs for the side to move with best play by both, as far as the search goes; at the end of the
    /// game with the empties going to the winner: -64 to 64.
    pub score: i32,
    /// What the score says.
    pub bound: OutflankBound,
    /// Plies searched: as many as empty squares, where it was to the end.
    pub depth: u32,
    /// How certain the search is, in percent. Few plies leave no room for selective cuts, and count as
    /// 100.
    pub selectivity: u32,
    /// Whether the search reached what it was asked for. A stop, a node limit or a time limit ends it
    /// earlier: the result is then that of the last depth that it finished, or a bound of the score at the
    /// depth that it was searching.
    pub complete: bool,
    /// The best move, 0 to 63; OUTFLANK_PASS where the side to move has to pass, OUTFLANK_NONE where the
    /// game is over, nothing was searched, or a complete search found an upper bound.
    pub best: u8,
    /// Positions reached by making a move and searched, on all threads. Positions that were only rated do
    /// not count.
    pub nodes: u64,
    /// Wall-clock time in microseconds.
    pub time_us: u64,
    /// Best play: line_length plies, 0 to 63 or OUTFLANK_PASS, the best move first.
    pub line: *const u8,
    /// The number of them, 0 or more.
    pub line_length: usize,
    /// The best moves, the best first: candidate_count of them, where several lines were asked for. Moves
    /// that do not pass alpha are left out.
    pub candidates: *const OutflankCandidate,
    /// The number of them, 0 or more.
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
