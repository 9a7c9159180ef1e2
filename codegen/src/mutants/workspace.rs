//! A copy of the repository in which broken kernels are built, beside the whole ones.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::Value;

use super::copy::{copy, write};
use super::{Error, Judge};
use crate::Output;
use crate::emit::Files;

/// What the compiler says when a constant takes more steps than any of the whole kernels'.
const ENDLESS: &str = "constant evaluation is taking a long time";

/// The copy, with its own build folder beside it, kept from one run to the next.
pub(super) struct Workspace {
    copy: PathBuf,
    target: PathBuf,
    judge: Judge,
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
    pub(super) fn new(root: &Path, work: &Path, judge: Judge) -> Result<Workspace, Error> {
        let workspace = Workspace {
            copy: work.join("copy"),
            target: work.join("target"),
            judge,
        };
        copy(root, &workspace.copy)?;
        Ok(workspace)
    }

    /// The source folder of the copy's checker.
    fn checker(&self) -> PathBuf {
        self.copy.join("checker/src")
    }

    /// Builds the kernels and the checker with the generated `files` and this text of `reference.rs`: the
    /// program that checks a mutant, and the mutants that do not compile.
    pub(super) fn build(
        &self,
        files: Files,
        references: &str,
    ) -> Result<(PathBuf, BTreeSet<usize>), Error> {
        write(&self.checker().join("reference.rs"), references.as_bytes())?;
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
                Attempt::Built(program) => return Ok((program, broken)),
                Attempt::Failed(message) => return Err(Error::Build { message }),
                Attempt::Broken(mutants) => {
                    for mutant in mutants {
                        if !broken.insert(mutant) {
                            let message = format!("{} is not to be mended", suffix(mutant));
                            return Err(Error::Build { message });
                        }
                        mend(&mut output.files, mutant);
                    }
                }
            }
        }
    }

    /// Runs cargo once.
    fn attempt(&self, files: &BTreeMap<String, String>) -> Result<Attempt, Error> {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        let (package, settings): (_, &[_]) = match self.judge {
            // Optimised a little: half of the time builds, half of it checks.
            Judge::Suite => ("outflank-checker", &["opt-level=1"]),
            // As kernels are shipped: with checks of overflows every sum has a path that ends in a panic.
            Judge::Prover => (
                "outflank-prover",
                &[
                    "opt-level=3",
                    "overflow-checks=false",
                    "debug-assertions=false",
                ],
            ),
        };
        cargo
            .args(["build", "-p", package, "--example", "mutants"])
            .args(["--message-format", "json"]);
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
        // Both pipes are emptied at a time, or one could fill up and stop cargo.
        let said = thread::spawn(move || {
            let mut said = String::new();
            stderr.read_to_string(&mut said).map(|_| said)
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
            // A note of its own says where the error before it comes from.
            if ["error", "note"].contains(&level) || is_endless {
                broken.extend(culprit(message, files));
            }
            if level == "error" {
                error = error.or(message["rendered"].as_str().map(str::to_owned));
            }
            if is_endless {
                // rustc itself stops when it next has something to say, and nobody listens.
                child.kill().map_err(failed)?;
                break;
            }
        }
        let status = child.wait().map_err(failed)?;
        Ok(match program {
            Some(program) if status.success() => Attempt::Built(program),
            _ if !broken.is_empty() => Attempt::Broken(broken),
            _ => {
                let said = said.join().ok().and_then(Result::ok);
                Attempt::Failed(error.or(said).unwrap_or_default())
            }
        })
    }
}

/// The result of one run of cargo.
enum Attempt {
    /// The program that checks a mutant.
    Built(PathBuf),
    /// Mutants that do not compile, not all that there are perhaps.
    Broken(BTreeSet<usize>),
    /// What was said where no mutant is to blame.
    Failed(String),
}

/// Makes the modules of a mutant those of the whole kernel: so that the others can be built without it,
/// and without another run of the generator.
fn mend(files: &mut BTreeMap<String, String>, mutant: usize) {
    let suffix = format!("{}.rs", suffix(mutant));
    for (path, text) in files {
        if let Some(whole) = path.strip_suffix(&suffix) {
            let name = whole.rsplit('/').next().unwrap_or(whole);
            // A module without its documentation would not compile.
            let is_head = |line: &&str| ["", "// ", "//!"].contains(&line.get(..3).unwrap_or(""));
            let head: Vec<&str> = text.lines().take_while(is_head).collect();
            *text = format!("{}\npub use super::{name}::*;\n", head.join("\n"));
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
        let (_, path) = span["file_name"].as_str()?.split_once("generated/")?;
        let mut lines = files.get(path)?.lines();
        let first = span["line_start"].as_u64()? as usize - 1;
        let last = span["line_end"].as_u64()? as usize;
        // A row of the registry names it; anything else is in a file of its own.
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
    fn a_mutant_is_mended_alone() {
        let paths = [
            "common/flip_mutant0001.rs",
            "v3/flip.rs",
            "v3/flip_mutant0001.rs",
            "v3/flip_mutant0002.rs",
        ];
        let broken = "//! A kernel.\n\n/// A function.\nfn f() {}\n";
        let files = BTreeMap::from(paths.map(|path| (path.to_owned(), broken.to_owned())));
        let mut mended = files.clone();
        mend(&mut mended, 1);
        let whole = "//! A kernel.\n\npub use super::flip::*;\n";
        let texts: Vec<_> = mended.values().map(String::as_str).collect();
        assert_eq!(texts, [whole, broken, whole, broken]);
        let mut same = files.clone();
        mend(&mut same, 3);
        assert_eq!(same, files);
    }

    #[test]
    fn a_message_is_traced_to_its_mutant() {
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
        let of = |spans: Value| culprit(&json!({"spans": spans, "rendered": "error"}), &files);
        let (broken, whole, row) = (
            span("flip_mutant0012", 2, 2),
            span("flip", 1, 1),
            span("registry", 1, 3),
        );
        assert_eq!(of(json!([broken])), Some(12));
        assert_eq!(of(json!([whole])), None);
        assert_eq!(of(json!([whole, broken])), Some(12));
        assert_eq!(of(json!([row])), Some(34));
        let mut inner =
            json!({"file_name": "checker/src/trace.rs", "line_start": 1, "line_end": 1});
        inner["expansion"] = json!({"span": row});
        assert_eq!(of(json!([inner])), Some(34));
        let named = json!({"spans": [], "rendered": "error: in `common::flip_mutant0007::RAYS`"});
        assert_eq!(culprit(&named, &files), Some(7));
    }
}
