//! Checks and measures Othello kernels: every algorithm of `outflank-kernels`, at every instruction-set
//! level that the CPU has, against a slow reference, and what a call of each costs. The model is dav1d's
//! checkasm.
//!
//! ```
//! use outflank_checker::{check, registry};
//!
//! // Every algorithm of `mobility`, on all exhaustive sweeps and 1000 random cases of the seed 7.
//! let entries: Vec<_> = registry::runnable().filter(|entry| entry.kernel == "mobility").collect();
//! match check(&entries, 7, 1000) {
//!     Ok(report) => println!("{} comparisons", report.comparisons),
//!     Err(failure) => panic!("{failure}"),
//! }
//! ```
//!
//! - [`registry`]: every algorithm of every kernel at every level, with what runs it.
//! - [`mod@reference`]: what every kernel answers to, obvious and slow.
//! - [`cases`] and [`input`]: what kernels are run on.
//! - [`check()`] and its module: the comparison, in one go or batch by batch.
//! - [`supervise`]: the same in a process of its own, so that an illegal instruction, a fault or an endless
//!   loop is reported with the input that causes it, and the check goes on.
//! - [`bench()`] and its module: nanoseconds and core cycles per call, throughput and latency, on [`trace`]s
//!   recorded from a search.

pub mod bench;
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

/// What the README shows is tried out with the documentation's tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
