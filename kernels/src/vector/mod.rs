//! The vector layer: the same few types and operation names at every level.
//!
//! A template is written once against these names. Each level's file here implements them. Functions carry
//! target features of their level (`with_features!`), so kernels of that level can inline them and call them
//! safely. If a level has no instruction for an operation, it builds the operation from others or lacks it.
//! Templates do not use an operation at a level that lacks it. A higher level re-exports the types of the
//! lower ones and adds to them.
//!
//! | type | portable | v2, neon | v3, adl, v4, icl |
//! |---|---|---|---|
//! | `U64x2` | | one 128-bit register | the same |
//! | `U64x4` | four words | two 128-bit registers | one 256-bit register |
//! | `U64x8` | | | v4: one 512-bit register |
//! | `I32x4` | | one 128-bit register | the same |
//! | `I8x32`, `I16x16` | | two 128-bit registers | one 256-bit register |
//! | `I16x32` | | four 128-bit registers | two 256-bit registers |
//! | `I32x8` | | | one 256-bit register |
//! | `I32x16` | | | v4: one 512-bit register |
//! | `Features64` | twelve words | the same | the same |
//! | `Features128` | | six 128-bit registers | the same |
//! | `Features256` | | | three 256-bit registers |
//! | `Features512` | | | v4: a 512-bit and a 256-bit register |
//!
//! simd128 has the `U64x4` of portable and the other types of v2. Unlike v2, neon and simd128 lack
//! `zip_bytes`, `word` and the stores that bypass the caches. simd128 also lacks CRC32.

/// Compiles each function of an `impl` block with the target features that stand before the block, and marks
/// it `#[inline]`. A function may name further features.
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
macro_rules! with_features {
    (
        #[target_feature(enable = $features:literal)]
        impl $Type:ident {
            $(
                $(#[$attribute:meta])*
                $visibility:vis fn $name:ident $(<const $N:ident: $Number:ty>)? ($($parameter:tt)*)
                    $(-> $Result:ty)? $body:block
            )*
        }
    ) => {
        impl $Type {
            $(
                $(#[$attribute])*
                #[inline]
                #[target_feature(enable = $features)]
                $visibility fn $name $(<const $N: $Number>)? ($($parameter)*) $(-> $Result)? $body
            )*
        }
    };
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod adl;
mod each;
mod features;
#[cfg(target_arch = "x86_64")]
mod gfni;
#[cfg(target_arch = "x86_64")]
pub(crate) mod icl;
#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;
mod network;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod pair;
pub(crate) mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) mod simd128;
#[cfg(target_arch = "x86_64")]
pub(crate) mod v2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod v3;
#[cfg(target_arch = "x86_64")]
pub(crate) mod v4;
