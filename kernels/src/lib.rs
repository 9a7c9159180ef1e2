//! Othello kernels for every instruction-set level, chosen at run time. The crate `outflank-checker` has a
//! slow reference of each, compares the two and measures the cost of a call.
//!
//! A board is two bitboards, the mover's and the opponent's: A1 = bit 0, H1 = bit 7, A8 = bit 56. A level's
//! token has every kernel as a method ([`Kernels`]). The token proves that the CPU has the level:
//!
//! ```
//! use outflank_kernels::{Kernels, Isa, with_isa};
//!
//! let token = Isa::detect().token()?;
//! // The first move of a game: black, the mover, plays F5 and flips E5.
//! let flipped = with_isa!(token, isa => isa.flip(37, 0x08_1000_0000, 0x10_0800_0000));
//! assert_eq!(flipped, 1 << 36);
//! # Ok::<(), outflank_kernels::IsaError>(())
//! ```
//!
//! [`batch`] runs kernels over many boards in one call. [`stamp!`] compiles your own functions for every level, so that
//! kernels inline into them.
//!
//! Without the feature `std` the crate uses only `alloc`, and has the levels whose target features the build enables.
//!
//! `outflank-codegen` writes the kernels into `generated`, a file for each level and kernel, from one
//! template for each kernel. [`registry`] lists them as data: the selected algorithms, and with the feature
//! `all-algorithms` every other one, too.

#![cfg_attr(not(any(feature = "std", test)), no_std)]

extern crate alloc;

// This module stands here, without `rustfmt::skip`, so that the macros of this crate may name
// `$crate::for_each_level!`. With an attribute of a tool the module would count as expanded from a macro, and its
// macros would have no path.
#[macro_use]
#[path = "generated/levels.rs"]
mod level_list;
#[rustfmt::skip]
#[macro_use]
#[cfg_attr(
    target_arch = "wasm32",
    allow(unused_unsafe, reason = "there every call of a function with features is safe")
)]
#[cfg_attr(
    not(feature = "all-algorithms"),
    allow(
        dead_code,
        unused_imports,
        reason = "the generator also keeps items that a used one may name"
    )
)]
mod generated;
pub mod batch;
pub mod geometry;
mod isa;
mod keyed_children;
pub mod network;
mod network_rows;
#[cfg(feature = "record")]
pub mod record;
pub mod registry;
mod stamp;
pub mod tokens;
#[allow(
    dead_code,
    unused_imports,
    reason = "each level has the whole layer, whichever parts its kernels use today"
)]
mod vector;
pub mod weights;

pub use generated::Kernels;
pub use geometry::Features;
pub use isa::{ENVIRONMENT, Isa, IsaError, Token};
pub use keyed_children::{Child, KeyedChildren};
pub use network::Network;
pub use weights::Weights;

#[doc(hidden)]
pub use paste::paste as __paste;

/// Unit of memory that kernels write: 32 bytes, aligned for any vector store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(32))]
pub struct Block(pub [u64; 4]);

/// The neighbours of each square (0..=63), as bitboards. A move on a square flips nothing unless the opponent
/// holds a neighbour.
pub static NEIGHBOURS: [u64; 64] = {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        let bit = 1 << square;
        let row = bit | bit << 1 & !0x0101_0101_0101_0101 | bit >> 1 & !0x8080_8080_8080_8080;
        all[square] = (row | row << 8 | row >> 8) & !bit;
        square += 1;
    }
    all
};

/// The kernels as plain functions, every algorithm by its name, a module for each level. Functions of a
/// level above `portable` are for callers compiled with that level's features.
pub mod levels {
    macro_rules! modules {
        ({} $({ $module:ident $Name:ident [$($cfg:tt)*] $features:tt $doc:literal })*) => {
            $(
                #[cfg($($cfg)*)]
                pub use crate::generated::$module;
            )*
        };
    }
    for_each_level!(modules);
}

/// The README's examples, run with the documentation's tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
