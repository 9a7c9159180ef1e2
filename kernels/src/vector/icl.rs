//! The vector layer over AVX-512 as Ice Lake and Zen 4 have it: byte permutes, bit matrices, and bit
//! counts in vectors. No kernel uses them yet, so it is that of v4.

pub(crate) use super::v4::*;
