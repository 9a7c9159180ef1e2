//! A line as a command.

use std::num::IntErrorKind;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::notation::GameRecord;
use crate::notation::ggf::{self, GgfError, Move, ParseMoveError};
use crate::notation::shown;
use crate::protocol::lines::first_word;

/// What a line asks for.
#[derive(Debug)]
pub(super) enum Command {
    NBoard,
    /// A level.
    Depth(u32),
    Game(Box<GameRecord>),
    Move(Move),
    /// A number of moves, 1 or more.
    Hint(u32),
    Go,
    Ping(i64),
    Learn,
    Analyze,
    Stop,
    Quit,
    /// What there is no need to heed.
    Nothing,
}

/// Why a command cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    /// An argument that has to be a number is something else.
    #[error("{0} is followed by a number, not by {1:?}")]
    Number(&'static str, String),
    /// A number is too small, or what it counts cannot be counted.
    #[error("{command} is followed by a number of {things}, {least} or more, not by {found:?}")]
    Count {
        command: &'static str,
        things: &'static str,
        least: u32,
        found: String,
    },
    #[error(transparent)]
    Move(#[from] ParseMoveError),
    #[error("set game: {0}")]
    Game(#[from] GgfError),
    #[error("set game: expected a game in GGF, (;GM[Othello]...;)")]
    NoGame,
}

impl FromStr for Command {
    type Err = CommandError;

    fn from_str(line: &str) -> Result<Command, CommandError> {
        let (name, rest) = first_word(line);
        Ok(match name {
            "nboard" => Command::NBoard,
            "set" => setting(rest)?,
            "move" => Command::Move(first_word(rest).0.parse()?),
            "hint" => Command::Hint(count("hint", rest, "moves", 1..=64)?),
            "go" => Command::Go,
            "ping" => Command::Ping(number("ping", rest)?),
            "learn" => Command::Learn,
            "analyze" => Command::Analyze,
            "stop" => Command::Stop,
            "quit" => Command::Quit,
            _ => Command::Nothing,
        })
    }
}

/// What stands behind `set`.
fn setting(text: &str) -> Result<Command, CommandError> {
    let (name, value) = first_word(text);
    Ok(match name {
        "depth" => Command::Depth(count("set depth", value, "plies", 0..=60)?),
        "game" => {
            let mut games = ggf::read(value.as_bytes());
            let game = games.next().ok_or(CommandError::NoGame)??;
            Command::Game(Box::new(game.record))
        }
        _ => Command::Nothing,
    })
}

/// A number of things that is all of a text. What is over the range counts as its end, since programs ask
/// for "as many as there are" by any large number; what is under it is an error.
fn count(
    command: &'static str,
    text: &str,
    things: &'static str,
    range: RangeInclusive<u32>,
) -> Result<u32, CommandError> {
    let (least, most) = (*range.start(), *range.end());
    match text.parse::<i64>() {
        Ok(count) if count >= least.into() => Ok(count.min(most.into()) as u32),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => Ok(most),
        _ => Err(CommandError::Count {
            command,
            things,
            least,
            found: shown(text),
        }),
    }
}

fn number(command: &'static str, text: &str) -> Result<i64, CommandError> {
    let word = first_word(text).0;
    word.parse()
        .map_err(|_| CommandError::Number(command, shown(word)))
}
