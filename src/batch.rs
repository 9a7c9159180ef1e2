//! Kernels over many boards in one call, for array programs: a call for each board would cost more than
//! the kernel.
//!
//! The first row that is no position, or has no such move, is an error; what was written by then is
//! not meant to be used.
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

mod inputs;

use outflank_kernels::geometry::{corner, edax};
use outflank_kernels::{Features, Kernels, Token, stamp, with_isa};

use crate::board::Board;
use crate::eval::{Evaluation, Evaluator, with_values};
use crate::notation::ply_name;
use crate::search::{Passes, perft_at};
use crate::square::{Ply, SYMMETRIES, Square};

pub use inputs::{Planes, move_masks, planes};

/// A position: the mover's discs and the opponent's, A1 = bit 0.
pub type Discs = [u64; 2];

/// The number of a pass, where 0..=63 are squares.
pub const PASS: u8 = 64;

/// A row that a kernel cannot be asked about. Rows count from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("row {row}: {fault}")]
pub struct RowError {
    /// The row.
    pub row: usize,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The board has squares that both sides hold.
    #[error("both sides hold {}", Square::names(*.0))]
    Overlap(u64),
    /// The number is neither a square nor [`PASS`].
    #[error("{0} is no ply: A1 to H8 are 0 to 63, and a pass is 64")]
    NotAPly(u8),
    /// The side to move may not play there, or may not pass.
    #[error("{} is not legal here", ply_name(*.0))]
    Illegal(Ply),
    /// One of the sides has a move.
    #[error("the game is not over")]
    NotOver,
}

/// The squares where the side to move may play.
///
/// # Panics
///
/// This and the other functions panic where two slices differ in length.
pub fn mobility(token: Token, boards: &[Discs], to: &mut [u64]) -> Result<(), RowError> {
    in_blocks(boards, to, 1, |boards, to| {
        with_isa!(token, isa => mobilities(isa, boards, to));
    })
}

/// The discs that a move on a square (0..=63) turns; 0 where the move is not legal.
pub fn flip(
    token: Token,
    boards: &[Discs],
    squares: &[u8],
    to: &mut [u64],
) -> Result<(), RowError> {
    assert_eq!(boards.len(), squares.len());
    if let Some(row) = squares.iter().position(|&square| square > 63) {
        let fault = Fault::NotAPly(squares[row]);
        return Err(RowError { row, fault });
    }
    let mut squares = squares.chunks(BLOCK);
    in_blocks(boards, to, 1, |boards, to| {
        let squares = squares.next().expect("there are as many as boards");
        with_isa!(token, isa => flips(isa, boards, squares, to));
    })
}

/// The boards after a ply each: a square (0..=63), or [`PASS`] where the side to move has to pass.
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
    in_blocks(boards, to, 1, |boards, to| {
        let (first, plies) = blocks.next().expect("there are as many as boards");
        with_isa!(token, isa => positions_after(isa, boards, plies, to));
        if illegal.is_none() {
            illegal = first_illegal(boards, plies, to).map(|error| RowError {
                row: first + error.row,
                ..error
            });
        }
    })?;
    illegal.map_or(Ok(()), Err)
}

/// Of the eight images of a board under the symmetries of the square the lowest one, the mover's discs
/// compared first.
pub fn canonical(token: Token, boards: &[Discs], to: &mut [Discs]) -> Result<(), RowError> {
    in_blocks(boards, to, 1, |boards, to| {
        with_isa!(token, isa => lowest_images(isa, boards, to));
    })
}

/// The hash that the transposition table uses: the same at every level, in every release.
pub fn hash(token: Token, boards: &[Discs], to: &mut [u64]) -> Result<(), RowError> {
    in_blocks(boards, to, 1, |boards, to| {
        with_isa!(token, isa => hashes(isa, boards, to));
    })
}

