//! The symmetries of the board: what is known of a position is known of its eight images, too.

use outflank_kernels::levels::portable::symmetries;

use crate::board::Board;
use crate::square::{Ply, SYMMETRIES, Square};

/// One of the eight ways in which the board can be turned and mirrored.
///
/// ```
/// use outflank::{Board, Square, symmetry::Symmetry};
///
/// // After any of the first moves, the position is the same but for symmetry.
/// let next = ["D3", "C4", "F5", "E6"].map(|name| Board::START.play(name.parse().unwrap()).unwrap());
/// assert!(next.iter().all(|board| board.canonical().0 == next[0].canonical().0));
///
/// // A move of the canonical board, seen on the board itself.
/// let (canonical, symmetry) = next[2].canonical();
/// assert_eq!(symmetry.board(next[2]), canonical);
/// let reply = Square::all_in(canonical.mobility()).next();
/// let own = symmetry.inverse().ply(reply).unwrap();
/// assert!(next[2].play(own).is_some());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry(u8);

impl Symmetry {
    /// The one that changes nothing.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// All of them, the identity first.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..SYMMETRIES as u8).map(Symmetry)
    }

    /// Where the symmetry moves a square.
    pub const fn square(self, square: Square) -> Square {
        square.image(self.0 as usize)
    }

    /// What becomes of a move; a pass stays a pass.
    pub fn ply(self, ply: Ply) -> Ply {
        ply.map(|square| self.square(square))
    }

    /// The board as the symmetry moves its discs.
    pub fn board(self, board: Board) -> Board {
        let image = |discs| symmetries::selected(discs)[usize::from(self.0)];
        Board {
            player: image(board.player),
            opponent: image(board.opponent),
        }
    }

    /// What takes it back.
    pub const fn inverse(self) -> Symmetry {
        // Columns and rows are exchanged before the mirrors, so that a mirror of one is taken back as that of
        // the other.
        match self.0 {
            5 => Symmetry(6),
            6 => Symmetry(5),
            _ => self,
        }
    }
}

impl Board {
    /// Of the eight images of the board the lowest one, the mover's discs compared first, and what turns the
    /// board into it: one position stands for all that are equal up to symmetry. It is what
    /// [`batch::canonical`](crate::batch::canonical) returns for many.
    pub fn canonical(self) -> (Board, Symmetry) {
        let images = symmetries::selected(self.player).into_iter();
        let images = images.zip(symmetries::selected(self.opponent));
        let lowest = (0..).zip(images).min_by_key(|&(_, image)| image);
        let (number, (player, opponent)) = lowest.expect("there are eight");
        (Board { player, opponent }, Symmetry(number))
    }
}
