//! Problems that are part of the library, as texts for [`obf`](crate::notation::obf): what `outflank bench` and
//! the benches search.
//!
//! ```
//! use outflank::notation::obf;
//! use outflank::problems::FFO_20_39;
//!
//! assert_eq!(obf::read(FFO_20_39).filter(Result::is_ok).count(), 20);
//! ```

/// The problems 20 to 39 of the FFO endgame test, 6 to 26 empty squares, with the exact score of every move.
pub const FFO_20_39: &[u8] = include_bytes!("../problems/ffo-20-39.obf");

/// Positions of games with 12 to 24 discs, without scores.
pub const MIDGAME: &[u8] = include_bytes!("../problems/midgame.obf");
