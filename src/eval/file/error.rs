//! What can be wrong with a file of weights.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::own::VERSION;
use crate::eval::model::ModelError;

/// A file of weights that could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// It could not be opened, or reading failed.
    #[error("cannot read {}: {}", .0.display(), .1)]
    Io(PathBuf, #[source] io::Error),
    /// It was read, but has no weights.
    #[error("{}: {}", .0.display(), .1)]
    Weights(PathBuf, #[source] WeightsError),
}

/// Why the contents of a file are no weights.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// It is something else.
    #[error("not a weights file: {0}")]
    Foreign(Looks),
    /// It is of a version that is not known.
    #[error(
        "a weights file of version {0}, which a newer outflank wrote; this one reads version \
         {VERSION}: update outflank"
    )]
    Version(u32),
    /// It is for other features.
    #[error(
        "weights for the geometry {name} ({found:08x}), which is not {} ({expected:08x}), the one \
         of this outflank: train weights for that",
        super::WeightsFile::GEOMETRY
    )]
    Geometry {
        /// The name that the file gives.
        name: String,
        /// The checksum of the geometry that it is for.
        found: u32,
        /// That of the geometry that there is.
        expected: u32,
    },
    /// It ends too early.
    #[error("cut off after {found} of {expected} bytes: copy it again, or make it again")]
    Short {
        /// Its length.
        found: usize,
        /// What its length should be.
        expected: usize,
    },
    /// It goes on after its end.
    #[error("{found} bytes where there should be {expected}: copy it again, or make it again")]
    Long {
        /// Its length.
        found: usize,
        /// What its length should be.
        expected: usize,
    },
    /// It was changed after it was written.
    #[error(
        "damaged: its checksum is {found:08x} but should be {expected:08x}; copy it again, or make \
         it again"
    )]
    Checksum {
        /// The checksum that its bytes have.
        found: u32,
        /// The checksum that it says.
        expected: u32,
    },
    /// It was written like this, by no version of outflank.
    #[error("impossible contents: {0}; make it again")]
    Contents(&'static str),
    /// Its knots are impossible.
    #[error("impossible contents: {0}; make it again")]
    Model(#[from] ModelError),
}

/// What a file looks like that is not what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Looks {
    /// There is nothing in it.
    Empty,
    /// As Edax's weights.
    Edax,
    /// As this project's weights.
    Weights,
    /// As labelled positions, [`crate::train`]'s.
    Records,
    /// As if compressed by the program of this name.
    Compressed(&'static str),
    /// As text, whose first line is this.
    Text(String),
    /// As nothing in particular; it begins with these bytes.
    Bytes(Vec<u8>),
}

/// What is shown of a text.
const SHOWN_BYTES: usize = 40;

impl Looks {
    /// What a file that begins with `bytes` looks like.
    pub(crate) fn of(bytes: &[u8]) -> Looks {
        const COMPRESSED: [(&[u8], &str); 5] = [
            (b"\xfd7zXZ\0", "xz"),
            (b"\x1f\x8b", "gzip"),
            (b"\x28\xb5\x2f\xfd", "zstd"),
            (b"BZh", "bzip2"),
            (b"PK\x03\x04", "zip"),
        ];
        if bytes.is_empty() {
            return Looks::Empty;
        }
        if super::edax::is_meant(bytes) {
            return Looks::Edax;
        }
        if bytes.starts_with(super::own::MAGIC) {
            return Looks::Weights;
        }
        if bytes.starts_with(b"\xbaoutrec\n") {
            return Looks::Records;
        }
        let compressed = COMPRESSED
            .iter()
            .find(|(magic, _)| bytes.starts_with(magic));
        if let Some(&(_, program)) = compressed {
            return Looks::Compressed(program);
        }
        let line = bytes
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        let line = String::from_utf8_lossy(&line[..line.len().min(SHOWN_BYTES)]);
        // A letter of several bytes can be cut off.
        let line = line.trim_end_matches(['\r', char::REPLACEMENT_CHARACTER]);
        let is_text = |letter: char| !letter.is_control() && letter != char::REPLACEMENT_CHARACTER;
        match !line.is_empty() && line.chars().all(is_text) {
            true => Looks::Text(line.to_owned()),
            false => Looks::Bytes(bytes[..bytes.len().min(8)].to_vec()),
        }
    }
}

impl fmt::Display for Looks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Looks::Empty => write!(f, "it is empty"),
            Looks::Edax => write!(
                f,
                "it is an eval.dat of Edax's, which `outflank weights import` reads"
            ),
            Looks::Weights => write!(f, "it has weights, which `outflank weights info` shows"),
            Looks::Records => write!(
                f,
                "it has records, which `outflank train fit` makes weights of"
            ),
            Looks::Compressed(program) => {
                write!(f, "it is compressed by {program}: unpack it first")
            }
            Looks::Text(line) => write!(f, "it looks like text, \"{line}\""),
            Looks::Bytes(bytes) => write!(f, "it begins with the bytes {bytes:02x?}"),
        }
    }
}
