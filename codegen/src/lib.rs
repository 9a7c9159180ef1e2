//! The generator: templates in, one Rust file per kernel and instruction-set level out.
//!
//! Dropping a template into `codegen/templates/` is the whole act of adding a kernel: it appears at
//! every level that can carry it, in the trait [`Kernels`](../outflank_kernels/trait.Kernels.html), in the
//! registry, and so in the checks, without a list to edit.

mod constants;
pub mod emit;
pub mod fuzz;
pub mod gather;
pub mod geometry;
pub mod levels;
pub mod mutants;
pub mod template;

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
    #[error("{}: not Rust at level {isa}, near `{text}`: {message}", path.display())]
    Parse {
        /// The template.
        path: PathBuf,
        /// The level that it was rendered for.
        isa: &'static str,
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
    /// Whether everything in the folder, and in those in it, is the generator's: then what it does not
    /// write is stale. Hidden files are left alone.
    pub owned: bool,
    /// The files by their paths in the folder, with `/` between the parts, and their texts.
    pub files: BTreeMap<String, String>,
}

/// Renders all templates: what belongs into each folder, the kernels first, then the checker.
pub fn generate(folders: &Folders) -> Result<[Output; 4], Error> {
    let path = folders.checker.join("reference.rs");
    let references = std::fs::read_to_string(&path).map_err(at(&path))?;
    let geometries = Geometry::read_all(&geometry::folder(&folders.kernels))?;
    let templates = Template::read_all(&folders.templates, &geometries)?;
    let files = emit::files(&templates, &references, &geometries)?;
    Ok([
        Output {
            folder: folders.kernels.join("generated"),
            owned: true,
            files: files.kernels,
        },
        Output {
            folder: folders.checker.join("generated"),
            owned: true,
            files: files.checker,
        },
        Output {
            folder: folders.fuzz.clone(),
            owned: false,
            files: fuzz::manifest(&templates, &folders.fuzz)?,
        },
        Output {
            folder: folders.fuzz.join("fuzz_targets"),
            owned: true,
            files: fuzz::targets(&templates),
        },
    ])
}

/// Compares the generated texts with the files in their folder: `None` where all are the same, or a
/// unified diff that turns the files into what the templates say.
pub fn difference(output: &Output) -> Result<Option<String>, Error> {
    let Output { folder, files, .. } = output;
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
    for name in stale(output)? {
        let committed = std::fs::read_to_string(folder.join(&name)).unwrap_or_default();
        // An empty file has no line to show.
        compare(&name, &format!("{committed}(made by no template)\n"), "");
    }
    Ok((!report.is_empty()).then_some(report))
}

/// Writes the files whose text changed into their folder and removes those that no template makes;
/// the paths of both.
pub fn write(output: &Output) -> Result<Vec<String>, Error> {
    let Output { folder, files, .. } = output;
    let mut touched = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        if std::fs::read_to_string(&path).is_ok_and(|committed| committed == *text) {
            continue;
        }
        let above = path.parent().expect("it is in the folder");
        std::fs::create_dir_all(above).map_err(at(above))?;
        std::fs::write(&path, text).map_err(at(&path))?;
        touched.push(name.clone());
    }
    for name in stale(output)? {
        let path = folder.join(&name);
        std::fs::remove_file(&path).map_err(at(&path))?;
        // A folder that is not empty stays.
        let above = path.ancestors().skip(1).take_while(|above| above != folder);
        let _ = above
            .map(std::fs::remove_dir)
            .take_while(Result::is_ok)
            .count();
        touched.push(name);
    }
    Ok(touched)
}

/// The files of an output's folder that the templates no longer make.
fn stale(output: &Output) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    if output.owned {
        visible_files(&output.folder, "", &mut names)?;
    }
    names.retain(|name| !output.files.contains_key(name));
    names.sort();
    Ok(names)
}

/// Adds the files in `folder` and in those in it, without hidden ones; `prefix` stands before their paths.
fn visible_files(folder: &Path, prefix: &str, names: &mut Vec<String>) -> Result<(), Error> {
    for entry in std::fs::read_dir(folder).map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') {
            continue;
        }
        let name = format!("{prefix}{name}");
        match path.is_dir() {
            true => visible_files(&path, &format!("{name}/"), names)?,
            false => names.push(name),
        }
    }
    Ok(())
}

/// The error of a file or folder that cannot be read or written.
fn at(path: &Path) -> impl Fn(std::io::Error) -> Error {
    let path = path.to_owned();
    move |source| Error::File {
        path: path.clone(),
        source,
    }
}
