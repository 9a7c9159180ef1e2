//! Network inputs: planes of discs and masks of legal moves.

use super::{BLOCK, Discs, RowError, in_blocks, mobility};
use crate::Token;

/// Panic message for invalid boards, which [`in_blocks`] has ruled out.
const CHECKED: &str = "no board of a block has a square held twice";

/// Number of items in a plane.
const SQUARES: usize = 64;

/// Set of planes for [`planes`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Planes {
    /// Discs of the mover and of the opponent.
    Discs,
    /// Discs of the mover and of the opponent, and legal moves.
    DiscsAndMoves,
}

impl Planes {
    /// Number of planes of a board.
    pub const fn count(self) -> usize {
        match self {
            Planes::Discs => 2,
            Planes::DiscsAndMoves => 3,
        }
    }
}

/// Computes [`Planes::count`] planes of each board. A plane has 64 items A1 to H8: one for a disc or move, else zero.
///
/// ```
/// use outflank_kernels::Isa;
/// use outflank_kernels::batch::{self, Planes};
///
/// let start = [0x08_1000_0000, 0x10_0800_0000];
/// let mut planes = [0_u8; 3 * 64];
/// batch::planes(Isa::detect().token()?, Planes::DiscsAndMoves, &[start], &mut planes)?;
///
/// let squares = |plane: &[u8]| (0..64).filter(|&square| plane[square] == 1).collect::<Vec<_>>();
/// assert_eq!(squares(&planes[..64]), [28, 35]);
/// assert_eq!(squares(&planes[64..128]), [27, 36]);
/// assert_eq!(squares(&planes[128..]), [19, 26, 37, 44]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub fn planes<T: From<bool>>(
    token: Token,
    set: Planes,
    boards: &[Discs],
    to: &mut [T],
) -> Result<(), RowError> {
    let mut moves = [0; BLOCK];
    in_blocks(boards, to, set.count() * SQUARES, |boards, to| {
        let moves = &mut moves[..boards.len()];
        if set == Planes::DiscsAndMoves {
            mobility(token, boards, moves).expect(CHECKED);
        }
        let rows = to.chunks_exact_mut(set.count() * SQUARES);
        for ((&[player, opponent], &moves), to) in boards.iter().zip(&*moves).zip(rows) {
            let words = [player, opponent, moves];
            for (word, to) in words.into_iter().zip(to.chunks_exact_mut(SQUARES)) {
                spread(word, to);
            }
        }
    })
}

/// Computes a mask of 64 items A1 to H8 for each board: one for a legal move, else zero.
pub fn move_masks<T: From<bool>>(
    token: Token,
    boards: &[Discs],
    to: &mut [T],
) -> Result<(), RowError> {
    let mut moves = [0; BLOCK];
    in_blocks(boards, to, SQUARES, |boards, to| {
        let moves = &mut moves[..boards.len()];
        mobility(token, boards, moves).expect(CHECKED);
        for (&word, to) in moves.iter().zip(to.chunks_exact_mut(SQUARES)) {
            spread(word, to);
        }
    })
}

/// Writes the bits of `word` as items, the lowest first.
fn spread<T: From<bool>>(word: u64, to: &mut [T]) {
    for (square, to) in to.iter_mut().enumerate() {
        *to = T::from(word >> square & 1 != 0);
    }
}
