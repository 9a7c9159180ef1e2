//! Tests of the generator's library and program.

mod gather;
mod generator;
mod geometry;
mod guide;
mod mutants;
