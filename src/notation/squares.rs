//! Boards as text on one line, and the characters of discs and sides.

use std::borrow::Cow;
use std::str::FromStr;

use crate::{Board, Side, Square};

/// The disc that a character stands for, `Some(None)` for an empty square.
pub(super) fn disc(character: char) -> Option<Option<Side>> {
    match character {
        'X' | 'x' | '*' | 'B' | 'b' | '1' | '●' | '⚫' => Some(Some(Side::Black)),
        'O' | 'o' | 'W' | 'w' | '0' | '○' | '◯' | '〇' | '⚪' => Some(Some(Side::White)),
        '-' | '.' | '_' | '・' | '·' => Some(None),
        _ => None,
    }
}

/// The side that a character stands for.
pub(super) fn side(character: char) -> Option<Side> {
    disc(character).flatten()
}

/// The side that a text begins with, and the number of characters that say so: `X`, `O`, `black`, `WHITE to move`.
pub(super) fn leading_side(text: &str) -> Option<(Side, usize)> {
    let mut words = text.split(|end: char| end.is_whitespace() || matches!(end, ';' | ',' | '\''));
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
    let ending = ["to move", "to play", "'s turn", "turn"]
        .into_iter()
        .find(|ending| {
            let after = rest[blanks..].get(..ending.len());
            after.is_some_and(|after| after.eq_ignore_ascii_case(ending))
        });
    let end = ending.map_or(0, |ending| blanks + ending.len());
    let characters = |text: &str| text.chars().count();
    Some((side, characters(begin) + characters(&rest[..end])))
}

/// `text` with ASCII characters in place of their full-width forms, as Japanese input methods write them.
/// The number of characters stays as it is.
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

/// The discs of a board that is being read, black first.
#[derive(Clone, Copy, Default)]
pub(super) struct Squares {
    /// Black's discs.
    black: u64,
    /// White's discs.
    white: u64,
    /// The squares so far; only the first 64 have discs.
    pub(super) count: usize,
    /// Black's discs were written as `X`.
    has_x: bool,
    /// Black's discs were written as `*`, which other boards use for legal moves.
    has_star: bool,
}

impl Squares {
    /// Adds the square that a character stands for; `false` where it stands for none.
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

    /// The squares that a text begins with, without anything between them.
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
        if board.empties() == u64::MAX {
            return Err(BoardFault::NoDiscs);
        }
        let centre = Board::START.player | Board::START.opponent;
        match Square::all_in(centre & board.empties()).next() {
            Some(square) => Err(BoardFault::EmptyCentre(square)),
            None => Ok(board),
        }
    }
}

/// Reasons why 64 squares are no board of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoardFault {
    /// The board is empty.
    #[error("expected a board with discs, found an empty one")]
    NoDiscs,
    /// One of D4, E4, D5, E5 is empty, which no game can reach.
    #[error("expected a disc on {0}, where every game has one, found an empty square")]
    EmptyCentre(Square),
    /// Black's discs are `X`, and `*` is there, too: a disc or a mark of a legal move.
    #[error("expected one sign for black's discs, found both X and *, which may mark legal moves")]
    MovesMarked,
}

/// A blank between squares, and in lines of OBF.
pub(super) fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

/// A place in a line that has fewer or more than 64 squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WrongCount {
    /// The squares up to there.
    pub(super) squares: usize,
    /// The characters up to there.
    pub(super) characters: usize,
}

/// Reads the 64 squares at the start of a line. Returns them and the number of characters read.
///
/// The squares stand in one word, in eight words of eight, or in 64 words of one. Blanks and `/` separate words.
/// Any other division is refused, since a square may be missing or there twice. The blank before the side to
/// move may be missing.
pub(super) fn of_line(line: &str) -> Result<(Squares, usize), WrongCount> {
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
            // Blanks behind the last square belong to what follows.
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

/// The text behind so many characters.
fn after(text: &str, characters: usize) -> &str {
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

/// A text that is no board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseBoardError {
    /// There are more or fewer squares.
    #[error("expected 64 squares (X, O or -), found {0}")]
    Squares(usize),
    /// Black's discs are `X`, and `*` is there, too.
    #[error(transparent)]
    Board(BoardFault),
    /// Something other than a side follows on the squares.
    #[error("expected the side to move (X or O) behind the squares, found {0:?}")]
    Side(String),
}

/// A position as a text: the 64 squares, `X` black's, and the side to move.
///
/// ```
/// use outflank::notation::{position, read_position};
/// use outflank::{Board, Side};
///
/// let text = position(Board::START, Side::White);
/// assert!(text.ends_with(" O"));
/// assert_eq!(read_position(&text), Ok((Board::START, Side::White)));
/// ```
pub fn position(board: Board, side: Side) -> String {
    format!("{} {}", side.black_first(board), side.letter())
}

/// Reads a position: the board with the mover first, and the side to move, black where the text has none.
///
/// Every spelling of OBF is read, on one line or as eight rows ([`obf`](super::obf)). Boards that no game can
/// reach are read, too.
///
/// ```
/// use outflank::notation::read_position;
/// use outflank::{Board, Side};
///
/// let rows = "--------\n--------\n--------\n---OX---\n---XO---\n--------\n--------\n--------\nwhite to move";
/// assert_eq!(read_position(rows), Ok((Board::START.pass(), Side::White)));
/// ```
pub fn read_position(text: &str) -> Result<(Board, Side), ParseBoardError> {
    let text = half_width(text);
    let text = text.trim();
    let (squares, rest) = match super::printed::read(text) {
        Some(found) => found,
        None => {
            let (squares, end) =
                of_line(text).map_err(|wrong| ParseBoardError::Squares(wrong.squares))?;
            (squares, after(text, end))
        }
    };
    if let Err(fault @ BoardFault::MovesMarked) = squares.board() {
        return Err(ParseBoardError::Board(fault));
    }
    let rest = rest.trim().trim_end_matches(';').trim_end();
    let side = match rest.is_empty() {
        true => Some(Side::Black),
        false => leading_side(rest)
            .filter(|&(_, end)| end == rest.chars().count())
            .map(|(side, _)| side),
    };
    let side = side.ok_or_else(|| ParseBoardError::Side(super::shown(rest)))?;
    let board = Board {
        player: squares.black,
        opponent: squares.white,
    };
    Ok((side.black_first(board), side))
}

impl FromStr for Board {
    type Err = ParseBoardError;

    /// Reads a position as [`read_position`] does, and forgets the side: what [`Board`] displays reads back.
    ///
    /// ```
    /// use outflank::Board;
    ///
    /// let squares = "---------------------------OX------XO---------------------------";
    /// assert_eq!(squares.parse(), Ok(Board::START));
    /// assert_eq!(format!("{squares} O").parse(), Ok(Board::START.pass()));
    /// assert!("--".parse::<Board>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Board, ParseBoardError> {
        read_position(text).map(|(board, _)| board)
    }
}
