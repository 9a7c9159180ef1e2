//! What a file looks like by its first bytes: for errors that name what was given instead of what was
//! expected.

use std::fmt;

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
    /// Labelled positions, as the crate `outflank-train` makes them.
    Records,
    /// As an opening book, as the crate `outflank-book` makes them.
    Book,
    /// As an opening book of Edax's.
    EdaxBook,
    /// As if compressed by the program of this name.
    Compressed(&'static str),
    /// As a file of another well-known kind: "a PNG image".
    Other(&'static str),
    /// As text in UTF-16.
    Utf16,
    /// As text, whose first line is this.
    Text(String),
    /// As nothing in particular; it begins with these bytes.
    Bytes(Vec<u8>),
}

/// What compressed files begin with, and the programs that make them.
const COMPRESSED: [(&[u8], &str); 5] = [
    (b"\xfd7zXZ\0", "xz"),
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"BZh", "bzip2"),
    (b"PK\x03\x04", "zip"),
];

/// What other well-known files begin with.
const OTHERS: [(&[u8], &str); 11] = [
    (
        b"DICUORAGE",
        "an opening book of Egaroucid, which no command reads: let Egaroucid save it as Edax's",
    ),
    (b"\xbaoutfit\n", "a checkpoint of a fit"),
    (b"\xbaoutnet\n", "a checkpoint of a network in training"),
    (b"\x89PNG\r\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF-", "a PDF document"),
    (b"\x7fELF", "a program (ELF)"),
    (b"MZ\x90\0", "a program (for Windows)"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"SQLite format 3\0", "an SQLite database"),
];

/// What is shown of a text.
const SHOWN_BYTES: usize = 40;

impl Looks {
    /// What a file that begins with `bytes` looks like.
    pub fn of(bytes: &[u8]) -> Looks {
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
        // The database that a book is in has a number for what it is used for.
        if bytes.starts_with(b"SQLite format 3\0") && bytes.get(68..72) == Some(b"OfBk") {
            return Looks::Book;
        }
        if bytes.starts_with(b"XADEKOOB") || bytes.starts_with(b"EDAXBOOK") {
            return Looks::EdaxBook;
        }
        let compressed = COMPRESSED
            .iter()
            .find(|(magic, _)| bytes.starts_with(magic));
        if let Some(&(_, program)) = compressed {
            return Looks::Compressed(program);
        }
        let other = OTHERS.iter().find(|(magic, _)| bytes.starts_with(magic));
        if let Some(&(_, kind)) = other {
            return Looks::Other(kind);
        }
        if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
            return Looks::Utf16;
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
            Looks::Edax => write!(f, "it is an eval.dat of Edax's"),
            Looks::Weights => write!(f, "it has weights"),
            Looks::Records => write!(f, "it has records"),
            Looks::Book => write!(f, "it is an opening book"),
            Looks::EdaxBook => write!(f, "it is an opening book of Edax's"),
            Looks::Compressed(program) => {
                write!(f, "it is compressed by {program}: unpack it first")
            }
            Looks::Other(kind) => write!(f, "it is {kind}"),
            Looks::Utf16 => write!(f, "it is text in UTF-16: save it as UTF-8"),
            Looks::Text(line) => write!(f, "it looks like text, \"{line}\""),
            Looks::Bytes(bytes) => write!(f, "it begins with the bytes {bytes:02x?}"),
        }
    }
}
