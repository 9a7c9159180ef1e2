//! The checkout in the current folder, and a copy of it in which a level selects another algorithm.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use outflank_console::console::remark;

use super::{InSearchError, output};
use crate::registry::CheckerEntry;

/// Sources of Outflank with the folder of their builds.
struct Sources {
    root: PathBuf,
    target: PathBuf,
}

impl Sources {
    fn cargo(&self, words: &[&str]) -> Result<(), InSearchError> {
        let mut cargo = Command::new("cargo");
        cargo.args(words).arg("--quiet");
        cargo.arg("--target-dir").arg(&self.target);
        output(cargo.current_dir(&self.root)).map(drop)
    }

    /// Builds the program and returns its path.
    fn build(&self) -> Result<PathBuf, InSearchError> {
        self.cargo(&["build", "--release", "--package", "outflank-cli"])?;
        Ok(self.target.join("release/outflank"))
    }
}

/// Checkout of the repository, and the copy.
pub(super) struct Checkout {
    original: Sources,
    copy: Sources,
}

impl Checkout {
    /// Finds the checkout of the current folder.
    pub(super) fn of_this_folder() -> Result<Checkout, InSearchError> {
        let here = env::current_dir().unwrap_or_default();
        let mut folders = here.ancestors();
        let root = folders.find(|folder| folder.join("codegen/templates").is_dir());
        let Some(root) = root else {
            return Err(InSearchError::NoCheckout(here));
        };
        let target = root.join("target");
        let work = target.join("in-search");
        Ok(Checkout {
            original: Sources {
                root: root.to_owned(),
                target,
            },
            copy: Sources {
                root: work.join("source"),
                target: work,
            },
        })
    }

    /// Path of a kernel's template inside the checkout. Variants by geometry share one template.
    pub(super) fn template(&self, kernel: &str) -> Result<PathBuf, InSearchError> {
        let base = kernel.trim_end_matches("_corner");
        let names = ["", "@geometry", "@corner"]
            .map(|geometry| format!("codegen/templates/{base}{geometry}.rs.j2"));
        let found = names.iter().map(Path::new).find(|path| {
            let text = fs::read_to_string(self.original.root.join(path)).unwrap_or_default();
            text.contains(SELECT)
        });
        let found = found.map(Path::to_owned);
        found.ok_or_else(|| InSearchError::NoTemplate(kernel.to_owned()))
    }

    /// Copies all files that git tracks.
    pub(super) fn copy_sources(&self) -> Result<(), InSearchError> {
        let Checkout { original, copy } = self;
        if copy.root.exists() {
            fs::remove_dir_all(&copy.root)?;
        }
        let mut git = Command::new("git");
        let listed = output(git.args(["ls-files", "-z"]).current_dir(&original.root))?;
        for name in listed.split('\0').filter(|name| !name.is_empty()) {
            let to = copy.root.join(name);
            fs::create_dir_all(to.parent().unwrap_or(&copy.root))?;
            // A file that was deleted without a commit is not part of the checkout.
            match fs::copy(original.root.join(name), &to) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => (),
                result => drop(result?),
            }
        }
        Ok(())
    }

    /// Builds the program of the checkout and returns its path.
    pub(super) fn build_unchanged(&self) -> Result<PathBuf, InSearchError> {
        self.original.build()
    }

    /// Builds the program with the entry selected at its level, and returns its path. The copy of the template is restored.
    /// If the generator refuses the selection, reports why and returns `None`.
    pub(super) fn build_with(
        &self,
        entry: &CheckerEntry,
        template: &Path,
    ) -> Result<Option<PathBuf>, InSearchError> {
        let copied = self.copy.root.join(template);
        let text = fs::read_to_string(self.original.root.join(template))?;
        fs::write(&copied, selecting(&text, entry.isa.name(), entry.algorithm))?;
        let generated = self.copy.cargo(&["run", "--package", "outflank-codegen"]);
        fs::write(&copied, text)?;
        match generated {
            Ok(()) => self.copy.build().map(Some),
            Err(error @ InSearchError::Failed { .. }) => {
                remark(error);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

/// Attribute of a template that selects its algorithms.
const SELECT: &str = "#![select(";

/// Changes the text of a template such that the level `isa` selects `algorithm`.
fn selecting(template: &str, isa: &str, algorithm: &str) -> String {
    let Some((before, rest)) = template.split_once(SELECT) else {
        return template.to_owned();
    };
    let (list, after) = rest.split_once(')').unwrap_or((rest, ""));
    let of_level = |item: &&str| item.split('=').next().map(str::trim) == Some(isa);
    let others = list
        .split(',')
        .map(str::trim)
        .filter(|item| !of_level(item));
    let mut items: Vec<String> = others.map(str::to_owned).collect();
    items.push(format!("{isa} = {algorithm}"));
    format!("{before}{SELECT}{}){after}", items.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_selects_another_algorithm() {
        let template = |list: &str| format!("//! Flips (all).\n#![select({list})]\nfn x() {{}}");
        for (isa, algorithm, expected) in [
            ("v2", "carry", "portable = carry, v3 = fill, v2 = carry"),
            ("v3", "carry", "portable = carry, v2 = mirror, v3 = carry"),
            (
                "v4",
                "lzcnt",
                "portable = carry, v2 = mirror, v3 = fill, v4 = lzcnt",
            ),
        ] {
            let text = template("portable = carry, v2 = mirror, v3 = fill");
            assert_eq!(selecting(&text, isa, algorithm), template(expected));
        }
    }
}
