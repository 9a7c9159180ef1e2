//! What the tests share.
#![allow(dead_code, reason = "every test takes its own part")]

pub(crate) mod command;
pub(crate) mod data;
pub(crate) mod dialogue;
pub(crate) mod matches;
pub(crate) mod picture;
pub(crate) mod reference;
pub(crate) mod rng;
#[cfg(unix)]
pub(crate) mod terminal;
