//! Tests of the public interface of the crate.

mod common;
mod edax;
mod egaroucid;
mod facts;
mod faults;
mod first_plies;
mod foreign;
mod graph;
mod learn;
mod lines;
mod manual;
mod part;
mod player;
mod size;
mod store;
