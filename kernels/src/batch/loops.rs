//! Loops over boards, compiled for every level so that the kernels inline into them.

use super::{Discs, PASS, SYMMETRIES, final_score};
use crate::geometry::{corner, edax};
use crate::{Features, Kernels, stamp};

/// Placeholder for the board after an illegal ply; both sides hold all squares.
pub(super) const NO_BOARD: Discs = [u64::MAX; 2];

/// Placeholder for the score of a game that is not over.
pub(super) const NO_SCORE: i8 = i8::MIN;

stamp! {
    /// The loops at one level.
    pub(crate) trait Loops;
    fn mobilities(boards: &[Discs], to: &mut [u64]) = |isa, boards, to| each(isa, boards, to, Self::mobility);
    fn flips(boards: &[Discs], squares: &[u8], to: &mut [u64]) = flips_body;
    fn positions_after(boards: &[Discs], plies: &[u8], to: &mut [Discs]) = positions_after_body;
    fn lowest_images(boards: &[Discs], to: &mut [Discs]) = |isa, boards, to| each(isa, boards, to, Self::canonical);
    fn all_images(boards: &[Discs], to: &mut [Discs]) = all_images_body;
    fn hashes(boards: &[Discs], to: &mut [u64]) = |isa, boards, to| each(isa, boards, to, Self::board_hash);
    fn stable_discs(boards: &[Discs], to: &mut [u64]) = |isa, boards, to| each(isa, boards, to, Self::stability);
    fn potential_moves(boards: &[Discs], to: &mut [u64]) = |isa, boards, to| each(isa, boards, to, Self::potential_mobility);
    fn scores_at_the_end(boards: &[Discs], to: &mut [i8]) = |isa, boards, to| each(isa, boards, to, score_at_the_end);
    fn features_of_edax(boards: &[Discs], to: &mut [u16])
        = |isa, boards, to| features_of_each(isa, boards, to, edax::COUNT, Self::feature_set);
    fn features_of_corners(boards: &[Discs], to: &mut [u16])
        = |isa, boards, to| features_of_each(isa, boards, to, corner::COUNT, Self::feature_set_corner);
}

/// Computes an item for each board from the discs of the mover and of the opponent.
#[inline(always)]
fn each<I: Kernels, T>(isa: I, boards: &[Discs], to: &mut [T], kernel: impl Fn(I, u64, u64) -> T) {
    for (&[player, opponent], to) in boards.iter().zip(to) {
        *to = kernel(isa, player, opponent);
    }
}

#[inline(always)]
fn flips_body<I: Kernels>(isa: I, boards: &[Discs], squares: &[u8], to: &mut [u64]) {
    for ((&discs, &square), to) in boards.iter().zip(squares).zip(to) {
        *to = legal_flip(isa, discs, square);
    }
}

/// Discs that a move on a square, 0..=63, flips; 0 if the move is not legal.
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
        *to = match ply {
            0..PASS => match legal_flip(isa, [player, opponent], ply) {
                0 => NO_BOARD,
                flipped => [opponent ^ flipped, player | flipped | 1 << ply],
            },
            PASS if must_pass(isa, player, opponent) => [opponent, player],
            _ => NO_BOARD,
        }
    }
}

/// Returns `true` if only the opponent can move.
#[inline(always)]
pub(super) fn must_pass<I: Kernels>(isa: I, player: u64, opponent: u64) -> bool {
    isa.mobility(player, opponent) == 0 && isa.mobility(opponent, player) != 0
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
fn score_at_the_end<I: Kernels>(isa: I, player: u64, opponent: u64) -> i8 {
    let is_over = isa.mobility(player, opponent) == 0 && isa.mobility(opponent, player) == 0;
    match is_over {
        true => final_score(player, opponent) as i8,
        false => NO_SCORE,
    }
}

/// Computes the first `count` features of each board.
#[inline(always)]
fn features_of_each<I: Kernels>(
    isa: I,
    boards: &[Discs],
    to: &mut [u16],
    count: usize,
    feature_set: impl Fn(I, u64, u64, &mut Features),
) {
    for (&[player, opponent], to) in boards.iter().zip(to.chunks_exact_mut(count)) {
        let mut all = Features::default();
        feature_set(isa, player, opponent, &mut all);
        to.copy_from_slice(&all.0[..count]);
    }
}
