//! Dialogues with the program through pipes, line by line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::program::{TIMEOUT, outflank};
use outflank_testing::command::Run;

/// A position that is symmetric about the main diagonal.
pub(crate) const SYMMETRIC: &str =
    "---------**O-O---*O**----O*O**----***O*--O-*OO------*-O--------- *";

/// A running program with a transcript.
pub(crate) struct Dialogue {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    /// Commands, each after `> `, and answers.
    transcript: String,
}

impl Dialogue {
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

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        self.transcript += &format!("> {line}\n");
        self.send_bytes(&[line.as_bytes(), b"\n"].concat());
    }

    /// Sends bytes that do not appear in the transcript.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(bytes).expect("the program listens");
        input.flush().expect("the program listens");
    }

    /// Reads a line.
    #[track_caller]
    pub(crate) fn line(&mut self) -> String {
        let line = self.output.recv_timeout(TIMEOUT);
        let line = line.unwrap_or_else(|error| panic!("{error} after:\n{}", self.transcript));
        self.transcript += &format!("{line}\n");
        line
    }

    /// Reads lines up to one that begins with `end`.
    #[track_caller]
    pub(crate) fn until(&mut self, end: &str) -> Vec<String> {
        let mut lines = vec![self.line()];
        while !lines.last().expect("there is one").starts_with(end) {
            lines.push(self.line());
        }
        lines
    }

    /// Peak memory of the program in MiB; `None` if the system does not report it.
    pub(crate) fn peak_memory_mib(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let mut lines = status.lines();
        let peak = lines.find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kib: u64 = peak.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kib.div_ceil(1024))
    }

    pub(crate) fn transcript(&self) -> &str {
        &self.transcript
    }

    /// Closes the input and waits for the end of the program. Returns the run with the rest of the output, and the
    /// duration of the wait.
    #[track_caller]
    pub(crate) fn close(mut self) -> (Run, Duration) {
        let start = Instant::now();
        self.input = None;
        let mut rest = String::new();
        loop {
            match self.output.recv_timeout(TIMEOUT) {
                Ok(line) => rest += &format!("{line}\n"),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("no end after:\n{}", self.transcript),
            }
        }
        let mut run = Run::wait_for(self.child);
        run.stdout = rest;
        (run, start.elapsed())
    }
}

/// Starts `outflank` with these arguments, without a book. All standard streams are pipes.
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

/// Runs the program with an input that stays open, until the program ends by itself. Unless `reads_output`, its output
/// is closed at once.
pub(crate) fn run_with_open_input(arguments: &[&str], input: &[u8], reads_output: bool) -> Run {
    let mut child = spawn(arguments);
    if !reads_output {
        child.stdout = None;
    }
    let mut stdin = child.stdin.take().expect("it is piped");
    // The program may end before it reads the input.
    let _ = stdin.write_all(input);
    let run = Run::wait_for(child);
    drop(stdin);
    run
}

/// Runs the program with an input that stays open, and closes its output after 0.2 s.
pub(crate) fn run_and_close_output(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = spawn(arguments);
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(input).expect("the program listens");
    thread::sleep(Duration::from_millis(200));
    drop(child.stdout.take());
    let run = Run::wait_for(child);
    drop(stdin);
    run
}

/// Asserts that a transcript equals the snapshot of this name. `INSTA_UPDATE=always` replaces the snapshot.
pub(crate) fn assert_snapshot(name: &str, transcript: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("../snapshots");
    settings.bind(|| insta::assert_snapshot!(name, transcript));
}

/// A game in GGF from a position in OBF, with further properties.
pub(crate) fn ggf(position: &str, properties: &str) -> String {
    let position = position.split(';').next().expect("there is one");
    let position = position.replace('X', "*");
    format!("(;GM[Othello]PC[test]BO[8 {position}]{properties};)")
}

/// Problem `number`, from 0, of a file in `data/problems`, without the name of the problem.
pub(crate) fn problem(file: &str, number: usize) -> String {
    let bytes = outflank_testing::data::project_file(&format!("data/problems/{file}.obf"));
    let text = String::from_utf8(bytes).expect("it is UTF-8");
    let is_position = |line: &&str| !line.is_empty() && !line.starts_with('%');
    let mut positions = text.lines().filter(is_position);
    let line = positions.nth(number).expect("there is one");
    let position = line.split('%').next().expect("there is a beginning");
    position.trim_end().to_owned()
}
