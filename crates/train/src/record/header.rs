//! Header of a record file.

use std::io::Read;

use super::RecordSettings;
use super::error::RecordFault;
use outflank::eval::FileKind;

/// First bytes of a record file. No UTF-8 text begins with the first byte, and a transfer in text mode would
/// change the line end.
const MAGIC: [u8; 8] = *b"\xbaoutrec\n";

const VERSION: u32 = 1;

/// Header bytes before the settings.
const FIXED_BYTES: usize = 20;

/// Maximum length of the settings in bytes. A greater length is damage.
const MAX_SETTINGS: usize = 1 << 20;

/// Encodes the header.
pub(super) fn encode(settings: &RecordSettings) -> Vec<u8> {
    let text = settings.to_string();
    let mut bytes = MAGIC.to_vec();
    bytes.extend([0; 4]);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    let checksum = crc32fast::hash(&bytes[12..]);
    bytes[8..12].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Reads the header: the settings and the length of the header in bytes.
pub(super) fn read(file: &mut impl Read) -> Result<(RecordSettings, u64), RecordFault> {
    let mut bytes = Vec::new();
    let mut fill = |bytes: &mut Vec<u8>, count: usize| {
        let read = file.by_ref().take(count as u64).read_to_end(bytes);
        read.map_err(RecordFault::Read)
    };
    fill(&mut bytes, FIXED_BYTES)?;
    if bytes.is_empty() {
        return Err(RecordFault::Empty);
    }
    if !MAGIC.starts_with(&bytes[..bytes.len().min(MAGIC.len())]) {
        // More bytes identify the actual format.
        fill(&mut bytes, 100)?;
        return Err(RecordFault::Foreign(FileKind::detect(&bytes)));
    }
    if bytes.len() < FIXED_BYTES {
        return Err(RecordFault::HeaderCut);
    }
    let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[at + i]));
    let (checksum, version, length) = (word(8), word(12), word(16) as usize);
    if length > MAX_SETTINGS {
        return Err(RecordFault::Header);
    }
    let read = fill(&mut bytes, length)?;
    if read < length {
        return Err(RecordFault::HeaderCut);
    }
    // The layout up to the settings is common to all versions.
    if crc32fast::hash(&bytes[12..]) != checksum {
        return Err(RecordFault::Header);
    }
    if version != VERSION {
        return Err(RecordFault::Version(version));
    }
    let text = str::from_utf8(&bytes[FIXED_BYTES..]).map_err(|_| RecordFault::Header)?;
    Ok((RecordSettings::read(text), bytes.len() as u64))
}
