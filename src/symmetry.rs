//! The eight symmetries of the board.

use outflank_kernels::levels::portable::symmetries;

use crate::board::Board;
use crate::square::{Ply, SYMMETRIES, Square};

/// One of the eight rotations and reflections of the board.
///
/// ```
/// use outflank::{Board, Square, symmetry::Symmetry};
///
/// // The four first moves lead to the same position up to symmetry.
/// let next = ["D3", "C4", "F5", "E6"].map(|name| Board::START.play(name.parse().unwrap()).unwrap());
/// assert!(next.iter().all(|board| board.canonical().0 == next[0].canonical().0));
///
/// // The inverse maps a move of the canonical board back.
/// let (canonical, symmetry) = next[2].canonical();
/// assert_eq!(symmetry.board(next[2]), canonical);
/// let reply = Square::all_in(canonical.mobility()).next();
/// let image = symmetry.inverse().ply(reply).unwrap();
/// assert!(next[2].play(image).is_some());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry(u8);

impl Symmetry {
    /// Symmetry that changes nothing.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// All eight symmetries, the identity first.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..SYMMETRIES as u8).map(Symmetry)
    }

    /// Image of a square.
    pub const fn square(self, square: Square) -> Square {
        square.image(self.0 as usize)
    }

    /// Image of a ply; a pass stays a pass.
    pub fn ply(self, ply: Ply) -> Ply {
        ply.map(|square| self.square(square))
    }

    /// Image of a board.
    pub fn board(self, board: Board) -> Board {
        let image = |discs| symmetries::selected(discs)[usize::from(self.0)];
        Board {
            player: image(board.player),
            opponent: image(board.opponent),
        }
    }

    /// Symmetry that undoes this one.
    pub const fn inverse(self) -> Symmetry {
        // Symmetry 5 exchanges columns and rows, then mirrors left to right. Its inverse mirrors first, which equals an
        // exchange and then a mirroring upside down: symmetry 6. All others are their own inverse.
        match self.0 {
            5 => Symmetry(6),
            6 => Symmetry(5),
            _ => self,
        }
    }
}

impl Board {
    /// Returns the lowest of the eight images of the board, and the symmetry that leads to it.
    ///
    /// Images compare by the mover's discs, then by the opponent's. All symmetric positions have the same canonical
    /// board. [`batch::canonical`](crate::batch::canonical) computes it for many boards.
    pub fn canonical(self) -> (Board, Symmetry) {
        let images = symmetries::selected(self.player).into_iter();
        let images = images.zip(symmetries::selected(self.opponent));
        let lowest = (0..).zip(images).min_by_key(|&(_, image)| image);
        let (number, (player, opponent)) = lowest.expect("a board has eight images");
        (Board { player, opponent }, Symmetry(number))
    }
}
