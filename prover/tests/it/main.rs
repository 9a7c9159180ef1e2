//! Tests that need the CPU itself, or all of the kernels.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod code;
mod compare;
mod cpu;
mod features;
mod forms;
mod gathers;
mod inputs;
mod instructions;
mod proofs;
mod specifications;
