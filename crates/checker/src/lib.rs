//! Checks and measures Othello kernels: every algorithm of `outflank-kernels`, at every instruction-set
//! level of the CPU, against a slow reference. The model is dav1d's checkasm.
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
//! - [`registry`]: Every algorithm of every kernel at every level, with functions that call it.
//! - [`mod@reference`]: An obvious, slow function for each kernel.
//! - [`input`] and [`cases`]: The parameters of kernels, and positions to take them from.
//! - [`check()`] and its module: The comparison, in one go or batch by batch.
//! - [`supervise`]: The comparison in a separate process. Illegal instructions, faults and endless loops
//!   are reported with their input, and the check goes on.
//! - `program` (feature `program`): The commands of the program `outflank-checker`.
//! - [`bench()`] and its module: Throughput and latency of a call in nanoseconds and core cycles. The
//!   [`trace`]s are recorded from a search.

pub use outflank_checker_core::*;

#[cfg(feature = "program")]
pub mod program;
#[cfg(all(feature = "program", target_arch = "x86_64", target_os = "linux"))]
pub mod shapes;

/// The README's examples, run with the documentation's tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
