//! Copy of the repository in which mutants are built beside the original kernels.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::Value;

use super::copy::{copy, write};
use super::{Error, Judge};
use crate::Output;
use crate::emit::{Checker, Files};

/// Compiler warning about a constant with a very long or endless evaluation. Original kernels never cause it.
const ENDLESS: &str = "constant evaluation is taking a long time";

/// Copy of the repository with a build folder, kept between runs.
pub(super) struct Workspace {
    copy: PathBuf,
    target: PathBuf,
    judge: Judge,
}

/// Suffix of the names of a mutant's kernels.
pub(super) fn suffix(mutant: usize) -> String {
    format!("_mutant{mutant:04}")
}

/// Number of the first mutant whose suffix is in `text`.
fn mutant_in(text: &str) -> Option<usize> {
    let (_, rest) = text.split_once("_mutant")?;
    rest.get(..4)?.parse().ok()
}

impl Workspace {
    /// Copies the repository at `root` into `work`. Unchanged files are kept, so that cargo rebuilds little.
    pub(super) fn new(root: &Path, work: &Path, judge: Judge) -> Result<Workspace, Error> {
        let workspace = Workspace {
            copy: work.join("copy"),
            target: work.join("target"),
            judge,
        };
        copy(root, &workspace.copy)?;
        Ok(workspace)
    }

    /// Source folder of the copy's checker.
    fn checker(&self) -> PathBuf {
        self.copy.join("crates/checker-core/src")
    }

    /// Builds the judge with the generated `files` and this text of the references' `mod.rs`.
    ///
    /// Returns the program and the mutants that do not compile.
    pub(super) fn build(
        &self,
        files: Files,
        references: &str,
    ) -> Result<(PathBuf, BTreeSet<usize>), Error> {
        let module = self.checker().join(Checker::REFERENCES).join("mod.rs");
        write(&module, references.as_bytes())?;
        crate::write(&Output {
            folder: self.checker().join("generated"),
            owned: true,
            files: files.checker,
        })?;
        let mut output = Output {
            folder: self.copy.join("kernels/src/generated"),
            owned: true,
            files: files.kernels,
        };
        let mut broken = BTreeSet::new();
        loop {
            crate::write(&output)?;
            match self.attempt(&output.files)? {
                BuildAttempt::Built(program) => return Ok((program, broken)),
                BuildAttempt::Failed(message) => return Err(Error::Build { message }),
                BuildAttempt::Broken(mutants) => {
                    for mutant in mutants {
                        if !broken.insert(mutant) {
                            let message =
                                format!("{} fails even without its mutation", suffix(mutant));
                            return Err(Error::Build { message });
                        }
                        restore_original(&mut output.files, mutant);
                    }
                }
            }
        }
    }

    /// Runs cargo once.
    fn attempt(&self, files: &BTreeMap<String, String>) -> Result<BuildAttempt, Error> {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        let (package, example, settings): (_, _, &[_]) = match self.judge {
            // Low optimisation balances build time and check time.
            Judge::Suite => (
                // Without its program the checker has few dependencies.
                ["outflank-checker", "--no-default-features"].as_slice(),
                "check_mutants",
                &["opt-level=1"],
            ),
            // As in a release build: with overflow checks every sum would have a path to a panic.
            Judge::Prover => (
                &["outflank-prover"],
                "prove_mutants",
                &[
                    "opt-level=3",
                    "overflow-checks=false",
                    "debug-assertions=false",
                ],
            ),
        };
        cargo
            .args(["build", "--example", example, "--message-format", "json"])
            .arg("--package")
            .args(package);
        for setting in settings.iter().chain(&["debug=0", "incremental=false"]) {
            cargo.args(["--config", &format!("profile.dev.{setting}")]);
        }
        cargo
            .current_dir(&self.copy)
            .env("CARGO_TARGET_DIR", &self.target)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let failed = |error: std::io::Error| Error::Build {
            message: format!("cargo: {error}"),
        };
        let mut child = cargo.spawn().map_err(failed)?;
        let mut stderr = child.stderr.take().expect("it is piped");
        // Both pipes are read at once: a full pipe would block cargo.
        let stderr = thread::spawn(move || {
            let mut text = String::new();
            stderr.read_to_string(&mut text).map(|_| text)
        });
        let mut broken = BTreeSet::new();
        let mut error = None;
        let mut program = None;
        let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        for line in stdout.lines() {
            let Ok(message) = serde_json::from_str::<Value>(&line.map_err(failed)?) else {
                continue;
            };
            if let Some(path) = message["executable"].as_str() {
                program = Some(PathBuf::from(path));
            }
            let message = &message["message"];
            let is_endless = message["message"].as_str() == Some(ENDLESS);
            let level = message["level"].as_str().unwrap_or_default();
            // A separate note may name the origin of the preceding error.
            if ["error", "note"].contains(&level) || is_endless {
                broken.extend(mutant_blamed(message, files));
            }
            if level == "error" {
                error = error.or(message["rendered"].as_str().map(str::to_owned));
            }
            if is_endless {
                // rustc ends itself when it cannot write its next message.
                child.kill().map_err(failed)?;
                break;
            }
        }
        let status = child.wait().map_err(failed)?;
        Ok(match program {
            Some(program) if status.success() => BuildAttempt::Built(program),
            _ if !broken.is_empty() => BuildAttempt::Broken(broken),
            _ => {
                let stderr = stderr.join().ok().and_then(Result::ok);
                BuildAttempt::Failed(error.or(stderr).unwrap_or_default())
            }
        })
    }
}

