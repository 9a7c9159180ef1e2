//! Fuzz targets: one for each kernel, and the crate's manifest, which also lists the hand-written targets.

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
outflank-checker = { path = "../crates/checker" }

[profile.release]
debug = 1
"#;

/// Folder in `fuzz/` of the hand-written targets: one for each reader of files and each protocol.
const BY_HAND: &str = "readers";

/// Makes the manifest of the crate in the folder `fuzz`. Every hand-written file there is a target. The map's
/// key is the file's name.
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

/// Makes the kernels' targets, by their file names in `fuzz/fuzz_targets/`.
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
