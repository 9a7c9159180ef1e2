//! Boards on one line of text, and the characters of discs and sides.

use std::borrow::Cow;

use super::compact;
use crate::{Board, Side, Square};

/// Square that a character stands for: `Some(None)` is an empty square, `None` is no square.
pub(super) fn disc(character: char) -> Option<Option<Side>> {
    match character {
        'X' | 'x' | '*' | 'B' | 'b' | '1' | '●' | '⚫' => Some(Some(Side::Black)),
        'O' | 'o' | 'W' | 'w' | '0' | '○' | '◯' | '〇' | '⚪' => Some(Some(Side::White)),
        '-' | '.' | '_' | '・' | '·' => Some(None),
        _ => None,
    }
}

/// Side whose disc a character stands for.
pub(super) fn side(character: char) -> Option<Side> {
    disc(character).flatten()
}

/// Side at the start of a text (`X`, `O`, `black`, `WHITE to move`), and its number of characters.
pub(super) fn leading_side(text: &str) -> Option<(Side, usize)> {
    let mut words =
        text.split(|next: char| next.is_whitespace() || matches!(next, ';' | ',' | '\''));
    let word = words.next().unwrap_or_default();
    let (side, begin) = if word.eq_ignore_ascii_case("black") {
        (Side::Black, word)
    } else if word.eq_ignore_ascii_case("white") {
        (Side::White, word)
    } else {
        let first = text.chars().next()?;
        (side(first)?, &text[..first.len_utf8()])
    };
    let rest = &text[begin.len()..];
    let blanks = rest.len() - rest.trim_start().len();
    let mut endings = ["to move", "to play", "'s turn", "turn"].into_iter();
    let ending = endings.find(|ending| {
        let after = rest[blanks..].get(..ending.len());
        after.is_some_and(|after| after.eq_ignore_ascii_case(ending))
    });
    let end = ending.map_or(0, |ending| blanks + ending.len());
    let characters = |text: &str| text.chars().count();
    Some((side, characters(begin) + characters(&rest[..end])))
}

/// Replaces full-width forms, which Japanese input methods write, by their ASCII characters. The number of characters
/// stays the same.
pub(super) fn half_width(text: &str) -> Cow<'_, str> {
    const SHIFT: u32 = 0xff01 - b'!' as u32;
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let half = |character: char| match character {
        '\u{3000}' => ' ',
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(character as u32 - SHIFT).expect("a character of ASCII")
        }
        other => other,
    };
    Cow::Owned(text.chars().map(half).collect())
}

/// Partly read board, black first.
#[derive(Clone, Copy, Default)]
pub(super) struct Squares {
    pub(super) black: u64,
    pub(super) white: u64,
    /// Number of squares so far. Squares behind the 64th are only counted.
    pub(super) count: usize,
    /// `true` if a black disc was written as `X`.
    has_x: bool,
    /// `true` if a black disc was written as `*`, which some boards use for legal moves.
    has_star: bool,
}

impl Squares {
    /// The squares of a whole board.
    pub(super) fn of(black: u64, white: u64) -> Squares {
        Squares {
            black,
            white,
            count: 64,
            ..Squares::default()
        }
    }

    /// Adds the square of a character. Returns `false` if the character is not a square.
    pub(super) fn add(&mut self, character: char) -> bool {
        let Some(disc) = disc(character) else {
            return false;
        };
        match disc {
            Some(Side::Black) if self.count < 64 => self.black |= 1 << self.count,
            Some(Side::White) if self.count < 64 => self.white |= 1 << self.count,
            _ => {}
        }
        if self.count < 64 {
            self.has_x |= matches!(character, 'X' | 'x');
            self.has_star |= character == '*';
        }
        self.count += 1;
        true
    }

    /// Squares at the start of a text, up to the first other character.
    pub(super) fn leading(text: &str) -> Squares {
        let mut squares = Squares::default();
        let _ = text.chars().take_while(|&next| squares.add(next)).count();
        squares
    }

