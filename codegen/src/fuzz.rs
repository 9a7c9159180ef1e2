//! Manifest of the crate of fuzz targets: one target for each kernel and for each file of readers.

use std::collections::BTreeMap;
use std::path::Path;

use crate::Error;
use crate::template::Template;

const MANIFEST: &str = r#"# Written by `cargo run -p outflank-codegen` from codegen/templates; do not edit.
# Cargo warns that the targets of the kernels have one source. That is intended: each checks the kernel of its name.

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

/// Source file in `fuzz/` of all kernels' targets. A target is named after its kernel.
const KERNEL: &str = "kernel.rs";

/// Folder in `fuzz/` of the other targets: one for each reader of files and each protocol.
const READERS: &str = "readers";

/// Makes the manifest of the crate in the folder `fuzz`, as a map from file name to text. Every file in the
/// crate's folder `readers` is a target.
pub fn manifest(templates: &[Template], fuzz: &Path) -> Result<BTreeMap<String, String>, Error> {
    let mut text = MANIFEST.to_owned();
    let folder = fuzz.join(READERS);
    let mut readers = Vec::new();
    if folder.exists() {
        crate::visible_files(&folder, "", &mut readers)?;
    }
    readers.sort();
    let kernels = templates.iter();
    let kernels = kernels.map(|template| (template.name.as_str(), KERNEL.to_owned()));
    let readers = readers
        .iter()
        .map(|file| (file.trim_end_matches(".rs"), format!("{READERS}/{file}")));
    for (name, path) in kernels.chain(readers) {
        text += &format!(
            "\n[[bin]]\nname = \"{name}\"\npath = \"{path}\"\ntest = false\ndoc = false\nbench = false\n"
        );
    }
    Ok(BTreeMap::from([("Cargo.toml".into(), text)]))
}
