//! `outflank bench --peer`: whole runs of this program and of another one, in turn, on the same positions.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use outflank::StopHandle;
use outflank::problems::FFO_20_39;
use outflank::text::counted;
use outflank_checker::bench::Summary;
use serde::Serialize;
use tempfile::TempDir;

use crate::engine::EngineArguments;
use crate::numbers::whole;
use crate::output::{complain, line};
use crate::progress::ProgressArgument;
use crate::tournament::kill_group;
use crate::{CommandError, interrupted_status, json, stop_on_interrupt};

#[derive(Args)]
#[command(next_help_heading = "Comparison with another program")]
pub(super) struct PeerArguments {
    /// Run COMMAND and this program in turn on the same positions, and compare the times of the whole
    /// runs. {file} stands for the path of the file of positions. The command is split into words as
    /// by a shell, but no shell runs it
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["depth", "selectivity", "positions"])]
    pub(super) peer: Option<String>,

    /// The positions [default: FFO #20-39]
    #[arg(long, value_name = "FILE", requires = "peer")]
    file: Option<PathBuf>,

    /// What this program is run with, besides the options of the engine
    #[arg(
        long,
        value_name = "WORDS",
        requires = "peer",
        default_value = "solve {file}"
    )]
    ours: String,

    /// Runs of each program
    #[arg(long, value_name = "N", requires = "peer", default_value_t = 7, value_parser = whole::<usize>(1..=1000))]
    rounds: usize,

    /// Instead of the time of the peer's whole run take the one that it writes after TEXT, the last time
    /// that it does: seconds, M:S or H:M:S
    #[arg(long, value_name = "TEXT", requires = "peer")]
    peer_time: Option<String>,
}

/// Why programs could not be compared.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PeerError {
    #[error("{option} '{words}': {problem}")]
    Words {
        option: &'static str,
        words: String,
        problem: String,
    },
    #[error("cannot use {}: {error}", file.display())]
    File { file: PathBuf, error: io::Error },
    #[error("cannot run '{program}': {error}")]
    Start { program: String, error: io::Error },
    #[error("'{program}' ended with {status}{}", last_words(said))]
    Failed {
        program: String,
        status: ExitStatus,
        said: String,
    },
    #[error(
        "no time follows '{text}' in what '{program}' wrote{}",
        last_words(said)
    )]
    NoTime {
        program: String,
        text: String,
        said: String,
    },
}

impl PeerError {
    /// Whether the command line is wrong.
    pub(crate) fn is_usage(&self) -> bool {
        matches!(self, PeerError::Words { .. })
    }
}

/// The last line of a program's output, as the end of a message.
fn last_words(said: &str) -> String {
    let last = said.lines().rfind(|line| !line.trim().is_empty());
    last.map_or_else(String::new, |last| format!("; it said: {}", last.trim()))
}

/// A program with its arguments.
struct Program(Vec<OsString>);

impl Program {
    /// The program of an option's `words`, with `file` in the place of `{file}`.
    fn new(option: &'static str, words: &str, file: &Path) -> Result<Program, PeerError> {
        let wrong = |problem: &str| PeerError::Words {
            option,
            words: words.to_owned(),
            problem: problem.to_owned(),
        };
        let split = shell_words::split(words).map_err(|error| wrong(&error.to_string()))?;
        if split.is_empty() {
            return Err(wrong("expected a command"));
        }
        if !words.contains("{file}") {
            return Err(wrong("expected {file} where the file of positions goes"));
        }
        let file = file
            .to_str()
            .ok_or_else(|| wrong("the path of the file is not UTF-8"))?;
        let words = split.iter().map(|word| word.replace("{file}", file).into());
        Ok(Program(words.collect()))
    }

    fn name(&self) -> String {
        self.0[0].to_string_lossy().into_owned()
    }

