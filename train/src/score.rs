//! How far static values are from the scores of positions.

use outflank_kernels::{Isa, IsaError, Token};

use super::record::Record;
use outflank::board::Board;
use outflank::eval::{DISC, Evaluation};

/// The errors of static values, by number of empty squares.
#[derive(Clone, PartialEq, Debug)]
pub struct Scores {
    /// By empty squares, from 0 up.
    rows: [Sums; 61],
}

/// Sums over positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Sums {
    positions: u64,
    /// The amounts of the errors, and their squares, in 1/128 disc.
    absolute: f64,
    squared: f64,
}

/// The errors of the static values of some positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Row {
    /// How many positions.
    pub positions: u64,
    /// The mean amount of the error, in discs.
    pub mae: f64,
    /// The root of the mean squared error, in discs.
    pub rmse: f64,
}

impl Sums {
    fn add(&mut self, other: Sums) {
        self.positions += other.positions;
        self.absolute += other.absolute;
        self.squared += other.squared;
    }

    fn row(&self) -> Option<Row> {
        let mean = |sum: f64| sum / self.positions as f64;
        (self.positions > 0).then(|| Row {
            positions: self.positions,
            mae: mean(self.absolute) / f64::from(DISC),
            rmse: mean(self.squared).sqrt() / f64::from(DISC),
        })
    }
}

impl Default for Scores {
    fn default() -> Scores {
        Scores {
            rows: [Sums::default(); 61],
        }
    }
}

impl Scores {
    /// Adds a position, of at most 60 empty squares, whose static value is `value`, in 1/128 disc.
    pub fn add(&mut self, record: &Record, value: i32) {
        let error = f64::from(value - i32::from(record.value));
        self.rows[record.board.empty_count() as usize].add(Sums {
            positions: 1,
            absolute: error.abs(),
            squared: error * error,
        });
    }

    /// The errors for every number of empty squares that there are positions with, the fewest first.
    pub fn rows(&self) -> impl Iterator<Item = (u32, Row)> {
        let rows = (0..).zip(&self.rows);
        rows.filter_map(|(empties, sums)| Some((empties, sums.row()?)))
    }

    /// The errors of all positions together; `None` if there is none.
    pub fn all(&self) -> Option<Row> {
        let mut all = Sums::default();
        for sums in &self.rows {
            all.add(*sums);
        }
        all.row()
    }
}

/// An evaluation without a search around it.
pub struct Valuer {
    evaluation: Evaluation,
    token: Token,
}

impl Valuer {
    /// One with these weights, at this instruction-set level, which changes no value.
    pub fn new(evaluation: Evaluation, isa: Isa) -> Result<Valuer, IsaError> {
        Ok(Valuer {
            evaluation,
            token: isa.token()?,
        })
    }

    /// The static value of a position, in 1/128 disc: after the pass where the mover has to pass. `None`
    /// where the game is over or could not have begun.
    pub fn value(&self, board: Board) -> Option<i32> {
        if board.is_game_over() || board.empty_count() > Board::START.empty_count() {
            return None;
        }
        let of = |board| self.evaluation.value(self.token, board);
        Some(match board.must_pass() {
            true => -of(board.pass()),
            false => of(board),
        })
    }
}
