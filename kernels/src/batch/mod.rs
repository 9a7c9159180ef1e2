//! Kernels over many boards in one call, at a level chosen at run time. One call per board would cost more than
//! the kernel.
//!
//! An invalid board or ply is an error that names the first invalid row. The output is then unspecified.
//!
//! ```
//! use outflank_kernels::{Isa, batch};
//!
//! let token = Isa::detect().token()?;
//! // Two boards, the first of a game: A1 = bit 0, the mover's discs first.
//! let boards = [[0x08_1000_0000, 0x10_0800_0000]; 2];
//! let mut moves = [0; 2];
//! batch::mobility(token, &boards, &mut moves)?;
//! assert_eq!(moves, [0x1020_0408_0000; 2]);
//! // F5 is square 37, E5 square 36.
//! let mut next = [[0; 2]; 2];
//! let error = batch::apply(token, &boards, &[37, 36], &mut next).unwrap_err();
//! assert_eq!(error.to_string(), "row 1: E5 is not legal here");
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Panics
//!
//! All functions panic if the lengths of their slices do not match.

mod error;
mod loops;
mod planes;

use alloc::vec;
use alloc::vec::Vec;

use crate::geometry::{corner, edax};
use crate::{Token, with_isa};

pub use error::{RowError, RowFault};
use loops::*;
pub use planes::{Planes, move_masks, planes};

/// A position: discs of the mover and of the opponent, A1 = bit 0.
pub type Discs = [u64; 2];

/// Number that stands for a pass among plies; squares are 0..=63.
pub const PASS: u8 = 64;

/// Number of images of a board.
pub const SYMMETRIES: usize = 8;

/// Number of boards in a block. A block is checked, then passed to a kernel while it is in the L1 cache.
pub const BLOCK: usize = 1024;

/// Score of a finished game in discs for the mover, -64..=64. Empty squares count for the winner.
#[inline(always)]
pub const fn final_score(player: u64, opponent: u64) -> i32 {
    let difference = player.count_ones() as i32 - opponent.count_ones() as i32;
    difference + difference.signum() * (player | opponent).count_zeros() as i32
}

/// Calls a loop of `loops` for each block of boards, as [`in_blocks`] does.
macro_rules! per_block {
    ($token:ident, $kernel:ident($boards:ident, $to:ident), $per_board:expr) => {
        in_blocks($boards, $to, $per_board, |boards, to| {
            with_isa!($token, isa => $kernel(isa, boards, to));
        })
    };
}

/// Computes the legal moves of each board.
pub fn mobility(token: Token, boards: &[Discs], to: &mut [u64]) -> Result<(), RowError> {
    per_block!(token, mobilities(boards, to), 1)
}

/// Computes the discs that a move on a square (0..=63) flips; 0 if the move is not legal.
pub fn flip(
    token: Token,
    boards: &[Discs],
    squares: &[u8],
    to: &mut [u64],
) -> Result<(), RowError> {
    assert_eq!(boards.len(), squares.len());
    if let Some(row) = squares.iter().position(|&square| square > 63) {
        check_boards(&boards[..=row])?;
        let fault = RowFault::NotASquare(squares[row]);
        return Err(RowError { row, fault });
    }
    let mut squares = squares.chunks(BLOCK);
    in_blocks(boards, to, 1, |boards, to| {
        let squares = squares
            .next()
            .expect("a block of squares per block of boards");
        with_isa!(token, isa => flips(isa, boards, squares, to));
    })
}

/// Plays a ply on each board: a square (0..=63), or [`PASS`] if the mover must pass.
pub fn apply(
    token: Token,
    boards: &[Discs],
    plies: &[u8],
    to: &mut [Discs],
) -> Result<(), RowError> {
    assert_eq!(boards.len(), plies.len());
    let blocks = plies.chunks(BLOCK).enumerate();
    let mut blocks = blocks.map(|(number, plies)| (number * BLOCK, plies));
    let mut illegal = None;
    let checked = in_blocks(boards, to, 1, |boards, to| {
        let (first, plies) = blocks.next().expect("a block of plies per block of boards");
        with_isa!(token, isa => positions_after(isa, boards, plies, to));
        if illegal.is_none() {
            illegal = first_illegal(plies, to).map(|error| RowError {
                row: first + error.row,
                ..error
            });
        }
    });
    // Plies are played only on boards before the first overlap, so an illegal ply comes before it.
    illegal.map_or(checked, Err)
}

/// Computes the lowest of the eight images of each board, by the mover's discs, then by the opponent's.
pub fn canonical(token: Token, boards: &[Discs], to: &mut [Discs]) -> Result<(), RowError> {
    per_block!(token, lowest_images(boards, to), 1)
}

/// Computes the hash of each board, CRC32C. It is equal at every level and in every release.
pub fn hash(token: Token, boards: &[Discs], to: &mut [u64]) -> Result<(), RowError> {
    per_block!(token, hashes(boards, to), 1)
}

/// Computes the [`SYMMETRIES`] images of each board.
///
/// Images 0 to 3 are the board itself, mirrored left to right, mirrored upside down, and mirrored both ways. Images 4
/// to 7 are those of the board with rows and columns exchanged.
pub fn images(token: Token, boards: &[Discs], to: &mut [Discs]) -> Result<(), RowError> {
    per_block!(token, all_images(boards, to), SYMMETRIES)
}

/// Computes discs of the mover that can never be flipped. Some stable discs may be missing.
pub fn stability(token: Token, boards: &[Discs], to: &mut [u64]) -> Result<(), RowError> {
    per_block!(token, stable_discs(boards, to), 1)
}

