//! Output files of a command. They never overwrite another file of the command, or an older file of another kind.
//!
//! Every command that writes files names all of them before its work begins:
//!
//! ```ignore
//! let [out, svg] = Files::new()
//!     .reading("FILE", &arguments.files)
//!     .updating("--checkpoint", &arguments.checkpoint)?
//!     .writing(
//!         [
//!             ("--out", Some(&arguments.out), WEIGHTS),
//!             ("--svg", arguments.svg.as_ref(), SVG),
//!         ],
//!         arguments.force,
//!     )?;
//! ```

mod identity;
mod kind;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::program::Program;
use crate::replace::{OutputFile, ReplaceError};
use crate::status::{FAILURE, USAGE};
use identity::Identity;
pub use kind::{Kind, SVG, has_root};

/// Permission to replace files of other kinds.
#[derive(Args, Clone, Copy)]
pub struct ForceArgument {
    /// Replace existing output files of any kind. Without --force, only a file of the same kind is replaced, and never
    /// one of games or positions
    #[arg(long)]
    pub force: bool,
}

/// Error of an output file: it would overwrite another file, or it cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// Two arguments name one file.
    #[error("{}: {written} would be written over {other}; name another file", path.display())]
    Same {
        /// Path that both arguments name.
        path: PathBuf,
        /// Argument with the path.
        written: &'static str,
        /// Other argument with the same file.
        other: &'static str,
    },
    /// An older file that only `--force` replaces.
    #[error("{} is there already: name another file, or replace it with --force", .0.display())]
    Exists(PathBuf),
    /// An older file of another kind.
    #[error("{} is not {kind}; {contents}. Name another file, or replace it with --force", path.display())]
    Foreign {
        /// Path of the older file.
        path: PathBuf,
        /// Kind of the new file, with its article.
        kind: &'static str,
        /// Description of the older file.
        contents: String,
    },
    /// A file that cannot be written.
    #[error(transparent)]
    Replace(#[from] ReplaceError),
}

impl OutputError {
    /// Exit status of the command.
    pub fn status(&self) -> u8 {
        match self {
            Self::Replace(_) => FAILURE,
            _ => USAGE,
        }
    }
}

/// Files of a command with the names of their arguments.
#[derive(Clone, Default)]
pub struct Files(Vec<(&'static str, Identity)>);

impl Files {
    /// Begins without files.
    pub fn new() -> Files {
        Files::default()
    }

    /// Adds files that are read; `-` is standard input.
    pub fn reading<P: AsRef<Path>>(
        mut self,
        argument: &'static str,
        paths: impl IntoIterator<Item = P>,
    ) -> Files {
        for path in paths {
            let identity = match path.as_ref() == Path::new("-") {
                true => Identity::of_stdin(),
                false => Identity::of(path.as_ref()),
            };
            self.0.extend(identity.map(|identity| (argument, identity)));
        }
        self
    }

    /// Adds files that are read and written. Refuses a path that was named before. The command checks the kind of the
    /// file when it reads the file.
    pub fn updating<P: AsRef<Path>>(
        mut self,
        argument: &'static str,
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Files, OutputError> {
        for path in paths {
            self.add(argument, path.as_ref())?;
        }
        Ok(self)
    }

    /// Opens the files that are only written, each given by argument, path and kind.
    ///
    /// Refuses a path that was named before. Unless `force` is set, refuses to replace a file of another kind.
    pub fn writing<const N: usize>(
        mut self,
        outputs: [(&'static str, Option<&PathBuf>, Kind); N],
        force: ForceArgument,
    ) -> Result<[Option<OutputFile>; N], OutputError> {
        // All checks come first, because opening a pipe waits for its reader.
        let named = outputs.iter();
        let named = named.filter_map(|&(argument, path, kind)| Some((argument, path?, kind)));
        for (argument, path, _) in named.clone() {
            self.add(argument, path)?;
        }
        for (_, path, kind) in named.filter(|_| !force.force) {
            refuse_older(path, kind)?;
        }
        let mut opened = [const { None }; N];
        for (opened, (_, path, _)) in opened.iter_mut().zip(outputs) {
            *opened = path.map(|path| OutputFile::open(path)).transpose()?;
        }
        Ok(opened)
    }

    /// Opens a single file as [`Files::writing`] does.
    pub fn writing_one(
        self,
        argument: &'static str,
        path: &PathBuf,
        kind: Kind,
        force: ForceArgument,
    ) -> Result<OutputFile, OutputError> {
        let [output] = self.writing([(argument, Some(path), kind)], force)?;
        Ok(output.expect("the path was given"))
    }

    /// Adds a file that is written. Refuses a path that was named before.
    fn add(&mut self, argument: &'static str, path: &Path) -> Result<(), OutputError> {
        let Some(identity) = Identity::of(path) else {
            return Ok(());
        };
        if let Some((other, _)) = self.0.iter().find(|(_, other)| *other == identity) {
            return Err(OutputError::Same {
                path: path.to_owned(),
                written: argument,
                other,
            });
        }
        self.0.push((argument, identity));
        Ok(())
    }
}

/// Refuses to replace a file of another kind. An empty file may be replaced by any kind.
fn refuse_older(path: &Path, kind: Kind) -> Result<(), OutputError> {
    /// Bytes that identify the kind of a file.
    const BEGINNING: u64 = 4096;
    if !path.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Ok(());
    }
    let read_beginning = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(BEGINNING).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let path = path.to_owned();
    match read_beginning() {
        Ok(bytes) if bytes.is_empty() || (kind.is_same_kind)(&bytes) => Ok(()),
        Ok(bytes) if kind.can_replace_unforced => Err(OutputError::Foreign {
            path,
            kind: kind.name,
            contents: (Program::running().describe_file)(&bytes),
        }),
        _ => Err(OutputError::Exists(path)),
    }
}
