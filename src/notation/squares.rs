//! The 64 squares of a board as characters.

use std::str::FromStr;

use crate::{Board, Side, Square};

/// The disc that a character stands for, `Some(None)` for an empty square.
pub(super) fn disc(character: char) -> Option<Option<Side>> {
    match character {
        'X' | 'x' | '*' | 'B' | 'b' => Some(Some(Side::Black)),
        'O' | 'o' | 'W' | 'w' => Some(Some(Side::White)),
        '-' | '.' => Some(None),
        _ => None,
    }
}

/// The side that a character stands for.
pub(super) fn side(character: char) -> Option<Side> {
    disc(character).flatten()
}

/// The squares that a text begins with, A1 to H8, as a board with black first, and how many there are.
/// Those behind the 64th are only counted.
pub(super) fn leading(text: impl Iterator<Item = char>) -> (Board, usize) {
    let mut board = Board {
        player: 0,
        opponent: 0,
    };
    let mut count = 0;
    for disc in text.map_while(disc) {
        match disc {
            Some(Side::Black) if count < 64 => board.player |= 1 << count,
            Some(Side::White) if count < 64 => board.opponent |= 1 << count,
            _ => {}
        }
        count += 1;
    }
    (board, count)
}

/// A square of the centre that is empty, which no game can reach.
pub(super) fn empty_centre(board: Board) -> Option<Square> {
    let centre = Board::START.player | Board::START.opponent;
    Square::all_in(centre & board.empties()).next()
}

/// A text that is no board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseBoardError {
    /// There are more or fewer squares.
    #[error("expected 64 squares (X, O or -), found {0}")]
    Squares(usize),
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

/// Reads a position as [`position`] has it: the board with the mover first, and the side to move.
pub fn read_position(text: &str) -> Result<(Board, Side), ParseBoardError> {
    let mut words = text.split_whitespace();
    let squares = words.next().unwrap_or_default();
    let (board, count) = leading(squares.chars());
    if count != 64 || squares.len() != 64 {
        return Err(ParseBoardError::Squares(count));
    }
    let rest = words.collect::<Vec<_>>().join(" ");
    let side = match rest.len() {
        0 => Some(Side::Black),
        1 => rest.chars().next().and_then(side),
        _ => None,
    };
    side.map(|side| (side.black_first(board), side))
        .ok_or_else(|| ParseBoardError::Side(super::shown(&rest)))
}

impl FromStr for Board {
    type Err = ParseBoardError;

    /// Reads the 64 squares A1 to H8 (`X`, `*`, `b` black; `O`, `w` white; `-`, `.` empty) and, after
    /// a blank, the side to move (`X` or `O`). Without it black is to move: what [`Board`] displays
    /// reads back.
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