/// Computes potential mobility: the empty squares beside a disc of the opponent.
pub fn potential_mobility(token: Token, boards: &[Discs], to: &mut [u64]) -> Result<(), RowError> {
    per_block!(token, potential_moves(boards, to), 1)
}

/// Computes the scores of finished games in discs for the side to move, -64..=64. Empty squares count for the winner.
///
/// A board on which a side can move is an error, [`RowFault::NotOver`].
pub fn final_scores(token: Token, boards: &[Discs], to: &mut [i8]) -> Result<(), RowError> {
    let checked = per_block!(token, scores_at_the_end(boards, to), 1);
    let valid = checked.map_or_else(|overlap| overlap.row, |()| boards.len());
    match to[..valid].iter().position(|&score| score == NO_SCORE) {
        Some(row) => Err(RowError {
            row,
            fault: RowFault::NotOver,
        }),
        None => checked,
    }
}

/// Feature set for [`features`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FeatureSet {
    /// Edax's features, which the linear evaluation uses.
    Edax,
    /// Features that the network uses, corner by corner.
    Corner,
}

impl FeatureSet {
    /// Number of features of a board.
    pub const fn count(self) -> usize {
        match self {
            FeatureSet::Edax => edax::COUNT,
            FeatureSet::Corner => corner::COUNT,
        }
    }
}

/// Computes [`FeatureSet::count`] features of each board. A feature is a number in base 3, with a digit for each
/// square: 0 mover, 1 empty, 2 opponent.
pub fn features(
    token: Token,
    set: FeatureSet,
    boards: &[Discs],
    to: &mut [u16],
) -> Result<(), RowError> {
    in_blocks(boards, to, set.count(), |boards, to| {
        with_isa!(token, isa => match set {
            FeatureSet::Edax => features_of_edax(isa, boards, to),
            FeatureSet::Corner => features_of_corners(isa, boards, to),
        });
    })
}

/// Columns of the result of [`children`], with a row for each ply of each board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChildBoards {
    /// Boards after the plies.
    pub boards: Vec<Discs>,
    /// Rows of the boards before the plies.
    pub parents: Vec<u64>,
    /// Plies: squares, or [`PASS`].
    pub plies: Vec<u8>,
}

/// Plays all legal plies of each board, in the order of rows and squares.
///
/// A forced pass is the only ply of its board; a finished game has no ply.
pub fn children(token: Token, boards: &[Discs]) -> Result<ChildBoards, RowError> {
    let mut moves = vec![0; boards.len()];
    mobility(token, boards, &mut moves)?;
    let count = moves.iter().map(|moves| moves.count_ones() as usize).sum();
    let (mut parents, mut plies) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for (row, (&[player, opponent], &moves)) in boards.iter().zip(&moves).enumerate() {
        if moves == 0 && with_isa!(token, isa => must_pass(isa, player, opponent)) {
            parents.push(row as u64);
            plies.push(PASS);
        }
        for square in (0..64).filter(|square| moves >> square & 1 != 0) {
            parents.push(row as u64);
            plies.push(square);
        }
    }
    let from: Vec<Discs> = parents.iter().map(|&row| boards[row as usize]).collect();
    let mut after = vec![[0; 2]; from.len()];
    with_isa!(token, isa => positions_after(isa, &from, &plies, &mut after));
    Ok(ChildBoards {
        boards: after,
        parents,
        plies,
    })
}

/// Calls `kernel` for each [`BLOCK`] of boards and its part of `to`, with `per_board` items a board.
///
/// A square held by both sides is an error. `kernel` is called for all boards before it. The function is public for
/// your own loops, which [`stamp!`](crate::stamp) compiles for every level.
pub fn in_blocks<T>(
    boards: &[Discs],
    to: &mut [T],
    per_board: usize,
    mut kernel: impl FnMut(&[Discs], &mut [T]),
) -> Result<(), RowError> {
    assert_eq!(boards.len() * per_board, to.len());
    let blocks = boards.chunks(BLOCK).zip(to.chunks_mut(BLOCK * per_board));
    for (number, (boards, to)) in blocks.enumerate() {
        let checked = check_boards(boards);
        let valid = checked.map_or_else(|overlap| overlap.row, |()| boards.len());
        kernel(&boards[..valid], &mut to[..valid * per_board]);
        checked.map_err(|overlap| RowError {
            row: number * BLOCK + overlap.row,
            ..overlap
        })?;
    }
    Ok(())
}

/// Returns an error for the first board with a square that both sides hold.
fn check_boards(boards: &[Discs]) -> Result<(), RowError> {
    let held_twice = |&[player, opponent]: &Discs| player & opponent;
    // The usual case is checked without branches.
    let all = boards.iter().map(held_twice);
    if all.fold(0, |all, squares| all | squares) == 0 {
        return Ok(());
    }
    let mut rows = boards.iter().map(held_twice).enumerate();
    match rows.find(|&(_, squares)| squares != 0) {
        Some((row, squares)) => Err(RowError {
            row,
            fault: RowFault::Overlap(squares),
        }),
        None => Ok(()),
    }
}

/// Error of the first illegal ply; `after` is the output of [`positions_after`].
fn first_illegal(plies: &[u8], after: &[Discs]) -> Option<RowError> {
    let row = after.iter().position(|&after| after == NO_BOARD)?;
    let fault = match plies[row] {
        ply @ 0..=PASS => RowFault::Illegal(ply),
        number => RowFault::NotAPly(number),
    };
    Some(RowError { row, fault })
}
