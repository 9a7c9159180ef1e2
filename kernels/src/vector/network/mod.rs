//! Vectors of the network ([`crate::network`]), a file for each level: bytes of rows and inputs, and 16-bit
//! sums. Each level's file of the vector layer re-exports them.

#[cfg(target_arch = "aarch64")]
pub(super) mod neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) mod simd128;
#[cfg(target_arch = "x86_64")]
pub(super) mod v2;
#[cfg(target_arch = "x86_64")]
pub(super) mod v3;