/// The eight images of each board, eight a board, in the order of
/// [`Symmetry::all`](crate::symmetry::Symmetry::all).
///
/// They are the board itself, mirrored left to right, upside down, and both; then the same four of the
/// board with rows and columns exchanged.
pub fn images(token: Token, boards: &[Discs], to: &mut [Discs]) -> Result<(), RowError> {
    in_blocks(boards, to, SYMMETRIES, |boards, to| {
        with_isa!(token, isa => all_images(isa, boards, to));
    })
}

/// The discs of the side to move that are known never to turn: a lower bound of those that never will.
pub fn stability(token: Token, boards: &[Discs], to: &mut [u64]) -> Result<(), RowError> {
    in_blocks(boards, to, 1, |boards, to| {
        with_isa!(token, isa => stable_discs(isa, boards, to));
    })
}

/// The empty squares beside a disc of the opponent, where the side to move may play some day.
pub fn potential_mobility(token: Token, boards: &[Discs], to: &mut [u64]) -> Result<(), RowError> {
    in_blocks(boards, to, 1, |boards, to| {
        with_isa!(token, isa => potential_moves(isa, boards, to));
    })
}

/// The scores of finished games in discs for the side to move, empty squares to the winner: -64..=64.
///
/// A board where a side has a move is refused with [`Fault::NotOver`].
pub fn final_scores(token: Token, boards: &[Discs], to: &mut [i8]) -> Result<(), RowError> {
    in_blocks(boards, to, 1, |boards, to| {
        with_isa!(token, isa => scores_at_the_end(isa, boards, to));
    })?;
    match to.iter().position(|&score| score == NO_SCORE) {
        Some(row) => Err(RowError {
            row,
            fault: Fault::NotOver,
        }),
        None => Ok(()),
    }
}

/// Static values in 1/128 disc ([`DISC`](crate::eval::DISC)) from the side to move.
pub fn evaluate(
    token: Token,
    evaluation: &Evaluation,
    boards: &[Discs],
    to: &mut [i32],
) -> Result<(), RowError> {
    in_blocks(boards, to, 1, |boards, to| {
        with_values!(&evaluation.values, evaluator => {
            with_isa!(token, isa => values(isa, evaluator, boards, to));
        });
    })
}

/// Which squares the features of [`features`] are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FeatureSet {
    /// Those of the linear evaluation, which are Edax's.
    Edax,
    /// Those of the network, corner by corner.
    Corner,
}

impl FeatureSet {
    /// Features of a board.
    pub const fn count(self) -> usize {
        match self {
            FeatureSet::Edax => edax::COUNT,
            FeatureSet::Corner => corner::COUNT,
        }
    }
}

/// The features of an evaluation, [`FeatureSet::count`] a board: squares as digits in base 3, 0 the mover's,
/// 1 empty, 2 the opponent's.
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

/// The leaves `depth` plies below each board: [`perft`](crate::search::perft()).
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

/// What [`children`] returns: column by column, a row for each ply of each board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Children {
    /// The boards after the plies.
    pub boards: Vec<Discs>,
    /// The rows of the boards before.
    pub parents: Vec<u64>,
    /// The plies: squares, or [`PASS`].
    pub plies: Vec<u8>,
}

/// What every board can become in one ply, in the order of rows and squares. A side that has to pass has that
/// one ply; a finished game has none.
pub fn children(token: Token, boards: &[Discs]) -> Result<Children, RowError> {
    let mut moves = vec![0; boards.len()];
    mobility(token, boards, &mut moves)?;
    let count = moves.iter().map(|moves| moves.count_ones() as usize).sum();
    let (mut parents, mut plies) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for (row, (&[player, opponent], &moves)) in boards.iter().zip(&moves).enumerate() {
        if moves == 0 && (Board { player, opponent }).must_pass() {
            parents.push(row as u64);
            plies.push(PASS);
        }
        for square in Square::all_in(moves) {
            parents.push(row as u64);
            plies.push(square.index() as u8);
        }
    }
    let from: Vec<Discs> = parents.iter().map(|&row| boards[row as usize]).collect();
    let mut after = vec![[0; 2]; from.len()];
    with_isa!(token, isa => positions_after(isa, &from, &plies, &mut after));
    Ok(Children {
        boards: after,
        parents,
        plies,
    })
}

