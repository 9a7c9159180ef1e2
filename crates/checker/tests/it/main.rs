//! Tests of the checker on the real kernels.

mod differential;
mod features;