/// Result of one run of cargo.
enum BuildAttempt {
    /// Program that judges a mutant.
    Built(PathBuf),
    /// Numbers of mutants that do not compile; the next run may find more.
    Broken(BTreeSet<usize>),
    /// Message of a failure that no mutant caused.
    Failed(String),
}

/// Replaces the modules of a mutant by re-exports of the original ones.
///
/// The other mutants then build without another run of the generator.
fn restore_original(files: &mut BTreeMap<String, String>, mutant: usize) {
    let suffix = format!("{}.rs", suffix(mutant));
    for (path, text) in files {
        if let Some(original) = path.strip_suffix(&suffix) {
            let name = original.rsplit('/').next().unwrap_or(original);
            // A module must keep its documentation to compile.
            let is_head = |line: &&str| ["", "// ", "//!"].contains(&line.get(..3).unwrap_or(""));
            let head: Vec<&str> = text.lines().take_while(is_head).collect();
            *text = format!("{}\npub use super::{name}::*;\n", head.join("\n"));
        }
    }
}

/// Number of the mutant that a message of the compiler blames.
fn mutant_blamed(message: &Value, files: &BTreeMap<String, String>) -> Option<usize> {
    let spans = message["spans"].as_array().into_iter().flatten();
    let with_calls = spans.flat_map(|span| {
        std::iter::successors(Some(span), |span| Some(&span["expansion"]["span"]))
            .take_while(|span| span.is_object())
    });
    let in_files = with_calls.filter_map(|span| {
        let (_, path) = span["file_name"].as_str()?.split_once("generated/")?;
        let mut lines = files.get(path)?.lines();
        let first = span["line_start"].as_u64()? as usize - 1;
        let last = span["line_end"].as_u64()? as usize;
        // The registry names mutants in its rows. Every other file belongs to one mutant.
        let mut here = lines.by_ref().take(last).skip(first);
        mutant_in(path).or_else(|| here.find_map(mutant_in))
    });
    in_files
        .chain(message["rendered"].as_str().and_then(mutant_in))
        .next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_mutant_is_restored_alone() {
        let paths = [
            "common/flip_mutant0001.rs",
            "v3/flip.rs",
            "v3/flip_mutant0001.rs",
            "v3/flip_mutant0002.rs",
        ];
        let broken = "//! A kernel.\n\n/// A function.\nfn f() {}\n";
        let files = BTreeMap::from(paths.map(|path| (path.to_owned(), broken.to_owned())));
        let mut restored = files.clone();
        restore_original(&mut restored, 1);
        let whole = "//! A kernel.\n\npub use super::flip::*;\n";
        let texts: Vec<_> = restored.values().map(String::as_str).collect();
        assert_eq!(texts, [whole, broken, whole, broken]);
        let mut same = files.clone();
        restore_original(&mut same, 3);
        assert_eq!(same, files);
    }

    #[test]
    fn message_is_traced_to_its_mutant() {
        let texts = [
            ("v3/flip_mutant0012.rs", "fn f() {}\nfn g() {}\n"),
            ("v3/flip.rs", "fn g() {}\n"),
            (
                "v3/registry.rs",
                "entry!(\n    returns flip_mutant0034::carry\n)\n",
            ),
        ];
        let files = BTreeMap::from(texts.map(|(path, text)| (path.to_owned(), text.to_owned())));
        let span = |path: &str, first: u64, last: u64| json!({"file_name": format!("kernels/src/generated/v3/{path}.rs"), "line_start": first, "line_end": last});
        let of =
            |spans: Value| mutant_blamed(&json!({"spans": spans, "rendered": "error"}), &files);
        let (broken, whole, row) = (
            span("flip_mutant0012", 2, 2),
            span("flip", 1, 1),
            span("registry", 1, 3),
        );
        assert_eq!(of(json!([broken])), Some(12));
        assert_eq!(of(json!([whole])), None);
        assert_eq!(of(json!([whole, broken])), Some(12));
        assert_eq!(of(json!([row])), Some(34));
        let mut inner = json!({"file_name": "crates/checker-core/src/trace/mod.rs", "line_start": 1, "line_end": 1});
        inner["expansion"] = json!({"span": row});
        assert_eq!(of(json!([inner])), Some(34));
        let named = json!({"spans": [], "rendered": "error: in `common::flip_mutant0007::RAYS`"});
        assert_eq!(mutant_blamed(&named, &files), Some(7));
    }
}
