//! Errors of static values.

use outflank_kernels::{Isa, IsaError, Token};

use super::record::Record;
use outflank::board::Board;
use outflank::eval::{DISC, Evaluation};

/// Errors of static values by number of empty squares.
#[derive(Clone, PartialEq, Debug)]
pub struct ErrorTable {
    /// Indexed by empty squares.
    rows: [ErrorSums; 61],
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct ErrorSums {
    positions: u64,
    /// Sum of absolute errors in 1/128 disc.
    absolute: f64,
    squared: f64,
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

impl ErrorSums {
    fn add(&mut self, other: ErrorSums) {
        self.positions += other.positions;
        self.absolute += other.absolute;
        self.squared += other.squared;
    }

    fn row(&self) -> Option<ErrorRow> {
        let mean = |sum: f64| sum / self.positions as f64;
        (self.positions > 0).then(|| ErrorRow {
            positions: self.positions,
            mae: mean(self.absolute) / f64::from(DISC),
            rmse: mean(self.squared).sqrt() / f64::from(DISC),
        })
    }
}

impl Default for ErrorTable {
    fn default() -> ErrorTable {
        ErrorTable {
            rows: [ErrorSums::default(); 61],
        }
    }
}

impl ErrorTable {
    /// Adds a position of at most 60 empty squares with its static `value` in 1/128 disc.
    pub fn add(&mut self, record: &Record, value: i32) {
        let error = f64::from(value - i32::from(record.value));
        self.rows[record.board.empty_count() as usize].add(ErrorSums {
            positions: 1,
            absolute: error.abs(),
            squared: error * error,
        });
    }

    /// Numbers of empty squares that occur, ascending, with their errors.
    pub fn rows(&self) -> impl Iterator<Item = (u32, ErrorRow)> {
        let rows = (0..).zip(&self.rows);
        rows.filter_map(|(empties, sums)| Some((empties, sums.row()?)))
    }

    /// Errors over all positions; `None` without positions.
    pub fn all(&self) -> Option<ErrorRow> {
        let mut all = ErrorSums::default();
        for sums in &self.rows {
            all.add(*sums);
        }
        all.row()
    }
}

/// Static evaluator without search.
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
