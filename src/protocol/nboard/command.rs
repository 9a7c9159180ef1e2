//! A line as a command.

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
            "hint" => Command::Hint(number("hint", rest)?.clamp(1, 64) as u32),
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
        "depth" => Command::Depth(number("set depth", value)?.clamp(0, 60) as u32),
        "game" => {
            let mut games = ggf::read(value.as_bytes());
            let game = games.next().ok_or(CommandError::NoGame)??;
            Command::Game(Box::new(game.record))
        }
        _ => Command::Nothing,
    })
}

fn number(command: &'static str, text: &str) -> Result<i64, CommandError> {
    let word = first_word(text).0;
    word.parse()
        .map_err(|_| CommandError::Number(command, shown(word)))
}
