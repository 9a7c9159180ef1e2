//! Output files of a command. None overwrites another file of the command, and no older file of another kind.
//!
//! Every command that writes files names all of them here, before its work begins:
//!
//! ```ignore
//! let [out, svg] = Files::new()
//!     .reading("FILE", &arguments.files)
//!     .updating("--checkpoint", &arguments.checkpoint)?
//!     .writing(
//!         [
//!             ("--out", Some(&arguments.out), kind::WEIGHTS),
//!             ("--svg", arguments.svg.as_ref(), kind::SVG),
//!         ],
//!         arguments.force,
//!     )?;
//! ```

mod identity;
pub(crate) mod kind;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use outflank::eval::Looks;

use super::CommandError;
use crate::replace::Output;
use identity::Identity;
use kind::Kind;

/// The option of commands that write files.
#[derive(Args, Clone, Copy)]
pub(crate) struct ForceArgument {
    /// Replace older files, whatever they are
    #[arg(long)]
    force: bool,
}

impl ForceArgument {
    /// The option given.
    pub(crate) const FORCED: ForceArgument = ForceArgument { force: true };

    /// The option not given.
    pub(crate) const UNFORCED: ForceArgument = ForceArgument { force: false };

    /// As given, or forced for another reason.
    pub(crate) fn or(self, is_forced: bool) -> ForceArgument {
        ForceArgument {
            force: self.force || is_forced,
        }
    }
}

/// Why a command writes no file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OutputError {
    /// Two arguments name one file.
    #[error("{}: {written} would be written over {other}; name another file", path.display())]
    Same {
        path: PathBuf,
        /// The argument that the path comes from.
        written: &'static str,
        /// The other argument.
        other: &'static str,
    },
    /// Files of this kind are never replaced without being asked for.
    #[error("{} is there already: name another file, or replace it with --force", .0.display())]
    Exists(PathBuf),
    /// The older file is of another kind.
    #[error("{} is not {kind}; {looks}. Name another file, or replace it with --force", path.display())]
    Foreign {
        path: PathBuf,
        /// The kind that is to be written, with its article.
        kind: &'static str,
        /// The older file.
        looks: Looks,
    },
}

/// The files that a command was given so far, each with the name of its argument.
#[derive(Clone, Default)]
pub(crate) struct Files(Vec<(&'static str, Identity)>);

impl Files {
    /// None so far.
    pub(crate) fn new() -> Files {
        Files::default()
    }

    /// Adds files that are read; `-` is standard input.
    pub(crate) fn reading<P: AsRef<Path>>(
        mut self,
        argument: &'static str,
        paths: impl IntoIterator<Item = P>,
    ) -> Files {
        let identities =
            paths
                .into_iter()
                .filter_map(|path| match path.as_ref() == Path::new("-") {
                    true => Identity::of_stdin(),
                    false => Identity::of(path.as_ref()),
                });
        self.0
            .extend(identities.map(|identity| (argument, identity)));
        self
    }

    /// Adds files that are read and written, and refuses one that was named before. Its reader refuses other
    /// kinds.
    pub(crate) fn updating<P: AsRef<Path>>(
        mut self,
        argument: &'static str,
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Files, OutputError> {
        for path in paths {
            self.add(argument, path.as_ref())?;
        }
        Ok(self)
    }

    /// Opens the files that are only written: argument, path if it was given, and kind.
    ///
    /// Refuses a path that was named before. Unless `force` is set, refuses to replace a file of another kind.
    pub(crate) fn writing<const N: usize>(
        mut self,
        outputs: [(&'static str, Option<&PathBuf>, Kind); N],
        force: ForceArgument,
    ) -> Result<[Option<Output>; N], CommandError> {
        // All of them are looked at first: opening a pipe waits for its reader.
        let named = || {
            outputs
                .into_iter()
                .filter_map(|(a, path, k)| Some((a, path?, k)))
        };
        for (argument, path, _) in named() {
            self.add(argument, path)?;
        }
        for (_, path, kind) in named().filter(|_| !force.force) {
            refuse_older(path, kind)?;
        }
        let mut failure = None;
        let opened = outputs.map(|(_, path, _)| {
            // Behind a failure nothing is opened: a pipe would wait for its reader.
            let path = path.filter(|_| failure.is_none());
            let opened = path.map(|path| Output::open(path));
            opened.transpose().unwrap_or_else(|error| {
                failure.get_or_insert(error);
                None
            })
        });
        match failure {
            Some(error) => Err(error.into()),
            None => Ok(opened),
        }
    }

    /// Opens the only file that is written, as [`Files::writing`] does.
    pub(crate) fn writing_one(
        self,
        argument: &'static str,
        path: &PathBuf,
        kind: Kind,
        force: ForceArgument,
    ) -> Result<Output, CommandError> {
        let [output] = self.writing([(argument, Some(path), kind)], force)?;
        Ok(output.expect("it was given"))
    }

    /// Adds a file that is written, and refuses one that was named before.
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

/// Refuses to replace a file that is not of this kind. An empty file may become anything.
fn refuse_older(path: &Path, kind: Kind) -> Result<(), OutputError> {
    /// Enough to tell the kind of a file.
    const BEGINNING: u64 = 4096;
    if !path.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Ok(());
    }
    let begin = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(BEGINNING).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let path = path.to_owned();
    match begin() {
        Ok(bytes) if bytes.is_empty() || (kind.is_same_kind)(&bytes) => Ok(()),
        Ok(bytes) if kind.can_replace_unforced => Err(OutputError::Foreign {
            path,
            kind: kind.name,
            looks: Looks::of(&bytes),
        }),
        _ => Err(OutputError::Exists(path)),
    }
}
