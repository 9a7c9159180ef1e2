//! Functions over many boards in one call, for programs that work on arrays: the kernels of
//! [`outflank_kernels::batch`], static values and perft.
//!
//! An invalid board or ply is an error that names the first invalid row. The output is then unspecified.
//!
//! ```
//! use outflank::{Board, Isa, batch};
//!
//! let token = Isa::detect().token()?;
//! let boards = [[Board::START.player, Board::START.opponent]; 2];
//! let mut moves = [0; 2];
//! batch::mobility(token, &boards, &mut moves)?;
//! assert_eq!(moves, [Board::START.mobility(); 2]);
//! let mut next = [[0; 2]; 2];
//! let error = batch::apply(token, &boards, &[37, 36], &mut next).unwrap_err();
//! assert_eq!(error.to_string(), "row 1: E5 is not legal here");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Panics
//!
//! All functions panic if the lengths of their slices do not match.

use outflank_kernels::{Kernels, Token, stamp, with_isa};

use crate::board::Board;
use crate::eval::{Evaluation, Evaluator, with_evaluator};
use crate::search::{Passes, perft_at};

pub use outflank_kernels::batch::*;

stamp! {
    /// The loop at one level.
    pub(crate) trait Loops;
    fn values[E: Evaluator](evaluator: &E, boards: &[Discs], to: &mut [i32]) = values_body;
}

/// Computes static values in 1/128 disc ([`DISC`](crate::eval::DISC)) for the side to move.
pub fn evaluate(
    token: Token,
    evaluation: &Evaluation,
    boards: &[Discs],
    to: &mut [i32],
) -> Result<(), RowError> {
    in_blocks(boards, to, 1, |boards, to| {
        with_evaluator!(evaluation, evaluator => {
            with_isa!(token, isa => values(isa, evaluator, boards, to));
        });
    })
}

#[inline(always)]
fn values_body<I: Kernels, E: Evaluator<I>>(
    isa: I,
    evaluator: &E,
    boards: &[Discs],
    to: &mut [i32],
) {
    for (&[player, opponent], to) in boards.iter().zip(to) {
        let board = Board { player, opponent };
        *to = evaluator.value(isa, &evaluator.set(isa, board), board);
    }
}

/// Counts the leaves `depth` plies below each board, as [`perft`](crate::search::perft()) does.
pub fn perft(
    token: Token,
    boards: &[Discs],
    depth: u32,
    passes: Passes,
    to: &mut [u64],
) -> Result<(), RowError> {
    in_blocks(boards, to, 1, |boards, to| {
        for (&[player, opponent], to) in boards.iter().zip(to) {
            *to = perft_at(token, Board { player, opponent }, depth, passes);
        }
    })
}

#[cfg(test)]
mod tests;
