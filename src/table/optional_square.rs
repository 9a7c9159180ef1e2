//! `Option<Square>` in one byte, for tables.

use crate::square::Square;

/// The index of a square; 64 for no square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OptionalSquare(u8);

impl OptionalSquare {
    pub(crate) const NONE: OptionalSquare = OptionalSquare(64);

    /// The number of values: 64 squares and no square.
    pub(crate) const COUNT: usize = 65;

    /// The index in arrays of [`OptionalSquare::COUNT`] elements; 64 for no square.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0.min(64))
    }

    /// The bitboard of the square; 0 for no square.
    #[inline(always)]
    pub(crate) fn bit(self) -> u64 {
        1_u64.checked_shl(self.0.into()).unwrap_or(0)
    }

    #[inline(always)]
    pub(crate) const fn get(self) -> Option<Square> {
        Square::new(self.0)
    }

    #[inline(always)]
    pub(super) const fn to_byte(self) -> u8 {
        self.0
    }

    #[inline(always)]
    pub(super) const fn from_byte(byte: u8) -> OptionalSquare {
        OptionalSquare(byte)
    }
}

impl From<Square> for OptionalSquare {
    #[inline(always)]
    fn from(square: Square) -> OptionalSquare {
        OptionalSquare(square.index() as u8)
    }
}

impl PartialEq<Square> for OptionalSquare {
    #[inline(always)]
    fn eq(&self, square: &Square) -> bool {
        usize::from(self.0) == square.index()
    }
}
