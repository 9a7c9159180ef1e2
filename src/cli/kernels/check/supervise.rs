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
use crate::cli::CommandError;

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
mod tests {
    use std::cell::RefCell;

    use outflank::kernels::check::runnable;

    use super::*;
    use crate::cli::kernels::check::protocol::entry_name;

    /// What a check told, with a shell script in place of the worker. The script is given `$TASK`:
    /// `one` where it is to run one case at a time, else `all`; and `$SKIP`, the number of entries to
    /// leave out.
    fn told(
        entries: &[&'static Entry],
        script: &str,
        patience: Duration,
    ) -> (Vec<String>, Outcome) {
        let supervisor = Supervisor {
            launch: |task: &Task| {
                let mut command = Command::new("sh");
                command.args(["-c", script]);
                let task_name = task.one_by_one.map_or("all", |_| "one");
                command.env("TASK", task_name);
                command.env("SKIP", task.skip.len().to_string());
                command
            },
            seed: 4,
            limit: Duration::ZERO,
            patience,
        };
        let events = RefCell::new(Vec::new());
        let outcome = supervisor.run(entries, |event| {
            events.borrow_mut().push(match event {
                Event::Compared(count) => format!("compared {count}"),
                Event::Wrong(failure) => failure.to_string(),
                Event::Fault(fault) => fault.to_string(),
            });
            Ok(())
        });
        (events.into_inner(), outcome.expect("a check that was told"))
    }

    const LONG: Duration = Duration::from_secs(20);

    fn flips() -> Vec<&'static Entry> {
        runnable()
            .filter(|entry| entry.kernel == "flip")
            .take(2)
            .collect()
    }

    #[test]
    fn what_agrees_is_counted() {
        let entries = flips();
        let names = [entry_name(entries[0]), entry_name(entries[1])];
        let script = format!(
            "echo start; echo run {} random/0; echo same 7; echo run {} random/0; echo same 5; \
             echo run {} random/1; echo same 6; echo end",
            names[0], names[1], names[1]
        );
        let (events, outcome) = told(&entries, &script, LONG);
        assert_eq!(events, ["compared 7", "compared 5", "compared 6"]);
        assert!(outcome.complete && outcome.failed.is_empty());
        let counts: Vec<u64> = outcome
            .report
            .counts
            .iter()
            .map(|&(_, count)| count)
            .collect();
        assert_eq!(counts, [7, 11]);
    }

    #[test]
    fn a_wrong_answer_is_shown_with_its_case() {
        let entries = flips();
        let name = entry_name(entries[1]);
        let words = " 77 0 0 0 0 0 0 0 0 0 0 0";
        let script = format!("echo run {name} random/3; echo different 2{words}; echo end");
        let (events, outcome) = told(&entries, &script, LONG);
        let case = Source::Random(3).cases(4)[2];
        let board = format!("{case:?}");
        let line = board.split(';').next().unwrap();
        assert_eq!(events.len(), 1);
        for part in [
            line,
            "differs",
            "0x4d",
            "seed       4 (random/3)",
            entries[1].algorithm,
        ] {
            assert!(events[0].contains(part), "{part} is not in\n{}", events[0]);
        }
        assert_eq!(outcome.failed.len(), 1);
        assert!(std::ptr::eq(outcome.failed[0], entries[1]));
    }

    #[test]
    fn a_fault_is_named_narrowed_down_and_left_out() {
        let entries = flips();
        let names = [entry_name(entries[0]), entry_name(entries[1])];
        for (end, said) in [
            ("kill -ILL $$", "died of SIGILL, an illegal instruction"),
            ("kill -SEGV $$", "died of SIGSEGV"),
            ("kill -FPE $$", "died of SIGFPE"),
            ("kill -ABRT $$", "died of SIGABRT"),
            ("echo 'index out of bounds' >&2; exit 101", "panicked"),
            ("exit 3", "ended its process (exit status: 3)"),
            ("exit 0", "ended its process (exit status: 0)"),
            ("exec sleep 60", "did not come back within 300ms"),
        ] {
            let patience = match end.contains("sleep") {
                true => Duration::from_millis(300),
                false => LONG,
            };
            let script = format!(
                "echo run {first} random/1; \
                 if [ $TASK = one ]; then echo index 0; echo index 1; {end}; fi; \
                 if [ $SKIP = 0 ]; then {end}; fi; \
                 echo run {second} random/1; echo same 9; echo end",
                first = names[0],
                second = names[1],
            );
            let (events, outcome) = told(&entries, &script, patience);
            assert_eq!(events.len(), 2, "{events:?}");
            let board = format!("{:?}", Source::Random(1).cases(4)[1]);
            let line = board.split(';').next().unwrap();
            for part in [said, line, "seed       4 (random/1)", entries[0].algorithm] {
                assert!(events[0].contains(part), "{part} is not in\n{}", events[0]);
            }
            let told_why = events[0].contains("it said    index out of bounds");
            assert_eq!(told_why, end.contains("bounds"), "{}", events[0]);
            assert_eq!(events[1], "compared 9");
            assert!(outcome.complete);
            assert!(std::ptr::eq(outcome.failed[0], entries[0]));
        }
    }

