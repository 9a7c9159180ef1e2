//! The C interface: what `include/outflank.h` declares, and cbindgen makes that file of.
//!
//! It is written for C, and `docs/guide/c.md` explains it. Rust programs have [`Engine`](outflank::Engine).
//!
//! - `board`: positions and the rules of the game; `engine`: an engine and what it is made of;
//! - `search`: limits and results of a search; `analysis`: losses of the moves of a game; `game`: games and their files;
//! - `book`: opening books; `failure`: statuses and messages; `text`: memory for texts.
//!
//! Nothing panics into its caller: every function that could goes through `failure::guard`. Pointers
//! that are null and numbers that mean nothing are statuses. What cannot be seen from here, as a pointer
//! that leads nowhere, is the caller's to keep right, and each function says what.

mod analysis;
mod board;
mod book;
mod engine;
mod failure;
mod game;
mod search;
mod text;

pub use analysis::{
    OutflankJudged, OutflankJudgement, OutflankMark, OutflankStrength, outflank_engine_analyze,
    outflank_engine_static_value, outflank_strength_depth, outflank_strength_level,
};
pub use board::{
    OUTFLANK_NONE, OUTFLANK_PASS, OutflankBoard, outflank_board_play, outflank_board_read,
    outflank_board_start, outflank_flip, outflank_legal_moves, outflank_ply_name,
};
pub use book::{
    OUTFLANK_MAX_MOVES, OutflankBook, OutflankBookMove, OutflankBookOptions, outflank_book_choose,
    outflank_book_destroy, outflank_book_moves, outflank_book_open,
};
pub use engine::{
    OUTFLANK_DEFAULT_HASH_MIB, OutflankEngine, OutflankOptions, OutflankProgress,
    outflank_engine_clear, outflank_engine_destroy, outflank_engine_isa, outflank_engine_new,
    outflank_engine_resume, outflank_engine_search, outflank_engine_set_board,
    outflank_engine_stop,
};
pub use failure::{OutflankStatus, outflank_last_error};
pub use game::{
    OUTFLANK_BLACK, OUTFLANK_MAX_PLIES, OUTFLANK_WHITE, OutflankGame, OutflankGames,
    outflank_game_destroy, outflank_game_new, outflank_game_play, outflank_game_plies,
    outflank_game_position, outflank_game_property, outflank_game_read, outflank_game_score,
    outflank_game_set_property, outflank_game_undo, outflank_game_write_ggf,
    outflank_game_write_transcript, outflank_games_destroy, outflank_games_get,
    outflank_games_read,
};
pub use search::{
    OutflankBound, OutflankCandidate, OutflankLimits, OutflankResult, outflank_limits_depth,
    outflank_limits_exact, outflank_limits_level,
};

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

/// Converts digits to a number.
const fn number(digits: &str) -> u32 {
    match u32::from_str_radix(digits, 10) {
        Ok(number) => number,
        Err(_) => panic!("versions have numbers"),
    }
}
