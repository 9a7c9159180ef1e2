//! Making an evaluation: what `outflank train` does.

pub mod duel;
pub mod fit;
pub mod generate;
pub mod input;
pub mod openings;
pub mod probcut;
pub mod record;
pub mod score;
