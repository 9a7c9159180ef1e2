//! Proofs that the machine code of the kernels does what their specifications say, for every board.
#![warn(missing_docs)]

pub mod batch;
pub mod cache;
pub mod machine;
pub mod prove;
pub mod replay;
pub mod solver;
pub mod spec;
pub mod steps;
pub mod term;
