//! The check in a separate process, which survives faults. After a fault the next worker is started without
//! the algorithm that caused it.
//!
//! A worker is a process that calls [`work`] with its standard input and output. Usually it is the same program,
//! started with another argument. It announces each step. If it dies or falls silent, the last announced step is
//! the culprit. So no signal handler is needed. To find the input, the step is run again, one input at a time.
//!
//! ```no_run
//! use std::io::{stdin, stdout};
//! use std::process::Command;
//! use std::time::Duration;
//!
//! use outflank_checker_core::registry::runnable;
//! use outflank_checker_core::supervise::{Event, Supervisor, WorkerError, work};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! if std::env::args().any(|argument| argument == "worker") {
//!     return Ok(work(stdin().lock(), stdout().lock())?);
//! }
//! let program = std::env::current_exe()?;
//! let supervisor = Supervisor {
//!     launch: || {
//!         let mut command = Command::new(&program);
//!         command.arg("worker");
//!         command
//!     },
//!     seed: 7,
//!     limit: Duration::from_secs(10),
//!     patience: Duration::from_secs(20),
//! };
//! let entries: Vec<_> = runnable().collect();
//! let outcome = supervisor.run(&entries, |event| {
//!     match event {
//!         Event::Compared(_) => {}
//!         Event::Mismatch(failure) => println!("{failure}"),
//!         Event::Fault(fault) => println!("{fault}"),
//!     }
//!     Ok::<(), WorkerError>(())
//! })?;
//! println!("{} comparisons, {} failed", outcome.report.comparisons, outcome.failed.len());
//! # Ok(())
//! # }
//! ```

mod fault;
mod protocol;
mod watch;
mod worker;

use std::io;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::check::{Failure, Report, Source};
use crate::input::{Answer, Case};
use crate::registry::CheckerEntry;
pub use fault::Fault;
use fault::WorkerEnd;
use protocol::{Message, Step, Task};
use watch::watch;
pub use worker::work;

