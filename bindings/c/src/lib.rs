//! C interface of the library. cbindgen writes `include/outflank.h` from it.
//!
//! `docs/guide/c.md` explains it to C programmers. Rust programs use [`Engine`](outflank::Engine).
//!
//! - `board`: positions and the rules of the game.
//! - `engine`: engines and their options.
//! - `search`: limits and results of a search.
//!
//! - `analysis`: losses of the moves of a game, and static values.
//! - `game`: games and their files.
//! - `book`: opening books.
//!
//! - `failure` and `message`: statuses and messages.
//! - `pointer`: access to memory of the caller.
//!
//! No panic reaches the caller: every function that could panic runs in `failure::guard`. A null pointer or an invalid
//! number is reported as a status. The caller guarantees the rest, such as pointers to valid memory. The Safety section
//! of each function lists these conditions.

mod analysis;
mod board;
mod book;
mod engine;
mod failure;
mod game;
mod message;
mod pointer;
mod search;

pub use analysis::*;
pub use board::*;
pub use book::*;
pub use engine::*;
pub use failure::*;
pub use game::*;
pub use search::*;

use std::ffi::c_char;

/// Returns the version of the library: "0.1.0". The string is static: it is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Returns the version of the library as one number, for comparisons with OUTFLANK_VERSION_NUMBER of the header.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_version_number() -> u32 {
    const VERSION: u32 = number(env!("CARGO_PKG_VERSION_MAJOR")) * 1_000_000
        + number(env!("CARGO_PKG_VERSION_MINOR")) * 1_000
        + number(env!("CARGO_PKG_VERSION_PATCH"));
    VERSION
}

/// Parses digits at compile time.
const fn number(digits: &str) -> u32 {
    match u32::from_str_radix(digits, 10) {
        Ok(number) => number,
        Err(_) => panic!("a version has numbers"),
    }
}
