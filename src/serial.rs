//! Serde implementations: squares and boards as text, games as an object.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::notation::{read_position, write_position};
use crate::{Board, Game, Ply, Side, Square};

impl Serialize for Square {
    /// Writes `"f5"`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{self:#}"))
    }
}

impl<'de> Deserialize<'de> for Square {
    /// Reads `"f5"` or `"F5"`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Square, D::Error> {
        parse(deserializer)
    }
}

impl Serialize for Board {
    /// Writes 64 squares A1 to H8 and the side to move, which is always black (`X`), since a board has no colours.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&write_position(*self, Side::Black))
    }
}

impl<'de> Deserialize<'de> for Board {
    /// Reads any text that [`str::parse`] accepts: 64 squares and the side to move.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Board, D::Error> {
        parse(deserializer)
    }
}

/// Parses a value from its text.
fn parse<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(Error::custom)
}

/// Serialized form of a game.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameFields {
    /// 64 squares and the side to move.
    start: String,
    /// Squares, and `null` for a pass.
    plies: Vec<Ply>,
}

impl Serialize for Game {
    /// Writes `{"start": "--- … X", "plies": ["f5", "d6", null]}`; `null` is a pass.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (board, side) = self.start();
        let fields = GameFields {
            start: write_position(board, side),
            plies: self.plies().to_vec(),
        };
        fields.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Game {
    /// Reads a game whose plies are legal. Forced passes may be missing.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Game, D::Error> {
        let GameFields { start, plies } = GameFields::deserialize(deserializer)?;
        let (board, side) = read_position(&start).map_err(Error::custom)?;
        let mut game = Game::from_start(board, side).map_err(Error::custom)?;
        for ply in plies {
            let played = match ply {
                Some(square) => game.play(square),
                None => game.pass(),
            };
            played.map_err(Error::custom)?;
        }
        Ok(game)
    }
}
