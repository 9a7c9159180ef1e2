//! Reading and writing positions and games in the formats of the field.
//!
//! | format | module | one file has | what is known of a game |
//! |---|---|---|---|
//! | OBF | [`obf`] | positions, one a line, and printed boards | scores of its moves |
//! | GGF | [`ggf`] | games | all of a [`GameRecord`] |
//! | SGF | [`ggf`] | games | players, place, date, result |
//! | WTHOR | [`wthor`] | games from the usual start | players and tournament as numbers or names, the score |
//! | transcripts, PGN | [`transcript`] | games from the usual start | players, place, date, result |
//! | JSON | [`Format::OthelloQuest`] | games of the server Othello Quest | players, date, seconds a move |
//!
//! [`read`] reads any of them, [`read_one`] the one position or game of a text. Whatever the bytes, nothing
//! panics: what cannot be read is an error that says where, and leaves the rest readable.

mod format;
pub mod ggf;
mod lines;
pub mod obf;
mod printed;
mod quest;
mod record;
mod squares;
pub mod transcript;
pub mod wthor;

pub use crate::eval::Looks;
pub use format::{
    Contents, Entry, Format, FormatError, OneError, Place, ReadError, UnknownFormat, read,
    read_named, read_one,
};
pub use obf::Problem;
pub use quest::QuestError;
pub use record::{GameRecord, Note, PropertyError, Unfit};
pub use squares::{ParseBoardError, position, read_position};

use crate::Ply;
use crate::text::one_line;

/// How a pass is written where a move could stand.
pub const PASS: &str = "PS";

/// The name of a ply: `F5` for a move, [`PASS`] for a pass.
///
/// ```
/// use outflank::notation::ply_name;
///
/// assert_eq!(ply_name("f5".parse().ok()), "F5");
/// assert_eq!(ply_name(None), "PS");
/// ```
pub fn ply_name(ply: Ply) -> String {
    ply.map_or_else(|| PASS.to_owned(), |square| square.to_string())
}

/// Whether `name` is one of the names that files in circulation have for a pass.
pub fn is_pass(name: &str) -> bool {
    [PASS, "PA", "PASS", "--"]
        .iter()
        .any(|pass| name.eq_ignore_ascii_case(pass))
}

/// The file without the byte order mark that some editors put before it.
fn without_mark(file: &[u8]) -> &[u8] {
    file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file)
}

/// The few characters that an error shows of `text`: enough to recognise the place by, where a line can
/// be as long as the file.
pub(crate) fn shown(text: &str) -> String {
    const SHOWN: usize = 12;
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}