    /// Runs it to its end; `None` where `stop` ended it. The time of the run, and what it wrote.
    fn run(&self, stop: &StopHandle) -> Result<Option<(Duration, String)>, PeerError> {
        let failed = |error| PeerError::Start {
            program: self.name(),
            error,
        };
        let start = Instant::now();
        let mut command = Command::new(&self.0[0]);
        command
            .args(&self.0[1..])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        {
            // A group of its own is ended as a whole, and does not hear the terminal's Ctrl-C.
            use std::os::unix::process::CommandExt;
            command.process_group(0);
        }
        let mut child = command.spawn().map_err(failed)?;
        let streams = [
            collect(child.stdout.take().expect("it is piped")),
            collect(child.stderr.take().expect("it is piped")),
        ];
        let mut said = String::new();
        for stream in streams {
            let Some(text) = wait(&stream, &mut child, stop) else {
                return Ok(None);
            };
            said.push_str(&text);
        }
        let status = child.wait().map_err(failed)?;
        let time = start.elapsed();
        if stop.is_stopped() {
            return Ok(None);
        }
        if !status.success() {
            let program = self.name();
            return Err(PeerError::Failed {
                program,
                status,
                said,
            });
        }
        Ok(Some((time, said)))
    }
}

/// Reads a stream to its end, on a thread of its own. Of a long one the end is kept.
fn collect(mut stream: impl Read + Send + 'static) -> Receiver<String> {
    /// Bytes at the end of the stream that are kept: what a program found stands there.
    const KEPT: usize = 1 << 20;
    let (sender, receiver) = bounded(1);
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is all there is.
        while let Ok(1..) = stream.by_ref().take(KEPT as u64).read_to_end(&mut bytes) {
            bytes.drain(..bytes.len().saturating_sub(KEPT));
        }
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receiver
}

