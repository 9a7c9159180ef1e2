//! The check in a process of its own: workers are started, and started again without the algorithm that
//! ended the last one.
//!
//! A worker is a process that calls [`work`] with its standard input and output, mostly the same program
//! started with another argument. It says what it is about to run; when it dies or falls silent, that is
//! what did it. So a fault is named without a signal handler, and run again one input at a time to find
//! the input.
//!
//! ```no_run
//! use std::io::{stdin, stdout};
//! use std::process::Command;
//! use std::time::Duration;
//!
//! use outflank_checker::registry::runnable;
//! use outflank_checker::supervise::{Event, Supervisor, WorkerError, work};
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
//!         Event::Wrong(failure) => println!("{failure}"),
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
use crate::registry::Entry;
use fault::End;
pub use fault::Fault;
use protocol::{Message, Step, Task};
use watch::watch;
pub use worker::work;

/// A worker cannot be started, or writes what is no message.
#[derive(Debug, thiserror::Error)]
#[error("cannot run the kernels in a process of their own: {0}")]
pub struct WorkerError(#[source] pub io::Error);

/// A check that survives what it checks.
pub struct Supervisor<Launch> {
    /// Makes the command that starts a worker: a process that calls [`work`].
    pub launch: Launch,
    /// The seed of the random cases.
    pub seed: u64,
    /// How long to go on; the sweeps and one batch of random cases are always finished.
    pub limit: Duration,
    /// The longest silence of a worker that still works.
    pub patience: Duration,
}

/// What happens during a check.
pub enum Event {
    /// Another so many comparisons were made.
    Compared(u64),
    /// An algorithm answered otherwise than its reference.
    Wrong(Box<Failure>),
    /// Something did not come back.
    Fault(Box<Fault>),
}

/// What a check found.
pub struct Outcome {
    /// The comparisons that were made.
    pub report: Report,
    /// The entries that failed.
    pub failed: Vec<&'static Entry>,
    /// Whether the check could go on to its end.
    pub complete: bool,
}

/// How often an entry agreed with its reference.
struct Tally {
    entry: &'static Entry,
    count: u64,
    /// The last batch that is counted. A worker that is started again begins with a batch that the one
    /// before it may have run in part.
    last: Option<Source>,
}

impl Tally {
    fn new(entry: &'static Entry) -> Tally {
        Tally {
            entry,
            count: 0,
            last: None,
        }
    }

    /// Counts the comparisons of a batch, unless they are counted already; whether it did.
    fn add(&mut self, count: u64, source: Source) -> bool {
        let is_new = self.last != Some(source);
        if is_new {
            self.count += count;
            self.last = Some(source);
        }
        is_new
    }
}

/// Notes that `entry` failed, once: one that answers otherwise may also end its process.
fn add(failed: &mut Vec<&'static Entry>, entry: &'static Entry) {
    if !failed.iter().any(|one| std::ptr::eq(*one, entry)) {
        failed.push(entry);
    }
}

impl<Launch: Fn() -> Command> Supervisor<Launch> {
    /// Checks `entries`, all of them at levels that the CPU has, and hands to `on` what happens. An error
    /// where a worker cannot be started or writes what is no message, and what `on` returns.
    pub fn run<E: From<WorkerError>>(
        &self,
        entries: &[&'static Entry],
        mut on: impl FnMut(Event) -> Result<(), E>,
    ) -> Result<Outcome, E> {
        let start = Instant::now();
        let mut tallies: Vec<Tally> = entries.iter().copied().map(Tally::new).collect();
        let mut failed: Vec<&'static Entry> = Vec::new();
        let mut from = None;
        let mut complete = true;
        while failed.len() < entries.len() {
            let has_failed = |entry: &&&Entry| failed.iter().any(|one| std::ptr::eq(*one, **entry));
            let task = Task {
                seed: self.seed,
                limit: self.limit.saturating_sub(start.elapsed()),
                from,
                one_by_one: false,
                entries: entries
                    .iter()
                    .filter(|entry| !has_failed(entry))
                    .copied()
                    .collect(),
            };
            let failed_before = failed.len();
            let command = &mut (self.launch)();
            let watched = watch(command, &task, self.patience, |message, step| {
                match (message, step) {
                    (Message::Same(count), Step::Run(entry, source)) => {
                        let tally = tallies
                            .iter_mut()
                            .find(|one| std::ptr::eq(one.entry, entry));
                        match tally.expect("a selected entry").add(count, source) {
                            true => on(Event::Compared(count)),
                            false => Ok(()),
                        }
                    }
                    (Message::Different(index, got), Step::Run(entry, source)) => {
                        add(&mut failed, entry);
                        on(Event::Wrong(self.failure(entry, source, index, got)?))
                    }
                    _ => Ok(()),
                }
            })?;
            if let End::Done = watched.end {
                break;
            }
            let (culprits, case) = match watched.step {
                Step::Run(entry, source) => {
                    from = Some(source);
                    (vec![entry], self.narrow_down(entry, source)?)
                }
                Step::Reference(kernel, source) => {
                    from = Some(source);
                    let own = entries.iter().filter(|entry| entry.kernel == kernel.name);
                    (own.copied().collect(), None)
                }
                Step::Inputs(_) => (Vec::new(), None),
            };
            for entry in &culprits {
                add(&mut failed, entry);
            }
            // Else the next worker would do what this one did.
            complete = !culprits.is_empty() && failed.len() > failed_before;
            on(Event::Fault(Box::new(Fault {
                step: watched.step,
                end: watched.end,
                said: watched.said,
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

    /// The case at which an entry does not come back: the batch is run again, a case at a time.
    fn narrow_down(
        &self,
        entry: &'static Entry,
        source: Source,
    ) -> Result<Option<Case>, WorkerError> {
        let task = Task {
            seed: self.seed,
            limit: Duration::ZERO,
            from: Some(source),
            one_by_one: true,
            entries: vec![entry],
        };
        let command = &mut (self.launch)();
        let watched = watch(command, &task, self.patience, |_, _| Ok(()))?;
        Ok(match (watched.end, watched.index) {
            (End::Done, _) | (_, None) => None,
            (_, Some(index)) => source.cases(self.seed).get(index).copied(),
        })
    }

    fn failure(
        &self,
        entry: &'static Entry,
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
