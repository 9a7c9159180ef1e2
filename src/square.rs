//! Squares of the board, A1 = bit 0 to H8 = bit 63.

use std::fmt;
use std::str::FromStr;

/// A square of the 8x8 board: `8 * (row - 1) + column`, so A1 = 0, H1 = 7, A8 = 56, H8 = 63.
///
/// ```
/// use outflank::Square;
///
/// let square: Square = "f5".parse()?;
/// assert_eq!((square.index(), square.bit()), (37, 1 << 37));
/// assert_eq!(format!("{square} {square:#}"), "F5 f5");
/// assert_eq!(Square::new(37), Some(square));
/// assert_eq!(Square::all_in(0b101).map(Square::index).collect::<Vec<_>>(), [0, 2]);
/// # Ok::<(), outflank::square::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

pub(crate) use outflank_kernels::batch::SYMMETRIES;

/// One ply of a game: a move, or a pass.
pub type Ply = Option<Square>;

impl Square {
    /// Returns the square with this index; `None` if `index` is over 63.
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 {
            Some(Square(index))
        } else {
            None
        }
    }

    /// Index, 0..=63.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Bitboard with the bit of this square.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Lowest square of a bitboard. The bitboard has at least one bit set.
    #[inline(always)]
    pub(crate) const fn lowest_in(bits: u64) -> Square {
        debug_assert!(bits != 0, "an empty bitboard has no lowest square");
        Square(bits.trailing_zeros() as u8)
    }

    /// Square whose index is the low six bits of a byte.
    #[inline(always)]
    pub(crate) const fn masked(byte: u8) -> Square {
        Square(byte & 63)
    }

    /// Iterates over the squares of a bitboard, lowest first.
    #[inline]
    pub fn all_in(bits: u64) -> impl Iterator<Item = Square> {
        let mut rest = bits;
        std::iter::from_fn(move || {
            let lowest = (rest != 0).then(|| Square::lowest_in(rest))?;
            rest &= rest - 1;
            Some(lowest)
        })
    }

    /// Image under symmetry number `symmetry`, 0..=7, in the order of the kernel `canonical`. Bit 2 exchanges columns
    /// and rows. Then bit 0 mirrors left to right, and bit 1 upside down.
    pub(crate) const fn image(self, symmetry: usize) -> Square {
        let (mut x, mut y) = (self.0 % 8, self.0 / 8);
        if symmetry & 4 != 0 {
            (x, y) = (y, x);
        }
        if symmetry & 1 != 0 {
            x = 7 - x;
        }
        if symmetry & 2 != 0 {
            y = 7 - y;
        }
        Square(8 * y + x)
    }

    /// Names of the squares of a bitboard: `A1, B1`.
    pub(crate) fn names(bits: u64) -> String {
        Square::join(Square::all_in(bits), ", ")
    }

    /// Names of squares, with a separator between them.
    pub(crate) fn join(squares: impl Iterator<Item = Square>, separator: &str) -> String {
        let names: Vec<String> = squares.map(|square| square.to_string()).collect();
        names.join(separator)
    }
}

impl fmt::Display for Square {
    /// Writes column letter and row digit, `F5`; the alternate form `{:#}` is lower case, `f5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = if f.alternate() { b'a' } else { b'A' };
        let name = [first + self.0 % 8, b'1' + self.0 / 8];
        f.pad(std::str::from_utf8(&name).expect("two ASCII characters"))
    }
}

/// Error of a text that names no square.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a square (A1 to H8)")]
pub struct ParseSquareError(String);

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads `F5` or `f5`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.as_bytes() {
            &[column, row @ b'1'..=b'8'] if matches!(column | 32, b'a'..=b'h') => {
                Ok(Square(8 * (row - b'1') + ((column | 32) - b'a')))
            }
            _ => Err(ParseSquareError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_follow_the_numbers_of_symmetries() {
        let a2 = Square(8);
        let images: Vec<_> = (0..SYMMETRIES)
            .map(|symmetry| a2.image(symmetry).to_string())
            .collect();
        assert_eq!(images, ["A2", "H2", "A7", "H7", "B1", "G1", "B8", "G8"]);
    }

    #[test]
    fn names_parse_to_their_squares() {
        for index in 0..64 {
            let square = Square::new(index).unwrap();
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(format!("{square:#}").parse(), Ok(square));
        }
        assert_eq!("H1".parse(), Ok(Square(7)));
        assert_eq!("a8".parse(), Ok(Square(56)));
        assert_eq!(Square::new(64), None);
        for wrong in ["", "A", "A9", "I1", "A0", "A10", "1A", "PS", "é1"] {
            assert!(wrong.parse::<Square>().is_err(), "{wrong}");
        }
    }
}
