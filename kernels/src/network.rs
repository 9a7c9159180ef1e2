//! The network of an evaluation: rows of 32 numbers for the values of the features of the geometry
//! `corner`, summed by corner, and a small integer network on the sums. Every level gives the same bits.
//!
//! 1. The sum of a corner: its eight rows, the start of the stage, and the row of the number of moves that the
//!    mover has. In units of 1/128, 16 bits. The numbers of four rows add up in a byte ([`MAX_ROW`]), so that
//!    bytes need to be extended only once for four rows.
//! 2. Each number is clamped to 0..=127 and squared. The inputs `u`, 0..=126, are the sums of the four corners'
//!    squares, divided by 512.
//! 3. 16 hidden numbers: `(bias + the sum of weight * u) >> 6`, clamped to 0..=127.
//! 4. The value in 1/128 disc: `(bias + the sum of weight * x) >> 6` over the hidden numbers, their squares
//!    (`x * x >> 7`), and the inputs.
//!
//! A stage is a number of empty squares.

use crate::geometry::FEATURES;
use crate::geometry::corner::{self, CLASSES, LENGTH};

/// The numbers in a row, and the inputs of the network.
pub const WIDTH: usize = 32;

/// The hidden numbers of the network.
pub const HIDDEN: usize = 16;

/// The corners of the board.
pub const CORNERS: usize = 4;

/// The stages: 0 to 60 empty squares.
pub const STAGES: usize = 61;

/// The most that a number of a feature's row may be, either way: the sum of four is a signed byte. Of the
/// numbers of a network that was trained with 127 instead, 0.03 to 0.65 %, by class, were larger.
pub const MAX_ROW: i8 = 31;

/// The most that a number of a start row or a row of moves may be, either way: no sum of a corner leaves its
/// 16 bits.
pub const MAX_SIDE: i16 = 15_000;

/// The most that the bias of a hidden number may be, either way.
pub const MAX_HIDDEN_BIAS: i32 = 1 << 24;

/// The most that the bias of a value may be, either way.
pub const MAX_BIAS: i32 = 1 << 28;

/// The most moves that have a row of their own.
pub const MAX_MOVES: usize = 31;

/// The row of a value of a feature, in units of 1/128. Aligned, it lies in one line of the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub struct Row(pub [i8; WIDTH]);

/// A row for each value of each feature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rows(pub(crate) Box<[Row; LENGTH]>);

/// A row that is added to the sum of every corner, in units of 1/128.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct SideRow(pub [i16; WIDTH]);

/// Weights of hidden numbers: by group of four inputs, by hidden number, by input of the group. In units of
/// 1/64.
pub type Matrix = [[[i8; 4]; HIDDEN]; WIDTH / 4];

/// The network of a stage.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Stage {
    /// The weights of the hidden numbers.
    pub matrix: Matrix,
    /// Their biases, in units of 1/64 of 1/128.
    pub hidden_bias: [i32; HIDDEN],
    /// What the value takes of the hidden numbers and of their squares, in units of 1/64 of 1/128 disc.
    pub hidden_output: [[i16; HIDDEN]; 2],
    /// What it takes of the inputs, in the same units.
    pub input_output: [i16; WIDTH],
    /// What every sum begins with.
    pub start: SideRow,
    /// The bias of the value, in units of 1/64 of 1/128 disc.
    pub bias: i32,
}

/// A network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    pub(crate) rows: Rows,
    pub(crate) moves: Box<[SideRow; MAX_MOVES + 1]>,
    pub(crate) stages: Box<[Stage; STAGES]>,
}

// No feature, right or wrong, leads out of the rows.
const _: () = {
    let mut feature = 0;
    while feature < FEATURES {
        assert!(corner::OFFSETS[feature] as usize + (u16::MAX as usize) < LENGTH);
        feature += 1;
    }
};

impl Network {
    /// Where the pointers to the rows, to the rows of moves and to the stages lie in a network, in bytes: what follows
    /// machine code has to find them.
    pub const POINTERS: [usize; 3] = [
        std::mem::offset_of!(Network, rows),
        std::mem::offset_of!(Network, moves),
        std::mem::offset_of!(Network, stages),
    ];

    /// All numbers 0: every position is worth 0.
    pub fn zero() -> Network {
        let stage = Stage {
            matrix: [[[0; 4]; HIDDEN]; WIDTH / 4],
            hidden_bias: [0; HIDDEN],
            hidden_output: [[0; HIDDEN]; 2],
            input_output: [0; WIDTH],
            start: SideRow([0; WIDTH]),
            bias: 0,
        };
        Network {
            rows: Rows(boxed(vec![Row([0; WIDTH]); LENGTH])),
            moves: boxed(vec![SideRow([0; WIDTH]); MAX_MOVES + 1]),
            stages: boxed(vec![stage; STAGES]),
        }
    }

    /// Whether no number is so large that a sum could leave its bits.
    pub fn is_within_limits(&self) -> bool {
        let side = |row: &SideRow| {
            row.0
                .iter()
                .all(|number| number.unsigned_abs() <= MAX_SIDE as u16)
        };
        let stage = |stage: &Stage| {
            let hidden = stage.hidden_bias.iter();
            side(&stage.start)
                && hidden
                    .into_iter()
                    .all(|bias| bias.unsigned_abs() <= MAX_HIDDEN_BIAS as u32)
                && stage.bias.unsigned_abs() <= MAX_BIAS as u32
        };
        let mut numbers = self.rows.0.iter().flat_map(|row| row.0);
        numbers.all(|number| number.unsigned_abs() <= MAX_ROW as u8)
            && self.moves.iter().all(side)
            && self.stages.iter().all(stage)
    }

    /// The bytes that it takes in memory.
    pub fn resident_bytes(&self) -> usize {
        size_of_val(&*self.rows.0) + size_of_val(&*self.moves) + size_of_val(&*self.stages)
    }

    /// The rows of the features of a class, by the feature's value; `None` where the geometry has no such
    /// class.
    pub fn class(&self, name: &str) -> Option<&[Row]> {
        let class = CLASSES.iter().find(|class| class.name == name)?;
        Some(&self.rows.0[class.offset..class.offset + class.weights()])
    }

    /// The same, to be changed.
    pub fn class_mut(&mut self, name: &str) -> Option<&mut [Row]> {
        let class = CLASSES.iter().find(|class| class.name == name)?;
        Some(&mut self.rows.0[class.offset..class.offset + class.weights()])
    }

    /// The rows of the number of moves that the mover has.
    pub fn moves(&self) -> &[SideRow; MAX_MOVES + 1] {
        &self.moves
    }

    /// The same, to be changed.
    pub fn moves_mut(&mut self) -> &mut [SideRow; MAX_MOVES + 1] {
        &mut self.moves
    }

    /// The networks of the stages.
    pub fn stages(&self) -> &[Stage; STAGES] {
        &self.stages
    }

    /// The same, to be changed.
    pub fn stages_mut(&mut self) -> &mut [Stage; STAGES] {
        &mut self.stages
    }
}

fn boxed<T: std::fmt::Debug, const N: usize>(all: Vec<T>) -> Box<[T; N]> {
    let all = all.into_boxed_slice();
    all.try_into().expect("as many as asked for")
}
