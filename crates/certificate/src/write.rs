//! The bytes of a certificate.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use outflank_verifier::{
    Certificate, Claim, HEADER_BYTES, Header, Position, ProofVisitor, Walk, squares,
};

use crate::moves::Moves;

/// A visitor that lists the moves of a proof in the order of the walk.
struct MoveList<'a> {
    moves: &'a Moves,
    list: Vec<u8>,
}

/// The moves lack a position.
struct Incomplete;

impl ProofVisitor for MoveList<'_> {
    type Error = Incomplete;

    fn claimant_move(&mut self, position: Position, moves: u64) -> Result<u64, Incomplete> {
        let index = *self.moves.get(&position).ok_or(Incomplete)?;
        self.list.push(index);
        squares(moves).nth(index.into()).ok_or(Incomplete)
    }

    fn check_leaf(&mut self, _: Position, _: i32, _: bool) -> Result<(), Incomplete> {
        Ok(())
    }
}

/// The certificate of `claim`, whose proof has `moves`. Moves at leaves are left out. `None` if a move is missing.
pub(crate) fn certificate(claim: Claim, leaf_empties: u32, moves: &Moves) -> Option<Certificate> {
    let list = Vec::new();
    let mut visitor = MoveList { moves, list };
    Walk::run(&mut visitor, claim, leaf_empties).ok()?;
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder
        .write_all(&visitor.list)
        .expect("a vector takes all bytes");
    let compressed = encoder.finish().expect("a vector takes all bytes");
    let header = Header {
        claim,
        leaf_empties,
        moves: visitor.list.len() as u64,
        compressed: compressed.len() as u64,
    };
    let mut bytes = header_bytes(&header).to_vec();
    bytes.extend(compressed);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    Certificate::read(&mut bytes.as_slice(), u64::MAX)
        .ok()
        .flatten()
}

/// The bytes of a header: `docs/formats/certificate.md`.
fn header_bytes(header: &Header) -> [u8; HEADER_BYTES] {
    let Claim {
        position,
        at_least,
        score,
    } = header.claim;
    let mut bytes = [0; HEADER_BYTES];
    bytes[0..8].copy_from_slice(&position.mover.to_le_bytes());
    bytes[8..16].copy_from_slice(&position.other.to_le_bytes());
    bytes[16] = u8::from(!at_least);
    bytes[17] = score as u8;
    bytes[18] = header.leaf_empties as u8;
    bytes[20..28].copy_from_slice(&header.moves.to_le_bytes());
    bytes[28..36].copy_from_slice(&header.compressed.to_le_bytes());
    bytes
}
