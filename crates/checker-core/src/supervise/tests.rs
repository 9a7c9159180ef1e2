//! Checks with shell scripts in place of the worker.

use std::cell::RefCell;

use super::*;
use crate::input::Answer;
use crate::registry::runnable;

/// Shell code that reads the task. `$TASK` becomes `one` for a task of one case at a time, else `all`. `$LEFT`
/// becomes the number of entries to run.
const READ_TASK: &str = "\
TASK=all; LEFT=0
while read -r word rest; do
    case $word in
        one-by-one) TASK=one;;
        entry) LEFT=$((LEFT + 1));;
        start) break;;
    esac
done
";

/// Runs a check with a shell script in place of the worker, and returns the events and the outcome. The
/// script can read `$TASK`, and `$SKIP`, the number of entries that are left out.
fn run_script(
    entries: &[&'static CheckerEntry],
    script: &str,
    patience: Duration,
) -> (Vec<String>, Outcome) {
    let supervisor = Supervisor {
        launch: || {
            let mut command = Command::new("sh");
            let skip = format!("SKIP=$(({} - LEFT))", entries.len());
            command.args(["-c", &format!("{READ_TASK}{skip}; {script}")]);
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
            Event::Mismatch(failure) => failure.to_string(),
            Event::Fault(fault) => fault.to_string(),
        });
        Ok::<_, WorkerError>(())
    });
    (events.into_inner(), outcome.expect("a check"))
}

const LONG: Duration = Duration::from_secs(20);

fn flips() -> Vec<&'static CheckerEntry> {
    runnable()
        .filter(|entry| entry.kernel == "flip")
        .take(2)
        .collect()
}

#[test]
fn agreeing_answers_are_counted() {
    let entries = flips();
    let names = [entries[0].name(), entries[1].name()];
    let script = format!(
        "echo start; echo run {} random/0; echo same 7; echo run {} random/0; echo same 5; \
         echo run {} random/1; echo same 6; echo end",
        names[0], names[1], names[1]
    );
    let (events, outcome) = run_script(&entries, &script, LONG);
    assert_eq!(events, ["compared 7", "compared 5", "compared 6"]);
    assert!(outcome.complete && outcome.failed.is_empty());
    let counts = outcome.report.counts;
    assert_eq!(counts, [(entries[0], 7), (entries[1], 11)]);
}

#[test]
fn a_wrong_answer_is_shown_with_its_case() {
    let entries = flips();
    let name = entries[1].name();
    let words = format!(" 77{}", " 0".repeat(Answer::WORDS - 1));
    let script = format!("echo run {name} random/3; echo different 2{words}; echo end");
    let (events, outcome) = run_script(&entries, &script, LONG);
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
    assert_eq!(outcome.failed[0], entries[1]);
}

#[test]
fn a_fault_is_reported_with_its_case_and_its_entry_left_out() {
    let entries = flips();
    let names = [entries[0].name(), entries[1].name()];
    for (end, shown) in [
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
        let (events, outcome) = run_script(&entries, &script, patience);
        assert_eq!(events.len(), 2, "{events:?}");
        let board = format!("{:?}", Source::Random(1).cases(4)[1]);
        let line = board.split(';').next().unwrap();
        for part in [shown, line, "seed       4 (random/1)", entries[0].algorithm] {
            assert!(events[0].contains(part), "{part} is not in\n{}", events[0]);
        }
        let shows_stderr = events[0].contains("it said    index out of bounds");
        assert_eq!(shows_stderr, end.contains("bounds"), "{}", events[0]);
        assert_eq!(events[1], "compared 9");
        assert!(outcome.complete);
        assert_eq!(outcome.failed[0], entries[0]);
    }
}

#[test]
fn a_wrong_answer_followed_by_a_fault_fails_once() {
    let entries = flips();
    let names = [entries[0].name(), entries[1].name()];
    let script = format!(
        "if [ $TASK = one ]; then echo end; exit 0; fi; \
         if [ $SKIP = 0 ]; then echo run {} random/0; echo different 0{}; kill -SEGV $$; fi; \
         echo run {} random/0; echo same 9; echo end",
        names[0],
        " 0".repeat(Answer::WORDS),
        names[1],
    );
    let (events, outcome) = run_script(&entries, &script, LONG);
    assert_eq!(outcome.failed.len(), 1, "{events:?}");
    assert_eq!(outcome.failed[0], entries[0]);
    assert!(outcome.complete);
    assert_eq!(events.len(), 3, "{events:?}");
    assert_eq!(events[2], "compared 9");
}

#[test]
fn comparisons_before_a_fault_are_counted_once() {
    let entries = flips();
    let names = [entries[0].name(), entries[1].name()];
    // The second worker begins with the batch of the fault.
    let script = format!(
        "if [ $TASK = one ]; then echo end; exit 0; fi; \
         if [ $SKIP = 0 ]; then echo run {first} random/0; echo same 5; fi; \
         echo run {first} random/1; echo same 7; \
         if [ $SKIP = 0 ]; then echo run {second} random/1; kill -SEGV $$; fi; \
         echo run {first} random/2; echo same 11; echo end",
        first = names[0],
        second = names[1],
    );
    let (_, outcome) = run_script(&entries, &script, LONG);
    assert_eq!(outcome.report.counts[0].1, 5 + 7 + 11);
}

#[test]
fn a_worker_that_runs_an_excluded_entry_ends_the_check() {
    let entries = flips();
    let script = format!("echo run {} random/0; exit 3", entries[0].name());
    let (events, outcome) = run_script(&entries, &script, LONG);
    assert_eq!((events.len(), outcome.failed.len()), (2, 1), "{events:?}");
    assert!(!outcome.complete);
}

#[test]
fn a_fault_that_does_not_recur_is_reported_without_a_case() {
    let entries = flips();
    let name = entries[0].name();
    let script = format!(
        "echo run {name} random/1; \
         if [ $TASK = one ]; then echo index 0; echo end; exit 0; fi; \
         if [ $SKIP = 0 ]; then kill -ILL $$; fi; echo end"
    );
    let (events, _) = run_script(&entries, &script, LONG);
    assert_eq!(events.len(), 1);
    assert!(
        events[0].contains("died of SIGILL") && events[0].contains("not found"),
        "{events:?}"
    );
}

#[test]
fn a_fault_of_a_reference_fails_every_entry_of_its_kernel() {
    let mut entries = flips();
    entries.extend(
        runnable()
            .filter(|entry| entry.kernel == "mobility")
            .take(1),
    );
    let script = format!(
        "if [ $SKIP = 0 ]; then echo reference flip random/0; kill -SEGV $$; fi; \
         echo run {} random/0; echo same 3; echo end",
        entries[2].name()
    );
    let (events, outcome) = run_script(&entries, &script, LONG);
    assert!(
        events[0].starts_with("the reference of flip died of SIGSEGV"),
        "{events:?}"
    );
    assert_eq!(events[1], "compared 3");
    assert_eq!(outcome.failed.len(), 2);
}

#[test]
fn a_worker_that_cannot_start_ends_the_check() {
    let (events, outcome) = run_script(&flips(), "echo no room >&2; exit 1", LONG);
    assert_eq!(events.len(), 1);
    assert!(events[0].contains("no room"), "{events:?}");
    assert!(!outcome.complete);
}
