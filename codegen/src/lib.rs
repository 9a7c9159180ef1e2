//! The generator: templates in, one Rust file per instruction-set level out.
//!
//! Dropping a template into `codegen/templates/` is the whole act of adding a kernel: it appears at
//! every level that can carry it, in the trait [`Kernels`](../outflank_kernels/trait.Kernels.html), in the
//! registry, and so in the checker, without a list to edit.

mod constants;
pub mod emit;
pub mod fuzz;
pub mod gather;
pub mod geometry;
pub mod levels;
pub mod mutants;
pub mod template;
pub mod variants;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use geometry::Geometry;
use template::Template;

/// What can go wrong; each is one line that says where.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A folder without templates.
    #[error("{}: no templates (*.rs.j2) here", folder.display())]
    NoTemplates {
        /// Which.
        folder: PathBuf,
    },
    /// A geometry file is not what it should be.
    #[error("{}:{line}: {message}", path.display())]
    Geometry {
        /// The file.
        path: PathBuf,
        /// The line in it.
        line: usize,
        /// Why.
        message: String,
    },
    /// A file of the vector layer is not Rust.
    #[error("{}:{line}: {message}", path.display())]
    Layer {
        /// The file.
        path: PathBuf,
        /// The line in it.
        line: usize,
        /// Why.
        message: String,
    },
    /// minijinja does not accept the template.
    #[error("{}:{line}: {message}", path.display())]
    Render {
        /// The template.
        path: PathBuf,
        /// The line in it.
        line: usize,
        /// Why.
        message: String,
    },
    /// What the template renders to is not Rust.
    #[error("{}: not Rust at level {level}, near `{text}`: {message}", path.display())]
    Parse {
        /// The template.
        path: PathBuf,
        /// The level that it was rendered for.
        level: &'static str,
        /// The line that does not parse.
        text: String,
        /// Why.
        message: String,
    },
    /// The file of the references is not Rust.
    #[error("{}:{line}: the references are not Rust: {message}", path.display())]
    References {
        /// The file.
        path: PathBuf,
        /// The line in it.
        line: usize,
        /// Why.
        message: String,
    },
    /// The template is Rust, but no kernel.
    #[error("{}: the template {message}", path.display())]
    Template {
        /// The template.
        path: PathBuf,
        /// What it does wrong.
        message: String,
    },
}

/// Where the generator reads and writes.
#[derive(Clone, Debug)]
pub struct Folders {
    /// The templates.
    pub templates: PathBuf,
    /// The source folder of the kernels crate; the geometries lie beside it.
    pub kernels: PathBuf,
    /// The source folder of the checker. `reference.rs` there says which kernels have their reference
    /// there.
    pub checker: PathBuf,
    /// The crate of the fuzz targets.
    pub fuzz: PathBuf,
}

/// What the generator writes into one folder.
#[derive(Clone, Debug)]
pub struct Output {
    /// The folder.
    pub folder: PathBuf,
    /// The names of the files and their texts.
    pub files: BTreeMap<String, String>,
}

/// Renders all templates: what belongs into each folder, the kernels first, then the checker.
pub fn generate(folders: &Folders) -> Result<[Output; 4], Error> {
    let path = folders.checker.join("reference.rs");
    let references =
        std::fs::read_to_string(&path).map_err(|source| Error::File { path, source })?;
    let geometries = Geometry::read_all(&geometry::folder(&folders.kernels))?;
    let templates = Template::read_all(&folders.templates, &geometries)?;
    let files = emit::files(&templates, &references, &geometries)?;
    Ok([
        Output {
            folder: folders.kernels.join("generated"),
            files: files.kernels,
        },
        Output {
            folder: folders.checker.join("generated"),
            files: files.checker,
        },
        Output {
            folder: folders.fuzz.clone(),
            files: fuzz::manifest(&templates, &folders.fuzz)?,
        },
        Output {
            folder: folders.fuzz.join("fuzz_targets"),
            files: fuzz::targets(&templates),
        },
    ])
}

/// Compares the generated texts with the files in their folder: `None` where all are the same, or a
/// unified diff that turns the files into what the templates say.
pub fn difference(Output { folder, files }: &Output) -> Result<Option<String>, Error> {
    let mut report = String::new();
    let mut compare = |name: &str, old: &str, new: &str| {
        if old != new {
            let diff = similar::TextDiff::from_lines(old, new);
            let shown = folder.join(name);
            let from = format!("{} (committed)", shown.display());
            let to = format!("{} (from the templates)", shown.display());
            write!(report, "{}", diff.unified_diff().header(&from, &to))
                .expect("a String takes all");
        }
    };
    for (name, text) in files {
        let committed = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        compare(name, &committed, text);
    }
    for name in stale(files, folder)? {
        let committed = std::fs::read_to_string(folder.join(&name)).unwrap_or_default();
        // An empty file has no line to show.
        compare(&name, &format!("{committed}(made by no template)\n"), "");
    }
    Ok((!report.is_empty()).then_some(report))
}

/// Writes the files whose text changed into their folder and removes those that no template makes;
/// the names of both.
pub fn write(Output { folder, files }: &Output) -> Result<Vec<String>, Error> {
    std::fs::create_dir_all(folder).map_err(|source| Error::File {
        path: folder.clone(),
        source,
    })?;
    let mut touched = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        if std::fs::read_to_string(&path).is_ok_and(|committed| committed == *text) {
            continue;
        }
        std::fs::write(&path, text).map_err(|source| Error::File { path, source })?;
        touched.push(name.clone());
    }
    for name in stale(files, folder)? {
        let path = folder.join(&name);
        std::fs::remove_file(&path).map_err(|source| Error::File { path, source })?;
        touched.push(name);
    }
    Ok(touched)
}

/// Files in `folder` that the templates no longer make.
fn stale(files: &BTreeMap<String, String>, folder: &Path) -> Result<Vec<String>, Error> {
    let mut names = rust_files(folder)?;
    names.retain(|name| !files.contains_key(name));
    Ok(names)
}

/// The names of the Rust files in `folder`, sorted.
fn rust_files(folder: &Path) -> Result<Vec<String>, Error> {
    let unreadable = |source| Error::File {
        path: folder.to_owned(),
        source,
    };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let name = entry
            .map_err(unreadable)?
            .file_name()
            .to_string_lossy()
            .into_owned();
        if name.ends_with(".rs") {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}
