//! Certificates from any bytes: reading them never fails badly, and no wrong claim is accepted.

#![no_main]

use std::io::Write as _;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use outflank_verifier::{Certificate, HEADER_BYTES, Solver};

/// Squares that may be empty, few enough to be solved at once.
const EMPTIES: u64 = 0x00_4200_0018_0042_81;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = Certificate::read(&mut { bytes }, 1 << 20);
    let Some((header, moves)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
        return;
    };
    // The same header and moves, with few empty squares, right lengths and a right checksum.
    let mut header = *header;
    let word = |at: usize| u64::from_le_bytes(header[at..at + 8].try_into().expect("eight bytes"));
    let mover = word(0);
    let other = word(8) & !mover | !(mover | EMPTIES);
    let mut compressed = DeflateEncoder::new(Vec::new(), Compression::fast());
    compressed.write_all(moves).expect("a vector takes all bytes");
    let compressed = compressed.finish().expect("a vector takes all bytes");
    header[..8].copy_from_slice(&mover.to_le_bytes());
    header[8..16].copy_from_slice(&other.to_le_bytes());
    header[16] &= 1;
    header[18] %= 8;
    header[19] = 0;
    header[20..28].copy_from_slice(&(moves.len() as u64).to_le_bytes());
    header[28..36].copy_from_slice(&(compressed.len() as u64).to_le_bytes());
    let mut file = [header.as_slice(), &compressed].concat();
    file.extend(crc32fast::hash(&file).to_le_bytes());
    if let Ok(Some(certificate)) = Certificate::read(&mut file.as_slice(), u64::MAX)
        && certificate.verify().is_ok()
    {
        let claim = certificate.header().claim;
        let exceeds = |bound| Solver::default().exceeds(claim.position, bound);
        assert!(match claim.at_least {
            true => exceeds(claim.score - 1),
            false => !exceeds(claim.score),
        });
    }
});
