//! Shared fixtures of the tests.

pub(crate) mod dialogue;
pub(crate) mod inputs;
pub(crate) mod matches;
pub(crate) mod picture;
pub(crate) mod program;
#[cfg(unix)]
pub(crate) mod terminal;
pub(crate) mod text;
