//! `outflank match` against engines that write without end, also where other work takes the processor:
//! each is judged within its patience, a signal always ends the program, and the log is kept.

#![cfg(unix)]

use std::fs;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::common::matches::{assert_alone, command, engine, logged, script, wrong};
use outflank_testing::command::{Folder, Run, ends_soon, full_pipe, signal, wait_until};

/// Other work, on as many threads as the machine has cores; for one test after another.
struct Busy(
    Arc<AtomicBool>,
    #[allow(dead_code, reason = "held")] MutexGuard<'static, ()>,
);

impl Busy {
    fn new() -> Busy {
        static ONE: Mutex<()> = Mutex::new(());
        let alone = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let over = Arc::new(AtomicBool::new(false));
        for _ in 0..thread::available_parallelism().map_or(1, |cores| cores.get()) {
            let over = Arc::clone(&over);
            thread::spawn(move || while !over.load(Relaxed) {});
        }
        Busy(over, alone)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// What an engine writes instead of an answer, with its output as 3.
const FLOODS: [(&str, &str); 4] = [
    ("lines", "yes >&3"),
    ("long lines", "yes \"$(printf '%30000s')\" >&3"),
    // Slow enough for a remark now and then; it never ends.
    ("drip", "while echo x >&3; do sleep 0.01; done"),
    ("both", "yes >&2 & yes >&3"),
];

/// Starts a match.
fn spawn(folder: &Folder, arguments: &[&str]) -> Child {
    let mut command = command(folder, arguments);
    let command = command.stdin(Stdio::null());
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    child.expect("the program starts")
}

#[test]
fn a_flood_in_a_game_loses_it_within_the_patience() {
    let _busy = Busy::new();
    let good = engine("gtp", 1);
    for (name, flood) in FLOODS {
        let folder = Folder::new();
        let floods = wrong(&folder, "floods", flood);
        let arguments = [&floods, &*good, "--games", "2", "--concurrency", "2"];
        let options = ["--patience", "4", "--protocol-a", "gtp", "--json"];
        let child = spawn(&folder, &[&arguments[..], &options].concat());
        let run = ends_soon(child).expect(0);
        assert_alone(&folder);
        let row = &run.json()[0];
        assert_eq!(row["losses"], 2, "{name}: {run:#?}");
        // Where little of a flood gets through, it is as if there were none.
        let kinds = row["a"]["forfeits"].as_object().expect("it is there");
        assert!(
            kinds.keys().all(|kind| kind == "flood" || kind == "hang"),
            "{name}: {run:#?}"
        );
        assert_eq!(
            run.stderr.matches(": no answer to \"genmove ").count(),
            2,
            "{name}: {run:#?}"
        );
    }
}

/// What goes to standard error is no answer: an engine may log, and even flood it beside a game.
#[test]
fn logging_loses_no_game() {
    let good = engine("gtp", 1);
    let lines = "while read -r line; do printf '%s\\n' \"$line\"; done";
    let logs = "head -c 200000 /dev/zero | tr '\\0' x >&2";
    for (name, text) in [
        (
            "before each answer",
            format!("while read -r line; do {logs}; printf '%s\\n' \"$line\"; done | {good}\n"),
        ),
        ("a flood", format!("yes >&2 & {lines} | {good}\n")),
    ] {
        let folder = Folder::new();
        let logs = script(&folder, "logs", &text);
        let child = spawn(&folder, &[&logs, &good, "--games", "2", "--json"]);
        let run = Run::of(child).expect(0);
        assert_alone(&folder);
        let row = &run.json()[0];
        assert_eq!(row["games"], 2, "{name}: {run:#?}");
        assert_eq!(
            row["a"]["forfeits"],
            serde_json::json!({}),
            "{name}: {run:#?}"
        );
    }
}

#[test]
fn a_flood_before_or_after_the_games_is_judged_too() {
    let _busy = Busy::new();
    let good = engine("gtp", 1);
    for (name, text, status, told) in [
        (
            "at the start",
            "exec yes".to_owned(),
            2,
            "speaks neither GTP nor NBoard's protocol: no answer to \"ping 1\"",
        ),
        (
            "unheard",
            "yes >&2 & exec sleep 1000".to_owned(),
            2,
            "speaks neither GTP nor NBoard's protocol: no answer to \"ping 1\" in 3.0 s\n",
        ),
        // Input is not read, and all that is asked is answered.
        (
            "instead of reading",
            "exec yes '= a1
'"
            .to_owned(),
            0,
            "A, black, loses by an illegal move: ",
        ),
        ("after the end", format!("{good}\nexec yes"), 0, ""),
        (
            "after the end, unheard",
            format!("{good}\ntrap '' TERM\nyes >&2"),
            0,
            "",
        ),
    ] {
        let folder = Folder::new();
        let floods = script(&folder, "floods", &text);
        let options = ["--games", "2", "--patience", "3"];
        let child = spawn(&folder, &[&[&*floods, &good][..], &options].concat());
        let run = ends_soon(child).expect(status);
        assert!(run.stderr.contains(told), "{name}: {run:#?}");
        assert_alone(&folder);
    }
}

#[test]
fn signals_end_the_program_at_any_time() {
    let _busy = Busy::new();
    let good = engine("gtp", 1);
    let hangs = "touch ready; sleep 1000";
    let asked = format!("genmove*) {hangs};; *) printf '= \\n\\n';;");
    let mut cases = vec![
        ("start", hangs.to_owned()),
        ("start, with a flood", "touch ready; exec yes".to_owned()),
        // It is asked for moves before the games.
        (
            "trial moves",
            format!("while read -r line; do case $line in {asked} esac; done"),
        ),
        (
            "the end of an engine",
            format!("{good}\ntouch ready\ntrap '' TERM\nexec yes"),
        ),
    ];
    // Two kinds in a game: one that is judged at once, and one that takes the patience.
    let floods = [FLOODS[0], FLOODS[2]];
    cases.extend(floods.map(|(name, flood)| (name, format!("touch ready; {flood}"))));
    for (index, (name, text)) in cases.iter().enumerate() {
        let folder = Folder::new();
        let bad = match index {
            ..4 => script(&folder, "bad", text),
            _ => wrong(&folder, "bad", text),
        };
        let arguments = [&*good, &bad, "--games", "1000", "--log", "match.log"];
        let options = ["--protocol-b", "gtp", "--move-time", "30"];
        let child = spawn(&folder, &[&arguments[..], &options].concat());
        wait_until(|| folder.path("ready").exists());
        let (name_of_signal, status) = [("INT", 130), ("TERM", 143)][index % 2];
        signal(&child, name_of_signal);
        let run = ends_soon(child);
        assert_eq!(run.status, status, "{name}: {run:#?}");
        assert_alone(&folder);
        // Whatever it has can be read.
        if folder.path("match.log").exists() {
            logged(&folder.path("match.log"));
        }
    }
}

#[test]
fn a_signal_ends_a_match_whose_report_nobody_reads() {
    let folder = Folder::new();
    let good = engine("gtp", 1);
    let (unread, report) = full_pipe();
    let arguments = [&*good, &good, "--games", "2", "--log", "match.log"];
    let mut command = command(&folder, &arguments);
    let child = command.stdout(report).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the program starts");
    let log = folder.path("match.log");
    wait_until(|| fs::read_to_string(&log).is_ok_and(|text| text.lines().count() == 3));
    thread::sleep(Duration::from_secs(1));
    let ended = child.try_wait().expect("it can be asked");
    assert_eq!(ended, None, "the report waits for its reader");
    signal(&child, "TERM");
    ends_soon(child).expect(143);
    assert_alone(&folder);
    assert_eq!(logged(&log).len(), 2);
    drop(unread);
}
