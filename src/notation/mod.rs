//! Reading and writing positions and games in the formats of the field.

pub mod obf;
mod replay;
mod side;
pub mod transcript;
pub mod wthor;

pub use replay::{IllegalMove, replay, step};
pub use side::Side;

use crate::Ply;

/// How a pass is written where a move could stand.
pub const PASS: &str = "PS";

/// The name of a ply: `F5` for a move, [`PASS`] for a pass.
pub fn ply_name(ply: Ply) -> String {
    ply.map_or_else(|| PASS.to_owned(), |square| square.to_string())
}
