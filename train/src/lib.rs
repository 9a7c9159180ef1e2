//! Makes evaluations for Outflank: what `outflank train` does.
//!
//! - [`record`]: files of positions with their values; [`generate`]: makes them from games.
//! - [`input`]: positions of records, problems and games; [`score`]: how far an evaluation is from them.
//! - [`fit`]: weights from records; [`probcut`]: the error model of selective search from records.
//! - [`network`]: the corner network from records.
//! - [`duel`]: games between two evaluations.
//!
//! The formats of files are kept from version to version; this interface may change with every release.

mod checkpoint;
pub mod duel;
pub mod fit;
pub mod generate;
pub mod input;
pub mod network;
pub mod probcut;
pub mod record;
pub mod score;
mod threads;
