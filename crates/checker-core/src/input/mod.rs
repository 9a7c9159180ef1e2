//! Inputs and answers of kernels.

mod answer;
mod examples;
mod parameters;

use std::fmt;

pub use answer::Answer;
pub(crate) use answer::{Fold, Output};
pub(crate) use parameters::RECORDED;
pub use parameters::{Input, LENGTH, Trace};

/// Independent values of one comparison, from which the parameters of all kernels are computed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// A square, 0..=63, empty on the board of `player` and `opponent`.
    pub square: usize,
    /// The mover's discs.
    pub player: u64,
    /// The opponent's discs, disjoint from the mover's.
    pub opponent: u64,
    /// The lower bound of a null window, -64..=63.
    pub alpha: i32,
    /// Four different squares, one a byte.
    pub squares: u32,
    /// Number of blocks (0..20) for kernels that fill memory.
    pub blocks: usize,
    /// Words that kernels fill memory with.
    pub pattern: [u64; 4],
}

impl Case {
    /// Makes the case of a board and a square. The squares are A1 to D1, and everything else is zero.
    pub const fn new(square: usize, player: u64, opponent: u64) -> Case {
        Case {
            square,
            player,
            opponent,
            alpha: 0,
            squares: 0x0302_0100,
            blocks: 0,
            pattern: [0; 4],
        }
    }

    /// Makes a valid case from any bytes, for fuzzers. The bytes are read in the format of
    /// [`to_bytes`](Self::to_bytes), and numbers are brought into their ranges. Missing bytes are 0.
    pub fn from_bytes(bytes: &[u8]) -> Case {
        // Returns the first free square from the wanted one on, with wraparound. If none is free, returns the
        // wanted one.
        let free = |wanted: usize, taken: u64| {
            let squares = (0..64).map(|i| (wanted + i) % 64);
            let mut free = squares.filter(|square| taken >> square & 1 == 0);
            free.next().unwrap_or(wanted % 64)
        };
        let read = Case::read(bytes);
        let (player, opponent) = (read.player, read.opponent);
        let square = free(read.square, player | opponent);
        let mut taken = 0;
        let squares = read.squares.to_le_bytes().map(|wanted| {
            let square = free(wanted.into(), taken);
            taken |= 1 << square;
            square as u8
        });
        Case {
            square,
            player: player & !(1 << square),
            opponent: opponent & !player & !(1 << square),
            alpha: (read.alpha + 64) % 128 - 64,
            squares: u32::from_le_bytes(squares),
            blocks: read.blocks % 20,
            pattern: read.pattern,
        }
    }

    /// Reads a case that [`to_bytes`](Self::to_bytes) wrote. Missing bytes are 0. The case of other bytes may break
    /// invariants.
    pub(crate) fn read(bytes: &[u8]) -> Case {
        let mut bytes = bytes.iter().copied().chain(std::iter::repeat(0));
        let mut byte = || bytes.next().expect("there is no end");
        let [player, opponent] =
            [0; 2].map(|_: u64| u64::from_le_bytes([0; 8].map(|_: u8| byte())));
        Case {
            player,
            opponent,
            square: byte().into(),
            alpha: i32::from(byte()) - 64,
            squares: u32::from_le_bytes([0; 4].map(|_: u8| byte())),
            blocks: byte().into(),
            pattern: [0; 4].map(|_: u64| u64::from_le_bytes([0; 8].map(|_: u8| byte()))),
        }
    }

    /// Number of bytes of a case.
    pub const BYTES: usize = 55;

    /// The case as bytes: mover and opponent (8 bytes each, lowest first), square, alpha + 64, four squares, blocks,
    /// pattern (32 bytes).
    pub fn to_bytes(&self) -> [u8; Case::BYTES] {
        let mut bytes = [0; Case::BYTES];
        bytes[..8].copy_from_slice(&self.player.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.opponent.to_le_bytes());
        bytes[16] = self.square as u8;
        bytes[17] = (self.alpha + 64) as u8;
        bytes[18..22].copy_from_slice(&self.squares.to_le_bytes());
        bytes[22] = self.blocks as u8;
        for (bytes, word) in bytes[23..].chunks_mut(8).zip(self.pattern) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}

impl Case {
    /// Returns the invariant that the case breaks, if any: disjoint discs, an empty square, ranges.
    pub(crate) fn broken_invariant(&self) -> Option<&'static str> {
        let squares = self.squares.to_le_bytes();
        let are_different = (0..4).all(|i| !squares[..i].contains(&squares[i]));
        if self.player & self.opponent != 0 {
            Some("a square with two discs")
        } else if self.square > 63 {
            Some("a square over 63")
        } else if self.player | self.opponent == !0 {
            Some("no empty square")
        } else if (self.player | self.opponent) >> self.square & 1 == 1 {
            Some("a disc on its square")
        } else if !(-64..=63).contains(&self.alpha) {
            Some("an alpha beyond -64 to 63")
        } else if !are_different || squares.iter().any(|&square| square > 63) {
            Some("four squares that are not four different ones")
        } else if self.blocks >= 20 {
            Some("20 blocks or more")
        } else {
            None
        }
    }
}

impl fmt::Debug for Case {
    /// Writes the board as an OBF line to paste (`X` the mover's discs), then the square and the other
    /// numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = |square: usize| match (self.player >> square & 1, self.opponent >> square & 1) {
            (1, _) => 'X',
            (_, 1) => 'O',
            _ => '-',
        };
        let board: String = (0..64).map(cell).collect();
        write!(
            f,
            "{board} X; square {} alpha {} squares {:02x?} blocks {} pattern {:x?}",
            self.square,
            self.alpha,
            self.squares.to_le_bytes(),
            self.blocks,
            self.pattern
        )
    }
}

#[cfg(test)]
mod tests {
    use outflank_random::SplitMix64;

    use super::*;

    #[test]
    fn any_bytes_give_a_valid_case() {
        let mut random = SplitMix64::new(1);
        for length in (0..80).cycle().take(20_000) {
            let sparse = random.below(3);
            let bytes: Vec<u8> = (0..length)
                .map(|_| match sparse {
                    0 => random.below(2) as u8 * 0xFF,
                    _ => random.bits() as u8,
                })
                .collect();
            let case = Case::from_bytes(&bytes);
            assert_eq!(case.broken_invariant(), None, "{case:?}");
        }
    }

    #[test]
    fn bytes_set_each_part_of_a_case() {
        let mut bytes = vec![0; 16];
        (bytes[0], bytes[9]) = (0x05, 0x80);
        bytes.extend([9, 64 + 3, 8, 8, 63, 63, 19]);
        bytes.extend((0..32).map(|i| u8::from(i == 8)));
        let case = Case {
            square: 9,
            player: 5,
            opponent: 1 << 15,
            alpha: 3,
            squares: u32::from_le_bytes([8, 9, 63, 0]),
            blocks: 19,
            pattern: [0, 1, 0, 0],
        };
        assert_eq!(Case::from_bytes(&bytes), case);
        assert_eq!(Case::from_bytes(&[]).alpha, -64);
    }
}
