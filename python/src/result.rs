//! What searches find.

use outflank::analysis::Judgement as Judged;
use outflank::notation::ply_name;
use outflank::{Bound, Candidate as Found, SearchResult as Searched, Selectivity};
use pyo3::prelude::*;

use super::board::Board;
use super::square::names;

/// A move, and what it leads to.
#[pyclass(frozen, get_all, module = "outflank")]
#[derive(Clone)]
pub(crate) struct Candidate {
    /// The move, "F5" or "PS".
    r#move: String,
    /// The score after it, in discs for who makes it.
    score: i32,
    /// What the score says: "exact", "lower" or "upper".
    bound: &'static str,
    /// Best play from before it on.
    line: Vec<String>,
}

impl Candidate {
    fn new(found: &Found) -> Candidate {
        Candidate {
            r#move: ply_name(found.ply),
            score: found.score,
            bound: name(found.bound),
            line: names(&found.line),
        }
    }
}

#[pymethods]
impl Candidate {
    fn __repr__(&self) -> String {
        format!("<outflank.Candidate {} {:+}>", self.r#move, self.score)
    }
}

/// What a search found.
#[pyclass(frozen, get_all, module = "outflank")]
pub(crate) struct SearchResult {
    /// Discs for the side to move, -64 to 64; at the end of the game empty squares go to the winner.
    score: i32,
    /// What the score says about the score of a search without a window: "exact", "lower" or "upper".
    bound: &'static str,
    /// The best move, "F5" or "PS" for a pass; `None` where there is none.
    best: Option<String>,
    /// Best play, the best move first.
    line: Vec<String>,
    /// The best moves, best first, where several lines were asked for.
    candidates: Vec<Candidate>,
    /// Plies searched; as many as empty squares where it was to the end.
    depth: u32,
    /// How certain the search is, in percent.
    selectivity: u32,
    /// Whether the search reached what it was asked for.
    complete: bool,
    /// Whether it was to the end of the game, with nothing left out.
    solved: bool,
    /// Positions searched.
    nodes: u64,
    /// Seconds.
    time: f64,
}

impl SearchResult {
    /// What was found for a board with so many empty squares.
    pub(crate) fn new(found: &Searched, empties: u32) -> SearchResult {
        SearchResult {
            score: found.score,
            bound: name(found.bound),
            best: found.line.first().copied().map(ply_name),
            line: names(&found.line),
            candidates: found.candidates.iter().map(Candidate::new).collect(),
            depth: found.depth,
            selectivity: found.selectivity.percent(),
            complete: found.complete,
            solved: is_solved(found, empties),
            nodes: found.nodes,
            time: found.time.as_secs_f64(),
        }
    }
}

#[pymethods]
impl SearchResult {
    fn __repr__(&self) -> String {
        let sign = match self.bound {
            "lower" => ">=",
            "upper" => "<=",
            _ => "",
        };
        let line = self.line.join(" ");
        let (depth, selectivity) = (self.depth, self.selectivity);
        let score = self.score;
        format!("<outflank.SearchResult {sign}{score:+} depth {depth}@{selectivity}% {line}>")
    }
}

/// Whether a search was complete and to the end, with nothing left out.
pub(crate) fn is_solved(found: &Searched, empties: u32) -> bool {
    found.complete && found.selectivity == Selectivity::Full && found.depth >= empties
}

/// What a bound is called.
fn name(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    }
}

/// A move of a game, against the best one of its position. Scores are discs for who moved.
#[pyclass(frozen, get_all, module = "outflank")]
pub(crate) struct Judgement {
    /// Which move of the game it is, from 1; passes are not counted.
    number: usize,
    /// The board before it.
    board: Board,
    /// Who moved, "black" or "white".
    side: String,
    /// Where.
    played: String,
    /// What the move led to, with best play by both from then on.
    score: i32,
    /// What the best move would have led to.
    best_score: i32,
    /// What the move cost, in discs.
    loss: i32,
    /// "", "?!" from 3 discs, "?" from 6, "??" from 12.
    mark: &'static str,
    /// Best play from before the move on.
    line: Vec<String>,
    /// Plies of the search.
    depth: u32,
    /// How certain it is, in percent.
    selectivity: u32,
    /// Whether the scores are those of perfect play.
    exact: bool,
}

impl Judgement {
    pub(crate) fn new(judged: &Judged) -> Judgement {
        Judgement {
            number: judged.number,
            board: Board(judged.board),
            side: judged.side.to_string(),
            played: judged.played.to_string(),
            score: judged.score,
            best_score: judged.best_score,
            loss: judged.loss(),
            mark: judged.mark().sign(),
            line: names(&judged.line),
            depth: judged.depth,
            selectivity: judged.selectivity.percent(),
            exact: judged.is_exact(),
        }
    }
}

#[pymethods]
impl Judgement {
    /// The best move of the position.
    #[getter]
    fn best(&self) -> Option<&String> {
        self.line.first()
    }

    fn __repr__(&self) -> String {
        let Judgement {
            number,
            played,
            loss,
            ..
        } = self;
        let best = self.line.first().map_or("", String::as_str);
        format!("<outflank.Judgement {number}. {played} loses {loss}, best {best}>")
    }
}