/// Waits for the end of a stream of `child`; `None` where `stop` came first, which ends the child.
fn wait(stream: &Receiver<String>, child: &mut Child, stop: &StopHandle) -> Option<String> {
    loop {
        match stream.recv_timeout(Duration::from_millis(50)) {
            Ok(text) => return Some(text),
            Err(RecvTimeoutError::Disconnected) => return Some(String::new()),
            Err(RecvTimeoutError::Timeout) if stop.is_stopped() => {
                kill_group(child.id());
                // It may have ended by itself.
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
            Err(RecvTimeoutError::Timeout) => (),
        }
    }
}

/// The time in seconds that follows `text` where `said` has it last.
fn time_after(said: &str, text: &str) -> Option<f64> {
    let (_, after) = said.rsplit_once(text)?;
    let after = after.trim_start_matches(|c: char| c.is_whitespace() || c == ':' || c == '=');
    let end = after.find(|c: char| !(c.is_ascii_digit() || c == ':' || c == '.'));
    let clock = after[..end.unwrap_or(after.len())].trim_end_matches(['.', ':']);
    clock.split(':').try_fold(0.0, |sum, part| {
        let part: f64 = part.parse().ok()?;
        Some(60.0 * sum + part)
    })
}

/// The times of a round, in seconds.
#[derive(Serialize)]
struct Round {
    round: usize,
    ours_s: f64,
    peer_s: f64,
    /// Ours over the peer's.
    ratio: f64,
}

impl Round {
    /// Runs our program and the peer, each first in every second round: what the other leaves behind falls
    /// to both. The peer's time is the one that it writes after the text `peer_time`, if there is one. `None`
    /// where `stop` ended a run.
    fn run(
        number: usize,
        programs: [&Program; 2],
        peer_time: Option<&str>,
        stop: &StopHandle,
    ) -> Result<Option<Round>, PeerError> {
        let mut times = [0.0; 2];
        for place in [number % 2, (number + 1) % 2] {
            let Some((wall, said)) = programs[place].run(stop)? else {
                return Ok(None);
            };
            times[place] = match peer_time {
                Some(text) if place == 1 => {
                    time_after(&said, text).ok_or_else(|| PeerError::NoTime {
                        program: programs[place].name(),
                        text: text.to_owned(),
                        said,
                    })?
                }
                _ => wall.as_secs_f64(),
            };
        }
        let [ours_s, peer_s] = times;
        Ok(Some(Round {
            round: number,
            ours_s,
            peer_s,
            ratio: ours_s / peer_s,
        }))
    }

    fn text(&self) -> String {
        let Round {
            round,
            ours_s,
            peer_s,
            ratio,
        } = self;
        format!("round {round}: outflank {ours_s:.3} s, peer {peer_s:.3} s, ratio {ratio:.3}")
    }
}

#[derive(Serialize)]
struct Comparison {
    rounds: usize,
    ours: Range,
    peer: Range,
    ratio: Range,
}

/// Median, minimum and maximum over the rounds.
#[derive(Serialize)]
struct Range {
    median: f64,
    min: f64,
    max: f64,
}

impl Range {
    fn of(rounds: &[Round], figure: impl Fn(&Round) -> f64) -> Range {
        let figures = || rounds.iter().map(&figure);
        Range {
            median: Summary::of(figures()).median,
            min: figures().fold(f64::INFINITY, f64::min),
            max: figures().fold(0.0, f64::max),
        }
    }

    fn text(&self, unit: &str) -> String {
        let Range { median, min, max } = self;
        format!("{median:.3}{unit} ({min:.3} to {max:.3})")
    }
}

/// Compares and reports; the result is the exit status.
pub(super) fn run(
    command: &str,
    arguments: &PeerArguments,
    engine: &EngineArguments,
    as_json: bool,
    progress: &ProgressArgument,
) -> Result<u8, CommandError> {
    let folder: TempDir;
    let file = match &arguments.file {
        Some(file) => fs::canonicalize(file).map_err(|error| PeerError::File {
            file: file.clone(),
            error,
        })?,
        None => {
            folder = tempfile::tempdir()?;
            let file = folder.path().join("ffo-20-39.obf");
            fs::write(&file, positions_alone(FFO_20_39))?;
            file
        }
    };
    let peer = Program::new("--peer", command, &file)?;
    let mut ours = Program::new("--ours", &arguments.ours, &file)?;
    ours.0.insert(0, std::env::current_exe()?.into());
    ours.0.extend(engine.words());

    let stop = StopHandle::default();
    stop_on_interrupt(&stop)?;
    let progress = progress.steps(arguments.rounds);
    let mut rounds = Vec::new();
    for number in 1..=arguments.rounds {
        let peer_time = arguments.peer_time.as_deref();
        let Some(round) = Round::run(number, [&ours, &peer], peer_time, &stop)? else {
            complain("interrupted");
            return Ok(interrupted_status());
        };
        let text = match as_json {
            true => json::text(&round),
            false => round.text(),
        };
        progress.aside(|| line(text))?;
        progress.advance();
        rounds.push(round);
    }
    let all = Comparison {
        rounds: rounds.len(),
        ours: Range::of(&rounds, |round| round.ours_s),
        peer: Range::of(&rounds, |round| round.peer_s),
        ratio: Range::of(&rounds, |round| round.ratio),
    };
    if as_json {
        line(json::text(&all))?;
    } else {
        let (ours, peer) = (all.ours.text(" s"), all.peer.text(" s"));
        line(format_args!("outflank {ours}; peer {peer}"))?;
        line(format_args!(
            "ratio {}: medians of {}, with minimum and maximum",
            all.ratio.text(""),
            counted(all.rounds, "round", "rounds"),
        ))?;
    }
    Ok(0)
}

/// The lines of positions: other programs do not know our comments.
fn positions_alone(obf: &[u8]) -> Vec<u8> {
    let mut positions = Vec::new();
    for line in obf.split(|&byte| byte == b'\n') {
        let position = line.split(|&byte| byte == b'%').next();
        let position = position.unwrap_or_default().trim_ascii();
        if !position.is_empty() {
            positions.extend(position);
            positions.push(b'\n');
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_programs_write_them() {
        for (said, text, time) in [
            (
                "a: 12 nodes in  0:05.543 (22 nodes/s).",
                "nodes in",
                Some(5.543),
            ),
            ("time: 3.5\ntime: 4.25 s", "time", Some(4.25)),
            ("total=1:02:03.", "total", Some(3723.0)),
            ("time: none", "time", None),
            ("no such text", "time", None),
        ] {
            assert_eq!(time_after(said, text), time, "{said}");
        }
    }
}
