//! The kind of a file, recognised by its first bytes, so that errors can name it.

use std::fmt;

/// The kind of a file by its first bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FileKind {
    /// No bytes.
    Empty,
    /// Edax's weights.
    Edax,
    /// This project's weights.
    Weights,
    /// Labelled positions of the crate `outflank-train`.
    Records,
    /// An opening book of the crate `outflank-book`.
    Book,
    /// Edax's opening book.
    EdaxBook,
    /// Data compressed by the program of this name.
    Compressed(&'static str),
    /// Another well-known kind, with its article: "a PNG image".
    Other(&'static str),
    /// Text in UTF-16.
    Utf16,
    /// Text with this first line, cut off after some letters.
    Text(String),
    /// Anything else, with its first bytes.
    Bytes(Vec<u8>),
}

/// First bytes of this project's weights. No text in UTF-8 begins with the first byte. A transfer in text mode would
/// change the line end, and the file would not be recognised.
pub(super) const WEIGHTS_MAGIC: &[u8; 8] = b"\xbaoutwts\n";

/// First bytes of Edax's weights, in the order of [`ByteOrder`](super::ByteOrder): little endian, then big endian.
pub(super) const EDAX_MAGIC: [&[u8; 8]; 2] = [b"XADELAVE", b"EDAXEVAL"];

/// First bytes of compressed files, and the programs that compress them.
const COMPRESSED: [(&[u8], &str); 5] = [
    (b"\xfd7zXZ\0", "xz"),
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"BZh", "bzip2"),
    (b"PK\x03\x04", "zip"),
];

/// First bytes of other well-known files.
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

/// The length of the text that errors show.
const SHOWN_BYTES: usize = 40;

impl FileKind {
    /// Detects the kind of a file that begins with `bytes`.
    pub fn detect(bytes: &[u8]) -> FileKind {
        let begins = |magic: &[u8]| bytes.starts_with(magic);
        if bytes.is_empty() {
            return FileKind::Empty;
        }
        if EDAX_MAGIC.iter().any(|magic| begins(*magic)) {
            return FileKind::Edax;
        }
        if begins(WEIGHTS_MAGIC) {
            return FileKind::Weights;
        }
        if begins(b"\xbaoutrec\n") {
            return FileKind::Records;
        }
        // A book is an SQLite database with this application id.
        if begins(b"SQLite format 3\0") && bytes.get(68..72) == Some(b"OfBk") {
            return FileKind::Book;
        }
        if begins(b"XADEKOOB") || begins(b"EDAXBOOK") {
            return FileKind::EdaxBook;
        }
        if let Some((_, program)) = COMPRESSED.iter().find(|(magic, _)| begins(magic)) {
            return FileKind::Compressed(program);
        }
        if let Some((_, kind)) = OTHERS.iter().find(|(magic, _)| begins(magic)) {
            return FileKind::Other(kind);
        }
        if begins(b"\xff\xfe") || begins(b"\xfe\xff") {
            return FileKind::Utf16;
        }
        let line = bytes.split(|&byte| byte == b'\n').next();
        let line = line.unwrap_or_default();
        let line = String::from_utf8_lossy(&line[..line.len().min(SHOWN_BYTES)]);
        // The cut may split a letter of several bytes.
        let line = line.trim_end_matches(['\r', char::REPLACEMENT_CHARACTER]);
        let is_text = |letter: char| !letter.is_control() && letter != char::REPLACEMENT_CHARACTER;
        match !line.is_empty() && line.chars().all(is_text) {
            true => FileKind::Text(line.to_owned()),
            false => FileKind::Bytes(bytes[..bytes.len().min(8)].to_vec()),
        }
    }
}

impl std::error::Error for FileKind {}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileKind::Empty => write!(f, "it is empty"),
            FileKind::Edax => write!(f, "it is an eval.dat of Edax's"),
            FileKind::Weights => write!(f, "it has weights"),
            FileKind::Records => write!(f, "it has records"),
            FileKind::Book => write!(f, "it is an opening book"),
            FileKind::EdaxBook => write!(f, "it is an opening book of Edax's"),
            FileKind::Compressed(program) => {
                write!(f, "it is compressed by {program}: unpack it first")
            }
            FileKind::Other(kind) => write!(f, "it is {kind}"),
            FileKind::Utf16 => write!(f, "it is text in UTF-16: save it as UTF-8"),
            FileKind::Text(line) => write!(f, "it looks like text, \"{line}\""),
            FileKind::Bytes(bytes) => write!(f, "it begins with the bytes {bytes:02x?}"),
        }
    }
}
