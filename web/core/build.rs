//! What the linker is told.

use std::env::var;

/// All that 32 bits can address: the page decides how much of it a memory may have.
const MAX_MEMORY: u64 = 4 << 30;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if var("CARGO_CFG_TARGET_FAMILY").as_deref() != Ok("wasm") {
        return;
    }
    // A search of a whole game needs more stack than the megabyte that a module has unless it asks for more.
    println!("cargo::rustc-link-arg=-zstack-size=4194304");
    let features = var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    if features.split(',').any(|feature| feature == "atomics") {
        // Several workers share a memory that the page has made. wasm-bindgen gives each of them a stack and
        // variables of its own.
        println!("cargo::rustc-link-arg=--shared-memory");
        println!("cargo::rustc-link-arg=--import-memory");
        println!("cargo::rustc-link-arg=--max-memory={MAX_MEMORY}");
        for symbol in ["__wasm_init_tls", "__tls_size", "__tls_align", "__tls_base"] {
            println!("cargo::rustc-link-arg=--export={symbol}");
        }
    }
}
