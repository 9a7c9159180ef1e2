//! The syntax of GGF and SGF: games of properties with values, and the faults in them.

use super::ParseMoveError;
use crate::IllegalMove;
use crate::notation::squares::BoardFault;
use crate::notation::truncated;
use outflank_support::text::plural;

/// Start of a game.
pub(super) const BEGIN: &str = "(;";

/// Fault of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GgfFault {
    /// The file ends within the game.
    #[error("expected ')' at the end of the game, found the end of the file")]
    NotClosed,
    /// The file ends within a value.
    #[error("expected ']' behind the value of {0}, found the end of the file")]
    ValueNotClosed(String),
    /// A property has no value.
    #[error("expected '[' and the value of {0}")]
    NoValue(String),
    /// A property is expected.
    #[error("expected a property (as in PB[name]), found {0:?}")]
    NotAProperty(String),
    /// The game is not Othello.
    #[error("expected a game of Othello, found {0:?}")]
    OtherGame(String),
    /// The board has another size.
    #[error("expected a board of 8x8 squares (BO[8 ...]), found {0:?}")]
    BoardSize(String),
    /// The board is not 64 squares and a side. The fields are the unexpected text and the number of squares before it.
    #[error("expected 64 squares (*, O or -) and the side to move, found {0:?} behind {squares}", squares = plural(.1, "square", "squares"))]
    Board(String, usize),
    /// The board is ambiguous, or no game can reach it.
    #[error(transparent)]
    Position(#[from] BoardFault),
    /// A position of SGF has no side to move.
    #[error("expected the side to move (PL[B] or PL[W]) with the board")]
    NoSide,
    /// A point of SGF is not a square.
    #[error("expected a square (A1 to H8, or aa to hh), found {0:?}")]
    Point(String),
    /// The board comes after another board or a move.
    #[error("expected one board (BO), before the first move")]
    LateBoard,
    /// A move cannot be read.
    #[error(transparent)]
    Move(#[from] ParseMoveError),
    /// A move is not legal.
    #[error(transparent)]
    IllegalMove(#[from] IllegalMove),
}

/// Byte offset in the text, and the fault there.
pub(super) type FaultAt = (usize, GgfFault);

/// Tokenizer of the properties of a game.
#[derive(Clone)]
pub(super) struct Tokens<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl Tokens<'_> {
    /// Reads the next property: the offset of its value, its name and its value. At the end of the game, consumes it
    /// and returns `None`.
    pub(super) fn next(&mut self) -> Result<Option<(usize, String, String)>, FaultAt> {
        self.skip(is_between);
        let rest = &self.text[self.at..];
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        if letters == 0 {
            return match rest.chars().next() {
                Some(')') => {
                    self.at += 1;
                    Ok(None)
                }
                Some(_) => Err((self.at, GgfFault::NotAProperty(truncated(rest)))),
                None => Err((self.at, GgfFault::NotClosed)),
            };
        }
        let name = rest[..letters].to_ascii_uppercase();
        self.at += letters;
        match self.next_value(&name)? {
            Some((begin, value)) => Ok(Some((begin, name, value))),
            None => Err((self.at, GgfFault::NoValue(truncated(&name)))),
        }
    }

    /// Reads another value of property `name`, with its offset. Returns `None` if there are no more.
    pub(super) fn next_value(&mut self, name: &str) -> Result<Option<(usize, String)>, FaultAt> {
        self.skip(char::is_whitespace);
        if !self.text[self.at..].starts_with('[') {
            return Ok(None);
        }
        self.at += 1;
        let begin = self.at;
        match self.value() {
            Some(value) => Ok(Some((begin, value))),
            None => Err((begin, GgfFault::ValueNotClosed(truncated(name)))),
        }
    }

    /// Consumes the next character if it is one of `wanted`. Blanks and `;` before it are skipped.
    pub(super) fn skip_one_of(&mut self, wanted: &[char]) -> Option<char> {
        self.skip(is_between);
        let next = self.text[self.at..].chars().next();
        let found = next.filter(|next| wanted.contains(next))?;
        self.at += found.len_utf8();
        Some(found)
    }

    /// Consumes a value and its `]`; `None` if the file ends first.
    fn value(&mut self) -> Option<String> {
        let mut value = String::new();
        let mut characters = self.text[self.at..].char_indices();
        while let Some((offset, character)) = characters.next() {
            match character {
                ']' => {
                    self.at += offset + 1;
                    return Some(value);
                }
                '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
                _ => value.push(character),
            }
        }
        // No other game can follow.
        self.at = self.text.len();
        None
    }

    fn skip(&mut self, is_skipped: impl Fn(char) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.find(|next| !is_skipped(next)).unwrap_or(rest.len());
    }
}

/// Returns `true` for a character between properties.
fn is_between(character: char) -> bool {
    character.is_whitespace() || character == ';'
}
