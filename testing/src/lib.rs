//! What the tests of several crates share.

pub mod command;
pub mod data;
pub mod models;
pub mod pages;
pub mod reference;
pub mod rng;
