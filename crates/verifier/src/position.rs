//! The rules of Othello on two bitboards, by shifts from square to square.

use std::fmt;

const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = COLUMN_A << 7;
const ROW_1: u64 = 0xFF;
const ROW_8: u64 = ROW_1 << 56;

/// The lines on which discs are flipped: the difference between the numbers of a square and of the next one, the squares
/// without a next one, and those without one before. The order is east, south, southwest, southeast.
const LINES: [(u32, u64, u64); 4] = [
    (1, COLUMN_H, COLUMN_A),
    (8, ROW_8, ROW_1),
    (7, COLUMN_A | ROW_8, COLUMN_H | ROW_1),
    (9, COLUMN_H | ROW_8, COLUMN_A | ROW_1),
];

/// A position, A1 = bit 0, H1 = bit 7, A8 = bit 56.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// Discs of the side to move.
    pub mover: u64,
    /// Discs of the other side.
    pub other: u64,
}

impl Position {
    /// A position from the discs of the side to move and those of the other side.
    pub const fn new(mover: u64, other: u64) -> Position {
        Position { mover, other }
    }

    /// Bitboard of the empty squares.
    pub fn empties(self) -> u64 {
        !(self.mover | self.other)
    }

    /// Bitboard of the mover's legal moves.
    pub fn moves(self) -> u64 {
        let mut moves = 0;
        for (by, last, first) in LINES {
            // A flipped disc lies between two others. Its neighbours exist, so no shift leaves the board.
            let between = self.other & !last & !first;
            let mut next = self.mover << by & between;
            let mut previous = self.mover >> by & between;
            // A move flips at most six discs on a line.
            for _ in 0..5 {
                next |= next << by & between;
                previous |= previous >> by & between;
            }
            moves |= next << by | previous >> by;
        }
        moves & self.empties()
    }

    /// The discs that the mover flips by a move on `square`, the bit of an empty square. A move that flips none is not legal.
    pub fn flipped(self, square: u64) -> u64 {
        let mut flipped = 0;
        for (by, last, first) in LINES {
            let between = self.other & !last & !first;
            let mut next = square << by & between;
            let mut previous = square >> by & between;
            for _ in 0..5 {
                next |= next << by & between;
                previous |= previous >> by & between;
            }
            // The discs are flipped if one of the mover's discs is behind them.
            flipped |= if next << by & self.mover != 0 {
                next
            } else {
                0
            };
            flipped |= if previous >> by & self.mover != 0 {
                previous
            } else {
                0
            };
        }
        flipped
    }

    /// The position after a move on `square` that flips `flipped`.
    pub fn after(self, square: u64, flipped: u64) -> Position {
        Position::new(self.other ^ flipped, self.mover | flipped | square)
    }

    /// The position with the other side to move.
    pub fn pass(self) -> Position {
        Position::new(self.other, self.mover)
    }

    /// The score of a finished game in discs for the mover, -64 to 64. Empty squares count for the winner.
    pub fn final_score(self) -> i32 {
        let [mover, other] = [self.mover, self.other].map(|discs| discs.count_ones() as i32);
        match mover - other {
            0 => 0,
            1.. => 64 - 2 * other,
            _ => 2 * mover - 64,
        }
    }

    /// The least final score of the side that is not to move, by its stable discs: those that can never be flipped. Some stable
    /// discs are not found.
    ///
    /// A move flips a disc along a line only if it fills an empty square of this line. So a disc is safe on a full line. It is
    /// also safe on a line if its neighbour there on one side is missing, or is a stable disc of its own colour. A disc that is
    /// safe on all four lines is stable.
    pub fn least_score_of_other(self) -> i32 {
        let safe = LINES.map(|(by, last, first)| {
            let (mut next, mut previous) = (self.empties(), self.empties());
            for _ in 0..7 {
                next |= (next & !last) << by;
                previous |= (previous & !first) >> by;
            }
            !(next | previous) | last | first
        });
        let mut stable = 0;
        loop {
            let mut grown = self.other;
            for ((by, last, first), safe) in LINES.into_iter().zip(safe) {
                grown &= safe | (stable & !last) << by | (stable & !first) >> by;
            }
            if grown == stable {
                return 2 * stable.count_ones() as i32 - 64;
            }
            stable = grown;
        }
    }
}

impl fmt::Display for Position {
    /// Writes the squares A1 to H8, `X` for the mover, `O` for the other side and `-` for empty squares, then the mover.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in squares(!0) {
            let is_held = |discs| discs & square != 0;
            f.write_str(match (is_held(self.mover), is_held(self.other)) {
                (true, _) => "X",
                (_, true) => "O",
                _ => "-",
            })?;
        }
        f.write_str(" X")
    }
}

/// The squares of a bitboard, A1 first, each as a bitboard.
pub fn squares(mut bits: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = bits & bits.wrapping_neg();
        bits ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}
