//! Tests of the prover that need the CPU or all kernels.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod code;
mod compare;
mod cpu;
mod cpu_features;
mod forms;
mod gathers;
mod inputs;
mod instructions;
mod program;
mod proofs;
mod specifications;
