//! Every algorithm of `neighbour_sort` against its reference.
//!
//! Written by `cargo run -p outflank-codegen` from codegen/templates; do not edit.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| outflank_fuzz::check("neighbour_sort", bytes));
