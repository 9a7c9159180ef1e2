//! Readers and writers of positions and games in the file formats of Othello programs.
//!
//! | format | module | contents of a file | data beside them |
//! |---|---|---|---|
//! | OBF | [`obf`] | positions, one a line, and printed boards | scores of moves, names |
//! | GGF | [`ggf`] | games | all of a [`GameRecord`] |
//! | SGF | [`ggf`] | games | players, place, date, result |
//! | WTHOR | [`wthor`] | games from the usual start | players and tournament as numbers or names, the score |
//! | transcripts, PGN | [`transcript`] | games from the usual start | players, place, date, result |
//! | JSON | [`Format::OthelloQuest`] | games of the server Othello Quest | players, date, seconds a move |
//!
//! [`read`] reads files of any format, [`read_one`] a text with one position or game. No input makes a reader panic. A
//! faulty entry is an error with its location; the other entries are still read.

mod compact;
mod format;
pub mod ggf;
mod lines;
pub mod obf;
mod position;
mod printed;
mod quest;
mod record;
mod squares;
pub mod transcript;
pub mod wthor;

pub use crate::eval::FileKind;
pub use compact::Spelling;
pub use format::{
    Contents, FileEntry, Format, FormatError, Location, ReadError, ReadOneError, UnknownFormat,
    read, read_named, read_one,
};
pub use obf::Problem;
pub use position::{ParseBoardError, read_position, write_position};
pub use quest::QuestError;
pub use record::{GameRecord, LocatedGame, Note, PropertyError, UnsupportedGame};
pub use squares::check_board;

use crate::Ply;
use outflank_support::text::one_line;

/// Name of a pass.
pub const PASS: &str = "PS";

/// Returns the name of a ply: `F5` for a move, [`PASS`] for a pass.
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

/// Returns `true` if `name` means a pass in any of the formats: `PS`, `PA`, `pass`, `--`. Case does not matter.
pub fn is_pass(name: &str) -> bool {
    [PASS, "PA", "PASS", "--"]
        .iter()
        .any(|pass| name.eq_ignore_ascii_case(pass))
}

/// Strips the byte order mark that some editors write before the text.
fn without_bom(file: &[u8]) -> &[u8] {
    file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file)
}

/// Truncates `text` for an error message, since a line can be as long as the file.
pub(crate) fn truncated(text: &str) -> String {
    const LENGTH: usize = 12;
    match text.char_indices().nth(LENGTH) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}
