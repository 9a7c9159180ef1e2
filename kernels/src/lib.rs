//! Othello kernels for every instruction-set level, chosen at run time.

mod level;
pub mod reference;
pub use level::{Level, LevelError};
