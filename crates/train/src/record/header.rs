//! Header of a record file: the settings that the records were made with.

use std::fmt;
use std::io::Read;

use super::block;
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

/// Ordered names and values that describe how records were made. They are equal for all records of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordSettings(Vec<(String, String)>);

impl RecordSettings {
    /// Adds a setting. Line breaks become blanks, because each setting is one line.
    pub fn set(&mut self, name: &str, value: impl fmt::Display) {
        let value = value.to_string().replace(['\r', '\n'], " ");
        self.0.push((name.to_owned(), value));
    }

    fn get(&self, name: &str) -> Option<&str> {
        let setting = self.0.iter().find(|(known, _)| known == name);
        setting.map(|(_, value)| value.as_str())
    }

    /// Names and values in file order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&name[..], &value[..]))
    }

    /// Parses the [`Display`](fmt::Display) form. A line without `=` is a name without a value.
    pub(super) fn read(text: &str) -> RecordSettings {
        let lines = text.lines().map(|line| match line.split_once(" = ") {
            Some((name, value)) => (name.to_owned(), value.to_owned()),
            None => (line.to_owned(), String::new()),
        });
        RecordSettings(lines.collect())
    }

    /// Differences between the settings of a file and those of this run, such as `seed is 7 there and 8 here`.
    pub(super) fn differences(&self, run: &RecordSettings) -> Vec<String> {
        let mut differences = Vec::new();
        for (name, _) in self.iter().chain(run.iter()) {
            let [there, here] = [self, run].map(|settings| settings.get(name));
            let [in_file, in_run] = [there, here].map(|value| value.unwrap_or("none"));
            let difference = format!("{name} is {in_file} there and {in_run} here");
            if there != here && !differences.contains(&difference) {
                differences.push(difference);
            }
        }
        differences
    }
}

impl fmt::Display for RecordSettings {
    /// Writes a line `name = value` for each setting.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter()
            .try_for_each(|(name, value)| writeln!(f, "{name} = {value}"))
    }
}

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
        block::fill(file, bytes, count).map_err(RecordFault::Read)
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
