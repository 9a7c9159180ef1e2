//! The numbers that the network ([`crate::network`]) is computed with, at each level: bytes of rows and inputs, and
//! what they add up to in 16 bits. Each level's file of the vector layer takes them over.

#[cfg(target_arch = "aarch64")]
pub(super) mod neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) mod simd128;
#[cfg(target_arch = "x86_64")]
pub(super) mod v2;
#[cfg(target_arch = "x86_64")]
pub(super) mod v3;
