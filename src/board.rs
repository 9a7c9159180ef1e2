//! A position as the rules see it: the mover's discs and the opponent's.

use std::fmt;

use crate::square::Square;
use outflank_kernels::levels::portable::{flip, mobility};

/// A position, mover first. Colours are the business of notations and games.
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
/// // A1 is the mover's, B1 the other side's, and C1 free: the other side could not move.
/// let board = Board { player: 1, opponent: 2 };
/// assert!(!board.must_pass() && board.pass().must_pass());
/// let end = board.play("C1".parse()?).unwrap();
/// assert!(end.is_game_over());
/// assert_eq!(end.final_score(), -64); // from the side that would be to move
/// # Ok::<(), outflank::square::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    /// The discs of the side to move, A1 = bit 0.
    pub player: u64,
    /// The discs of the other side.
    pub opponent: u64,
}

impl Board {
    /// The position that every game starts from, black to move.
    pub const START: Board = Board {
        player: 1 << 28 | 1 << 35,
        opponent: 1 << 27 | 1 << 36,
    };

    /// The empty squares.
    #[inline(always)]
    pub const fn empties(self) -> u64 {
        !(self.player | self.opponent)
    }

    /// The number of empty squares, 0..=64.
    #[inline(always)]
    pub const fn empty_count(self) -> u32 {
        self.empties().count_ones()
    }

    /// The squares where the mover may play.
    pub fn mobility(self) -> u64 {
        mobility::selected(self.player, self.opponent)
    }

    /// The position after the mover plays `square`; `None` if the move is not legal.
    pub fn play(self, square: Square) -> Option<Board> {
        if self.empties() & square.bit() == 0 {
            return None;
        }
        match flip::selected(square.index(), self.player, self.opponent) {
            0 => None,
            flipped => Some(self.after(square.index(), flipped)),
        }
    }

    /// The position after the mover plays on the square of index `square`, turning `flipped`: for
    /// those who have the flips already.
    #[inline(always)]
    pub(crate) const fn after(self, square: usize, flipped: u64) -> Board {
        Board {
            player: self.opponent ^ flipped,
            opponent: self.player | flipped | 1 << square,
        }
    }

    /// The same discs with the other side to move.
    #[inline(always)]
    pub const fn pass(self) -> Board {
        Board {
            player: self.opponent,
            opponent: self.player,
        }
    }

    /// Whether the mover cannot play and the other side can.
    pub fn must_pass(self) -> bool {
        self.mobility() == 0 && self.pass().mobility() != 0
    }

    /// Whether neither side can play.
    pub fn is_game_over(self) -> bool {
        self.mobility() == 0 && self.pass().mobility() == 0
    }

    /// The score of a finished game in discs, from the mover's side, empties to the winner: -64..=64.
    #[inline(always)]
    pub const fn final_score(self) -> i32 {
        let difference = self.player.count_ones() as i32 - self.opponent.count_ones() as i32;
        difference + difference.signum() * self.empty_count() as i32
    }
}

impl fmt::Display for Board {
    /// 64 characters A1 to H8: `X` the mover's, `O` the opponent's, `-` empty.
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
