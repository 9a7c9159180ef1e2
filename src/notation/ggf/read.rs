//! Reader of games in GGF, and of files with games in GGF or SGF.

use std::borrow::Cow;

use super::tokens::{BEGIN, FaultAt, GgfFault, Tokens};
use super::{GgfMove, mover, sgf};
use crate::Game;
use crate::notation::squares::Squares;
use crate::notation::{GameRecord, LocatedGame, squares, truncated, without_bom};

/// Error of a faulty game, with its location.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: game {game}: {fault}")]
#[non_exhaustive]
pub struct GgfError {
    /// Game of the file, from 1.
    pub game: usize,
    /// Line of the file, from 1.
    pub line: usize,
    /// Character of the line, from 1.
    pub column: usize,
    /// Fault at that location.
    pub fault: GgfFault,
}

/// Reads the games of a file, GGF or SGF.
///
/// A faulty game is an error; the other games are still read, unless a value of the faulty one never ends. Bytes that
/// are not UTF-8 become U+FFFD.
///
/// ```
/// use outflank::notation::ggf;
///
/// let mut games = ggf::read(b"1 (;GM[Othello]PB[a]B[F5/1.5/0.1]W[D6];)\n1 (;GM[Othello]B[A1];)");
/// let first = games.next().unwrap()?;
/// assert_eq!(first.record.game.plies().len(), 2);
/// assert_eq!(first.record.notes[0].eval, Some(1.5));
/// let error = games.next().unwrap().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "2:18: game 2: move 1, A1, is not legal: black flips no disc there"
/// );
/// # Ok::<(), ggf::GgfError>(())
/// ```
pub fn read(file: &[u8]) -> impl Iterator<Item = Result<LocatedGame, GgfError>> {
    Reader {
        text: String::from_utf8_lossy(without_bom(file)),
        at: 0,
        games: 0,
        cursor: Cursor {
            at: 0,
            line: 1,
            column: 1,
        },
    }
}

struct Reader<'a> {
    text: Cow<'a, str>,
    /// Offset of the unread text in bytes.
    at: usize,
    games: usize,
    cursor: Cursor,
}

/// Line and column of an offset in the text.
///
/// It only advances: locating each fault from the start of the text would take quadratic time.
struct Cursor {
    at: usize,
    line: usize,
    column: usize,
}

impl Cursor {
    fn advance(&mut self, text: &str, to: usize) {
        for character in text[self.at..to].chars() {
            match character {
                '\n' => (self.line, self.column) = (self.line + 1, 1),
                _ => self.column += 1,
            }
        }
        self.at = to;
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<LocatedGame, GgfError>;

    fn next(&mut self) -> Option<Self::Item> {
        let begin = self.at + self.text[self.at..].find(BEGIN)?;
        self.games += 1;
        self.cursor.advance(&self.text, begin);
        let line = self.cursor.line;
        let mut tokens = Tokens {
            text: &self.text,
            at: begin + BEGIN.len(),
        };
        let outcome = match sgf::has_sgf_properties(tokens.clone()) {
            true => sgf::game(&mut tokens),
            false => game(&mut tokens),
        };
        self.at = tokens.at;
        Some(match outcome {
            Ok(record) => Ok(LocatedGame { line, record }),
            Err((at, fault)) => {
                self.cursor.advance(&self.text, at);
                Err(GgfError {
                    game: self.games,
                    line: self.cursor.line,
                    column: self.cursor.column,
                    fault,
                })
            }
        })
    }
}

/// Reads a game. After a fault it skips to the end of the game, because its values may look like other games.
fn game(tokens: &mut Tokens) -> Result<GameRecord, FaultAt> {
    let mut record = GameRecord::default();
    let mut has_board = false;
    let mut fault = None;
    loop {
        match tokens.next() {
            Ok(Some((at, name, value))) if fault.is_none() => {
                let added = add(&mut record, &mut has_board, name, value);
                fault = added.err().map(|fault| (at, fault));
            }
            Ok(Some(_)) => {}
            Ok(None) => return fault.map_or(Ok(record), Err),
            Err(end) => return Err(fault.unwrap_or(end)),
        }
    }
}

/// Adds a property to a record.
fn add(
    record: &mut GameRecord,
    has_board: &mut bool,
    name: String,
    value: String,
) -> Result<(), GgfFault> {
    match name.as_str() {
        "GM" if value.trim().eq_ignore_ascii_case("Othello") => {}
        "GM" => return Err(GgfFault::OtherGame(truncated(&value))),
        "BO" if *has_board || !record.game.plies().is_empty() => return Err(GgfFault::LateBoard),
        "BO" => {
            record.game = start(&value)?;
            *has_board = true;
        }
        "B" | "W" => {
            let GgfMove { ply, note } = value.parse()?;
            if record.game.play_unless_over(mover(&name), ply)? {
                record.note_last_ply(note);
            }
        }
        _ => record.push(name, value),
    }
    Ok(())
}

/// Parses the value of `BO`: `8`, 64 squares and the side to move. Blanks may stand anywhere between them.
fn start(value: &str) -> Result<Game, GgfFault> {
    let value = value.trim();
    let (size, rest) = value.split_once(char::is_whitespace).unwrap_or((value, ""));
    if size != "8" {
        return Err(GgfFault::BoardSize(truncated(size)));
    }
    let signs = || rest.chars().filter(|sign| !sign.is_whitespace());
    let mut board = Squares::default();
    let count = signs().take_while(|&sign| board.add(sign)).count();
    let suffix: String = signs().skip(64.min(count)).collect();
    let mut letters = suffix.chars();
    let side = letters.next().and_then(squares::side);
    let Some(side) = side.filter(|_| count == 65 && letters.next().is_none()) else {
        return Err(GgfFault::Board(truncated(&suffix), count.min(64)));
    };
    let start = Game::from_start(side.black_first(board.board()?), side);
    Ok(start.expect("a square has one disc"))
}
