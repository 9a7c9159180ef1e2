//! The stability cut-off: the opponent's stable discs, which can never be flipped, bound the score from above.

use outflank_kernels::Kernels;

use super::statistics::Branch::{CountStable, StableCut};
use super::statistics::count_branch;
use crate::board::Board;

/// The minimum `alpha` at which counting the opponent's stable discs saves time, by the number of empties; 99 for
/// never. A cut needs (64 - alpha) / 2 stable discs, and boards with more empties have fewer.
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

/// An upper bound of the score of `board`, which has `empties` empty squares. `None` unless the opponent's stable discs
/// prove that the score does not exceed `alpha`.
#[inline(always)]
pub(super) fn stability_cut<I: Kernels>(
    isa: I,
    board: Board,
    empties: u32,
    alpha: i32,
) -> Option<i32> {
    let row = empties as usize;
    if !count_branch(CountStable, row, 0, alpha >= MIN_ALPHA[row]) {
        return None;
    }
    let bound = 64 - 2 * isa.stability(board.opponent, board.player).count_ones() as i32;
    count_branch(StableCut, row, 0, bound <= alpha).then_some(bound)
}
