//! Games of the server Othello Quest: one or more values of JSON.
//!
//! ```text
//! {"args": [{"players": [{"id": "b"}, {"id": "w"}], "created": "2024-01-01T…",
//!            "position": {"moves": [{"t": 1, "m": "e6"}, …]}}]}
//! ```
//!
//! `t` is the time of a move in milliseconds. A value is a game, a list of games, or a message with games in `args`.

use serde_json::{Deserializer, Value};

use super::{GameRecord, LocatedGame, Note, is_pass, one_line, truncated, without_bom};
use crate::IllegalMove;

/// Error of a value without a game, or of a faulty game. Numbers without a name are lines of the file, from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QuestError {
    /// The text is not JSON.
    #[error("{line}:{column}: expected JSON: {message}")]
    Json {
        /// Line of the file, from 1.
        line: usize,
        /// Byte of the line, from 1.
        column: usize,
        /// Message of the JSON reader.
        message: String,
    },
    /// The value has no game.
    #[error("{0}: expected a game of Othello Quest (position.moves)")]
    NoGame(usize),
    /// The game is not Othello.
    #[error("{0}: expected a game of Othello (reversi), found {1:?}")]
    OtherGame(usize, String),
    /// A move cannot be read.
    #[error("{0}: expected a move (A1 to H8, or a pass), found {1:?}")]
    NotAMove(usize, String),
    /// A move is not legal.
    #[error("{0}: {1}")]
    IllegalMove(usize, IllegalMove),
}

/// Returns `true` if a file begins with a JSON list or object.
pub(super) fn begins_json(file: &[u8]) -> bool {
    let text = without_bom(file).trim_ascii_start();
    let first = |text: &[u8]| text.first().copied();
    match first(text) {
        Some(b'{') => first(text[1..].trim_ascii_start()).is_some_and(|next| next == b'"'),
        Some(b'[') => {
            first(text[1..].trim_ascii_start()).is_some_and(|next| matches!(next, b'{' | b'['))
        }
        _ => false,
    }
}

/// Reads the games of a file, each with the first line of its value.
pub(super) fn read(file: &[u8]) -> impl Iterator<Item = Result<LocatedGame, QuestError>> {
    let file = without_bom(file);
    let mut values = Deserializer::from_slice(file).into_iter::<Value>();
    let (mut line, mut at) = (1, 0);
    std::iter::from_fn(move || {
        let value = values.next()?;
        let begin = file.len() - file[at..].trim_ascii_start().len();
        line += line_ends(&file[at..begin]);
        let value_line = line;
        at = values.byte_offset().clamp(begin, file.len());
        line += line_ends(&file[begin..at]);
        Some((value_line, value))
    })
    .flat_map(|(line, value)| match value {
        Ok(value) => located_games(&value, line),
        Err(error) => vec![Err(json_error(&error))],
    })
}

/// Games in a value that begins on `line`; an error if there are none.
fn located_games(value: &Value, line: usize) -> Vec<Result<LocatedGame, QuestError>> {
    let mut games = Vec::new();
    collect_games(value, &mut games);
    let located = |game| record(game, line).map(|record| LocatedGame { line, record });
    match games.is_empty() {
        true => vec![Err(QuestError::NoGame(line))],
        false => games.into_iter().map(located).collect(),
    }
}

fn json_error(error: &serde_json::Error) -> QuestError {
    let text = error.to_string();
    let message = text.split(" at line ").next().unwrap_or_default();
    QuestError::Json {
        line: error.line(),
        column: error.column(),
        message: message.to_owned(),
    }
}

fn line_ends(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte == b'\n').count()
}

/// Collects the games in a value, its lists and its `args`.
fn collect_games<'a>(value: &'a Value, games: &mut Vec<&'a Value>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect_games(value, games)),
        Value::Object(_) if value["position"]["moves"].is_array() => games.push(value),
        Value::Object(_) => collect_games(&value["args"], games),
        _ => {}
    }
}

/// Reads the game of a value that begins on `line`.
fn record(game: &Value, line: usize) -> Result<GameRecord, QuestError> {
    if let Some(kind) = game["gtype"].as_str()
        && !kind.starts_with("reversi")
    {
        return Err(QuestError::OtherGame(line, truncated(kind)));
    }
    let mut record = GameRecord::default();
    let date = game["created"].as_str().and_then(|date| date.get(..10));
    let player = |index: usize| {
        let player = &game["players"][index];
        player["name"].as_str().or(player["id"].as_str())
    };
    let rating = |index: usize| {
        let rating = game["players"][index]["oldR"].as_f64();
        rating.map(|rating| rating.to_string())
    };
    for (name, value) in [
        ("DT", date.map(|date| date.replace('-', "."))),
        ("PB", player(0).map(one_line)),
        ("PW", player(1).map(one_line)),
        ("RB", rating(0)),
        ("RW", rating(1)),
    ] {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            record.set(name, &value).expect("the name is valid");
        }
    }
    for played in game["position"]["moves"].as_array().into_iter().flatten() {
        let name = played["m"].as_str().unwrap_or_default();
        match name.parse() {
            Ok(square) => record.game.play(square),
            // Passes are skipped, since they follow from the rules.
            Err(_) if is_pass(name) || name == "-" => continue,
            Err(_) => return Err(QuestError::NotAMove(line, truncated(name))),
        }
        .map_err(|illegal| QuestError::IllegalMove(line, illegal))?;
        let milliseconds = played["t"].as_f64();
        record.note_last_ply(Note {
            eval: None,
            seconds: milliseconds.map(|time| time / 1000.0),
        });
    }
    Ok(record)
}
