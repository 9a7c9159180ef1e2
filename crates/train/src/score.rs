//! Errors of static values.

use std::collections::BTreeMap;

use outflank_kernels::{Isa, IsaError, Token};

use super::fit::{LossSums, MeanErrors};
use super::record::Record;
use outflank::board::Board;
use outflank::eval::{DISC, Evaluation};

/// Errors of static values by number of empty squares.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ErrorTable {
    /// Sums by number of empty squares. Every position has the weight 1.
    rows: BTreeMap<u32, LossSums>,
}

/// Errors over some positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ErrorRow {
    /// Number of positions.
    pub positions: u64,
    /// Mean absolute error in discs.
    pub mae: f64,
    /// Root mean squared error in discs.
    pub rmse: f64,
}

impl From<LossSums> for ErrorRow {
    fn from(sums: LossSums) -> ErrorRow {
        let MeanErrors { mae, rmse, .. } = MeanErrors::of(sums);
        let positions = sums.0[0] as u64;
        ErrorRow {
            positions,
            mae,
            rmse,
        }
    }
}

impl ErrorTable {
    /// Adds a position of at most 60 empty squares with its static `value` in 1/128 disc.
    pub fn add(&mut self, record: &Record, value: i32) {
        let error = f64::from(value - i32::from(record.value)) / f64::from(DISC);
        let row = self.rows.entry(record.board.empty_count()).or_default();
        *row = row.add(LossSums([1.0, 0.0, error.abs(), error * error]));
    }

    /// Errors by number of empty squares, ascending.
    pub fn rows(&self) -> impl Iterator<Item = (u32, ErrorRow)> {
        let rows = self.rows.iter();
        rows.map(|(&empties, &sums)| (empties, sums.into()))
    }

    /// Errors over all positions; `None` without positions.
    pub fn all(&self) -> Option<ErrorRow> {
        let sum: LossSums = self.rows.values().copied().sum();
        (!self.rows.is_empty()).then(|| sum.into())
    }
}

/// Evaluator of positions without search.
pub struct StaticEvaluator {
    evaluation: Evaluation,
    token: Token,
}

impl StaticEvaluator {
    /// Creates an evaluator. The instruction-set level changes no value.
    pub fn new(evaluation: Evaluation, isa: Isa) -> Result<StaticEvaluator, IsaError> {
        Ok(StaticEvaluator {
            evaluation,
            token: isa.token()?,
        })
    }

    /// Static value of a position in 1/128 disc, through a forced pass. Returns `None` if the game is over or the
    /// position has more empty squares than the start.
    pub fn value(&self, board: Board) -> Option<i32> {
        if board.is_game_over() || board.empty_count() > Board::START.empty_count() {
            return None;
        }
        let value = |board| self.evaluation.value(self.token, board);
        Some(match board.must_pass() {
            true => -value(board.pass()),
            false => value(board),
        })
    }
}
