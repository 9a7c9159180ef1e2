//! Manifest of the crate of fuzz targets, one target for each kernel.

use std::collections::BTreeMap;

use crate::template::Template;

const MANIFEST: &str = r#"# Written by `cargo run -p outflank-codegen` from codegen/templates; do not edit.
# Cargo warns that all targets have one source. That is intended: each checks the kernel of its name.

[package]
name = "outflank-kernel-fuzz"
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
outflank-checker = { path = "../crates/checker", default-features = false }

# A quick build matters more than quick executions.
[profile.release]
opt-level = 1
debug = "line-tables-only"
"#;

/// Makes the manifest of the crate, as a map from file name to text.
pub fn manifest(templates: &[Template]) -> BTreeMap<String, String> {
    let targets = templates.iter().map(|template| {
        let name = &template.name;
        format!(
            "\n[[bin]]\nname = \"{name}\"\npath = \"kernel.rs\"\ntest = false\ndoc = false\nbench = false\n"
        )
    });
    let text = MANIFEST.to_owned() + &targets.collect::<String>();
    BTreeMap::from([("Cargo.toml".into(), text)])
}
