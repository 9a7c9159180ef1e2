//! Damaged and false certificates.

use std::io::Write as _;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use outflank::Board;
use outflank_certificate::{Budget, Choice};
use outflank_random::SplitMix64;
use outflank_testing::data::random_fill;
use outflank_verifier::{
    Certificate, DEFAULT_MAX_MOVES, HEADER_BYTES, MAGIC, Refusal, Verified, read_magic,
};

use crate::{certify, engine, ffo, file};

/// The parts of a certificate, to be changed.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) header: [u8; HEADER_BYTES],
    pub(crate) moves: Vec<u8>,
    /// The compressed moves, if they are not those of `moves`.
    pub(crate) compressed: Option<Vec<u8>>,
}

pub(crate) fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

impl Parts {
    pub(crate) fn of(certificate: &Certificate) -> Parts {
        let bytes = certificate.bytes();
        let mut moves = Vec::new();
        let data = &bytes[HEADER_BYTES..bytes.len() - 4];
        std::io::copy(&mut DeflateDecoder::new(data), &mut moves).unwrap();
        assert_eq!(moves.len() as u64, certificate.header().moves);
        let header = bytes[..HEADER_BYTES].try_into().unwrap();
        Parts {
            header,
            moves,
            compressed: None,
        }
    }

    /// A certificate of these parts, with the right lengths and checksum.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let compressed = self
            .compressed
            .clone()
            .unwrap_or_else(|| deflate(&self.moves));
        let mut bytes = self.header.to_vec();
        bytes[20..28].copy_from_slice(&(self.moves.len() as u64).to_le_bytes());
        bytes[28..36].copy_from_slice(&(compressed.len() as u64).to_le_bytes());
        bytes.extend(compressed);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    fn verify(&self) -> Result<Verified, Refusal> {
        let certificate = Certificate::read(&mut self.bytes().as_slice(), DEFAULT_MAX_MOVES)?;
        certificate.expect("a certificate").verify()
    }
}

/// Verifies all certificates of a file.
fn verify_file(mut input: &[u8]) -> Result<Vec<Verified>, Refusal> {
    read_magic(&mut input)?;
    let mut all = Vec::new();
    while let Some(certificate) = Certificate::read(&mut input, DEFAULT_MAX_MOVES)? {
        all.push(certificate.verify()?);
    }
    Ok(all)
}

#[test]
fn each_flipped_bit_and_each_missing_byte_is_noticed() {
    let board = random_fill(&mut SplitMix64::new(1), 10, 50);
    let budget = Budget::LeafEmpties(5);
    let certificates = certify(&mut engine(1), board, budget, Choice::First);
    let good = file(&certificates);
    assert_eq!(verify_file(&good).expect("two proofs").len(), 2);
    for bit in 0..8 * good.len() {
        let mut flipped = good.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let found = verify_file(&flipped);
        assert!(found.is_err(), "bit {bit}: {found:?}");
    }
    let ends = [MAGIC.len(), MAGIC.len() + certificates[0].bytes().len()];
    for length in 0..good.len() {
        let found = verify_file(&good[..length]);
        // A file may end between certificates.
        assert_eq!(
            found.is_err(),
            !ends.contains(&length),
            "{length} bytes: {found:?}"
        );
    }
}

/// Changes parts of certificates with a right checksum. The verifier accepts a changed one only if its claim is true: a weaker
/// claim, or another winning move.
#[test]
fn no_false_claim_is_accepted_among_thousands_of_forgeries() {
    let mut random = SplitMix64::new(11);
    let mut solver = engine(1);
    let mut exact = |mover, other| {
        let board = Board {
            player: mover,
            opponent: other,
        };
        solver.solve(board).expect("a position").score
    };
    let mut maker = engine(1);
    let (mut forged, mut refused, mut with_position) = (0, 0, 0);
    for _ in 0..60 {
        let empties = 8 + random.index(5);
        let board = random_fill(&mut random, empties, 50);
        let budget = Budget::LeafEmpties(random.below(7) as u32);
        for certificate in certify(&mut maker, board, budget, Choice::First) {
            let parts = Parts::of(&certificate);
            assert!(parts.verify().is_ok());
            for _ in 0..60 {
                let mut changed = parts.clone();
                let moves = changed.moves.len();
                match random.index(8) {
                    // The claimed score, most often by one disc or two.
                    0 | 1 => {
                        changed.header[17] =
                            changed.header[17].wrapping_add(random.pick(&[1, 2, 255, 254, 64]))
                    }
                    2 => changed.header[16] ^= 1,
                    3 => changed.header[random.index(19)] ^= 1 << random.below(8),
                    _ if moves == 0 => changed.moves.push(random.below(8) as u8),
                    4 => changed.moves[random.index(moves)] = random.below(12) as u8,
                    5 => drop(changed.moves.remove(random.index(moves))),
                    6 => changed
                        .moves
                        .insert(random.index(moves), random.below(8) as u8),
                    _ => changed.moves.truncate(random.index(moves)),
                }
                if changed.bytes() == parts.bytes() {
                    continue;
                }
                forged += 1;
                match changed.verify() {
                    Ok(Verified { claim, .. }) => {
                        let score = exact(claim.position.mover, claim.position.other);
                        let is_true = match claim.at_least {
                            true => score >= claim.score,
                            false => score <= claim.score,
                        };
                        assert!(is_true, "{claim:?}, but the score is {score}");
                    }
                    Err(refusal) => {
                        refused += 1;
                        let has_position = matches!(refusal, Refusal::NoProof { .. });
                        with_position +=
                            usize::from(has_position && refusal.to_string().ends_with(" X"));
                    }
                }
            }
        }
    }
    assert!(
        forged > 5000 && refused > forged / 2,
        "{refused} of {forged}"
    );
    assert!(with_position > refused / 2, "{with_position} of {refused}");
}

