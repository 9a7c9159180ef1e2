//! `outflank match` against engines with endless output, also on a busy machine. Each flood is judged within the
//! patience, signals end the program, and the log is kept.

#![cfg(unix)]

use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::common::matches::{
    assert_no_process, command, engine, faulty, has_games, logged, script, spawn,
};
use crate::common::program::OutputChecks;
use outflank_testing::command::{Folder, Run, ends_soon, full_pipe, signal, wait_until};
use serde_json::json;

/// Keeps a thread for each core busy until the result is dropped. Tests that hold it run one at a time.
fn busy() -> (Arc<()>, MutexGuard<'static, ()>) {
    static LOCK: Mutex<()> = Mutex::new(());
    let guard = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    let held = Arc::new(());
    for _ in 0..thread::available_parallelism().map_or(1, |cores| cores.get()) {
        let held = Arc::downgrade(&held);
        thread::spawn(move || while held.strong_count() > 0 {});
    }
    (held, guard)
}

/// Floods in place of an answer. File descriptor 3 is the output of the engine.
const FLOODS: [(&str, &str); 4] = [
    ("lines", "yes >&3"),
    ("long lines", "yes \"$(printf '%30000s')\" >&3"),
    // As slow as occasional remarks, but endless.
    ("drip", "while echo x >&3; do sleep 0.01; done"),
    ("both", "yes >&2 & yes >&3"),
];

#[test]
fn flood_in_a_game_loses_it_within_the_patience() {
    let _busy = busy();
    let good = engine("gtp", 1);
    for (name, flood) in FLOODS {
        let folder = Folder::new();
        let floods = faulty(&folder, "floods", flood);
        let options = "--games 2 --concurrency 2 --patience 4 --protocol-a gtp --json";
        let run = ends_soon(spawn(&folder, [&floods, &good], options)).expect(0);
        assert_no_process(&folder);
        let row = &run.json()[0];
        assert_eq!(row["losses"], 2, "{name}: {run:#?}");
        // On a busy machine little of a flood may come through, which is a hang.
        let kinds = row["a"]["forfeits"].as_object().expect("an object");
        let is_flood = kinds.keys().all(|kind| kind == "flood" || kind == "hang");
        assert!(is_flood, "{name}: {run:#?}");
        let messages = run.stderr.matches(": no answer to \"genmove ").count();
        assert_eq!(messages, 2, "{name}: {run:#?}");
    }
}

#[test]
fn heavy_logging_loses_no_game() {
    let good = engine("gtp", 1);
    let copy = "printf '%s\\n' \"$line\"; done";
    let logs = "head -c 200000 /dev/zero | tr '\\0' x >&2";
    for text in [
        format!("while read -r line; do {logs}; {copy} | {good}\n"),
        format!("yes >&2 & while read -r line; do {copy} | {good}\n"),
    ] {
        let folder = Folder::new();
        let logs = script(&folder, "logs", &text);
        let run = Run::wait_for(spawn(&folder, [&logs, &good], "--games 2 --json")).expect(0);
        assert_no_process(&folder);
        let row = &run.json()[0];
        let result = json!([row["games"], row["a"]["forfeits"]]);
        assert_eq!(result, json!([2, {}]), "{text}: {run:#?}");
    }
}

#[test]
fn flood_before_or_after_the_games_is_detected() {
    let _busy = busy();
    let good = engine("gtp", 1);
    let unknown = "speaks neither GTP nor NBoard's protocol: no answer to \"ping 1\"";
    let silent = format!("{unknown} in 3.0 s\n");
    let illegal = "A, black, loses by an illegal move: ";
    for (text, status, message) in [
        ("exec yes", 2, unknown),
        ("yes >&2 & exec sleep 1000", 2, &silent),
        // The engine reads no input, but every command gets an answer.
        ("exec yes '= a1\n'", 0, illegal),
        (&format!("{good}\nexec yes"), 0, ""),
        (&format!("{good}\ntrap '' TERM\nyes >&2"), 0, ""),
    ] {
        let folder = Folder::new();
        let floods = script(&folder, "floods", text);
        let child = spawn(&folder, [&floods, &good], "--games 2 --patience 3");
        let run = ends_soon(child).expect(status);
        run.stderr_has(message);
        assert_no_process(&folder);
    }
}

#[test]
fn signals_end_the_program_at_any_time() {
    let _busy = busy();
    let good = engine("gtp", 1);
    let trial = "while read -r line; do case $line in genmove*) touch ready; sleep 1000;; \
                 *) printf '= \\n\\n';; esac; done";
    let quit = format!("{good}\ntouch ready\ntrap '' TERM\nexec yes");
    // The signals come at the start, in a trial move, when an engine is to quit, and during two kinds of floods in a
    // game. The first kind is judged at once, the second after the patience.
    let [at_once, after_patience] =
        [FLOODS[0], FLOODS[2]].map(|(_, flood)| format!("touch ready; {flood}"));
    for (is_script, text, name, status) in [
        (true, "touch ready; sleep 1000", "INT", 130),
        (true, "touch ready; exec yes", "TERM", 143),
        (true, trial, "INT", 130),
        (true, &quit, "TERM", 143),
        (false, &at_once, "INT", 130),
        (false, &after_patience, "TERM", 143),
    ] {
        let folder = Folder::new();
        let write = if is_script { script } else { faulty };
        let bad = write(&folder, "bad", text);
        let options = "--games 1000 --log match.log --protocol-b gtp --move-time 30";
        let child = spawn(&folder, [&good, &bad], options);
        wait_until(|| folder.path("ready").exists());
        signal(&child, name);
        let run = ends_soon(child);
        assert_eq!(run.status, status, "{text}: {run:#?}");
        assert_no_process(&folder);
        if folder.path("match.log").exists() {
            // `logged` panics if the log is unreadable.
            logged(&folder, "match.log");
        }
    }
}

#[test]
fn signal_ends_a_match_whose_report_is_not_read() {
    let folder = Folder::new();
    let good = engine("gtp", 1);
    let (unread, report) = full_pipe();
    let mut command = command(&folder, [&good, &good], "--games 2 --log match.log");
    let child = command.stdout(report).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the program starts");
    wait_until(|| has_games(&folder, "match.log", 2));
    thread::sleep(Duration::from_secs(1));
    let status = child.try_wait().expect("a child can be waited for");
    assert_eq!(status, None, "the report waits for its reader");
    signal(&child, "TERM");
    ends_soon(child).expect(143);
    assert_no_process(&folder);
    assert_eq!(logged(&folder, "match.log").len(), 2);
    drop(unread);
}
