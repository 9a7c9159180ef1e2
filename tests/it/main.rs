//! Tests of the public library and of the documentation.

mod common;
mod dependencies;
mod documentation;
mod edax_weights;
mod engine;
mod facts;
mod ffo;
mod game;
mod ggf;
mod limits;
mod lines;
mod notation;
mod obf;
mod problems;
mod reference_solver;
mod serde;
mod spellings;
mod static_values;
mod symmetry;
mod threads;
mod wthor;
mod wthor_24;
