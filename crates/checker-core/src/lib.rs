//! The part of `outflank-checker` without its program and disassembler: references, checks and measurements of kernels.
//!
//! It is a crate of its own, so that it compiles while the dependencies of the program do, and with another profile.
//! `outflank-checker` exports everything and describes it. The interface may change with every release.

pub mod bench;
mod calls;
pub mod cases;
pub mod check;
#[rustfmt::skip]
mod generated;
pub mod input;
#[cfg(any(test, feature = "record"))]
pub mod record;
pub mod reference;
pub mod registry;
pub mod supervise;
pub mod trace;

pub use bench::bench;
pub use check::check;
