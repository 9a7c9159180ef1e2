//! Positions as two bitboards, the mover's first.

use std::fmt;

use crate::square::Square;
use outflank_kernels::levels::portable::{flip, mobility};

/// A position, mover first. Colours belong to [`Game`](crate::Game) and the [`notation`](crate::notation).
///
/// ```
/// use outflank::{Board, Square};
///
/// let start = Board::START;
/// let moves: Vec<String> = Square::all_in(start.mobility()).map(|square| square.to_string()).collect();
/// assert_eq!(moves, ["D3", "C4", "F5", "E6"]);
/// let next = start.play("F5".parse()?).unwrap();
/// assert_eq!((next.empty_count(), next.opponent.count_ones()), (59, 4));
/// assert_eq!(start.play("A1".parse()?), None);
///
/// // The mover holds A1, the opponent B1. Only the mover has a move, C1.
/// let board = Board { player: 1, opponent: 2 };
/// assert!(!board.must_pass() && board.pass().must_pass());
/// let end = board.play("C1".parse()?).unwrap();
/// assert!(end.is_game_over());
/// assert_eq!(end.final_score(), -64); // from the side that would be to move
/// # Ok::<(), outflank::square::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    /// Discs of the mover, A1 = bit 0.
    pub player: u64,
    /// Discs of the opponent.
    pub opponent: u64,
}

impl Board {
    /// Starting position, black to move.
    pub const START: Board = Board {
        player: 1 << 28 | 1 << 35,
        opponent: 1 << 27 | 1 << 36,
    };

    /// Board without discs.
    pub(crate) const EMPTY: Board = Board {
        player: 0,
        opponent: 0,
    };

    /// Bitboard of the empty squares.
    #[inline(always)]
    pub const fn empties(self) -> u64 {
        !(self.player | self.opponent)
    }

    /// Number of empty squares, 0..=64.
    #[inline(always)]
    pub const fn empty_count(self) -> u32 {
        self.empties().count_ones()
    }

    /// Bitboard of the mover's legal moves.
    pub fn mobility(self) -> u64 {
        mobility::selected(self.player, self.opponent)
    }

    /// Returns the position after the mover plays `square`; `None` if the move is not legal.
    pub fn play(self, square: Square) -> Option<Board> {
        if self.empties() & square.bit() == 0 {
            return None;
        }
        match flip::selected(square.index(), self.player, self.opponent) {
            0 => None,
            flipped => Some(self.after(square, flipped)),
        }
    }

    /// Returns the position after a move on `square` that flips the discs `flipped`. Neither is checked;
    /// [`Board::play`] checks both.
    #[inline(always)]
    pub const fn after(self, square: Square, flipped: u64) -> Board {
        Board {
            player: self.opponent ^ flipped,
            opponent: self.player | flipped | square.bit(),
        }
    }

    /// Returns the position with the other side to move.
    #[inline(always)]
    pub const fn pass(self) -> Board {
        Board {
            player: self.opponent,
            opponent: self.player,
        }
    }

    /// Returns `true` if only the other side can move.
    pub fn must_pass(self) -> bool {
        self.mobility() == 0 && self.pass().mobility() != 0
    }

    /// Returns `true` if neither side can move.
    pub fn is_game_over(self) -> bool {
        self.mobility() == 0 && self.pass().mobility() == 0
    }

    /// Score of a finished game in discs for the mover, -64..=64. Empty squares count for the winner.
    #[inline(always)]
    pub const fn final_score(self) -> i32 {
        outflank_kernels::batch::final_score(self.player, self.opponent)
    }
}

impl fmt::Display for Board {
    /// Writes 64 characters A1 to H8: `X` for the mover, `O` for the opponent, `-` for empty squares.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = (0..64)
            .map(|i| match (self.player >> i & 1, self.opponent >> i & 1) {
                (1, _) => 'X',
                (_, 1) => 'O',
                _ => '-',
            })
            .collect();
        f.pad(&text)
    }
}
