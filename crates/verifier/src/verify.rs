//! Verification of certificates from a stream.

use std::io::{self, Read};
use std::time::{Duration, Instant};

use flate2::{Decompress, FlushDecompress, Status};

use crate::claim::{Claim, HEADER_BYTES, Header, MAGIC};
use crate::position::{Position, squares};
use crate::solver::Solver;
use crate::walk::{ProofVisitor, Walk};

/// A verified claim, and the work that it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Verified {
    /// The claim.
    pub claim: Claim,
    /// The greatest number of empty squares of leaves.
    pub leaf_empties: u32,
    /// Moves that the certificate gives, each for another position.
    pub moves: u64,
    /// Leaves, solved by the verifier.
    pub leaves: u64,
    /// Positions that the verifier's own searches reached by a move.
    pub nodes: u64,
    /// Bytes of the certificate.
    pub bytes: u64,
    /// Wall-clock time.
    pub time: Duration,
}

/// The reason why a certificate is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file begins differently.
    #[error("no certificate: the first line is not \"othello certificate 1\"")]
    Foreign,
    /// The file ends within a certificate.
    #[error("damaged certificate: it is cut off")]
    CutOff,
    /// The contents are impossible.
    #[error("damaged certificate: {0}")]
    Damaged(&'static str),
    /// The certificate has more moves than allowed.
    #[error("certificate of {0} moves, above the limit")]
    TooLarge(u64),
    /// The moves do not prove the claim at this position. The text is the reason.
    #[error("no proof: {0} {1}")]
    NoProof(&'static str, Position),
}

/// The default limit of the moves of a certificate. The verifier takes up to 60 bytes of memory for each, 1.2 GB in all.
pub const DEFAULT_MAX_MOVES: u64 = 20_000_000;

/// A certificate whose checksum is right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    header: Header,
    /// Header, compressed moves and checksum.
    bytes: Vec<u8>,
}

impl Certificate {
    /// The header.
    pub fn header(&self) -> Header {
        self.header
    }

    /// The bytes of the certificate in a file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Reads the next certificate of a file; `None` at the end of the file. One of more than `max_moves` moves is refused.
    pub fn read(input: &mut impl Read, max_moves: u64) -> Result<Option<Certificate>, Refusal> {
        let mut bytes = read_up_to(input, HEADER_BYTES as u64)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let Ok(start) = bytes.as_slice().try_into() else {
            return Err(Refusal::CutOff);
        };
        let header = Header::from_bytes(start).map_err(Refusal::Damaged)?;
        if header.moves > max_moves {
            return Err(Refusal::TooLarge(header.moves));
        }
        // So the limit of moves limits the memory, too.
        if header.compressed > header.moves.saturating_mul(2).saturating_add(64) {
            return Err(Refusal::Damaged("it has more bytes than its moves need"));
        }
        bytes.extend(read_up_to(input, header.compressed)?);
        let sum = read_up_to(input, 4)?;
        if sum.len() < 4 {
            return Err(Refusal::CutOff);
        }
        if sum != crc32fast::hash(&bytes).to_le_bytes() {
            return Err(Refusal::Damaged("its checksum is wrong"));
        }
        bytes.extend(sum);
        Ok(Some(Certificate { header, bytes }))
    }

    /// Verifies the claim.
    pub fn verify(&self) -> Result<Verified, Refusal> {
        let start = Instant::now();
        let Header {
            claim,
            leaf_empties,
            moves,
            ..
        } = self.header;
        let mut proof = Proof {
            moves: self.moves()?.into_iter(),
            solver: Solver::default(),
            leaves: 0,
        };
        Walk::run(&mut proof, claim, leaf_empties)?;
        if !proof.moves.as_slice().is_empty() {
            return Err(Refusal::Damaged("it has more moves than its proof needs"));
        }
        let (leaves, nodes) = (proof.leaves, proof.solver.nodes);
        let (bytes, time) = (self.bytes.len() as u64, start.elapsed());
        Ok(Verified {
            claim,
            leaf_empties,
            moves,
            leaves,
            nodes,
            bytes,
            time,
        })
    }

    /// The moves, decompressed.
    fn moves(&self) -> Result<Vec<u8>, Refusal> {
        let damaged =
            Refusal::Damaged("its moves cannot be decompressed, or their number is wrong");
        let compressed = &self.bytes[HEADER_BYTES..self.bytes.len() - 4];
        let count = self.header.moves as usize;
        // One byte more shows moves beyond the number.
        let mut moves = Vec::with_capacity(count + 1);
        let mut decoder = Decompress::new(false);
        let status = decoder.decompress_vec(compressed, &mut moves, FlushDecompress::Finish);
        let is_whole = matches!(status, Ok(Status::StreamEnd))
            && decoder.total_in() == compressed.len() as u64;
        if is_whole && moves.len() == count {
            Ok(moves)
        } else {
            Err(damaged)
        }
    }
}

/// Reads the first line of a file of certificates.
pub fn read_magic(input: &mut impl Read) -> Result<(), Refusal> {
    match read_up_to(input, MAGIC.len() as u64)? == MAGIC {
        true => Ok(()),
        false => Err(Refusal::Foreign),
    }
}

/// Reads `length` bytes, fewer at the end of the input.
fn read_up_to(input: &mut impl Read, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A visitor that hands out the moves of a certificate and solves the leaves.
struct Proof {
    moves: std::vec::IntoIter<u8>,
    solver: Solver,
    leaves: u64,
}

impl ProofVisitor for Proof {
    type Error = Refusal;

    fn claimant_move(&mut self, position: Position, moves: u64) -> Result<u64, Refusal> {
        let no_proof = |reason| Refusal::NoProof(reason, position);
        let index = self.moves.next().ok_or(no_proof("no move is given for"))?;
        let square = squares(moves).nth(index.into());
        square.ok_or(no_proof("an illegal move is given for"))
    }

    fn check_leaf(&mut self, position: Position, bound: i32, exceeds: bool) -> Result<(), Refusal> {
        self.leaves += 1;
        let is_proven = self.solver.exceeds(position, bound) == exceeds;
        let reason = "the claimant does not score enough in";
        is_proven
            .then_some(())
            .ok_or(Refusal::NoProof(reason, position))
    }
}
