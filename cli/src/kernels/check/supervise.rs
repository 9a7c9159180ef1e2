//! The whole check as its watcher sees it: workers are started, and started again without the
//! algorithm that ended the last one.

use std::io;
use std::process::Command;
use std::time::{Duration, Instant};

use outflank::kernels::check::{Failure, Report, Source};
use outflank::kernels::input::{Answer, Case};
use outflank::kernels::registry::Entry;

use super::fault::{End, Fault};
use super::protocol::{Message, Step};
use super::watch::watch;
use crate::CommandError;

/// What a worker is to do.
pub(super) struct Task<'a> {
    /// Entries that it leaves out.
    pub(super) skip: &'a [&'static Entry],
    /// The batch that it begins with.
    pub(super) from: Option<Source>,
    /// The only entry that it runs, one case of that batch at a time.
    pub(super) one_by_one: Option<&'static Entry>,
    /// How long it goes on.
    pub(super) limit: Duration,
}

/// What a check does and does not know of its surroundings.
pub(super) struct Supervisor<Launch> {
    /// Makes the command that starts a worker.
    pub(super) launch: Launch,
    pub(super) seed: u64,
    pub(super) limit: Duration,
    /// The longest silence of a worker that still works.
    pub(super) patience: Duration,
}

/// What happens during a check.
pub(super) enum Event {
    /// Another so many comparisons were made.
    Compared(u64),
    /// An algorithm answered otherwise than its reference.
    Wrong(Box<Failure>),
    /// Something did not come back.
    Fault(Box<Fault>),
}

/// What a check found.
pub(super) struct Outcome {
    pub(super) report: Report,
    /// The entries that failed.
    pub(super) failed: Vec<&'static Entry>,
    /// Whether the check could go on to its end.
    pub(super) complete: bool,
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

impl<Launch: Fn(&Task) -> Command> Supervisor<Launch> {
    /// Checks `entries`, and hands to `on` what happens.
    pub(super) fn run(
        &self,
        entries: &[&'static Entry],
        mut on: impl FnMut(Event) -> Result<(), CommandError>,
    ) -> Result<Outcome, CommandError> {
        let start = Instant::now();
        let mut tallies: Vec<Tally> = entries.iter().copied().map(Tally::new).collect();
        let mut failed: Vec<&'static Entry> = Vec::new();
        let mut from = None;
        let mut complete = true;
        while failed.len() < entries.len() {
            let task = Task {
                skip: &failed.clone(),
                from,
                one_by_one: None,
                limit: self.limit.saturating_sub(start.elapsed()),
            };
            let failed_before = failed.len();
            let command = &mut (self.launch)(&task);
            let watched = watch(command, self.patience, |message, step| {
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
    ) -> Result<Option<Case>, CommandError> {
        let task = Task {
            skip: &[],
            from: Some(source),
            one_by_one: Some(entry),
            limit: Duration::ZERO,
        };
        let watched = watch(&mut (self.launch)(&task), self.patience, |_, _| Ok(()))?;
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
    ) -> Result<Box<Failure>, CommandError> {
        let inputs = source.inputs(self.seed);
        let input = inputs.get(index).ok_or_else(|| {
            CommandError::Worker(io::Error::other("it names no input of its batch"))
        })?;
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