/// The stable discs of the claimant prove a bound without a move. They prove no more than that.
#[test]
fn stable_discs_prove_not_one_disc_more() {
    let mut random = SplitMix64::new(3);
    let mut seen = 0;
    while seen < 300 {
        let board = random_fill(&mut random, 6, 50);
        let position = outflank_verifier::Position::new(board.player, board.opponent);
        let least = position.least_score_of_other();
        if least <= -64 || position.moves() == 0 {
            continue;
        }
        seen += 1;
        let mut parts = Parts {
            header: [0; HEADER_BYTES],
            moves: Vec::new(),
            compressed: None,
        };
        parts.header[..8].copy_from_slice(&board.player.to_le_bytes());
        parts.header[8..16].copy_from_slice(&board.opponent.to_le_bytes());
        parts.header[16] = 1;
        parts.header[17] = -least as u8;
        assert!(parts.verify().is_ok(), "{board}");
        // One disc more: the verifier follows the moves. Without moves for the claimant it mostly ends there.
        parts.header[17] = (-least - 1) as u8;
        let score = engine(1).solve(board).expect("a position").score;
        assert!(parts.verify().is_err() || score < -least, "{board}");
    }
}

#[test]
fn foreign_and_oversized_files_are_refused_at_once() {
    let (board, _) = ffo(15)[1];
    let certificates = certify(&mut engine(1), board, Budget::LeafEmpties(8), Choice::First);
    let parts = Parts::of(&certificates[0]);
    let text = |refusal: Refusal| refusal.to_string();
    for foreign in [
        b"".as_slice(),
        b"othello",
        b"othello certificate 2\n",
        &[0; 100],
    ] {
        assert!(matches!(verify_file(foreign), Err(Refusal::Foreign)));
    }
    // A header that promises more than any machine can hold.
    let mut bytes = parts.bytes();
    bytes[20..28].fill(0xFF);
    let error = Certificate::read(&mut bytes.as_slice(), DEFAULT_MAX_MOVES).unwrap_err();
    assert!(matches!(error, Refusal::TooLarge(u64::MAX)));
    let mut bytes = parts.bytes();
    bytes[28..36].fill(0x7F);
    let error = Certificate::read(&mut bytes.as_slice(), DEFAULT_MAX_MOVES).unwrap_err();
    assert_eq!(
        text(error),
        "damaged certificate: it has more bytes than its moves need"
    );
    // Few bytes that become many moves, moves behind the proof, bytes behind the moves, no end of the moves, no moves.
    let whole = deflate(&parts.moves);
    for compressed in [
        deflate(&vec![0; 1 << 26]),
        deflate(&[parts.moves.as_slice(), &[0]].concat()),
        [whole.as_slice(), &[0]].concat(),
        whole[..whole.len() - 1].to_vec(),
        vec![0xFF; 5],
    ] {
        let mut changed = parts.clone();
        changed.compressed = Some(compressed);
        let error = text(changed.verify().unwrap_err());
        assert!(
            error.ends_with("its moves cannot be decompressed, or their number is wrong")
                || error.ends_with("it has more bytes than its moves need"),
            "{error}"
        );
    }
    let mut changed = parts.clone();
    changed.moves.push(0);
    let error = text(changed.verify().unwrap_err());
    assert_eq!(
        error,
        "damaged certificate: it has more moves than its proof needs"
    );
}
