//! Results of searches.

use std::hash::{Hash, Hasher};

use outflank::analysis::Judgement;
use outflank::notation::ply_name;
use outflank::{Candidate, SearchResult, Selectivity};

use super::board::PyBoard;
use super::square::ply_names;

/// Defines a class of read-only fields. A pickle has all fields. A line is a field, its type, and its value in `new`.
/// The methods of the class follow the fields.
macro_rules! record_class {
    (
        $(#[$attribute:meta])*
        $class:ident = $name:literal, of $($argument:ident: $argument_type:ty),* {
            $($(#[$doc:meta])* $field:ident: $type:ty = $value:expr;)*
        }
        $($methods:tt)*
    ) => {
        $(#[$attribute])*
        #[pyo3::pyclass(name = $name, frozen, eq, hash, get_all, from_py_object, module = "outflank")]
        #[derive(Clone, PartialEq)]
        pub(crate) struct $class {
            $($(#[$doc])* $field: $type,)*
        }

        impl $class {
            pub(crate) fn new($($argument: $argument_type),*) -> $class {
                $class { $($field: $value),* }
            }
        }

        #[pyo3::pymethods]
        impl $class {
            fn __reduce__<'py>(
                &self,
                py: pyo3::Python<'py>,
            ) -> pyo3::PyResult<(pyo3::Bound<'py, pyo3::PyAny>, ($($type,)*))> {
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
pub(crate) use record_class;

record_class! {
    /// Move with its score and principal variation.
    #[derive(Eq, Hash)]
    PyCandidate = "Candidate", of candidate: &Candidate {
        /// Move, "F5" or "PS".
        r#move: String = ply_name(candidate.ply);
        /// Score after the move, in discs for the side that makes it.
        score: i32 = candidate.score;
        /// Relation of `score` to the true score: "exact", "lower" or "upper".
        bound: String = candidate.bound.name().to_owned();
        /// Principal variation, this move first.
        line: Vec<String> = ply_names(&candidate.line);
    }

    fn __repr__(&self) -> String {
        format!("<outflank.Candidate {} {:+}>", self.r#move, self.score)
    }
}

record_class! {
    /// Result of a search.
    PySearchResult = "SearchResult", of result: &SearchResult, empties: u32 {
        /// Discs for the side to move, -64 to 64. At the end of the game empty squares go to the winner.
        score: i32 = result.score;
        /// Relation of `score` to the score of a search without a window: "exact", "lower" or "upper".
        bound: String = result.bound.name().to_owned();
        /// Best move, "F5" or "PS" for a pass; `None` if there is none.
        best: Option<String> = result.line.first().copied().map(ply_name);
        /// Principal variation, the best move first.
        line: Vec<String> = ply_names(&result.line);
        /// Best moves, the best first, if several lines were requested.
        candidates: Vec<PyCandidate> = result.candidates.iter().map(PyCandidate::new).collect();
        /// Depth of the search in plies. The number of empty squares means the end of the game.
        depth: u32 = result.depth;
        /// Confidence of the selective cuts, in percent.
        selectivity: u32 = result.selectivity.percent();
        /// `True` if the search reached its limits of depth and selectivity.
        complete: bool = result.complete;
        /// `True` if the search is complete, reached the end of the game and made no selective cut.
        solved: bool = is_solved(result, empties);
        /// Positions searched.
        nodes: u64 = result.nodes;
        /// Wall-clock time, in seconds.
        time: f64 = result.time.as_secs_f64();
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

impl Hash for PySearchResult {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.score, self.depth, self.selectivity, self.nodes).hash(hasher);
        self.line.hash(hasher);
    }
}

/// Returns `true` if a search is complete, reached the end of the game and made no selective cut.
pub(crate) fn is_solved(result: &SearchResult, empties: u32) -> bool {
    result.complete && result.selectivity == Selectivity::Full && result.depth >= empties
}

record_class! {
    /// Move of a game, compared with the best one of its position. Scores are discs for the side that moved.
    #[derive(Eq, Hash)]
    PyJudgement = "Judgement", of judgement: &Judgement {
        /// Number of the move in the game, from 1. Passes do not count.
        number: usize = judgement.number;
        /// Board before the move.
        board: PyBoard = PyBoard(judgement.board);
        /// Side that moved, "black" or "white".
        side: String = judgement.side.to_string();
        /// Square of the move.
        played: String = judgement.played.to_string();
        /// Score after the move, with best play by both sides.
        score: i32 = judgement.score;
        /// Score after the best move.
        best_score: i32 = judgement.best_score;
        /// Discs that the move lost.
        loss: i32 = judgement.loss();
        /// Mark of the loss: "?!" from 3 discs, "?" from 6, "??" from 12, else "".
        mark: String = judgement.mark().sign().to_owned();
        /// Principal variation of the position before the move.
        line: Vec<String> = ply_names(&judgement.line);
        /// Plies of the search.
        depth: u32 = judgement.depth;
        /// Confidence of the selective cuts, in percent.
        selectivity: u32 = judgement.selectivity.percent();
        /// `True` if the scores are those of perfect play.
        exact: bool = judgement.is_exact();
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
