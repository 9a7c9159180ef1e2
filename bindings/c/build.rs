//! Sets the soname of the shared library, which contains the compatible version.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if var("CARGO_CFG_UNIX").is_err() {
        return;
    }
    let version = |part: &str| var(format!("CARGO_PKG_VERSION_{part}")).expect("cargo sets it");
    // Before 1.0 a minor version may change the interface.
    let compatible = match (version("MAJOR"), version("MINOR")) {
        (major, minor) if major == "0" => format!("0.{minor}"),
        (major, _) => major,
    };
    let name = match var("CARGO_CFG_TARGET_VENDOR").as_deref() {
        Ok("apple") => format!("-install_name,@rpath/liboutflank.{compatible}.dylib"),
        _ => format!("-soname,liboutflank.so.{compatible}"),
    };
    println!("cargo::rustc-cdylib-link-arg=-Wl,{name}");
}
