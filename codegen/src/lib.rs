//! The generator: templates in, one Rust file per kernel and instruction-set level out.
//!
//! A new template in `codegen/templates/` is all that a new kernel needs. The kernel appears at every level,
//! in the trait [`Kernels`](../outflank_kernels/trait.Kernels.html) and in the registry, and so in checks,
//! measurements and fuzz targets.

mod constants;
pub mod emit;
pub mod fuzz;
pub mod gather;
pub mod geometry;
pub mod levels;
pub mod mutants;
pub mod signature;
pub mod template;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use geometry::Geometry;
use template::Template;

/// Errors of the generator. Each is one line that names the file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Path of the file or folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The folder has no templates.
    #[error("{}: no templates (*.rs.j2) here", folder.display())]
    NoTemplates {
        /// Path of the folder.
        folder: PathBuf,
    },
    /// A line of a file is wrong: in a geometry, a template, the vector layer, a source of the checker, or the
    /// list of equivalent mutants.
    #[error("{}:{line}: {message}", path.display())]
    Line {
        /// Path of the file.
        path: PathBuf,
        /// Line of the mistake.
        line: usize,
        /// The mistake.
        message: String,
    },
    /// A rendered template is not Rust.
    #[error("{}: not Rust at level {isa}, near `{text}`: {message}", path.display())]
    Parse {
        /// Path of the template.
        path: PathBuf,
        /// Level that it was rendered for.
        isa: &'static str,
        /// Line that does not parse.
        text: String,
        /// The parser's message.
        message: String,
    },
    /// The template is Rust but no kernel.
    #[error("{}: the template {message}", path.display())]
    Template {
        /// Path of the template.
        path: PathBuf,
        /// The mistake.
        message: String,
    },
}

/// Folders that the generator reads and writes.
#[derive(Clone, Debug)]
pub struct Folders {
    /// The templates.
    pub templates: PathBuf,
    /// Source folder of the kernels crate. The geometries lie beside it.
    pub kernels: PathBuf,
    /// Source folder of the checker, which has references and the table of parameters.
    pub checker: PathBuf,
    /// The crate of the fuzz targets.
    pub fuzz: PathBuf,
}

/// Files that the generator writes into one folder.
#[derive(Clone, Debug)]
pub struct Output {
    /// The folder.
    pub folder: PathBuf,
    /// `true` if the generator owns the folder and everything below it. Other files there are stale, except
    /// hidden ones.
    pub owned: bool,
    /// Texts of the files by their paths in the folder, with `/` between the parts.
    pub files: BTreeMap<String, String>,
}

/// Renders all templates. Returns the outputs for kernels, checker and fuzz manifest, in this order.
pub fn generate(folders: &Folders) -> Result<[Output; 3], Error> {
    let checker = emit::Checker::read(&folders.checker)?;
    let geometries = Geometry::read_all(&geometry::folder(&folders.kernels))?;
    let templates = Template::read_all(&folders.templates, &geometries)?;
    let files = emit::files(&templates, &checker, &geometries)?;
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
            files: fuzz::manifest(&templates),
        },
    ])
}

/// Compares the generated texts with the files in their folder. Returns a unified diff from the files to
/// the texts, or `None` if all are equal.
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
                .expect("writing to a string cannot fail");
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

/// Writes the files whose text changed into their folder and removes stale ones. Returns the paths of both.
pub fn write(output: &Output) -> Result<Vec<String>, Error> {
    let Output { folder, files, .. } = output;
    let mut touched = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        if std::fs::read_to_string(&path).is_ok_and(|committed| committed == *text) {
            continue;
        }
        let above = path.parent().expect("it is in the folder");
        std::fs::create_dir_all(above).map_err(file_error(above))?;
        std::fs::write(&path, text).map_err(file_error(&path))?;
        touched.push(name.clone());
    }
    for name in stale(output)? {
        let path = folder.join(&name);
        std::fs::remove_file(&path).map_err(file_error(&path))?;
        // A folder with other files stays.
        let above = path.ancestors().skip(1).take_while(|above| above != folder);
        let _ = above
            .map(std::fs::remove_dir)
            .take_while(Result::is_ok)
            .count();
        touched.push(name);
    }
    Ok(touched)
}

/// The files of an owned folder that the generator no longer writes.
fn stale(output: &Output) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    if output.owned {
        visible_files(&output.folder, "", &mut names)?;
    }
    names.retain(|name| !output.files.contains_key(name));
    names.sort();
    Ok(names)
}

/// Adds the files in `folder` and below it, without hidden ones, to `names`. `prefix` stands before their
/// paths.
fn visible_files(folder: &Path, prefix: &str, names: &mut Vec<String>) -> Result<(), Error> {
    for entry in std::fs::read_dir(folder).map_err(file_error(folder))? {
        let path = entry.map_err(file_error(folder))?.path();
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

/// Makes the error of a file or folder that cannot be read or written.
fn file_error(path: &Path) -> impl Fn(std::io::Error) -> Error + use<> {
    let path = path.to_owned();
    move |source| Error::File {
        path: path.clone(),
        source,
    }
}

/// Makes the error of a file that is not Rust.
fn syntax_error(path: &Path) -> impl Fn(syn::Error) -> Error + use<> {
    let path = path.to_owned();
    move |error| Error::Line {
        path: path.clone(),
        line: error.span().start().line,
        message: error.to_string(),
    }
}
