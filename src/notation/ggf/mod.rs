//! GGF, the Generic Game Format of GGS, NBoard and others.
//!
//! ```text
//! (;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[15:00]TY[8]BO[8 -------- ... *]B[F5/1.50/0.2]W[F6];)
//! ```
//!
//! - `BO` is the size of the board, the starting position and the side to move. It is optional.
//! - `B` and `W` are moves, or `PA` for a pass, with an optional evaluation and thinking time in seconds. Forced passes are
//!   optional; passes at the end of the game are dropped.
//! - All other properties are kept as text ([`GameRecord::property`]).
//! - In a value, `\]` and `\\` stand for `]` and `\`. Text outside `(;` and `)` is ignored.
//!
//! SGF, the format of Go programs, has the same syntax. The main line of Othello games (`GM[2]`) is read: set-up stones
//! (`AB`, `AW`, `PL`), squares as `f5` or `fe`, players, place, date and result.
//!
//! Sources: M. Buro, "The Generic Game Format", and files of GGS; A. Hollosi, "SGF File Format", version 4.

mod read;
mod sgf;
mod tokens;

use std::fmt;
use std::str::FromStr;

use super::{GameRecord, Note, is_pass, truncated};
use crate::{Ply, Side};

pub use read::{GgfError, read};
pub(super) use sgf::is_sgf;
pub use tokens::GgfFault;

/// Side of the properties `B` and `W`.
fn mover(name: &str) -> Side {
    match name {
        "B" => Side::Black,
        _ => Side::White,
    }
}

/// A ply with its note, as GGF and the NBoard protocol write it: `F5`, `F5/1.50/0.2`, `F5//0.2`, `PA`.
///
/// ```
/// use outflank::notation::ggf::GgfMove;
///
/// let played: GgfMove = "f5/-2.5/".parse()?;
/// assert_eq!((played.note.eval, played.note.seconds), (Some(-2.5), None));
/// assert_eq!(played.to_string(), "F5/-2.5");
/// assert_eq!("PASS".parse::<GgfMove>()?.to_string(), "PA");
/// assert!("F5/good".parse::<GgfMove>().is_err());
/// # Ok::<(), outflank::notation::ggf::ParseMoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GgfMove {
    /// Move or pass.
    pub ply: Ply,
    /// Evaluation and time.
    pub note: Note,
}

/// Reason why a text is not a move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseMoveError {
    /// The name is neither a square nor a pass.
    #[error("expected a move (A1 to H8, or PA), found {0:?}")]
    Name(String),
    /// The evaluation or the time is not a finite number.
    #[error("expected a number (as in F5/1.50/0.2), found {0:?}")]
    Number(String),
}

impl FromStr for GgfMove {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<GgfMove, ParseMoveError> {
        let mut parts = text.split('/').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let ply = match name.parse() {
            Ok(square) => Some(square),
            Err(_) if is_pass(name) => None,
            Err(_) => return Err(ParseMoveError::Name(truncated(name))),
        };
        let mut number = || match parts.next() {
            None | Some("") => Ok(None),
            Some(number) => match number.parse::<f64>() {
                Ok(finite) if finite.is_finite() => Ok(Some(finite)),
                _ => Err(ParseMoveError::Number(truncated(number))),
            },
        };
        let note = Note {
            eval: number()?,
            seconds: number()?,
        };
        Ok(GgfMove { ply, note })
    }
}

impl fmt::Display for GgfMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ply {
            Some(square) => write!(f, "{square}")?,
            None => f.write_str("PA")?,
        }
        match self.note.eval {
            Some(eval) => write!(f, "/{eval}")?,
            None if self.note.seconds.is_some() => f.write_str("/")?,
            None => {}
        }
        match self.note.seconds {
            Some(seconds) => write!(f, "/{seconds}"),
            None => Ok(()),
        }
    }
}

/// Formats a game, without a line end. Properties keep their order; the board and the moves come last.
///
/// ```
/// use outflank::{Game, notation::{GameRecord, ggf}};
///
/// let mut record = GameRecord::new(Game::from_moves(&["F5".parse()?])?);
/// record.set("PB", "[a]")?;
/// let text = ggf::write(&record);
/// assert!(text.starts_with(r"(;GM[Othello]PB[[a\]]BO[8 ---") && text.ends_with(" *]B[F5];)"));
/// assert_eq!(ggf::read(text.as_bytes()).next().unwrap()?.record.property("PB"), Some("[a]"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(record: &GameRecord) -> String {
    let mut text = String::from("(;GM[Othello]");
    for (name, value) in record.properties() {
        let value = value.replace('\\', r"\\").replace(']', r"\]");
        text += &format!("{name}[{value}]");
    }
    let (board, side) = record.game.start();
    let black_first = side.black_first(board).to_string();
    let letter = |side| if side == Side::Black { '*' } else { 'O' };
    text += &format!("BO[8 {} {}]", black_first.replace('X', "*"), letter(side));
    let positions = record.game.positions().iter();
    for ((ply, note), &(_, side)) in record.noted_plies().zip(positions) {
        let name = if side == Side::Black { 'B' } else { 'W' };
        text += &format!("{name}[{}]", GgfMove { ply, note });
    }
    text + ";)"
}
