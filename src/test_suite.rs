//! Test suites: positions with the exact scores of all moves, and the comparison of an engine's answers with them.
//!
//! ```
//! use outflank::notation::obf;
//! use outflank::problems::FFO_20_39;
//! use outflank::test_suite::{SuiteTotals, Verdict, has_all_scores};
//! use outflank::{Engine, Limits, Selectivity};
//!
//! let mut engine = Engine::builder().hash_mib(1).build()?;
//! let mut totals = SuiteTotals::default();
//! for problem in obf::read(FFO_20_39) {
//!     let problem = problem?;
//!     assert!(has_all_scores(&problem));
//!     let result = engine.search(problem.board, &Limits::depth(6, Selectivity::Full))?;
//!     let ply = *result.line.first().ok_or("no move")?;
//!     let verdict = Verdict::of(&problem, ply, Some(result.score.into()));
//!     totals.add(verdict.as_ref());
//! }
//! assert_eq!(totals.positions, 20);
//! assert!(totals.mean_loss() < Some(8.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::notation::obf::Problem;
use crate::square::{Ply, Square};

/// Errors of scores that are counted, in discs.
pub const SCORE_BOUNDS: [u32; 3] = [3, 6, 9];

/// Returns `true` if the mover has a legal move and the scores of all legal moves are listed.
pub fn has_all_scores(problem: &Problem) -> bool {
    let legal = problem.board.mobility();
    let is_listed = |square: Square| problem.moves.iter().any(|&(ply, _)| ply == Some(square));
    legal != 0 && Square::all_in(legal).all(is_listed)
}

/// Comparison of an answer with the listed scores.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Verdict {
    /// Discs that the move loses against the best one, 0..=128.
    pub loss: u32,
    /// Absolute difference in discs between the engine's score and the exact one. `None` if the engine gave no score.
    pub score_error: Option<f64>,
}

impl Verdict {
    /// Compares a move, and its score in discs for the mover, with the problem. Returns `None` for a move without a
    /// listed score.
    pub fn of(problem: &Problem, ply: Ply, score: Option<f64>) -> Option<Verdict> {
        let mut moves = problem.moves.iter();
        let (_, listed) = *moves.find(|&&(listed, _)| listed == ply)?;
        let best = problem.best_score()?;
        Some(Verdict {
            loss: best.abs_diff(listed),
            score_error: score.map(|score| (score - f64::from(best)).abs()),
        })
    }
}

/// Sums over the answers to a suite.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
#[non_exhaustive]
pub struct SuiteTotals {
    /// Number of positions.
    pub positions: u32,
    /// Positions without a valid answer.
    pub unanswered: u32,
    /// Answers that lose no disc.
    pub best: u32,
    /// Lost discs of all answers.
    pub lost: u32,
    /// Answers with a score.
    pub scored: u32,
    /// Scores with an error of at most each of [`SCORE_BOUNDS`].
    pub within: [u32; 3],
    /// Errors of all scores in discs.
    pub score_error: f64,
}

impl SuiteTotals {
    /// Adds the verdict about an answer, or a position without a valid answer.
    pub fn add(&mut self, verdict: Option<&Verdict>) {
        self.positions += 1;
        let Some(verdict) = verdict else {
            self.unanswered += 1;
            return;
        };
        self.best += u32::from(verdict.loss == 0);
        self.lost += verdict.loss;
        if let Some(error) = verdict.score_error {
            self.scored += 1;
            self.score_error += error;
            for (count, bound) in self.within.iter_mut().zip(SCORE_BOUNDS) {
                *count += u32::from(error <= bound.into());
            }
        }
    }

    /// Mean loss of an answer in discs; `None` without answers.
    pub fn mean_loss(&self) -> Option<f64> {
        mean(self.lost.into(), self.positions - self.unanswered)
    }

    /// Mean absolute error of a score in discs; `None` without scores.
    pub fn mean_score_error(&self) -> Option<f64> {
        mean(self.score_error, self.scored)
    }
}

fn mean(sum: f64, count: u32) -> Option<f64> {
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::obf;

    #[test]
    fn answers_are_compared_with_listed_scores() {
        let line = "---------------------------OX------XO--------------------------- X; D3:+1; C4:-2; F5:+1; E6:-9;";
        let problem = obf::read(line.as_bytes()).next().unwrap().unwrap();
        assert!(has_all_scores(&problem));
        let mut totals = SuiteTotals::default();
        for (square, score, expected) in [
            ("D3", Some(4.0), Some((0, Some(3.0)))),
            ("F5", Some(-5.5), Some((0, Some(6.5)))),
            ("C4", None, Some((3, None))),
            ("E6", Some(11.0), Some((10, Some(10.0)))),
            ("A1", Some(0.0), None),
        ] {
            let ply = square.parse().ok();
            let verdict = Verdict::of(&problem, ply, score);
            let parts = verdict.map(|verdict| (verdict.loss, verdict.score_error));
            assert_eq!(parts, expected, "{square}");
            totals.add(verdict.as_ref());
        }
        assert_eq!((totals.positions, totals.unanswered), (5, 1));
        assert_eq!((totals.best, totals.within), (2, [1, 1, 2]));
        assert_eq!(totals.mean_loss(), Some(3.25));
        assert_eq!(totals.mean_score_error(), Some(6.5));
        assert_eq!(SuiteTotals::default().mean_loss(), None);
    }

    #[test]
    fn missing_scores_are_noticed() {
        let start = "---------------------------OX------XO--------------------------- X;";
        for (moves, expected) in [
            ("D3:+1; C4:-2; F5:+1; E6:-9;", true),
            ("D3:+1; C4:-2; F5:+1;", false),
            ("--:+1;", false),
            ("", false),
        ] {
            let line = format!("{start} {moves}");
            let problem = obf::read(line.as_bytes()).next().unwrap().unwrap();
            assert_eq!(has_all_scores(&problem), expected, "{moves}");
        }
    }
}