/// Boards that are checked and then given to a kernel, while they are in the first cache.
const BLOCK: usize = 1024;

/// Calls `kernel` for the boards and their part of `to`, `per_board` items each, a block at a time.
fn in_blocks<T>(
    boards: &[Discs],
    to: &mut [T],
    per_board: usize,
    mut kernel: impl FnMut(&[Discs], &mut [T]),
) -> Result<(), RowError> {
    assert_eq!(boards.len() * per_board, to.len());
    let blocks = boards.chunks(BLOCK).zip(to.chunks_mut(BLOCK * per_board));
    for (number, (boards, to)) in blocks.enumerate() {
        let held_twice = |&[player, opponent]: &Discs| player & opponent;
        if boards.iter().map(held_twice).fold(0, |all, one| all | one) != 0 {
            let mut rows = boards.iter().map(held_twice).enumerate();
            let (row, squares) = rows.find(|&(_, squares)| squares != 0).expect("one is");
            let fault = Fault::Overlap(squares);
            let row = number * BLOCK + row;
            return Err(RowError { row, fault });
        }
        kernel(boards, to);
    }
    Ok(())
}

/// The first ply that is not legal, where `after` is what [`positions_after`] made of it.
fn first_illegal(boards: &[Discs], plies: &[u8], after: &[Discs]) -> Option<RowError> {
    let row = after.iter().position(|&after| after == NO_BOARD)?;
    let [player, opponent] = boards[row];
    let board = Board { player, opponent };
    let fault = match plies[row] {
        PASS if board.must_pass() => unreachable!("a pass that is due has a board"),
        PASS => Fault::Illegal(None),
        number => match Square::new(number) {
            Some(square) => Fault::Illegal(Some(square)),
            None => Fault::NotAPly(number),
        },
    };
    Some(RowError { row, fault })
}

/// What stands for the board after a ply that is not legal: no position, since both sides hold all.
const NO_BOARD: Discs = [u64::MAX; 2];

/// Placeholder for the score of a game that is not over.
const NO_SCORE: i8 = i8::MIN;

stamp! {
    /// The loops, compiled for every level so that the kernels inline into them.
    pub(crate) trait Loops;
    fn mobilities(boards: &[Discs], to: &mut [u64]) = mobilities_body;
    fn flips(boards: &[Discs], squares: &[u8], to: &mut [u64]) = flips_body;
    fn positions_after(boards: &[Discs], plies: &[u8], to: &mut [Discs]) = positions_after_body;
    fn lowest_images(boards: &[Discs], to: &mut [Discs]) = lowest_images_body;
    fn all_images(boards: &[Discs], to: &mut [Discs]) = all_images_body;
    fn hashes(boards: &[Discs], to: &mut [u64]) = hashes_body;
    fn stable_discs(boards: &[Discs], to: &mut [u64]) = stable_discs_body;
    fn potential_moves(boards: &[Discs], to: &mut [u64]) = potential_moves_body;
    fn scores_at_the_end(boards: &[Discs], to: &mut [i8]) = scores_at_the_end_body;
    fn values[E: Evaluator](evaluator: &E, boards: &[Discs], to: &mut [i32]) = values_body;
    fn features_of_edax(boards: &[Discs], to: &mut [u16]) = features_of_edax_body;
    fn features_of_corners(boards: &[Discs], to: &mut [u16]) = features_of_corners_body;
}

#[inline(always)]
fn mobilities_body<I: Kernels>(isa: I, boards: &[Discs], to: &mut [u64]) {
    for (&[player, opponent], to) in boards.iter().zip(to) {
        *to = isa.mobility(player, opponent);
    }
}

#[inline(always)]
fn flips_body<I: Kernels>(isa: I, boards: &[Discs], squares: &[u8], to: &mut [u64]) {
    for ((&discs, &square), to) in boards.iter().zip(squares).zip(to) {
        *to = legal_flip(isa, discs, square);
    }
}

