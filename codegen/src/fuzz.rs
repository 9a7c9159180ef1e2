//! The fuzz targets: one a kernel, and the manifest of the crate that holds them and those that are
//! written by hand.

use std::collections::BTreeMap;
use std::path::Path;

use crate::Error;
use crate::template::Template;

const WRITTEN: &str =
    "Written by `cargo run -p outflank-codegen` from codegen/templates; do not edit.";

const MANIFEST: &str = r#"
[package]
name = "outflank-fuzz"
description = "Fuzz targets: every algorithm of each kernel against its reference, and every reader"
version = "0.0.0"
edition = "2024"
publish = false

[package.metadata]
cargo-fuzz = true

# Not of the workspace: only cargo-fuzz, with a nightly compiler, builds it.
[workspace]

[dependencies]
libfuzzer-sys = "0.4"
outflank = { path = "..", default-features = false }
outflank-checker = { path = "../checker" }

[profile.release]
debug = 1
"#;

/// Where the targets lie that are written by hand, in `fuzz/`: one for each reader of files and
/// each protocol.
const BY_HAND: &str = "readers";

/// The manifest, by its name in `fuzz`, the folder of the crate. Every file among those written by hand
/// is a target of its own.
pub fn manifest(templates: &[Template], fuzz: &Path) -> Result<BTreeMap<String, String>, Error> {
    let mut text = format!("# {WRITTEN}\n{MANIFEST}");
    let by_hand = fuzz.join(BY_HAND);
    let mut readers = Vec::new();
    if by_hand.exists() {
        crate::visible_files(&by_hand, "", &mut readers)?;
    }
    readers.sort();
    let kernels = templates
        .iter()
        .map(|Template { name, .. }| ("fuzz_targets", name.as_str()));
    let readers = readers
        .iter()
        .map(|file| (BY_HAND, file.trim_end_matches(".rs")));
    for (folder, name) in kernels.chain(readers) {
        text += &format!(
            "\n[[bin]]\nname = \"{name}\"\npath = \"{folder}/{name}.rs\"\ntest = false\ndoc = false\n\
             bench = false\n"
        );
    }
    Ok(BTreeMap::from([("Cargo.toml".into(), text)]))
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
