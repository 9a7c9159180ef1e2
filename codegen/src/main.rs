//! Writes the kernels.
fn main() {}
