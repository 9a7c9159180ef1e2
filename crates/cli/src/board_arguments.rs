//! Boards on the command line. Many begin like an option: `--XXXXX--OOO…`.

use std::ffi::OsString;
use std::path::Path;

use outflank::notation::{Format, read_position};

/// Puts a blank before each board, so that the parser does not take it for an option. A side to move that is a word of
/// its own is joined to the board before it.
pub(super) fn escape_boards(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut escaped: Vec<OsString> = Vec::new();
    for word in words {
        match escaped.last_mut().filter(|last| is_side_of(last, &word)) {
            Some(board) => {
                board.push(" ");
                board.push(word);
            }
            None if is_board(&word) => {
                let mut board = OsString::from(" ");
                board.push(word);
                escaped.push(board);
            }
            None => escaped.push(word),
        }
    }
    escaped
}

/// Returns `true` if a word is a board and no file has that name.
fn is_board(word: &OsString) -> bool {
    let is_squares =
        |text: &str| text.len() >= 64 && Format::detect(text.as_bytes()) == Ok(Format::Obf);
    word.to_str().is_some_and(is_squares) && !Path::new(word).exists()
}

/// Returns `true` if `word` completes `board`, an escaped board without a side to move.
fn is_side_of(board: &OsString, word: &OsString) -> bool {
    let (Some(board), Some(word)) = (board.to_str(), word.to_str()) else {
        return false;
    };
    board.starts_with(' ') && read_position(&format!("{board} {word}")).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_escaped_and_joined_with_their_side() {
        let board = "-".repeat(27) + "OX------XO" + &"-".repeat(27);
        for (line, expected) in [
            (
                format!("solve {board} X --level 3"),
                vec!["solve", &format!(" {board} X"), "--level", "3"],
            ),
            (
                format!("solve {board}O;"),
                vec!["solve", &format!(" {board}O;")],
            ),
            ("solve X --wld".to_owned(), vec!["solve", "X", "--wld"]),
        ] {
            let words = line.split(' ').map(OsString::from);
            assert_eq!(escape_boards(words), expected, "{line}");
        }
    }
}
