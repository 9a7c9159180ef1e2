//! Proofs that the machine code of the kernels does what their specifications say, for every board.
#![warn(missing_docs)]

pub mod batch;
pub mod cache;
mod cut;
mod cut_points;
mod loops;
pub mod machine;
mod outcome;
pub mod prove;
mod queries;
pub mod replay;
pub mod report;
pub mod solver;
pub mod spec;
pub mod stages;
pub mod term;
