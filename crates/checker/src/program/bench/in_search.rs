//! `bench --in-search`: whole solves with each algorithm of a kernel.
//!
//! A kernel timed alone has the branch predictor and the caches to itself, so its own timing is not enough. The program is
//! built from a copy of the checkout, in which a level selects another algorithm.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use outflank_console::console::{print_line, remark};
use outflank_console::json::{object, to_line};
use outflank_console::status::{FAILURE, USAGE};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::json::rounded;
use crate::bench::{Ratio, Samples};
use crate::registry::CheckerEntry;

/// Probability that one end of the interval of a ratio is wrong.
const ERROR: f64 = 0.025;

/// Error that ends the measurement of whole solves.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum InSearchError {
    #[error("--in-search needs a checkout of Outflank: {} is in none", .0.display())]
    NoCheckout(PathBuf),
    #[error("--in-search: the level uses {0} already; name another algorithm")]
    OnlySelected(String),
    #[error("{0} has no template that selects an algorithm")]
    NoTemplate(String),
    #[error("cannot run {program}: {error}")]
    Start { program: String, error: io::Error },
    #[error("{program} ended with {status}: {last_line}")]
    Failed {
        program: String,
        status: ExitStatus,
        last_line: String,
    },
    #[error("{program} wrote no result of `bench --json`: {problem}")]
    Output { program: String, problem: String },
    #[error("{name}: signature {found}; the unchanged program has {expected}")]
    Signature {
        name: String,
        found: u64,
        expected: u64,
    },
    #[error("cannot copy the checkout: {0}")]
    Copy(io::Error),
    #[error("cannot write the results: {0}")]
    Results(io::Error),
}

impl InSearchError {
    /// Exit status of the command.
    pub(in super::super) fn status(&self) -> u8 {
        match self {
            InSearchError::NoCheckout(_)
            | InSearchError::OnlySelected(_)
            | InSearchError::NoTemplate(_) => USAGE,
            _ => FAILURE,
        }
    }
}