    #[test]
    fn one_that_answers_otherwise_and_then_ends_the_process_failed_once() {
        let entries = flips();
        let names = [entry_name(entries[0]), entry_name(entries[1])];
        let script = format!(
            "if [ $TASK = one ]; then echo end; exit 0; fi; \
             if [ $SKIP = 0 ]; then echo run {} random/0; echo different 0{}; kill -SEGV $$; fi; \
             echo run {} random/0; echo same 9; echo end",
            names[0],
            " 0".repeat(12),
            names[1],
        );
        let (events, outcome) = told(&entries, &script, LONG);
        assert_eq!(outcome.failed.len(), 1, "{events:?}");
        assert!(std::ptr::eq(outcome.failed[0], entries[0]));
        assert!(outcome.complete);
        assert_eq!(events.len(), 3, "{events:?}");
        assert_eq!(events[2], "compared 9");
    }

    #[test]
    fn what_was_compared_before_a_fault_is_not_counted_again() {
        let entries = flips();
        let names = [entry_name(entries[0]), entry_name(entries[1])];
        // Started again, it begins with the batch of the fault.
        let script = format!(
            "if [ $TASK = one ]; then echo end; exit 0; fi; \
             if [ $SKIP = 0 ]; then echo run {first} random/0; echo same 5; fi; \
             echo run {first} random/1; echo same 7; \
             if [ $SKIP = 0 ]; then echo run {second} random/1; kill -SEGV $$; fi; \
             echo run {first} random/2; echo same 11; echo end",
            first = names[0],
            second = names[1],
        );
        let (_, outcome) = told(&entries, &script, LONG);
        assert_eq!(outcome.report.counts[0].1, 5 + 7 + 11);
    }

    #[test]
    fn a_worker_that_ends_at_what_it_was_to_leave_out_is_not_started_for_ever() {
        let entries = flips();
        let script = format!("echo run {} random/0; exit 3", entry_name(entries[0]));
        let (events, outcome) = told(&entries, &script, LONG);
        assert_eq!((events.len(), outcome.failed.len()), (2, 1), "{events:?}");
        assert!(!outcome.complete);
    }

    #[test]
    fn a_fault_that_does_not_come_again_is_still_named() {
        let entries = flips();
        let name = entry_name(entries[0]);
        let script = format!(
            "echo run {name} random/1; \
             if [ $TASK = one ]; then echo index 0; echo end; exit 0; fi; \
             if [ $SKIP = 0 ]; then kill -ILL $$; fi; echo end"
        );
        let (events, _) = told(&entries, &script, LONG);
        assert_eq!(events.len(), 1);
        assert!(
            events[0].contains("died of SIGILL") && events[0].contains("not found"),
            "{events:?}"
        );
    }

    #[test]
    fn a_fault_of_a_reference_leaves_out_its_kernel() {
        let mut entries = flips();
        entries.extend(
            runnable()
                .filter(|entry| entry.kernel == "mobility")
                .take(1),
        );
        let script = format!(
            "if [ $SKIP = 0 ]; then echo reference flip random/0; kill -SEGV $$; fi; \
             echo run {} random/0; echo same 3; echo end",
            entry_name(entries[2])
        );
        let (events, outcome) = told(&entries, &script, LONG);
        assert!(
            events[0].starts_with("the reference of flip died of SIGSEGV"),
            "{events:?}"
        );
        assert_eq!(events[1], "compared 3");
        assert_eq!(outcome.failed.len(), 2);
    }

    #[test]
    fn a_worker_that_cannot_start_ends_the_check() {
        let (events, outcome) = told(&flips(), "echo no room >&2; exit 1", LONG);
        assert_eq!(events.len(), 1);
        assert!(events[0].contains("no room"), "{events:?}");
        assert!(!outcome.complete);
    }
}
