//! Training of Outflank's evaluations: the library behind `outflank train`.
//!
//! - [`record`]: files of labelled positions; [`generate`]: labels positions of games.
//! - [`input`]: labelled positions of records, problems and games; [`score`]: errors of an evaluation on them.
//! - [`fit`]: linear weights; [`network`]: the corner network; [`probcut`]: the error model of selective search.
//! - [`search`]: minimax values of positions at a fixed depth.
//! - [`duel`]: games between two evaluations.
//!
//! File formats stay compatible between versions. This interface may change with every release.

mod checkpoint;
pub mod duel;
pub mod fit;
pub mod generate;
pub mod input;
mod linear_system;
pub mod network;
mod parallel;
pub mod probcut;
pub mod record;
pub mod score;
pub mod search;
