//! Parser of NBoard's command lines.

use std::num::IntErrorKind;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::notation::GameRecord;
use crate::notation::ggf::{self, GgfError, GgfMove, ParseMoveError};
use crate::notation::truncated;
use outflank_support::lines::first_word;

#[derive(Debug)]
pub(super) enum Command {
    NBoard,
    /// Level, 0 to 60.
    Depth(u32),
    Game(Box<GameRecord>),
    Move(GgfMove),
    /// Number of moves, 1 to 64.
    Hint(u32),
    Go,
    Ping(i64),
    Learn,
    Analyze,
    Stop,
    Quit,
    /// Unknown or irrelevant line.
    Ignored,
}

/// Error of a malformed command.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error("{0} is followed by a number, not by {1:?}")]
    Number(&'static str, String),
    /// The argument is not a number, or it is less than `least`.
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

impl Command {
    /// Returns `true` for commands that change the position or begin a search.
    pub(super) fn cancels_search(&self) -> bool {
        use Command::{Analyze, Game, Go, Hint, Move};
        matches!(self, Game(_) | Move(_) | Hint(_) | Go | Analyze)
    }
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
            _ => Command::Ignored,
        })
    }
}

/// Parses the text behind `set`.
fn setting(text: &str) -> Result<Command, CommandError> {
    let (name, value) = first_word(text);
    Ok(match name {
        "depth" => Command::Depth(count("set depth", value, "plies", 0..=60)?),
        "game" => {
            let mut games = ggf::read(value.as_bytes());
            let game = games.next().ok_or(CommandError::NoGame)??;
            Command::Game(Box::new(game.record))
        }
        _ => Command::Ignored,
    })
}

/// Parses a count. Numbers over the range are clamped, since programs ask for "all" by any large number. Numbers below
/// the range are errors.
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
            found: truncated(text),
        }),
    }
}

fn number(command: &'static str, text: &str) -> Result<i64, CommandError> {
    let word = first_word(text).0;
    word.parse()
        .map_err(|_| CommandError::Number(command, truncated(word)))
}
