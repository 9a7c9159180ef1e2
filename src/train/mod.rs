//! Making an evaluation: what `outflank train` does.

pub mod probcut;
pub mod record;
