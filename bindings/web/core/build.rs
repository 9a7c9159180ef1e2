//! Linker options of the WebAssembly modules.

use std::env::var;

/// Bytes that 32-bit addresses reach. The page sets a lower limit.
const MAX_MEMORY: u64 = 4 << 30;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if var("CARGO_CFG_TARGET_FAMILY").as_deref() != Ok("wasm") {
        return;
    }
    // A search of a whole game needs more stack than the default of one megabyte.
    println!("cargo::rustc-link-arg=-zstack-size=4194304");
    let features = var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    if features.split(',').any(|feature| feature == "atomics") {
        // Several workers share a memory of the page. wasm-bindgen gives each of them its own stack and its own
        // thread-local variables.
        println!("cargo::rustc-link-arg=--shared-memory");
        println!("cargo::rustc-link-arg=--import-memory");
        println!("cargo::rustc-link-arg=--max-memory={MAX_MEMORY}");
        for symbol in ["__wasm_init_tls", "__tls_size", "__tls_align", "__tls_base"] {
            println!("cargo::rustc-link-arg=--export={symbol}");
        }
    }
}
