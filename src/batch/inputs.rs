//! Network inputs: planes of discs and masks of legal moves.

use outflank_kernels::Token;

use super::{BLOCK, Discs, RowError, in_blocks, mobility};

/// Reason why the boards of a block have moves.
const CHECKED: &str = "no board of a block has a square held twice";

/// Squares of a plane.
const SQUARES: usize = 64;

/// The planes that [`planes`] makes of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Planes {
    /// The discs of the side to move, and those of the opponent.
    Discs,
    /// Those two, and the legal moves of the side to move.
    DiscsAndMoves,
}

impl Planes {
    /// Planes of a board.
    pub const fn count(self) -> usize {
        match self {
            Planes::Discs => 2,
            Planes::DiscsAndMoves => 3,
        }
    }
}

/// Planes of 64 items, A1 to H8 row by row, [`Planes::count`] a board: one where the bit is set, else zero.
///
/// ```
/// use outflank::batch::{self, Planes};
/// use outflank::{Board, Isa};
///
/// let start = [Board::START.player, Board::START.opponent];
/// let mut planes = [0_u8; 3 * 64];
/// batch::planes(Isa::detect().token()?, Planes::DiscsAndMoves, &[start], &mut planes)?;
///
/// let squares = |plane: &[u8]| (0..64).filter(|&square| plane[square] == 1).collect::<Vec<_>>();
/// assert_eq!(squares(&planes[..64]), [28, 35]);
/// assert_eq!(squares(&planes[64..128]), [27, 36]);
/// assert_eq!(squares(&planes[128..]), [19, 26, 37, 44]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
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

/// The legal moves of the side to move, 64 items a board: one where the move is legal, else zero.
///
/// A board without a legal move has none set, whether a pass is due or the game is over.
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

/// Writes the bits of `word`, the lowest first.
fn spread<T: From<bool>>(word: u64, to: &mut [T]) {
    for (square, to) in to.iter_mut().enumerate() {
        *to = T::from(word >> square & 1 != 0);
    }
}
