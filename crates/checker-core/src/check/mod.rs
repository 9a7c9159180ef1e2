//! Compares every algorithm of every kernel at every level of the CPU with the reference, on random cases and,
//! where possible, on exhaustive sweeps.
//!
//! The check is one stream of batches of inputs. [`check()`] runs it in one go. A caller that must handle time
//! limits or faults takes the batches one by one. Nothing here needs threads, files or a clock. The idea is
//! dav1d's checkasm.

mod failure;
mod replay;
mod report;
mod sweeps;

use std::fmt;
use std::str::FromStr;

pub use failure::{Failure, describe, wrong_answer};
pub use replay::{Replay, ReplayError};
pub use report::{LevelCount, Report};
pub use sweeps::{SWEEPS, Sweep, SweptKernels};

use outflank_random::SplitMix64;

use crate::cases::Cases;
use crate::input::{Answer, Case, Input};
use crate::registry::{CheckerEntry, Kernel, kernels};

/// Maximum number of inputs in a batch.
pub const BATCH: usize = 2048;

/// Source of a batch. With a seed it gives the same inputs on every machine.
///
/// The text form is `NAME/NUMBER`, where `NAME` is a sweep's name or `random`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Part `part` of the sweep `SWEEPS[sweep]`.
    Sweep {
        /// Index of the sweep.
        sweep: usize,
        /// Number of the part, from 0.
        part: usize,
    },
    /// The random batch of this number.
    Random(u64),
}

impl Source {
    /// All parts of all sweeps.
    pub fn sweeps() -> impl Iterator<Item = Source> {
        (0..SWEEPS.len()).flat_map(|sweep| {
            let parts = (SWEEPS[sweep].cases)().count().div_ceil(BATCH);
            (0..parts).map(move |part| Source::Sweep { sweep, part })
        })
    }

    /// All parts of all sweeps, then random batches without end.
    pub fn all() -> impl Iterator<Item = Source> {
        Source::sweeps().chain((0..).map(Source::Random))
    }

    /// The cases, at most [`BATCH`]; none past the end of a sweep.
    pub fn cases(self, seed: u64) -> Vec<Case> {
        match self {
            Source::Sweep { sweep, part } => (SWEEPS[sweep].cases)()
                .skip(part * BATCH)
                .take(BATCH)
                .collect(),
            Source::Random(number) => {
                // The seed is hashed before the number is added: otherwise neighbouring seeds would share
                // batches.
                let mixed = SplitMix64::new(seed).bits().wrapping_add(number);
                let batch_seed = SplitMix64::new(mixed).bits();
                Cases::new(batch_seed).take(BATCH).collect()
            }
        }
    }

    /// The inputs, at most [`BATCH`].
    pub fn inputs(self, seed: u64) -> Vec<Input> {
        self.cases(seed).into_iter().map(Input::new).collect()
    }

    /// Returns `true` if these inputs are for the entry's kernel.
    pub fn covers(self, entry: &CheckerEntry) -> bool {
        match self {
            Source::Sweep { sweep, .. } => SWEEPS[sweep].kernels.includes(entry),
            Source::Random(_) => true,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Source::Sweep { sweep, part } => write!(f, "{}/{part}", SWEEPS[sweep].name),
            Source::Random(number) => write!(f, "random/{number}"),
        }
    }
}

/// Error of a text that names no [`Source`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no batch of inputs is named '{0}'")]
pub struct UnknownSource(String);

impl FromStr for Source {
    type Err = UnknownSource;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = || {
            let (name, number) = text.split_once('/')?;
            if name == "random" {
                return number.parse().ok().map(Source::Random);
            }
            let sweep = SWEEPS.iter().position(|sweep| sweep.name == name)?;
            let part = number.parse().ok()?;
            Some(Source::Sweep { sweep, part })
        };
        parsed().ok_or_else(|| UnknownSource(text.to_owned()))
    }
}

/// Returns the reference's answer to each of `inputs`.
pub fn expected(kernel: &Kernel, inputs: &[Input]) -> Vec<Answer> {
    inputs.iter().map(kernel.reference).collect()
}

/// Compares `entries` with their references on all sweeps and on the first `cases` random cases of `seed`.
/// Returns an error at the first difference.
///
/// # Panics
/// If the CPU lacks the level of an entry. [`runnable`](crate::registry::runnable) lists the entries that the CPU
/// can run.
pub fn check(
    entries: &[&'static CheckerEntry],
    seed: u64,
    cases: usize,
) -> Result<Report, Box<Failure>> {
    let mut counts: Vec<(&'static CheckerEntry, u64)> =
        entries.iter().map(|&entry| (entry, 0)).collect();
    let random = (0..cases.div_ceil(BATCH) as u64).map(Source::Random);
    let mut left = cases;
    for source in Source::sweeps().chain(random) {
        let mut inputs = source.inputs(seed);
        if let Source::Random(_) = source {
            inputs.truncate(left);
            left -= inputs.len();
        }
        for kernel in kernels() {
            let mut served = counts
                .iter_mut()
                .filter(|(entry, _)| entry.kernel == kernel.name && source.covers(entry))
                .peekable();
            if served.peek().is_none() {
                continue;
            }
            let expected = expected(kernel, &inputs);
            for (entry, count) in served {
                let difference = entry.first_difference(&inputs, &expected);
                if let Some((index, got)) = difference.expect("only entries that can run") {
                    return Err(Box::new(Failure {
                        entry,
                        case: inputs[index].case,
                        expected: expected[index],
                        got,
                        seed,
                        source,
                    }));
                }
                *count += inputs.len() as u64;
            }
        }
    }
    Ok(Report::new(seed, counts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_parse_from_their_text_and_repeat_their_inputs() {
        for source in Source::all().step_by(7).take(40) {
            assert_eq!(source.to_string().parse(), Ok(source));
            let cases = source.cases(5);
            assert_eq!(cases, source.cases(5), "{source}");
            assert!((1..=BATCH).contains(&cases.len()), "{source}");
        }
        for wrong in ["", "random", "random/x", "random/-1", "nothing/0", "/0"] {
            let error = wrong.parse::<Source>().unwrap_err().to_string();
            assert!(error.contains(&format!("'{wrong}'")), "{error}");
        }
    }

    #[test]
    fn random_batches_differ_by_number_and_by_seed() {
        let batches = [(0, 0), (0, 1), (1, 0), (1, 1), (!0, 0), (0, !0)];
        let batches = batches.map(|(seed, number)| Source::Random(number).cases(seed));
        for (i, one) in batches.iter().enumerate() {
            assert_eq!(one.len(), BATCH);
            for other in &batches[..i] {
                let same = one.iter().zip(other).filter(|(a, b)| a == b).count();
                assert!(same < BATCH / 100, "{same} cases are the same");
            }
        }
    }
}
