//! Books, as programs that use the crate meet them.

mod common;
mod edax;
mod faults;
mod graph;
mod learn;
mod player;
mod size;
mod store;
