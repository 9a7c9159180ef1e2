//! Proofs that the machine code of the kernels does what their specifications say, for every board.
#![warn(missing_docs)]

pub mod batch;
pub mod cache;
mod cut_points;
pub mod machine;
pub mod prove;
mod queries;
pub mod replay;
pub mod solver;
pub mod spec;
pub mod term;
