//! The stability cut-off: discs of the opponent that can never be flipped bound the score from above.

use outflank_kernels::Kernels;

use super::statistics::Branch::{CountStable, StableCut};
use super::statistics::counted;
use crate::board::Board;

/// By the number of empties: the `alpha` from which it pays to count the opponent's stable discs.
/// A cut needs (64 - alpha) / 2 of them, and the emptier the board, the fewer there are.
const MIN_ALPHA: [i32; 65] = min_alpha();

const fn min_alpha() -> [i32; 65] {
    let mut all = [99; 65];
    let mut empties = 0;
    while empties < 65 {
        all[empties] = match empties {
            0..=3 => 99,
            4..=7 => 2 * empties as i32 - 2,
            8..=11 => 2 * empties as i32 - 8,
            12..=26 => 12 + 2 * (empties as i32 - 11),
            _ => 99,
        };
        empties += 1;
    }
    all
}

/// An upper bound of the score of `board`, which has `empties` empty squares, where the opponent's stable
/// discs show that the score does not exceed `alpha`.
#[inline(always)]
pub(super) fn stability_cut<I: Kernels>(
    isa: I,
    board: Board,
    empties: u32,
    alpha: i32,
) -> Option<i32> {
    let row = empties as usize;
    if !counted(CountStable, row, 0, alpha >= MIN_ALPHA[row]) {
        return None;
    }
    let bound = 64 - 2 * isa.stability(board.opponent, board.player).count_ones() as i32;
    counted(StableCut, row, 0, bound <= alpha).then_some(bound)
}
