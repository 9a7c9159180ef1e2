//! Helpers for the tests of several crates.

pub mod command;
pub mod data;
pub mod models;
pub mod pages;
pub mod reference;
pub mod table;
