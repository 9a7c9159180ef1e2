//! Detection of file kinds by their first bytes, so that errors can name them.

/// The kind of a file by its first bytes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileKind {
    /// No bytes.
    #[error("it is empty")]
    Empty,
    /// Edax's weights.
    #[error("it is an eval.dat of Edax's")]
    Edax,
    /// This project's weights.
    #[error("it has weights")]
    Weights,
    /// Labelled positions of the crate `outflank-train`.
    #[error("it has records")]
    Records,
    /// An opening book of the crate `outflank-book`.
    #[error("it is an opening book")]
    Book,
    /// A database of games of the crate `outflank-games`.
    #[error("it is a database of games")]
    Games,
    /// Certificates of exact scores of the crate `outflank-certificate`.
    #[error("it is a file of certificates")]
    Certificates,
    /// Edax's opening book.
    #[error("it is an opening book of Edax's")]
    EdaxBook,
    /// Egaroucid's opening book.
    #[error("it is an opening book of Egaroucid's")]
    EgaroucidBook,
    /// Data compressed by the program of this name.
    #[error("it is compressed by {0}: unpack it first")]
    Compressed(&'static str),
    /// Another well-known kind, with its article: "a PNG image".
    #[error("it is {0}")]
    Other(&'static str),
    /// Text in UTF-16.
    #[error("it is text in UTF-16: save it as UTF-8")]
    Utf16,
    /// Text, with the beginning of its first line.
    #[error("it looks like text, \"{0}\"")]
    Text(String),
    /// Anything else, with its first bytes.
    #[error("it begins with the bytes {0:02x?}")]
    Bytes(Vec<u8>),
}

/// First bytes of this project's weights. No text in UTF-8 begins with the first byte. The line end shows transfers in
/// text mode: they change it, and the file is not recognised.
pub(super) const WEIGHTS_MAGIC: &[u8; 8] = b"\xbaoutwts\n";

/// First bytes of Edax's weights, in the order of [`ByteOrder`](super::ByteOrder): little endian, then big endian.
pub(super) const EDAX_MAGIC: [&[u8; 8]; 2] = [b"XADELAVE", b"EDAXEVAL"];

/// First bytes of well-known files, and their kinds.
static KINDS: [(&[u8], FileKind); 25] = [
    (EDAX_MAGIC[0], FileKind::Edax),
    (EDAX_MAGIC[1], FileKind::Edax),
    (WEIGHTS_MAGIC, FileKind::Weights),
    (b"\xbaoutrec\n", FileKind::Records),
    (b"othello certificate ", FileKind::Certificates),
    (b"XADEKOOB", FileKind::EdaxBook),
    (b"EDAXBOOK", FileKind::EdaxBook),
    (b"\xfd7zXZ\0", FileKind::Compressed("xz")),
    (b"\x1f\x8b", FileKind::Compressed("gzip")),
    (b"\x28\xb5\x2f\xfd", FileKind::Compressed("zstd")),
    (b"BZh", FileKind::Compressed("bzip2")),
    (b"PK\x03\x04", FileKind::Compressed("zip")),
    (b"DICUORAGE", FileKind::EgaroucidBook),
    (b"\xbaoutfit\n", FileKind::Other("a checkpoint of a fit")),
    (
        b"\xbaoutnet\n",
        FileKind::Other("a checkpoint of a network in training"),
    ),
    (b"\x89PNG\r\n", FileKind::Other("a PNG image")),
    (b"\xff\xd8\xff", FileKind::Other("a JPEG image")),
    (b"GIF8", FileKind::Other("a GIF image")),
    (b"%PDF-", FileKind::Other("a PDF document")),
    (b"\x7fELF", FileKind::Other("a program (ELF)")),
    (b"MZ\x90\0", FileKind::Other("a program (for Windows)")),
    (b"7z\xbc\xaf\x27\x1c", FileKind::Other("a 7z archive")),
    (SQLITE_MAGIC, FileKind::Other("an SQLite database")),
    (b"\xff\xfe", FileKind::Utf16),
    (b"\xfe\xff", FileKind::Utf16),
];

const SQLITE_MAGIC: &[u8] = b"SQLite format 3\0";

/// The length of the text that errors show.
const SHOWN_BYTES: usize = 40;

impl FileKind {
    /// Detects the kind of a file that begins with `bytes`.
    pub fn detect(bytes: &[u8]) -> FileKind {
        if bytes.is_empty() {
            return FileKind::Empty;
        }
        // Books and databases of games are SQLite files with these application ids.
        if bytes.starts_with(SQLITE_MAGIC) {
            match bytes.get(68..72) {
                Some(b"OfBk") => return FileKind::Book,
                Some(b"OfGm") => return FileKind::Games,
                _ => {}
            }
        }
        if let Some((_, kind)) = KINDS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
            return kind.clone();
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
