//! Claims about scores, and their place in the header of a certificate.

use crate::position::Position;

/// A claim about the score of a position with best play by both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The position.
    pub position: Position,
    /// `true` if the score is claimed to be at least `score`, `false` for at most.
    pub at_least: bool,
    /// Discs for the mover, -64 to 64.
    pub score: i32,
}

impl Claim {
    /// Bound that the claimant must exceed, in discs for the claimant. The claimant is the mover for "at least", and the other
    /// side for "at most".
    pub fn bound(self) -> i32 {
        match self.at_least {
            true => self.score - 1,
            false => -self.score - 1,
        }
    }
}

/// The first line of a file of certificates.
pub const MAGIC: &[u8] = b"othello certificate 1\n";

/// Bytes of a header.
pub const HEADER_BYTES: usize = 36;

/// The greatest number of empty squares of a leaf. With more, a verification could take days.
pub const MAX_LEAF_EMPTIES: u32 = 14;

/// The header of a certificate. `docs/formats/certificate.md` has its layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The claim.
    pub claim: Claim,
    /// The greatest number of empty squares of leaves, 0 to [`MAX_LEAF_EMPTIES`].
    pub leaf_empties: u32,
    /// Moves, one byte each before compression.
    pub moves: u64,
    /// Bytes of the compressed moves.
    pub compressed: u64,
}

impl Header {
    /// Reads a header. The error names what is impossible.
    pub(crate) fn from_bytes(bytes: &[u8; HEADER_BYTES]) -> Result<Header, &'static str> {
        let word = |start| u64::from_le_bytes(std::array::from_fn(|index| bytes[start + index]));
        let claim = Claim {
            position: Position::new(word(0), word(8)),
            at_least: bytes[16] == 0,
            score: (bytes[17] as i8).into(),
        };
        let header = Header {
            claim,
            leaf_empties: bytes[18].into(),
            moves: word(20),
            compressed: word(28),
        };
        if claim.position.mover & claim.position.other != 0 {
            return Err("a square that both sides hold");
        }
        if bytes[16] > 1 || bytes[19] != 0 || !(-64..=64).contains(&claim.score) {
            return Err("an impossible claim");
        }
        if header.leaf_empties > MAX_LEAF_EMPTIES {
            return Err("leaves of more than 14 empty squares");
        }
        Ok(header)
    }
}
