//! Results of searches.

use std::hash::{Hash, Hasher};

use outflank::analysis::Judgement as Judged;
use outflank::notation::ply_name;
use outflank::{Bound as ScoreBound, Candidate as Found, SearchResult as Searched, Selectivity};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::board::Board;
use super::square::names;

/// The reply of `__reduce__`: a function, and its arguments.
pub(crate) type Restored<'py, Parts> = (Bound<'py, PyAny>, Parts);

/// A move, and the score and line that it leads to.
#[pyclass(frozen, eq, hash, get_all, module = "outflank")]
#[derive(Clone, PartialEq, Eq, Hash)]
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

/// The fields of a candidate.
type CandidateParts = (String, i32, String, Vec<String>);

#[pymethods]
impl Candidate {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Restored<'py, CandidateParts>> {
        let restore = py.get_type::<Candidate>().getattr("_restore")?;
        let bound = self.bound.to_owned();
        Ok((
            restore,
            (self.r#move.clone(), self.score, bound, self.line.clone()),
        ))
    }

    /// The candidate of the parts that `__reduce__` gives.
    #[staticmethod]
    fn _restore(r#move: String, score: i32, bound: &str, line: Vec<String>) -> PyResult<Candidate> {
        Ok(Candidate {
            r#move,
            score,
            bound: bound_called(bound)?,
            line,
        })
    }

    fn __repr__(&self) -> String {
        format!("<outflank.Candidate {} {:+}>", self.r#move, self.score)
    }
}

/// The result of a search.
#[pyclass(frozen, eq, hash, get_all, module = "outflank")]
#[derive(PartialEq)]
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

impl Hash for SearchResult {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.score, self.depth, self.selectivity, self.nodes).hash(hasher);
        self.line.hash(hasher);
    }
}

/// Fields of a result, except `best`, which is the first of `line`.
type ResultParts = (
    (i32, String),
    Vec<String>,
    Vec<Candidate>,
    (u32, u32),
    (bool, bool),
    (u64, f64),
);

#[pymethods]
impl SearchResult {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Restored<'py, ResultParts>> {
        let restore = py.get_type::<SearchResult>().getattr("_restore")?;
        let parts = (
            (self.score, self.bound.to_owned()),
            self.line.clone(),
            self.candidates.clone(),
            (self.depth, self.selectivity),
            (self.complete, self.solved),
            (self.nodes, self.time),
        );
        Ok((restore, parts))
    }

    /// The result of the parts that `__reduce__` gives.
    #[staticmethod]
    fn _restore(
        score: (i32, String),
        line: Vec<String>,
        candidates: Vec<Bound<'_, Candidate>>,
        depth: (u32, u32),
        reached: (bool, bool),
        cost: (u64, f64),
    ) -> PyResult<SearchResult> {
        let candidates = candidates.iter().map(|one| one.get().clone());
        Ok(SearchResult {
            score: score.0,
            bound: bound_called(&score.1)?,
            best: line.first().cloned(),
            line,
            candidates: candidates.collect(),
            depth: depth.0,
            selectivity: depth.1,
            complete: reached.0,
            solved: reached.1,
            nodes: cost.0,
            time: cost.1,
        })
    }

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

/// The bound of a name.
fn bound_called(text: &str) -> PyResult<&'static str> {
    let known = [ScoreBound::Exact, ScoreBound::Lower, ScoreBound::Upper].map(name);
    let found = known.into_iter().find(|&known| known == text);
    found.ok_or_else(|| PyValueError::new_err(format!("{text:?} is no bound")))
}

/// The name of a bound.
fn name(bound: ScoreBound) -> &'static str {
    match bound {
        ScoreBound::Exact => "exact",
        ScoreBound::Lower => "lower",
        ScoreBound::Upper => "upper",
    }
}

/// A move of a game, against the best one of its position. Scores are discs for who moved.
#[pyclass(frozen, eq, hash, get_all, module = "outflank")]
#[derive(PartialEq, Eq, Hash)]
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

/// The fields of a judgement.
type JudgementParts = (
    (usize, Board, String, String),
    (i32, i32, i32, String),
    Vec<String>,
    (u32, u32, bool),
);

#[pymethods]
impl Judgement {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Restored<'py, JudgementParts>> {
        let restore = py.get_type::<Judgement>().getattr("_restore")?;
        let (side, played) = (self.side.clone(), self.played.clone());
        let parts = (
            (self.number, self.board, side, played),
            (self.score, self.best_score, self.loss, self.mark.to_owned()),
            self.line.clone(),
            (self.depth, self.selectivity, self.exact),
        );
        Ok((restore, parts))
    }

    /// The judgement of the parts that `__reduce__` gives.
    #[staticmethod]
    fn _restore(
        played: (usize, Bound<'_, Board>, String, String),
        scores: (i32, i32, i32, String),
        line: Vec<String>,
        reached: (u32, u32, bool),
    ) -> PyResult<Judgement> {
        let marks = ["", "?!", "?", "??"];
        let mark = marks.into_iter().find(|&mark| mark == scores.3);
        let message = || PyValueError::new_err(format!("{:?} is no mark", scores.3));
        Ok(Judgement {
            number: played.0,
            board: *played.1.get(),
            side: played.2,
            played: played.3,
            score: scores.0,
            best_score: scores.1,
            loss: scores.2,
            mark: mark.ok_or_else(message)?,
            line,
            depth: reached.0,
            selectivity: reached.1,
            exact: reached.2,
        })
    }

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
