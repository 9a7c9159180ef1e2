//! Embedded test positions in [OBF](crate::notation::obf). `outflank bench` searches them.
//!
//! ```
//! use outflank::notation::obf;
//! use outflank::problems::FFO_20_39;
//!
//! assert_eq!(obf::read(FFO_20_39).filter(Result::is_ok).count(), 20);
//! ```

/// FFO endgame test 20 to 39: 6 to 26 empty squares, with the exact score of every move.
pub const FFO_20_39: &[u8] = include_bytes!("../data/problems/ffo-20-39.obf");

/// Midgame positions of 12 to 24 discs, without scores.
pub const MIDGAME: &[u8] = include_bytes!("../data/problems/midgame.obf");
