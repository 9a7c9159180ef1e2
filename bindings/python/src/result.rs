//! Results of searches.

use std::hash::{Hash, Hasher};

use outflank::analysis::Judgement;
use outflank::notation::ply_name;
use outflank::{Bound as ScoreBound, Candidate, SearchResult, Selectivity};
use pyo3::prelude::*;

use super::board::PyBoard;
use super::square::ply_names;

/// Reply of `__reduce__`: a function, and its arguments.
pub(crate) type Reduced<'py, Fields> = (Bound<'py, PyAny>, Fields);

/// Defines the methods of a class that is pickled as all of its fields.
macro_rules! pickled_methods {
    ($class:ident { $($field:ident: $type:ty),* $(,)? } $($methods:tt)*) => {
        #[pyo3::pymethods]
        impl $class {
            fn __reduce__<'py>(
                &self,
                py: pyo3::Python<'py>,
            ) -> pyo3::PyResult<crate::result::Reduced<'py, ($($type,)*)>> {
                let restore = pyo3::types::PyAnyMethods::getattr(&*py.get_type::<$class>(), "_restore")?;
                Ok((restore, ($(self.$field.clone(),)*)))
            }

            /// Makes an object of the fields that `__reduce__` returns.
            #[staticmethod]
            #[allow(clippy::too_many_arguments, reason = "one for each field")]
            fn _restore($($field: $type),*) -> $class {
                $class { $($field),* }
            }

            $($methods)*
        }
    };
}
pub(crate) use pickled_methods;

/// Move with its score and principal variation.
#[pyclass(
    name = "Candidate",
    frozen,
    eq,
    hash,
    get_all,
    from_py_object,
    module = "outflank"
)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyCandidate {
    /// Move, "F5" or "PS".
    r#move: String,
    /// Score after the move, in discs for the side that makes it.
    score: i32,
    /// Relation of `score` to the true score: "exact", "lower" or "upper".
    bound: String,
    /// Principal variation, this move first.
    line: Vec<String>,
}

impl PyCandidate {
    fn new(candidate: &Candidate) -> PyCandidate {
        PyCandidate {
            r#move: ply_name(candidate.ply),
            score: candidate.score,
            bound: bound_name(candidate.bound),
            line: ply_names(&candidate.line),
        }
    }
}

pickled_methods! {
    PyCandidate { r#move: String, score: i32, bound: String, line: Vec<String> }

    fn __repr__(&self) -> String {
        format!("<outflank.Candidate {} {:+}>", self.r#move, self.score)
    }
}

/// Result of a search.
#[pyclass(name = "SearchResult", frozen, eq, hash, get_all, module = "outflank")]
#[derive(PartialEq)]
pub(crate) struct PySearchResult {
    /// Discs for the side to move, -64 to 64. At the end of the game empty squares go to the winner.
    score: i32,
    /// Relation of `score` to the score of a search without a window: "exact", "lower" or "upper".
    bound: String,
    /// Best move, "F5" or "PS" for a pass; `None` if there is none.
    best: Option<String>,
    /// Principal variation, the best move first.
    line: Vec<String>,
    /// Best moves, the best first, if several lines were requested.
    candidates: Vec<PyCandidate>,
    /// Depth of the search in plies. The number of empty squares means the end of the game.
    depth: u32,
    /// Confidence of the selective cuts, in percent.
    selectivity: u32,
    /// `True` if the search reached its limits of depth and selectivity.
    complete: bool,
    /// `True` if the search is complete, reached the end of the game and made no selective cut.
    solved: bool,
    /// Positions searched.
    nodes: u64,
    /// Wall-clock time, in seconds.
    time: f64,
}

impl PySearchResult {
    /// Converts the result for a board with `empties` empty squares.
    pub(crate) fn new(result: &SearchResult, empties: u32) -> PySearchResult {
        PySearchResult {
            score: result.score,
            bound: bound_name(result.bound),
            best: result.line.first().copied().map(ply_name),
            line: ply_names(&result.line),
            candidates: result.candidates.iter().map(PyCandidate::new).collect(),
            depth: result.depth,
            selectivity: result.selectivity.percent(),
            complete: result.complete,
            solved: is_solved(result, empties),
            nodes: result.nodes,
            time: result.time.as_secs_f64(),
        }
    }
}

impl Hash for PySearchResult {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.score, self.depth, self.selectivity, self.nodes).hash(hasher);
        self.line.hash(hasher);
    }
}

pickled_methods! {
    PySearchResult {
        score: i32,
        bound: String,
        best: Option<String>,
        line: Vec<String>,
        candidates: Vec<PyCandidate>,
        depth: u32,
        selectivity: u32,
        complete: bool,
        solved: bool,
        nodes: u64,
        time: f64,
    }

    fn __repr__(&self) -> String {
        let sign = match self.bound.as_str() {
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

/// Returns `true` if a search is complete, reached the end of the game and made no selective cut.
pub(crate) fn is_solved(result: &SearchResult, empties: u32) -> bool {
    result.complete && result.selectivity == Selectivity::Full && result.depth >= empties
}

fn bound_name(bound: ScoreBound) -> String {
    let name = match bound {
        ScoreBound::Exact => "exact",
        ScoreBound::Lower => "lower",
        ScoreBound::Upper => "upper",
    };
    name.to_owned()
}

/// Move of a game, compared with the best one of its position. Scores are discs for the side that moved.
#[pyclass(name = "Judgement", frozen, eq, hash, get_all, module = "outflank")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct PyJudgement {
    /// Number of the move in the game, from 1. Passes do not count.
    number: usize,
    /// Board before the move.
    board: PyBoard,
    /// Side that moved, "black" or "white".
    side: String,
    /// Square of the move.
    played: String,
    /// Score after the move, with best play by both sides.
    score: i32,
    /// Score after the best move.
    best_score: i32,
    /// Discs that the move lost.
    loss: i32,
    /// Mark of the loss: "?!" from 3 discs, "?" from 6, "??" from 12, else "".
    mark: String,
    /// Principal variation of the position before the move.
    line: Vec<String>,
    /// Plies of the search.
    depth: u32,
    /// Confidence of the selective cuts, in percent.
    selectivity: u32,
    /// `True` if the scores are those of perfect play.
    exact: bool,
}

impl PyJudgement {
    pub(crate) fn new(judgement: &Judgement) -> PyJudgement {
        PyJudgement {
            number: judgement.number,
            board: PyBoard(judgement.board),
            side: judgement.side.to_string(),
            played: judgement.played.to_string(),
            score: judgement.score,
            best_score: judgement.best_score,
            loss: judgement.loss(),
            mark: judgement.mark().sign().to_owned(),
            line: ply_names(&judgement.line),
            depth: judgement.depth,
            selectivity: judgement.selectivity.percent(),
            exact: judgement.is_exact(),
        }
    }
}

pickled_methods! {
    PyJudgement {
        number: usize,
        board: PyBoard,
        side: String,
        played: String,
        score: i32,
        best_score: i32,
        loss: i32,
        mark: String,
        line: Vec<String>,
        depth: u32,
        selectivity: u32,
        exact: bool,
    }

    /// Best move of the position.
    #[getter]
    fn best(&self) -> Option<&String> {
        self.line.first()
    }

    fn __repr__(&self) -> String {
        let PyJudgement { number, played, loss, .. } = self;
        let best = self.line.first().map_or("", String::as_str);
        format!("<outflank.Judgement {number}. {played} loses {loss}, best {best}>")
    }
}
