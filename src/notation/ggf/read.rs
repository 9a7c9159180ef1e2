//! The reader of GGF.

use std::borrow::Cow;

use super::{Move, ParseMoveError, sgf};
use crate::notation::squares::{BoardFault, Squares};
use crate::notation::{GameRecord, shown, squares, without_mark};
use crate::text::counted;
use crate::{Game, IllegalMove, Side};

/// A game of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct GgfGame {
    /// The line of the file that the game begins on, from 1.
    pub line: usize,
    /// The game.
    pub record: GameRecord,
}

/// A game that cannot be read: where, and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: game {game}: {fault}")]
pub struct GgfError {
    /// The game of the file, from 1.
    pub game: usize,
    /// The line of the file, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: Fault,
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file ends within the game.
    #[error("expected ')' at the end of the game, found the end of the file")]
    NotClosed,
    /// The file ends within a value.
    #[error("expected ']' behind the value of {0}, found the end of the file")]
    ValueNotClosed(String),
    /// A property has no value.
    #[error("expected '[' and the value of {0}")]
    NoValue(String),
    /// Something stands where a property must.
    #[error("expected a property (as in PB[name]), found {0:?}")]
    NotAProperty(String),
    /// It is not Othello.
    #[error("expected a game of Othello, found {0:?}")]
    OtherGame(String),
    /// The board is of another size.
    #[error("expected a board of 8x8 squares (BO[8 ...]), found {0:?}")]
    BoardSize(String),
    /// The board has something other than 64 squares and a side.
    #[error("expected 64 squares (*, O or -) and the side to move, found {0:?} behind {squares}", squares = counted(.1, "square", "squares"))]
    Board(String, usize),
    /// The squares are no board that a game can reach.
    #[error(transparent)]
    Position(#[from] BoardFault),
    /// A board of SGF has no side to move.
    #[error("expected the side to move (PL[B] or PL[W]) with the board")]
    NoSide,
    /// A point of SGF is no square.
    #[error("expected a square (A1 to H8, or aa to hh), found {0:?}")]
    Point(String),
    /// There is a board already, or a move.
    #[error("expected one board (BO), before the first move")]
    LateBoard,
    /// A move cannot be read.
    #[error(transparent)]
    Move(#[from] ParseMoveError),
    /// A move is not legal.
    #[error(transparent)]
    IllegalMove(#[from] IllegalMove),
}

/// Reads the games of a file, GGF and SGF. One that is faulty is an error of its own and leaves the others readable,
/// unless it never ends. Bytes that are not UTF-8 are read as U+FFFD.
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
///     "2:18: game 2: move 1, A1, is not legal: black turns no disc there"
/// );
/// # Ok::<(), ggf::GgfError>(())
/// ```
pub fn read(file: &[u8]) -> impl Iterator<Item = Result<GgfGame, GgfError>> {
    Reader {
        text: String::from_utf8_lossy(without_mark(file)),
        at: 0,
        games: 0,
        place: Place {
            at: 0,
            line: 1,
            column: 1,
        },
    }
}

/// What a game begins with.
pub(super) const BEGIN: &str = "(;";

struct Reader<'a> {
    text: Cow<'a, str>,
    /// What comes before has been read.
    at: usize,
    games: usize,
    place: Place,
}

/// A place of the text, which is only ever moved on: a file can be one long line of faulty games.
struct Place {
    at: usize,
    line: usize,
    column: usize,
}

impl Place {
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
    type Item = Result<GgfGame, GgfError>;

    fn next(&mut self) -> Option<Self::Item> {
        let begin = self.at + self.text[self.at..].find(BEGIN)?;
        self.games += 1;
        self.place.advance(&self.text, begin);
        let line = self.place.line;
        let mut tokens = Tokens {
            text: &self.text,
            at: begin + BEGIN.len(),
        };
        let found = match sgf::looks_like_sgf(tokens.clone()) {
            true => sgf::game(&mut tokens),
            false => game(&mut tokens),
        };
        self.at = tokens.at;
        Some(match found {
            Ok(record) => Ok(GgfGame { line, record }),
            Err((at, fault)) => {
                self.place.advance(&self.text, at);
                Err(GgfError {
                    game: self.games,
                    line: self.place.line,
                    column: self.place.column,
                    fault,
                })
            }
        })
    }
}

/// Something wrong, and the byte where it is.
pub(super) type Wrong = (usize, Fault);

/// Reads a game to its end even after a fault, because its values may look like other games.
fn game(tokens: &mut Tokens) -> Result<GameRecord, Wrong> {
    let mut record = GameRecord::new(Game::new());
    let mut has_board = false;
    let mut wrong = None;
    loop {
        match tokens.next() {
            Ok(Some((at, name, value))) if wrong.is_none() => {
                let added = add(&mut record, &mut has_board, name, value);
                wrong = added.err().map(|fault| (at, fault));
            }
            Ok(Some(_)) => {}
            Ok(None) => return wrong.map_or(Ok(record), Err),
            Err(end) => return Err(wrong.unwrap_or(end)),
        }
    }
}

/// Adds a property to what is known of a game.
fn add(
    record: &mut GameRecord,
    has_board: &mut bool,
    name: String,
    value: String,
) -> Result<(), Fault> {
    match name.as_str() {
        "GM" if value.trim().eq_ignore_ascii_case("Othello") => {}
        "GM" => return Err(Fault::OtherGame(shown(&value))),
        "BO" if *has_board || !record.game.plies().is_empty() => return Err(Fault::LateBoard),
        "BO" => {
            record.game = start(&value)?;
            *has_board = true;
        }
        "B" | "W" => {
            let side = if name == "B" {
                Side::Black
            } else {
                Side::White
            };
            let Move { ply, note } = value.parse()?;
            // Some write them until both sides have passed.
            if ply.is_none() && record.game.is_over() {
                return Ok(());
            }
            record.game.play_as(side, ply)?;
            record.note_last_ply(note);
        }
        _ => record.push(name, value),
    }
    Ok(())
}

/// Reads the value of `BO`: `8`, 64 squares and the side to move, blanks anywhere between.
fn start(value: &str) -> Result<Game, Fault> {
    let value = value.trim();
    let (size, rest) = value.split_once(char::is_whitespace).unwrap_or((value, ""));
    if size != "8" {
        return Err(Fault::BoardSize(shown(size)));
    }
    let signs = || rest.chars().filter(|sign| !sign.is_whitespace());
    let mut board = Squares::default();
    let count = signs().take_while(|&sign| board.add(sign)).count();
    let behind: String = signs().skip(64.min(count)).collect();
    let mut letters = behind.chars();
    let side = letters.next().and_then(squares::side);
    let Some(side) = side.filter(|_| count == 65 && letters.next().is_none()) else {
        return Err(Fault::Board(shown(&behind), count.min(64)));
    };
    let start = Game::from_start(side.black_first(board.board()?), side);
    Ok(start.expect("a square has one disc"))
}

/// The properties of a game.
#[derive(Clone)]
pub(super) struct Tokens<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl Tokens<'_> {
    /// The next property: the byte where its value begins, name and value; `None` at the end of the game,
    /// which is passed.
    pub(super) fn next(&mut self) -> Result<Option<(usize, String, String)>, Wrong> {
        self.skip(is_between);
        let rest = &self.text[self.at..];
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        if letters == 0 {
            return match rest.chars().next() {
                Some(')') => {
                    self.at += 1;
                    Ok(None)
                }
                Some(_) => Err((self.at, Fault::NotAProperty(shown(rest)))),
                None => Err((self.at, Fault::NotClosed)),
            };
        }
        let name = rest[..letters].to_ascii_uppercase();
        self.at += letters;
        match self.next_value(&name)? {
            Some((begin, value)) => Ok(Some((begin, name, value))),
            None => Err((self.at, Fault::NoValue(shown(&name)))),
        }
    }

    /// The next value of the property of this name, and the byte where it begins; `None` where there is none.
    pub(super) fn next_value(&mut self, name: &str) -> Result<Option<(usize, String)>, Wrong> {
        self.skip(char::is_whitespace);
        if !self.text[self.at..].starts_with('[') {
            return Ok(None);
        }
        self.at += 1;
        let begin = self.at;
        match self.value() {
            Some(value) => Ok(Some((begin, value))),
            None => Err((begin, Fault::ValueNotClosed(shown(name)))),
        }
    }

    /// Passes over one of these characters before the next property; `None` where another one stands there.
    pub(super) fn skip_one_of(&mut self, wanted: &[char]) -> Option<char> {
        self.skip(is_between);
        let next = self.text[self.at..].chars().next();
        let found = next.filter(|next| wanted.contains(next))?;
        self.at += found.len_utf8();
        Some(found)
    }

    /// A value up to its `]`, which is passed; `None` where there is none, in all that is left.
    fn value(&mut self) -> Option<String> {
        let mut value = String::new();
        let mut characters = self.text[self.at..].char_indices();
        while let Some((place, character)) = characters.next() {
            match character {
                ']' => {
                    self.at += place + 1;
                    return Some(value);
                }
                '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
                _ => value.push(character),
            }
        }
        // No game can follow, since none of its values would end.
        self.at = self.text.len();
        None
    }

    fn skip(&mut self, is_skipped: impl Fn(char) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.find(|next| !is_skipped(next)).unwrap_or(rest.len());
    }
}

/// `true` for a character between properties.
fn is_between(character: char) -> bool {
    character.is_whitespace() || character == ';'
}
