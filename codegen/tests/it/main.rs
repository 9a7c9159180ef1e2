//! The generator as its users meet it.

mod gather;
mod generator;
mod geometry;
mod mutants;
