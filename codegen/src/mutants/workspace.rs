//! A copy of the repository in which broken kernels are built, beside the whole ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::Error;
use crate::Output;

/// What the compiler says when a constant takes more steps than any of the whole kernels'.
const ENDLESS: &str = "constant evaluation is taking a long time";

/// What cargo leaves in its build folders.
const BUILT: &str = "CACHEDIR.TAG";

/// The copy, with its own build folder beside it, kept from one run to the next.
pub(super) struct Workspace {
    copy: PathBuf,
    target: PathBuf,
}

/// What became of a build.
pub(super) enum Built {
    /// The program that checks a mutant.
    Program(PathBuf),
    /// The mutants that do not compile.
    Broken(BTreeSet<usize>),
}

/// What a mutant's kernels end in.
pub(super) fn suffix(mutant: usize) -> String {
    format!("_mutant{mutant:04}")
}

/// The first mutant whose suffix is in `text`.
fn mutant_in(text: &str) -> Option<usize> {
    let (_, rest) = text.split_once("_mutant")?;
    rest.get(..4)?.parse().ok()
}

impl Workspace {
    /// Copies the repository at `root` into a folder of `work`; what is there already and the same is
    /// left alone, so that the next build has little to do.
    pub(super) fn new(root: &Path, work: &Path) -> Result<Workspace, Error> {
        let workspace = Workspace {
            copy: work.join("copy"),
            target: work.join("target"),
        };
        copy(root, &workspace.copy)?;
        let programs = workspace.copy.join("kernels/src/bin");
        fs::create_dir_all(&programs).map_err(at(&programs))?;
        write(
            &programs.join("mutants.rs"),
            include_str!("driver.rs").as_bytes(),
        )?;
        Ok(workspace)
    }

    /// The source folder of the copy's kernels.
    fn kernels(&self) -> PathBuf {
        self.copy.join("kernels/src")
    }

    /// Builds the kernels with the generated `files` and this text of `reference.rs`.
    pub(super) fn build(
        &self,
        files: BTreeMap<String, String>,
        references: &str,
    ) -> Result<Built, Error> {
        let folder = self.kernels().join("generated");
        let output = Output { folder, files };
        crate::write(&output)?;
        write(&self.kernels().join("reference.rs"), references.as_bytes())?;
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo
            .args(["build", "-p", "outflank-kernels", "--bin", "mutants"])
            .args(["--message-format", "json"])
            // Optimised a little: half of the time builds, half of it checks.
            .args(["--config", "profile.dev.opt-level=1"])
            .args(["--config", "profile.dev.debug=0"])
            .args(["--config", "profile.dev.incremental=false"])
            .current_dir(&self.copy)
            .env("CARGO_TARGET_DIR", &self.target)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let failed = |message: String| Error::Build { message };
        let mut child = cargo
            .spawn()
            .map_err(|error| failed(format!("cargo: {error}")))?;
        let mut stderr = child.stderr.take().expect("it is piped");
        // Both pipes are emptied at a time, or one could fill up and stop cargo.
        let said = std::thread::spawn(move || {
            let mut said = String::new();
            stderr.read_to_string(&mut said).map(|_| said)
        });
        let mut broken = BTreeSet::new();
        let mut error = None;
        let mut program = None;
        let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        for line in stdout.lines() {
            let line = line.map_err(|error| failed(error.to_string()))?;
            let Ok(message) = serde_json::from_str::<Value>(&line) else {
                continue;
            };
            if let Some(path) = message["executable"].as_str() {
                program = Some(PathBuf::from(path));
            }
            let message = &message["message"];
            let is_endless = message["message"].as_str() == Some(ENDLESS);
            let level = message["level"].as_str().unwrap_or_default();
            // A note of its own says where the error before it comes from.
            if ["error", "note"].contains(&level) || is_endless {
                broken.extend(culprit(message, &output.files));
            }
            if level == "error" {
                error = error.or(message["rendered"].as_str().map(str::to_owned));
            }
            if is_endless {
                // rustc itself stops when it next has something to say, and nobody listens.
                child.kill().map_err(|error| failed(error.to_string()))?;
                break;
            }
        }
        let status = child.wait().map_err(|error| failed(error.to_string()))?;
        match program {
            Some(program) if status.success() => Ok(Built::Program(program)),
            _ if !broken.is_empty() => Ok(Built::Broken(broken)),
            _ => {
                let said = said.join().ok().and_then(Result::ok).unwrap_or_default();
                Err(failed(error.unwrap_or(said)))
            }
        }
    }
}

