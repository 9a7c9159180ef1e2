//! Tests of the checker on the real kernels.

#[cfg(feature = "program")]
mod bench;
mod differential;
mod digests;
mod features;
#[cfg(feature = "program")]
mod program;
mod shapes;
