//! Serde: boards, squares and games as people write them.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::notation::{position, read_position};
use crate::{Board, Game, Ply, Side, Square};

impl Serialize for Square {
    /// `"f5"`.
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
    /// 64 squares A1 to H8, `X` the mover's, and ` X`: the mover is black, since a board does not know.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&position(*self, Side::Black))
    }
}

impl<'de> Deserialize<'de> for Board {
    /// Reads what [`str::parse`] does: 64 squares and the side to move.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Board, D::Error> {
        parse(deserializer)
    }
}

/// Reads a value from its text.
fn parse<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(Error::custom)
}

/// A game as it is serialized.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Played {
    /// 64 squares and the side to move.
    start: String,
    /// Squares, and `null` for a pass.
    plies: Vec<Ply>,
}

impl Serialize for Game {
    /// `{"start": "--- … X", "plies": ["f5", "d6", null]}`: the 64 squares with the side to move, and
    /// what was played, `null` for a pass.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (board, side) = self.start();
        let played = Played {
            start: position(board, side),
            plies: self.plies().to_vec(),
        };
        played.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Game {
    /// Every ply must be legal; a pass that the rules demand may be missing.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Game, D::Error> {
        let Played { start, plies } = Played::deserialize(deserializer)?;
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
