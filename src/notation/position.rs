//! Positions as text: the squares and the side to move.

use std::str::FromStr;

use super::printed;
use super::squares::{BoardFault, after, half_width, leading_side, of_line};
use crate::{Board, Side};

/// Reason why a text is not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseBoardError {
    /// The text has fewer or more than 64 squares.
    #[error("expected 64 squares (X, O or -), found {0}")]
    Squares(usize),
    /// Both `X` and `*` occur, or a square has two discs.
    #[error(transparent)]
    Board(BoardFault),
    /// The text behind the squares is not a side.
    #[error("expected the side to move (X or O) behind the squares, found {0:?}")]
    Side(String),
}

/// Formats a position: 64 squares with `X` for black, and the side to move.
///
/// ```
/// use outflank::notation::{write_position, read_position};
/// use outflank::{Board, Side};
///
/// let text = write_position(Board::START, Side::White);
/// assert!(text.ends_with(" O"));
/// assert_eq!(read_position(&text), Ok((Board::START, Side::White)));
/// ```
pub fn write_position(board: Board, side: Side) -> String {
    format!("{} {}", side.black_first(board), side.letter())
}

/// Parses a position. Returns the board, mover first, and the side to move. A text without a side has black to move.
///
/// Accepts all spellings of [OBF](super::obf) and [`Spelling`](super::Spelling), on one line or in eight rows. Boards that no game can reach are
/// accepted, too.
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
    let (squares, rest) = match printed::read(text) {
        Some(found) => found,
        None => {
            let (squares, end) =
                of_line(text).map_err(|wrong| ParseBoardError::Squares(wrong.squares))?;
            (squares, after(text, end))
        }
    };
    if let Err(fault @ (BoardFault::MovesMarked | BoardFault::TwoDiscs(_))) = squares.board() {
        return Err(ParseBoardError::Board(fault));
    }
    let rest = rest.trim().trim_end_matches(';').trim_end();
    let side = match rest.is_empty() {
        true => Some(Side::Black),
        false => leading_side(rest)
            .filter(|&(_, end)| end == rest.chars().count())
            .map(|(side, _)| side),
    };
    let side = side.ok_or_else(|| ParseBoardError::Side(super::truncated(rest)))?;
    let board = Board {
        player: squares.black,
        opponent: squares.white,
    };
    Ok((side.black_first(board), side))
}

impl FromStr for Board {
    type Err = ParseBoardError;

    /// Parses a position as [`read_position`] does and drops the side. Accepts the text that [`Board`] displays.
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
