//! Perft: the number of leaves of the game tree, the usual check of a move generator.

use outflank_kernels::{Isa, IsaError, Token, with_isa};

use super::recursion::{SearchRecursion, perft_with_passes, perft_without_passes};
use crate::board::Board;
use crate::square::Square;

/// The treatment of passes by perft.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passes {
    /// A pass is a ply.
    Plies,
    /// A pass is not a ply: the other side moves at the same depth.
    Free,
}

/// Counts the leaves `depth` plies below `board`, at the level `isa`. A finished game is one leaf
/// at any depth. It is an error if the CPU lacks the level.
///
/// ```
/// use outflank::{Board, Isa};
/// use outflank::search::{Passes, perft};
///
/// assert_eq!(perft(Isa::detect(), Board::START, 8, Passes::Plies)?, 390_216);
/// # Ok::<(), outflank::kernels::IsaError>(())
/// ```
pub fn perft(isa: Isa, board: Board, depth: u32, passes: Passes) -> Result<u64, IsaError> {
    Ok(perft_at(isa.token()?, board, depth, passes))
}

/// [`perft()`] at the level of `token`.
pub(crate) fn perft_at(token: Token, board: Board, depth: u32, passes: Passes) -> u64 {
    with_isa!(token, isa => match passes {
        Passes::Plies => perft_with_passes(isa, board, depth),
        Passes::Free => perft_without_passes(isa, board, depth),
    })
}

/// The body of both perfts; with `PASSES` a pass is a ply. The moves of the last ply are counted, not played.
#[inline(always)]
pub(super) fn body<I: SearchRecursion, const PASSES: bool>(
    isa: I,
    board: Board,
    depth: u32,
) -> u64 {
    let count = |board, depth| {
        if PASSES {
            perft_with_passes(isa, board, depth)
        } else {
            perft_without_passes(isa, board, depth)
        }
    };
    if depth == 0 {
        return 1;
    }
    let mut moves = isa.mobility(board.player, board.opponent);
    if moves == 0 {
        return match isa.mobility(board.opponent, board.player) {
            0 => 1,
            _ => count(board.pass(), if PASSES { depth - 1 } else { depth }),
        };
    }
    if depth == 1 {
        return u64::from(moves.count_ones());
    }
    let mut leaves = 0;
    while moves != 0 {
        let square = Square::lowest_in(moves);
        moves &= moves - 1;
        let next = board.after(
            square,
            isa.flip(square.index(), board.player, board.opponent),
        );
        // One ply before the last, only boards without a move need a call.
        leaves += match depth {
            2 => match isa.mobility(next.player, next.opponent).count_ones() {
                0 => count(next, 1),
                replies => u64::from(replies),
            },
            _ => count(next, depth - 1),
        };
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn perft_from_the_start_is_known(isa: Isa) {
        let known = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288];
        for (depth, leaves) in known.into_iter().enumerate() {
            let counted = perft(isa, Board::START, depth as u32, Passes::Plies);
            assert_eq!(counted, Ok(leaves), "depth {depth}");
        }
        let counted = perft(isa, Board::START, 9, Passes::Free);
        assert_eq!(counted, Ok(3_005_320));
    }

    outflank_kernels::level_tests!(perft_from_the_start_is_known);
}
