//! Dialogues with the program through pipes, line by line.

use std::io::{BufRead, BufReader, Write};
use std::iter;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::common::program::{TIMEOUT, cli};
use outflank::Game;
use outflank::notation::{GameRecord, Problem, obf};
use outflank_testing::command::{Folder, Run, run};
use outflank_testing::data::{game as random_game, project_file};

/// A position that is symmetric about the main diagonal.
pub(crate) const SYMMETRIC: &str =
    "---------**O-O---*O**----O*O**----***O*--O-*OO------*-O--------- *";

/// A position in which black has to pass. White's next move ends the game.
pub(crate) const FORCED_PASS: &str =
    "OX-------------------------XX------XX--------------------------- X";

/// A running program with a transcript.
pub(crate) struct Dialogue {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    /// Commands, each after `> `, and answers.
    transcript: String,
}

impl Dialogue {
    /// Starts a command line of the program, without a book.
    pub(crate) fn start(words: &str) -> Dialogue {
        let mut child = spawn(words);
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

    /// Sends a command of GTP and returns the answer without the empty line.
    #[track_caller]
    pub(crate) fn ask(&mut self, command: &str) -> String {
        self.send(command);
        self.answer()
    }

    /// Reads the next answer of GTP, without the empty line.
    #[track_caller]
    pub(crate) fn answer(&mut self) -> String {
        let lines = iter::repeat_with(|| self.line()).take_while(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Loads a position by GTP and returns the side to move, `b` or `w`.
    pub(crate) fn load_game(&mut self, position: &str) -> &'static str {
        let folder = Folder::new();
        let file = folder.file("game.ggf", ggf(position));
        assert_eq!(self.ask(&format!("loadsgf {}", file.display())), "=");
        match self.ask("gogui-rules_side_to_move").as_str() {
            "= black" => "b",
            "= white" => "w",
            other => panic!("{other}"),
        }
    }

    /// Sets a position by NBoard's protocol.
    pub(crate) fn set_game(&mut self, position: &str) {
        self.send(&format!("set game {}", ggf(position)));
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

    /// Closes the input and waits for the end of the program. Returns the run with the rest of the output.
    #[track_caller]
    pub(crate) fn close(mut self) -> Run {
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
        run
    }
}

/// Starts a command line of the program, without a book. All standard streams are pipes.
fn spawn(words: &str) -> Child {
    cli(words)
        .args(["--book", "none"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Runs a command line of the program to its end, with this input.
pub(crate) fn run_on_input(words: &str, input: impl AsRef<[u8]>) -> Run {
    run(&mut cli(words), input.as_ref())
}

/// Runs the program until it ends by itself. Its input stays open. Closes its output `close_output` milliseconds after
/// the input is written, or already before the input if that is 0.
pub(crate) fn run_with_open_input(words: &str, input: &[u8], close_output: Option<u64>) -> Run {
    let mut child = spawn(words);
    if close_output == Some(0) {
        child.stdout = None;
    }
    let mut stdin = child.stdin.take().expect("it is piped");
    // The program may end before it reads the input.
    let _ = stdin.write_all(input);
    if let Some(milliseconds) = close_output {
        thread::sleep(Duration::from_millis(milliseconds));
        child.stdout = None;
    }
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

/// A game in GGF from a position in OBF.
pub(crate) fn ggf(position: &str) -> String {
    let position = position.split(';').next().expect("there is one");
    let position = position.replace('X', "*");
    format!("(;GM[Othello]PC[test]BO[8 {position}];)")
}

/// Problem `number`, from 0, of a file in `data/problems`, without the name of the problem.
pub(crate) fn problem(file: &str, number: usize) -> String {
    let file = project_file(&format!("data/problems/{file}.obf"));
    let problem = obf::read(&file).nth(number).expect("there is one");
    let mut problem = problem.expect("it is a position");
    problem.name = None;
    problem.to_string()
}

/// Reads a position in OBF.
pub(crate) fn parsed(position: &str) -> Problem {
    let mut problems = obf::read(position.as_bytes());
    let problem = problems.next().expect("there is one");
    problem.expect("it is a position")
}

/// A random game in GGF with these properties, up to move `moves`.
pub(crate) fn random_ggf(seed: u64, moves: usize, properties: &[(&str, &str)]) -> String {
    let moves: Vec<_> = random_game(seed).moves().take(moves).collect();
    let game = Game::from_moves(&moves).expect("the moves are legal");
    let mut record = GameRecord::new(game);
    for (name, value) in properties {
        record.set(name, value).expect("a property");
    }
    outflank::notation::ggf::write(&record)
}
