//! Boards among the words of the command line: many begin as options do, `--XXXXX--OOO…`.

use std::ffi::OsString;
use std::path::Path;

use outflank::notation::{Format, read_position};

/// Puts a blank before each board, so that the parser takes none for an option. The side to move, where it is a word
/// of its own behind a board, joins the board.
pub(super) fn marked(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut marked: Vec<OsString> = Vec::new();
    for word in words {
        match marked.last_mut().filter(|last| is_side_of(last, &word)) {
            Some(board) => {
                board.push(" ");
                board.push(word);
            }
            None if is_board(&word) => {
                let mut board = OsString::from(" ");
                board.push(word);
                marked.push(board);
            }
            None => marked.push(word),
        }
    }
    marked
}

/// Returns `true` if a word is a board of 64 squares, and no file has that name.
fn is_board(word: &OsString) -> bool {
    /// The fewest bytes of a board.
    const SQUARES: usize = 64;
    let is_squares =
        |text: &str| text.len() >= SQUARES && Format::of(text.as_bytes()) == Ok(Format::Obf);
    word.to_str().is_some_and(is_squares) && !Path::new(word).exists()
}

/// Returns `true` if a word is the side to move of a marked board that has none.
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
    fn boards_are_no_options() {
        let board = "-".repeat(27) + "OX------XO" + &"-".repeat(27);
        let words =
            |words: &[&str]| -> Vec<OsString> { words.iter().map(OsString::from).collect() };
        for (line, expected) in [
            (
                vec!["solve", &board, "X", "--level", "3"],
                vec![
                    "solve".to_owned(),
                    format!(" {board} X"),
                    "--level".into(),
                    "3".into(),
                ],
            ),
            (
                vec!["solve", &format!("{board} O;")],
                vec!["solve".to_owned(), format!(" {board} O;")],
            ),
            (
                vec!["solve", "X", "--wld"],
                ["solve", "X", "--wld"].map(str::to_owned).to_vec(),
            ),
        ] {
            let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
            assert_eq!(marked(words(&line).into_iter()), words(&expected));
        }
    }
}
