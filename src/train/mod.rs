//! Making an evaluation: what `outflank train` does.

pub mod fit;
pub mod probcut;
pub mod record;
