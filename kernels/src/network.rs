//! Network of an evaluation over the geometry `corner`. Each value of a feature has a row of 32 numbers. The
//! rows are summed by corner, and a small integer network works on the sums. Every level gives the same bits.
//!
//! 1. The sum of a corner adds its eight rows, the start row of the stage, and the row of the mover's number
//!    of moves. Its numbers are 16-bit, in units of 1/128. Four rows fit into a sum of bytes ([`MAX_ROW`]), so
//!    bytes are widened only once for four rows.
//! 2. Each number is clamped to 0..=127 and squared. The inputs `u`, 0..=126, are the sums of the four
//!    corners' squares, divided by 512.
//! 3. There are 16 hidden numbers: `(bias + the sum of weight * u) >> 6`, clamped to 0..=127.
//! 4. The value in 1/128 disc is `(bias + the sum of weight * x) >> 6` over the hidden numbers, their
//!    squares (`x * x >> 7`), and the inputs.
//!
//! A stage is a number of empty squares.

use alloc::boxed::Box;
use alloc::{vec, vec::Vec};

use crate::geometry::FEATURES;
use crate::geometry::corner::{self, CLASSES, LENGTH};
pub use crate::network_rows::Rows;

/// Numbers in a row, and inputs of the network.
pub const WIDTH: usize = 32;

/// Hidden numbers of the network.
pub const HIDDEN: usize = 16;

/// Corners of the board.
pub const CORNERS: usize = 4;

/// Stages: 0 to 60 empty squares.
pub const STAGES: usize = 61;

/// Greatest absolute value of a number in a feature's row: the sum of four fits into a signed byte. In a
/// network trained with the bound 127, 0.03 to 0.65 % of a class's numbers were larger.
pub const MAX_ROW: i8 = 31;

/// Greatest absolute value of a number in a start row or a row of moves: sums of corners fit into 16 bits.
pub const MAX_SIDE: i16 = 15_000;

/// Greatest absolute value of the bias of a hidden number.
pub const MAX_HIDDEN_BIAS: i32 = 1 << 24;

/// Greatest absolute value of the bias of a value.
pub const MAX_BIAS: i32 = 1 << 28;

/// Greatest number of moves with a row of its own. Greater numbers use the row of this one.
pub const MAX_MOVES: usize = 31;

/// Row of a feature's value, in units of 1/128. Aligned, it lies in one cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub struct Row(pub [i8; WIDTH]);

/// Row added to the sum of every corner, in units of 1/128.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct SideRow(pub [i16; WIDTH]);

/// Weights of hidden numbers in units of 1/64, indexed by group of four inputs, hidden number, and input of
/// the group.
pub type Matrix = [[[i8; 4]; HIDDEN]; WIDTH / 4];

/// Network of a stage.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Stage {
    /// Weights of the hidden numbers.
    pub matrix: Matrix,
    /// Biases of the hidden numbers, in units of 1/64 of 1/128.
    pub hidden_bias: [i32; HIDDEN],
    /// Weights of the hidden numbers and of their squares in the value, in units of 1/64 of 1/128 disc.
    pub hidden_output: [[i16; HIDDEN]; 2],
    /// Weights of the inputs in the value, in the same units as `hidden_output`.
    pub input_output: [i16; WIDTH],
    /// Start row: added to the sum of every corner.
    pub start: SideRow,
    /// Bias of the value, in units of 1/64 of 1/128 disc.
    pub bias: i32,
}

/// An evaluation network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    pub(crate) rows: Rows,
    pub(crate) moves: Box<[SideRow; MAX_MOVES + 1]>,
    pub(crate) stages: Box<[Stage; STAGES]>,
}

// No 16-bit value of a feature, valid or not, indexes outside the rows.
const _: () = {
    let mut feature = 0;
    while feature < FEATURES {
        assert!(corner::OFFSETS[feature] as usize + (u16::MAX as usize) < LENGTH);
        feature += 1;
    }
};

impl Network {
    /// Byte offsets, within a network, of the pointers to rows, rows of moves and stages. The prover follows
    /// these pointers in machine code.
    pub const POINTERS: [usize; 3] = [
        core::mem::offset_of!(Network, rows.pointer),
        core::mem::offset_of!(Network, moves),
        core::mem::offset_of!(Network, stages),
    ];

    /// A network of zeros: every position has the value 0.
    pub fn zero() -> Network {
        Network::with_rows(Rows::zero())
    }

    /// A network of these rows and otherwise zeros.
    pub fn with_rows(rows: Rows) -> Network {
        let stage = Stage {
            matrix: [[[0; 4]; HIDDEN]; WIDTH / 4],
            hidden_bias: [0; HIDDEN],
            hidden_output: [[0; HIDDEN]; 2],
            input_output: [0; WIDTH],
            start: SideRow([0; WIDTH]),
            bias: 0,
        };
        Network {
            rows,
            moves: boxed(vec![SideRow([0; WIDTH]); MAX_MOVES + 1]),
            stages: boxed(vec![stage; STAGES]),
        }
    }

    /// Returns `true` if every number is so small that no sum overflows.
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
        let mut numbers = self.rows.iter().flat_map(|row| row.0);
        numbers.all(|number| number.unsigned_abs() <= MAX_ROW as u8)
            && self.moves.iter().all(side)
            && self.stages.iter().all(stage)
    }

    /// Size in memory, in bytes. Borrowed rows count as well.
    pub fn resident_bytes(&self) -> usize {
        Rows::BYTES + size_of_val(&*self.moves) + size_of_val(&*self.stages)
    }

    /// Rows of all classes.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// Rows of a class, indexed by a feature's value; `None` if the geometry lacks the class.
    pub fn class(&self, name: &str) -> Option<&[Row]> {
        let class = CLASSES.iter().find(|class| class.name == name)?;
        Some(&self.rows[class.offset..class.offset + class.weights()])
    }

    /// Mutable version of [`class`](Self::class).
    pub fn class_mut(&mut self, name: &str) -> Option<&mut [Row]> {
        let class = CLASSES.iter().find(|class| class.name == name)?;
        Some(&mut self.rows[class.offset..class.offset + class.weights()])
    }

    /// Rows of the mover's number of moves.
    pub fn moves(&self) -> &[SideRow; MAX_MOVES + 1] {
        &self.moves
    }

    /// Mutable rows of the mover's number of moves.
    pub fn moves_mut(&mut self) -> &mut [SideRow; MAX_MOVES + 1] {
        &mut self.moves
    }

    /// Networks of the stages.
    pub fn stages(&self) -> &[Stage; STAGES] {
        &self.stages
    }

    /// Mutable networks of the stages.
    pub fn stages_mut(&mut self) -> &mut [Stage; STAGES] {
        &mut self.stages
    }
}

fn boxed<T: core::fmt::Debug, const N: usize>(all: Vec<T>) -> Box<[T; N]> {
    let all = all.into_boxed_slice();
    all.try_into().expect("as many as asked for")
}