/// The discs that a move turns, 0 where the square, 0..=63, is taken.
#[inline(always)]
fn legal_flip<I: Kernels>(isa: I, [player, opponent]: Discs, square: u8) -> u64 {
    let square = usize::from(square & 63);
    let is_free = (player | opponent) >> square & 1 == 0;
    if is_free {
        isa.flip(square, player, opponent)
    } else {
        0
    }
}

#[inline(always)]
fn positions_after_body<I: Kernels>(isa: I, boards: &[Discs], plies: &[u8], to: &mut [Discs]) {
    for ((&[player, opponent], &ply), to) in boards.iter().zip(plies).zip(to) {
        *to = if ply < PASS {
            match legal_flip(isa, [player, opponent], ply) {
                0 => NO_BOARD,
                flipped => {
                    let after = Board { player, opponent }.after(usize::from(ply), flipped);
                    [after.player, after.opponent]
                }
            }
        } else {
            let must_pass =
                isa.mobility(player, opponent) == 0 && isa.mobility(opponent, player) != 0;
            if ply == PASS && must_pass {
                [opponent, player]
            } else {
                NO_BOARD
            }
        }
    }
}

#[inline(always)]
fn lowest_images_body<I: Kernels>(isa: I, boards: &[Discs], to: &mut [Discs]) {
    for (&[player, opponent], to) in boards.iter().zip(to) {
        *to = isa.canonical(player, opponent);
    }
}

#[inline(always)]
fn all_images_body<I: Kernels>(isa: I, boards: &[Discs], to: &mut [Discs]) {
    for (&[player, opponent], to) in boards.iter().zip(to.as_chunks_mut::<SYMMETRIES>().0) {
        let images = isa.symmetries(player).into_iter();
        let images = images.zip(isa.symmetries(opponent));
        for (to, (player, opponent)) in to.iter_mut().zip(images) {
            *to = [player, opponent];
        }
    }
}

#[inline(always)]
fn stable_discs_body<I: Kernels>(isa: I, boards: &[Discs], to: &mut [u64]) {
    for (&[player, opponent], to) in boards.iter().zip(to) {
        *to = isa.stability(player, opponent);
    }
}

#[inline(always)]
fn potential_moves_body<I: Kernels>(isa: I, boards: &[Discs], to: &mut [u64]) {
    for (&[player, opponent], to) in boards.iter().zip(to) {
        *to = isa.potential_mobility(player, opponent);
    }
}

#[inline(always)]
fn scores_at_the_end_body<I: Kernels>(isa: I, boards: &[Discs], to: &mut [i8]) {
    for (&[player, opponent], to) in boards.iter().zip(to) {
        let is_over = isa.mobility(player, opponent) == 0 && isa.mobility(opponent, player) == 0;
        *to = match is_over {
            true => Board { player, opponent }.final_score() as i8,
            false => NO_SCORE,
        };
    }
}

#[inline(always)]
fn hashes_body<I: Kernels>(isa: I, boards: &[Discs], to: &mut [u64]) {
    for (&[player, opponent], to) in boards.iter().zip(to) {
        *to = isa.board_hash(player, opponent);
    }
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

#[inline(always)]
fn features_of_edax_body<I: Kernels>(isa: I, boards: &[Discs], to: &mut [u16]) {
    for (&[player, opponent], to) in boards.iter().zip(to.chunks_exact_mut(edax::COUNT)) {
        let mut all = Features::default();
        isa.feature_set(player, opponent, &mut all);
        to.copy_from_slice(&all.0[..edax::COUNT]);
    }
}

#[inline(always)]
fn features_of_corners_body<I: Kernels>(isa: I, boards: &[Discs], to: &mut [u16]) {
    for (&[player, opponent], to) in boards.iter().zip(to.chunks_exact_mut(corner::COUNT)) {
        let mut all = Features::default();
        isa.feature_set_corner(player, opponent, &mut all);
        to.copy_from_slice(&all.0[..corner::COUNT]);
    }
}

#[cfg(test)]
mod tests;