/// Error of a worker that cannot be started or writes an invalid message.
#[derive(Debug, thiserror::Error)]
#[error("cannot run the kernels in a process of their own: {0}")]
pub struct WorkerError(#[source] pub io::Error);

/// A check that survives faults of kernels.
pub struct Supervisor<Launch> {
    /// Makes the command that starts a worker: a process that calls [`work`].
    pub launch: Launch,
    /// The seed of the random cases.
    pub seed: u64,
    /// Time limit. The sweeps and one batch of random cases are always finished.
    pub limit: Duration,
    /// Maximum silence of a worker, after which it is killed.
    pub patience: Duration,
}

/// Event during a check.
pub enum Event {
    /// This many comparisons agreed.
    Compared(u64),
    /// An answer differs from the reference's.
    Mismatch(Box<Failure>),
    /// A kernel, a reference or the making of inputs did not return.
    Fault(Box<Fault>),
}

/// Result of a check.
pub struct Outcome {
    /// The comparisons that were made.
    pub report: Report,
    /// The entries that failed.
    pub failed: Vec<&'static CheckerEntry>,
    /// `true` if the check reached its end.
    pub complete: bool,
}

/// Number of comparisons in which an entry agreed with its reference.
struct Tally {
    entry: &'static CheckerEntry,
    count: u64,
    /// Last counted batch. After a fault the next worker repeats the batch of the fault, which may be counted
    /// already.
    last: Option<Source>,
}

impl Tally {
    /// Counts the comparisons of a batch. Returns `false` if they were counted before.
    fn add(&mut self, count: u64, source: Source) -> bool {
        let is_new = self.last.replace(source) != Some(source);
        self.count += if is_new { count } else { 0 };
        is_new
    }
}

/// Adds `entry` to `failed` unless it is there: a fault may follow a wrong answer.
fn add_failed(failed: &mut Vec<&'static CheckerEntry>, entry: &'static CheckerEntry) {
    if !failed.contains(&entry) {
        failed.push(entry);
    }
}

impl<Launch: Fn() -> Command> Supervisor<Launch> {
    /// Checks `entries`, all of them at levels that the CPU has, and passes events to `on`. Returns errors of
    /// `on`, and of workers that cannot be started or write an invalid message.
    pub fn run<E: From<WorkerError>>(
        &self,
        entries: &[&'static CheckerEntry],
        mut on: impl FnMut(Event) -> Result<(), E>,
    ) -> Result<Outcome, E> {
        let start = Instant::now();
        let tally = |&entry| Tally {
            entry,
            count: 0,
            last: None,
        };
        let mut tallies: Vec<Tally> = entries.iter().map(tally).collect();
        let mut failed: Vec<&'static CheckerEntry> = Vec::new();
        let mut from = None;
        let mut complete = true;
        while failed.len() < entries.len() {
            let remaining = entries.iter().filter(|entry| !failed.contains(entry));
            let task = Task {
                seed: self.seed,
                limit: self.limit.saturating_sub(start.elapsed()),
                from,
                announces_cases: false,
                entries: remaining.copied().collect(),
            };
            let failed_before = failed.len();
            let command = &mut (self.launch)();
            let watched = watch(command, &task, self.patience, |message, step| {
                match (message, step) {
                    (Message::Agreed(count), Step::Run(entry, source)) => {
                        let tally = tallies.iter_mut().find(|tally| tally.entry == entry);
                        match tally.expect("a selected entry").add(count, source) {
                            true => on(Event::Compared(count)),
                            false => Ok(()),
                        }
                    }
                    (Message::Differed(index, got), Step::Run(entry, source)) => {
                        add_failed(&mut failed, entry);
                        on(Event::Mismatch(self.failure(entry, source, index, got)?))
                    }
                    _ => Ok(()),
                }
            })?;
            if let WorkerEnd::Done = watched.end {
                break;
            }
            let (culprits, case) = match watched.step {
                Step::Run(entry, source) => {
                    from = Some(source);
                    (vec![entry], self.find_case(entry, source)?)
                }
                Step::Reference(kernel, source) => {
                    from = Some(source);
                    let of_kernel = entries.iter().filter(|entry| entry.kernel == kernel.name);
                    (of_kernel.copied().collect(), None)
                }
                Step::Inputs(_) => (Vec::new(), None),
            };
            for entry in &culprits {
                add_failed(&mut failed, entry);
            }
            // Without a newly failed entry the next worker would fail in the same way.
            complete = !culprits.is_empty() && failed.len() > failed_before;
            on(Event::Fault(Box::new(Fault {
                step: watched.step,
                end: watched.end,
                stderr: watched.stderr,
                case,
                seed: self.seed,
            })))?;
            if !complete {
                break;
            }
        }
        let counts = tallies.iter().map(|tally| (tally.entry, tally.count));
        Ok(Outcome {
            report: Report::new(self.seed, counts.collect()),
            failed,
            complete,
        })
    }

    /// Runs a batch again, a case at a time, to find the case at which an entry does not return.
    fn find_case(
        &self,
        entry: &'static CheckerEntry,
        source: Source,
    ) -> Result<Option<Case>, WorkerError> {
        let task = Task {
            seed: self.seed,
            limit: Duration::ZERO,
            from: Some(source),
            announces_cases: true,
            entries: vec![entry],
        };
        let command = &mut (self.launch)();
        let watched = watch(command, &task, self.patience, |_, _| Ok(()))?;
        Ok(match (watched.end, watched.index) {
            (WorkerEnd::Done, _) | (_, None) => None,
            (_, Some(index)) => source.cases(self.seed).get(index).copied(),
        })
    }

    fn failure(
        &self,
        entry: &'static CheckerEntry,
        source: Source,
        index: usize,
        got: Answer,
    ) -> Result<Box<Failure>, WorkerError> {
        let inputs = source.inputs(self.seed);
        let input = inputs
            .get(index)
            .ok_or_else(|| WorkerError(io::Error::other("it names no input of its batch")))?;
        Ok(Box::new(Failure {
            entry,
            case: input.case,
            expected: (entry.kernel().reference)(input),
            got,
            seed: self.seed,
            source,
        }))
    }
}

#[cfg(all(test, unix))]
mod tests;