/// Measures the entries of one level that it does not use, and returns the exit status.
pub(super) fn run(
    entries: &[&'static CheckerEntry],
    rounds: usize,
    json: bool,
) -> Result<u8, InSearchError> {
    let checkout = Checkout::of_this_folder()?;
    let others: Vec<_> = entries.iter().filter(|entry| !entry.selected).collect();
    if others.is_empty() {
        return Err(InSearchError::OnlySelected(entries[0].title()));
    }
    let templates: Vec<PathBuf> = others
        .iter()
        .map(|entry| checkout.template(entry.kernel))
        .collect::<Result<_, _>>()?;
    checkout.copy().map_err(InSearchError::Copy)?;
    remark("building the unchanged program");
    let base = checkout.build(&checkout.root, &checkout.root.join("target"))?;
    let isa = others[0].isa.name();
    let expected = signature(&base, isa)?;
    for (entry, template) in others.iter().zip(templates) {
        remark(format_args!("building with {}", entry.title()));
        let Some(changed) = checkout.select(&template, isa, entry.algorithm)? else {
            continue;
        };
        let found = signature(&changed, isa)?;
        if found != expected {
            return Err(InSearchError::Signature {
                name: entry.title(),
                found,
                expected,
            });
        }
        let times = Times::measure(&base, &changed, isa, rounds)?;
        print_line(times.text(entry, json)).map_err(InSearchError::Results)?;
    }
    Ok(0)
}

/// Checkout of the repository.
struct Checkout {
    root: PathBuf,
}

impl Checkout {
    /// Finds the checkout of the current folder.
    fn of_this_folder() -> Result<Checkout, InSearchError> {
        let here = env::current_dir().unwrap_or_default();
        let mut folders = here.ancestors();
        let root = folders.find(|folder| folder.join("codegen/templates").is_dir());
        match root {
            Some(root) => Ok(Checkout {
                root: root.to_owned(),
            }),
            None => Err(InSearchError::NoCheckout(here)),
        }
    }

    /// Folder of the builds and of the copy.
    fn folder(&self) -> PathBuf {
        self.root.join("target/in-search")
    }

    fn source(&self) -> PathBuf {
        self.folder().join("source")
    }

    /// Path of a kernel's template inside the checkout. Variants by geometry share one template.
    fn template(&self, kernel: &str) -> Result<PathBuf, InSearchError> {
        let folder = Path::new("codegen/templates");
        let base = kernel.trim_end_matches("_corner");
        let names = ["", "@geometry", "@corner"].map(|geometry| format!("{base}{geometry}.rs.j2"));
        let mut paths = names.iter().map(|name| folder.join(name));
        let found = paths.find(|path| {
            let text = fs::read_to_string(self.root.join(path)).unwrap_or_default();
            text.contains(SELECT)
        });
        found.ok_or_else(|| InSearchError::NoTemplate(kernel.to_owned()))
    }

    /// Copies all files that git tracks.
    fn copy(&self) -> io::Result<()> {
        let source = self.source();
        if source.exists() {
            fs::remove_dir_all(&source)?;
        }
        let mut git = Command::new("git");
        let listed = git
            .args(["ls-files", "-z"])
            .current_dir(&self.root)
            .output()?;
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        let names = listed.split('\0').filter(|name| !name.is_empty());
        for name in names {
            let to = source.join(name);
            fs::create_dir_all(to.parent().unwrap_or(&source))?;
            // A file that was deleted without a commit is not part of the checkout.
            match fs::copy(self.root.join(name), &to) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => (),
                result => drop(result?),
            }
        }
        Ok(())
    }

    /// Builds the program from the sources at `root` and returns its path.
    fn build(&self, root: &Path, target: &Path) -> Result<PathBuf, InSearchError> {
        let mut cargo = Command::new("cargo");
        cargo
            .args(["build", "--release", "--quiet", "--package", "outflank-cli"])
            .arg("--manifest-path")
            .arg(root.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(target)
            .current_dir(root);
        output(&mut cargo)?;
        Ok(target.join("release/outflank"))
    }

    /// Builds the program with another algorithm selected and returns its path. The copy of the template is restored.
    /// Reports why the generator refuses a selection, and returns `None` then.
    fn select(
        &self,
        template: &Path,
        isa: &str,
        algorithm: &str,
    ) -> Result<Option<PathBuf>, InSearchError> {
        let source = self.source();
        let copied = source.join(template);
        let text = fs::read_to_string(self.root.join(template)).map_err(InSearchError::Copy)?;
        let changed = selecting(&text, isa, algorithm);
        fs::write(&copied, changed).map_err(InSearchError::Copy)?;
        let mut codegen = Command::new("cargo");
        codegen
            .args(["run", "--quiet", "--package", "outflank-codegen"])
            .arg("--manifest-path")
            .arg(source.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(self.folder())
            .current_dir(&source);
        let generated = output(&mut codegen);
        fs::write(&copied, text).map_err(InSearchError::Copy)?;
        match generated {
            Ok(_) => self.build(&source, &self.folder()).map(Some),
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

/// Runs a program and returns its standard output.
fn output(command: &mut Command) -> Result<String, InSearchError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let result = command.stdin(Stdio::null()).output();
    let output = result.map_err(|error| InSearchError::Start {
        program: program.clone(),
        error,
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut lines = message.lines().filter(|line| !line.trim().is_empty());
    Err(InSearchError::Failed {
        program,
        status: output.status,
        last_line: lines.next_back().unwrap_or("it said nothing").to_owned(),
    })
}

/// Runs `outflank bench --json` with further arguments and reads all lines but the last, or the last alone.
fn bench_lines<T: DeserializeOwned>(
    program: &Path,
    isa: &str,
    arguments: &[&str],
    last: bool,
) -> Result<Vec<T>, InSearchError> {
    let mut command = Command::new(program);
    command
        .args(["bench", "--json", "--isa", isa])
        .args(arguments);
    let text = output(&mut command)?;
    let mut lines: Vec<&str> = text.lines().collect();
    let end = lines.pop();
    let lines = if last {
        end.into_iter().collect()
    } else {
        lines
    };
    let parsed: Result<Vec<T>, _> = lines.into_iter().map(serde_json::from_str).collect();
    let problem = match parsed {
        Ok(values) if !values.is_empty() => return Ok(values),
        Ok(_) => "it is empty".to_owned(),
        Err(error) => error.to_string(),
    };
    Err(InSearchError::Output {
        program: program.display().to_string(),
        problem,
    })
}

/// Signature of the search of a program.
fn signature(program: &Path, isa: &str) -> Result<u64, InSearchError> {
    #[derive(Deserialize)]
    struct Totals {
        signature: u64,
    }
    let totals: Vec<Totals> = bench_lines(program, isa, &["--hash", "64"], true)?;
    Ok(totals[0].signature)
}

/// Times of whole solves in seconds.
struct Times {
    base: Samples,
    changed: Samples,
}

impl Times {
    /// Solves with both programs in turn.
    fn measure(
        base: &Path,
        changed: &Path,
        isa: &str,
        rounds: usize,
    ) -> Result<Times, InSearchError> {
        #[derive(Deserialize)]
        struct Round {
            ours_s: f64,
            peer_s: f64,
        }
        let peer = format!("{} solve --isa {isa} {{file}}", quoted(changed.as_os_str()));
        let arguments = ["--rounds", &rounds.to_string(), "--peer", &peer];
        let rounds: Vec<Round> = bench_lines(base, isa, &arguments, false)?;
        Ok(Times {
            base: Samples::new(rounds.iter().map(|round| round.ours_s)),
            changed: Samples::new(rounds.iter().map(|round| round.peer_s)),
        })
    }

    fn text(&self, entry: &CheckerEntry, json: bool) -> String {
        let ratio = Ratio::new(&self.base, &self.changed, ERROR);
        let (base, changed) = (self.base.median(), self.changed.median());
        match json {
            true => to_line(&object! {
                kernel: entry.kernel,
                algorithm: entry.algorithm,
                isa: entry.isa.name(),
                rounds: self.base.sorted().len(),
                selected_s: rounded(base),
                changed_s: rounded(changed),
                ratio: rounded(ratio.estimate),
                low: rounded(ratio.low),
                high: ratio.high.is_finite().then(|| rounded(ratio.high)),
            }),
            false => format!(
                "{}: {changed:.3} s, with the selected algorithm {base:.3} s, ratio {:.3} (95 %: {:.3} to {:.3})",
                entry.title(),
                ratio.estimate,
                ratio.low,
                ratio.high
            ),
        }
    }
}

/// Quotes a word as for a shell.
fn quoted(word: &OsStr) -> String {
    format!("'{}'", word.to_string_lossy().replace('\'', r"'\''"))
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

    #[test]
    fn paths_are_quoted() {
        assert_eq!(quoted(OsStr::new("/a b/it's")), r"'/a b/it'\''s'");
    }
}
