//! The fuzz targets: one a kernel, and the manifest of the crate that holds them.

use std::collections::BTreeMap;

use crate::template::Template;

const WRITTEN: &str =
    "Written by `cargo run -p outflank-codegen` from codegen/templates; do not edit.";

const MANIFEST: &str = r#"
[package]
name = "outflank-fuzz"
description = "Fuzz targets: every algorithm of each kernel against its reference"
version = "0.0.0"
edition = "2024"
publish = false

[package.metadata]
cargo-fuzz = true

# Not of the workspace: only cargo-fuzz, with a nightly compiler, builds it.
[workspace]

[dependencies]
libfuzzer-sys = "0.4"
outflank-kernels = { path = "../kernels" }

[profile.release]
debug = 1
"#;

/// The manifest, by its name in `fuzz/`.
pub fn manifest(templates: &[Template]) -> BTreeMap<String, String> {
    let mut text = format!("# {WRITTEN}\n{MANIFEST}");
    for Template { name, .. } in templates {
        text += &format!(
            "\n[[bin]]\nname = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"\ntest = false\ndoc = false\n\
             bench = false\n"
        );
    }
    BTreeMap::from([("Cargo.toml".into(), text)])
}

/// The targets, by their names in `fuzz/fuzz_targets/`.
pub fn targets(templates: &[Template]) -> BTreeMap<String, String> {
    let target = |name: &str| {
        format!(
            "//! Every algorithm of `{name}` against its reference.\n//!\n//! {WRITTEN}\n\n#![no_main]\n\n\
             libfuzzer_sys::fuzz_target!(|bytes: &[u8]| outflank_fuzz::check(\"{name}\", bytes));\n"
        )
    };
    let names = templates.iter().map(|template| template.name.as_str());
    names
        .map(|name| (format!("{name}.rs"), target(name)))
        .collect()
}