/// The mutant that a message of the compiler is about.
fn culprit(message: &Value, files: &BTreeMap<String, String>) -> Option<usize> {
    let spans = message["spans"].as_array().into_iter().flatten();
    let with_calls = spans.flat_map(|span| {
        std::iter::successors(Some(span), |span| Some(&span["expansion"]["span"]))
            .take_while(|span| span.is_object())
    });
    let in_files = with_calls.filter_map(|span| {
        let file = Path::new(span["file_name"].as_str()?)
            .file_name()?
            .to_str()?;
        let lines: Vec<&str> = files.get(file)?.lines().collect();
        let first = span["line_start"].as_u64()? as usize - 1;
        let last = span["line_end"].as_u64()? as usize;
        // A row of the registry names it; anything else is inside of its module.
        let here = lines.get(first..last)?.iter().copied();
        let above = lines[..first].iter().rev().copied();
        let module = above.filter(|line| line.contains(" mod ")).take(1);
        here.chain(module).find_map(mutant_in)
    });
    in_files
        .chain(message["rendered"].as_str().and_then(mutant_in))
        .next()
}

fn at(path: &Path) -> impl Fn(std::io::Error) -> Error {
    let path = path.to_owned();
    move |source| Error::File {
        path: path.clone(),
        source,
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    fs::write(path, bytes).map_err(at(path))
}

/// Copies what changed of a folder, and removes what is gone; build folders and hidden files stay
/// behind.
fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    fs::create_dir_all(to).map_err(at(to))?;
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(from).map_err(at(from))? {
        let entry = entry.map_err(at(from))?;
        let name = entry.file_name();
        let (from, to) = (entry.path(), to.join(&name));
        if name.to_string_lossy().starts_with('.') || from.join(BUILT).exists() {
            continue;
        }
        if from.is_dir() {
            copy(&from, &to)?;
        } else {
            write(&to, &fs::read(&from).map_err(at(&from))?)?;
        }
        names.insert(name);
    }
    for entry in fs::read_dir(to).map_err(at(to))? {
        let entry = entry.map_err(at(to))?;
        let path = entry.path();
        if !names.contains(&entry.file_name()) {
            let removed = match path.is_dir() {
                true => fs::remove_dir_all(&path),
                false => fs::remove_file(&path),
            };
            removed.map_err(at(&path))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_is_traced_to_its_mutant() {
        let text = "pub mod flip_mutant0012 {\n    fn f() {}\n}\npub mod flip {\n    fn g() {}\n}\n\
                    entry!(\n    returns flip_mutant0034::carry\n)\n";
        let files = BTreeMap::from([("v3.rs".to_owned(), text.to_owned())]);
        let span = |first: u64, last: u64| json!({"file_name": "kernels/src/generated/v3.rs", "line_start": first, "line_end": last});
        let of = |spans: Value| culprit(&json!({"spans": spans, "rendered": "error"}), &files);
        assert_eq!(of(json!([span(2, 2)])), Some(12));
        assert_eq!(of(json!([span(5, 5)])), None);
        assert_eq!(of(json!([span(5, 5), span(2, 2)])), Some(12));
        assert_eq!(of(json!([span(7, 9)])), Some(34));
        let mut inner =
            json!({"file_name": "kernels/src/trace.rs", "line_start": 1, "line_end": 1});
        inner["expansion"] = json!({"span": span(7, 9)});
        assert_eq!(of(json!([inner])), Some(34));
        let named = json!({"spans": [], "rendered": "error: in `common::flip_mutant0007::RAYS`"});
        assert_eq!(culprit(&named, &files), Some(7));
    }

    #[test]
    fn a_copy_follows_what_changes() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (from, to) = (from.path(), to.path());
        fs::create_dir_all(from.join("a/built")).unwrap();
        fs::write(from.join("a/one"), "1").unwrap();
        fs::write(from.join("a/.hidden"), "").unwrap();
        fs::write(from.join("a/built/CACHEDIR.TAG"), "").unwrap();
        copy(from, to).unwrap();
        fs::remove_file(from.join("a/one")).unwrap();
        fs::write(from.join("a/two"), "2").unwrap();
        copy(from, to).unwrap();
        let names: Vec<_> = fs::read_dir(to.join("a"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(names, ["two"]);
        assert_eq!(fs::read_to_string(to.join("a/two")).unwrap(), "2");
    }
}
