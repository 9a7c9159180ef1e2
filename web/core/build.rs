//! A search of a whole game needs more stack than the megabyte that a module has unless it asks for more.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").as_deref() == Ok("wasm") {
        println!("cargo::rustc-link-arg=-zstack-size=4194304");
    }
}