    /// The board with black first.
    pub(super) fn board(self) -> Result<Board, BoardFault> {
        let board = Board {
            player: self.black,
            opponent: self.white,
        };
        if self.has_x && self.has_star {
            return Err(BoardFault::MovesMarked);
        }
        if let Some(square) = Square::all_in(board.player & board.opponent).next() {
            return Err(BoardFault::TwoDiscs(square));
        }
        check_board(board).map(|()| board)
    }
}

/// Checks that a board has discs, as readers of files do. A position for an exercise needs none in the centre.
pub fn check_board(board: Board) -> Result<(), BoardFault> {
    match board == Board::EMPTY {
        true => Err(BoardFault::NoDiscs),
        false => Ok(()),
    }
}

/// Reason why 64 squares are not a board of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoardFault {
    /// The board is empty.
    #[error("expected a board with discs, found an empty one")]
    NoDiscs,
    /// Two bitboards have the same square.
    #[error("expected each square to have one disc, found two on {0}")]
    TwoDiscs(Square),
    /// Both `X` and `*` occur, so `*` may be a black disc or mark a legal move.
    #[error("expected one sign for black's discs, found both X and *, which may mark legal moves")]
    MovesMarked,
}

/// A blank between squares, and in lines of OBF.
pub(super) fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

/// Fault of a line with fewer or more than 64 squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WrongCount {
    /// Number of squares.
    pub(super) squares: usize,
    /// Number of characters before the fault.
    pub(super) characters: usize,
}

/// Reads the 64 squares at the start of a line. Returns them and the number of characters read.
///
/// The squares are one word, eight words of eight squares, or 64 words of one. Blanks and `/` separate words. Any other
/// division is an error, since a square may be missing or doubled. The blank before the side to move is optional. The
/// spellings of [`compact`] are read, too.
pub(super) fn of_line(line: &str) -> Result<(Squares, usize), WrongCount> {
    if let Some(squares) = compact::leading(line) {
        return squares;
    }
    let is_between = |next: char| is_blank(next) || next == '/';
    let wrong = |squares, characters| WrongCount {
        squares,
        characters,
    };
    let first = Squares::leading(line);
    let width = match first.count {
        width @ (1 | 8) => width,
        64 => return Ok((first, 64)),
        count if count > 64 && is_side_alone(after(line, 64)) => return Ok((first, 64)),
        count => return Err(wrong(count, count.min(64))),
    };
    let (mut squares, mut at, mut rest) = (Squares::default(), 0, line);
    loop {
        let before = squares.count;
        let room = 64 - before;
        let word = rest
            .chars()
            .take(room)
            .take_while(|&next| squares.add(next))
            .count();
        rest = after(rest, word);
        at += word;
        if word != width {
            return Err(wrong(squares.count, at));
        }
        let behind = rest.trim_start_matches(is_between);
        let has_end = behind.len() < rest.len();
        if squares.count == 64 {
            let more = Squares::leading(rest).count;
            // Blanks behind the last square belong to the next field.
            let slashes = if rest.starts_with('/') {
                rest.len() - behind.len()
            } else {
                0
            };
            return match more == 0 || is_side_alone(rest) {
                true => Ok((squares, at + slashes)),
                false => Err(wrong(64 + more, at)),
            };
        }
        if !has_end {
            return Err(wrong(squares.count, at));
        }
        at += rest.len() - behind.len();
        rest = behind;
    }
}

/// Text behind the first `characters` characters.
pub(super) fn after(text: &str, characters: usize) -> &str {
    let end = text.char_indices().nth(characters);
    &text[end.map_or(text.len(), |(end, _)| end)..]
}

/// Returns `true` if a text begins with a side, and `;` or the end follows: `X;`, `black to move`.
pub(super) fn is_side_alone(text: &str) -> bool {
    leading_side(text).is_some_and(|(_, end)| {
        let behind = after(text, end).trim_start();
        behind.is_empty() || behind.starts_with(';')
    })
}
