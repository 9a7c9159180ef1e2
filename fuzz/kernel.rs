//! Every algorithm of a kernel against its reference. Each kernel's target in `Cargo.toml` has this source. The target's
//! name is the name of its kernel.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| outflank_fuzz::check(env!("CARGO_BIN_NAME"), bytes));
