//! The C interface: what `include/outflank.h` declares, and cbindgen makes that file of.
//!
//! It is written for C, and `docs/guide/c.md` explains it. Rust programs have [`Engine`](outflank::Engine).
//!
//! - `board`: positions and the rules of the game; `engine`: an engine and what it is made of;
//! - `search`: how far it searches, and what it finds; `book`: opening books; `failure`: what goes wrong, and how that is told.
//!
//! Nothing panics into its caller: every function that could goes through `failure::guard`. Pointers
//! that are null and numbers that mean nothing are statuses. What cannot be seen from here, as a pointer
//! that leads nowhere, is the caller's to keep right, and each function says what.

mod board;
mod book;
mod engine;
mod failure;
mod search;

pub use board::{
    OUTFLANK_NONE, OUTFLANK_PASS, OutflankBoard, outflank_board_play, outflank_board_read,
    outflank_board_start, outflank_flip, outflank_legal_moves, outflank_ply_name,
};
pub use book::{
    OUTFLANK_MAX_MOVES, OutflankBook, OutflankBookMove, OutflankBookOptions, outflank_book_choose,
    outflank_book_destroy, outflank_book_moves, outflank_book_open,
};
pub use engine::{
    OutflankEngine, OutflankOptions, OutflankProgress, outflank_engine_clear,
    outflank_engine_destroy, outflank_engine_isa, outflank_engine_new, outflank_engine_resume,
    outflank_engine_search, outflank_engine_set_board, outflank_engine_stop,
};
pub use failure::{OutflankStatus, outflank_last_error};
pub use search::{
    OutflankBound, OutflankCandidate, OutflankLimits, OutflankResult, outflank_limits_depth,
    outflank_limits_exact, outflank_limits_level,
};

use std::ffi::c_char;

/// The version of the library: "0.1.0". The text is there for ever.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
