//! Whole solves with two builds of the program in turn.

use std::path::{Path, PathBuf};
use std::process::Command;

use outflank_console::json::{object, to_line};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::super::json::rounded;
use super::{InSearchError, output};
use crate::bench::{Ratio, Samples};
use crate::registry::CheckerEntry;

/// Probability that one end of the interval of a ratio is wrong.
const ERROR: f64 = 0.025;

/// Build of the program `outflank`, which is run at one level.
pub(super) struct Build<'a> {
    program: PathBuf,
    isa: &'a str,
    /// Signature of the search.
    pub(super) signature: u64,
}

impl<'a> Build<'a> {
    /// Runs the program for its signature.
    pub(super) fn new(program: PathBuf, isa: &'a str) -> Result<Build<'a>, InSearchError> {
        #[derive(Deserialize)]
        struct Totals {
            signature: u64,
        }
        let totals: Vec<Totals> = bench(&program, isa, &["--hash", "64"])?;
        Ok(Build {
            program,
            isa,
            signature: totals[0].signature,
        })
    }
}

/// Runs `outflank bench --json` with further arguments. Returns the lines that are a `T`; at least one.
fn bench<T: DeserializeOwned>(
    program: &Path,
    isa: &str,
    arguments: &[&str],
) -> Result<Vec<T>, InSearchError> {
    let mut command = Command::new(program);
    command.args(["bench", "--json", "--isa", isa]);
    let text = output(command.args(arguments))?;
    let results = text.lines().map(serde_json::from_str);
    let results: Vec<T> = results.filter_map(Result::ok).collect();
    match results.is_empty() {
        true => Err(InSearchError::Output(program.to_owned())),
        false => Ok(results),
    }
}

/// Times of whole solves in seconds.
pub(super) struct Times {
    base: Samples,
    changed: Samples,
}

impl Times {
    /// Solves with both programs in turn.
    pub(super) fn measure(
        base: &Build,
        changed: &Build,
        rounds: usize,
    ) -> Result<Times, InSearchError> {
        #[derive(Deserialize)]
        struct Round {
            ours_s: f64,
            peer_s: f64,
        }
        let program = quoted(&changed.program);
        let peer = format!("{program} solve --isa {} {{file}}", changed.isa);
        let arguments = ["--rounds", &rounds.to_string(), "--peer", &peer];
        let rounds: Vec<Round> = bench(&base.program, base.isa, &arguments)?;
        Ok(Times {
            base: Samples::new(rounds.iter().map(|round| round.ours_s)),
            changed: Samples::new(rounds.iter().map(|round| round.peer_s)),
        })
    }

    /// Formats the times and their ratio as a line.
    pub(super) fn text(&self, entry: &CheckerEntry, json: bool) -> String {
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

/// Quotes a path as for a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted() {
        assert_eq!(quoted(Path::new("/a b/it's")), r"'/a b/it'\''s'");
    }
}
