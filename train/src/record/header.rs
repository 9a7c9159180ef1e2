//! The header of a record file.

use std::io::Read;

use super::RecordSettings;
use super::error::Fault;
use outflank::eval::Looks;

/// What a record file begins with: a byte that no text in UTF-8 begins with, and a line end, which a
/// transfer as text would change.
const MAGIC: [u8; 8] = *b"\xbaoutrec\n";

/// The version of the format.
const VERSION: u32 = 1;

/// The bytes before the settings.
const FIXED_BYTES: usize = 20;

/// More settings than any run has; a length beyond it is damage.
const MAX_SETTINGS: usize = 1 << 20;

/// The header with these settings.
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

/// Reads the header that `file` begins with: the settings, and how long it is.
pub(super) fn read(file: &mut impl Read) -> Result<(RecordSettings, u64), Fault> {
    let mut bytes = Vec::new();
    let mut fill = |bytes: &mut Vec<u8>, count: usize| {
        let read = file.by_ref().take(count as u64).read_to_end(bytes);
        read.map_err(Fault::Read)
    };
    fill(&mut bytes, FIXED_BYTES)?;
    if bytes.is_empty() {
        return Err(Fault::Empty);
    }
    if !MAGIC.starts_with(&bytes[..bytes.len().min(MAGIC.len())]) {
        // Enough to tell what else it is.
        fill(&mut bytes, 100)?;
        return Err(Fault::Foreign(Looks::of(&bytes)));
    }
    if bytes.len() < FIXED_BYTES {
        return Err(Fault::HeaderCut);
    }
    let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[at + i]));
    let (checksum, version, length) = (word(8), word(12), word(16) as usize);
    if length > MAX_SETTINGS {
        return Err(Fault::Header);
    }
    let read = fill(&mut bytes, length)?;
    if read < length {
        return Err(Fault::HeaderCut);
    }
    // Every version begins alike, up to its settings.
    if crc32fast::hash(&bytes[12..]) != checksum {
        return Err(Fault::Header);
    }
    if version != VERSION {
        return Err(Fault::Version(version));
    }
    let text = str::from_utf8(&bytes[FIXED_BYTES..]).map_err(|_| Fault::Header)?;
    Ok((RecordSettings::read(text), bytes.len() as u64))
}
