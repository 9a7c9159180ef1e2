//! Tests of the public interface of the crate.

mod common;
mod faults;
mod games;
mod moves;
