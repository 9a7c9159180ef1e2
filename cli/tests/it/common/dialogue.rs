//! Talking to the program as a GUI does: line by line, through pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::program::outflank;
use outflank_testing::command::Run;

/// The longest that anything takes, on a machine that does other things, too.
const PATIENCE: Duration = Duration::from_secs(60);

/// A position that is its own image where columns and rows change places.
pub(crate) const SYMMETRIC: &str =
    "---------**O-O---*O**----O*O**----***O*--O-*OO------*-O--------- *";

/// A running program, and what was said so far.
pub(crate) struct Dialogue {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    /// Commands after `> `, and what they were answered.
    transcript: String,
}

impl Dialogue {
    /// With `outflank` and these arguments.
    pub(crate) fn start(arguments: &[&str]) -> Dialogue {
        let mut child = spawn(arguments);
        let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, output) = channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                let line = line.expect("the output is UTF-8");
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Dialogue {
            input: child.stdin.take(),
            child,
            output,
            transcript: String::new(),
        }
    }

    /// Says a line.
    pub(crate) fn say(&mut self, line: &str) {
        self.transcript += &format!("> {line}\n");
        self.send(&[line.as_bytes(), b"\n"].concat());
    }

    /// Sends bytes, which are no part of the transcript.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(bytes).expect("the program listens");
        input.flush().expect("the program listens");
    }

    /// The next line of the answer.
    #[track_caller]
    pub(crate) fn line(&mut self) -> String {
        let line = self.output.recv_timeout(PATIENCE);
        let line = line.unwrap_or_else(|error| panic!("{error} after:\n{}", self.transcript));
        self.transcript += &format!("{line}\n");
        line
    }

    /// The lines up to one that begins with `end`, that one last.
    #[track_caller]
    pub(crate) fn until(&mut self, end: &str) -> Vec<String> {
        let mut lines = vec![self.line()];
        while !lines.last().expect("there is one").starts_with(end) {
            lines.push(self.line());
        }
        lines
    }

    /// The most memory that the program ever had, in MiB; `None` where the system does not say.
    pub(crate) fn peak_memory_mib(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let mut lines = status.lines();
        let peak = lines.find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kib: u64 = peak.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kib.div_ceil(1024))
    }

    /// What was said so far.
    pub(crate) fn transcript(&self) -> &str {
        &self.transcript
    }

    /// Closes the input, and waits for the end of the program, which leaves nothing unheard. The exit
    /// status, what was said after this, and how long it took.
    #[track_caller]
    pub(crate) fn close(mut self) -> (Run, Duration) {
        let start = Instant::now();
        self.input = None;
        let mut rest = String::new();
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(line) => rest += &format!("{line}\n"),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("no end after:\n{}", self.transcript),
            }
        }
        let mut run = Run::of(self.child);
        run.stdout = rest;
        (run, start.elapsed())
    }
}

/// Starts `outflank` with these arguments and no book, and pipes on all sides.
fn spawn(arguments: &[&str]) -> Child {
    outflank()
        .args(arguments)
        .args(["--book", "none"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Runs the program with an input that stays open, until it ends for another reason: nobody listens, or
/// it cannot go on.
pub(crate) fn left_open(arguments: &[&str], input: &[u8], listening: bool) -> Run {
    let mut child = spawn(arguments);
    if !listening {
        child.stdout = None;
    }
    let mut stdin = child.stdin.take().expect("it is piped");
    // The program may have ended without having read it.
    let _ = stdin.write_all(input);
    let run = Run::of(child);
    drop(stdin);
    run
}

/// Runs the program with an input that stays open, and closes its output after a while; until it ends.
pub(crate) fn deafened(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = spawn(arguments);
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(input).expect("the program listens");
    thread::sleep(Duration::from_millis(200));
    drop(child.stdout.take());
    let run = Run::of(child);
    drop(stdin);
    run
}

/// Compares a transcript with the one that is kept under this name: `INSTA_UPDATE=always` keeps it.
pub(crate) fn assert_kept(name: &str, transcript: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("../snapshots");
    settings.bind(|| insta::assert_snapshot!(name, transcript));
}

/// A game in GGF that begins with this position of OBF, and has these properties behind it.
pub(crate) fn ggf(position: &str, properties: &str) -> String {
    let position = position.split(';').next().expect("there is one");
    let position = position.replace('X', "*");
    format!("(;GM[Othello]PC[test]BO[8 {position}]{properties};)")
}

/// The position of this number, from 0, of a file of problems of the project, without its name.
pub(crate) fn problem(file: &str, number: usize) -> String {
    let bytes = outflank_testing::data::project_file(&format!("problems/{file}.obf"));
    let text = String::from_utf8(bytes).expect("it is UTF-8");
    let is_position = |line: &&str| !line.is_empty() && !line.starts_with('%');
    let mut positions = text.lines().filter(is_position);
    let line = positions.nth(number).expect("there is one");
    let position = line.split('%').next().expect("there is a beginning");
    position.trim_end().to_owned()
}
