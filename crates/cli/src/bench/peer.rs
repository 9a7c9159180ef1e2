//! `outflank bench --peer`: times whole runs of this program and of another one in turn, on the same positions.

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
use outflank_checker::bench::Samples;
use outflank_support::text::plural;
use serde::Serialize;

use super::Arguments;
use crate::console::print_line;
use crate::error::{CommandError, FAILURE, USAGE, exit_status};
use crate::input;
use crate::json::{object, to_line};
use crate::number_options::whole;
use crate::signals::{report_interrupted, stop_on_interrupt};
use outflank_tournament::kill_group;

#[derive(Args)]
#[command(next_help_heading = "Comparison with another program")]
pub(super) struct PeerArguments {
    /// Command of another program, which runs in turn with this one on the same positions. {file} stands for the path
    /// of the file of positions. The command is split into words as in a shell, but no shell runs it
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["depth", "selectivity", "positions"])]
    pub(super) peer: Option<String>,

    /// File of positions; - is standard input [default: FFO #20-39]
    #[arg(long, value_name = "FILE", requires = "peer")]
    file: Option<PathBuf>,

    /// Arguments of this program; the options of the engine are added
    #[arg(long, value_name = "WORDS", requires = "peer")]
    #[arg(default_value = "solve {file}")]
    ours: String,

    /// Number of runs of each program
    #[arg(long, value_name = "N", requires = "peer", default_value_t = 7, value_parser = whole::<usize>(1..=1000))]
    rounds: usize,

    /// Text before the peer's own time in its output. The number after the last TEXT replaces the measured time; it is
    /// in seconds, M:S or H:M:S
    #[arg(long, value_name = "TEXT", requires = "peer")]
    peer_time: Option<String>,
}

/// Error that ends a comparison.
#[derive(Debug, thiserror::Error)]
enum PeerError {
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
    #[error("'{program}' ended with {status}{}", last_line(output))]
    Failed {
        program: String,
        status: ExitStatus,
        output: String,
    },
    #[error(
        "no time follows '{text}' in what '{program}' wrote{}",
        last_line(output)
    )]
    NoTime {
        program: String,
        text: String,
        output: String,
    },
}

exit_status!(PeerError { Self::Words { .. } => USAGE, _ => FAILURE });

/// Formats the last line of a program's output as the end of a message.
fn last_line(output: &str) -> String {
    let last = output.lines().rfind(|line| !line.trim().is_empty());
    last.map_or_else(String::new, |last| format!("; it said: {}", last.trim()))
}

/// A program with its arguments.
struct Program(Vec<OsString>);

impl Program {
    /// Splits the words of an option and replaces `{file}`.
    fn new(option: &'static str, words: &str, file: &Path) -> Result<Program, PeerError> {
        let error = |problem: &str| PeerError::Words {
            option,
            words: words.to_owned(),
            problem: problem.to_owned(),
        };
        let split = shell_words::split(words).map_err(|problem| error(&problem.to_string()))?;
        if split.is_empty() {
            return Err(error("expected a command"));
        }
        if !words.contains("{file}") {
            return Err(error("expected {file} where the file of positions goes"));
        }
        let file = file
            .to_str()
            .ok_or_else(|| error("the path of the file is not UTF-8"))?;
        let words = split.iter().map(|word| word.replace("{file}", file).into());
        Ok(Program(words.collect()))
    }

    fn name(&self) -> String {
        self.0[0].to_string_lossy().into_owned()
    }

    /// Runs the program and returns its time and output; `None` if `stop` ended it.
    fn run(&self, stop: &StopHandle) -> Result<Option<(Duration, String)>, PeerError> {
        let start_error = |error| PeerError::Start {
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
            // A separate process group can be killed as a whole and gets no Ctrl-C from the terminal.
            use std::os::unix::process::CommandExt;
            command.process_group(0);
        }
        let mut child = command.spawn().map_err(start_error)?;
        let outputs = collect(child.stdout.take().expect("it is piped"));
        let errors = collect(child.stderr.take().expect("it is piped"));
        let streams = outputs.and_then(|outputs| Ok([outputs, errors?]));
        let streams = streams.map_err(|error| {
            end(&mut child);
            start_error(error)
        })?;
        let mut output = String::new();
        for stream in streams {
            let Some(text) = wait(&stream, &mut child, stop) else {
                return Ok(None);
            };
            output.push_str(&text);
        }
        let status = child.wait().map_err(start_error)?;
        let time = start.elapsed();
        if stop.is_stopped() {
            return Ok(None);
        }
        match status.success() {
            true => Ok(Some((time, output))),
            false => Err(PeerError::Failed {
                program: self.name(),
                status,
                output,
            }),
        }
    }
}

/// Reads a stream to its end on a separate thread. Returns an error if there can be no thread.
fn collect(mut stream: impl Read + Send + 'static) -> io::Result<Receiver<String>> {
    /// Number of bytes kept from the end of the stream, where the results are.
    const KEPT: usize = 1 << 20;
    let (sender, receiver) = bounded(1);
    thread::Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        // An error ends the stream.
        while let Ok(1..) = stream.by_ref().take(KEPT as u64).read_to_end(&mut bytes) {
            bytes.drain(..bytes.len().saturating_sub(KEPT));
        }
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    })?;
    Ok(receiver)
}

/// Kills a program with its process group.
fn end(child: &mut Child) {
    kill_group(child.id());
    // The child may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}

/// Waits for the end of a stream of `child` and returns its text. If `stop` ends the wait, kills the child and returns
/// `None`.
fn wait(stream: &Receiver<String>, child: &mut Child, stop: &StopHandle) -> Option<String> {
    loop {
        match stream.recv_timeout(Duration::from_millis(50)) {
            Ok(text) => return Some(text),
            Err(RecvTimeoutError::Disconnected) => return Some(String::new()),
            Err(RecvTimeoutError::Timeout) if stop.is_stopped() => {
                end(child);
                return None;
            }
            Err(RecvTimeoutError::Timeout) => (),
        }
    }
}

/// Time in seconds after the last `text` in `output`.
fn time_after(output: &str, text: &str) -> Option<f64> {
    let (_, after) = output.rsplit_once(text)?;
    let after = after.trim_start_matches(|c: char| c.is_whitespace() || c == ':' || c == '=');
    let end = after.find(|c: char| !(c.is_ascii_digit() || c == ':' || c == '.'));
    let clock = after[..end.unwrap_or(after.len())].trim_end_matches(['.', ':']);
    clock.split(':').try_fold(0.0, |sum, part| {
        let part: f64 = part.parse().ok()?;
        Some(60.0 * sum + part)
    })
}

/// Times of a round.
#[derive(Serialize)]
struct Round {
    round: usize,
    ours_s: f64,
    peer_s: f64,
    /// `ours_s / peer_s`.
    ratio: f64,
}

impl Round {
    /// Runs both programs; returns `None` if `stop` ended a run. Each program is first in every second round, so that
    /// warm caches help both. If `peer_time` is given, the peer's time is read from its output, after this text.
    fn run(
        number: usize,
        programs: [&Program; 2],
        peer_time: Option<&str>,
        stop: &StopHandle,
    ) -> Result<Option<Round>, PeerError> {
        let mut times = [0.0; 2];
        for index in [number % 2, (number + 1) % 2] {
            let Some((wall, output)) = programs[index].run(stop)? else {
                return Ok(None);
            };
            times[index] = match peer_time {
                Some(text) if index == 1 => {
                    time_after(&output, text).ok_or_else(|| PeerError::NoTime {
                        program: programs[index].name(),
                        text: text.to_owned(),
                        output,
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
        format!(
            "round {}: outflank {:.3} s, peer {:.3} s, ratio {:.3}",
            self.round, self.ours_s, self.peer_s, self.ratio
        )
    }
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
            median: Samples::new(figures()).median(),
            min: figures().fold(f64::INFINITY, f64::min),
            max: figures().fold(0.0, f64::max),
        }
    }

    fn text(&self, unit: &str) -> String {
        let Range { median, min, max } = self;
        format!("{median:.3}{unit} ({min:.3} to {max:.3})")
    }
}

/// Runs the comparison and returns the exit status.
pub(super) fn run(
    command: &str,
    Arguments {
        comparison: arguments,
        engine,
        json: as_json,
        progress,
        ..
    }: &Arguments,
) -> Result<u8, CommandError> {
    let folder = tempfile::tempdir()?;
    let unusable = |file: &Path, error| PeerError::File {
        file: file.to_owned(),
        error,
    };
    let file = match arguments.file.as_deref() {
        Some(file) if file != Path::new("-") => {
            fs::canonicalize(file).map_err(|error| unusable(file, error))?
        }
        stdin_or_default => {
            let positions = match stdin_or_default {
                Some(stdin) => input::read(stdin).map_err(|error| unusable(stdin, error))?,
                None => without_comments(FFO_20_39),
            };
            let file = folder.path().join("positions.obf");
            fs::write(&file, positions)?;
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
            return Ok(report_interrupted());
        };
        let text = match as_json {
            true => to_line(&round),
            false => round.text(),
        };
        progress.suspend(|| print_line(text))?;
        progress.advance();
        rounds.push(round);
    }
    let ours = Range::of(&rounds, |round| round.ours_s);
    let peer = Range::of(&rounds, |round| round.peer_s);
    let ratio = Range::of(&rounds, |round| round.ratio);
    print_line(match as_json {
        true => to_line(&object! { rounds: rounds.len(), ours, peer, ratio }),
        false => format!(
            "outflank {}; peer {}\nratio {}: medians of {}, with minimum and maximum",
            ours.text(" s"),
            peer.text(" s"),
            ratio.text(""),
            plural(rounds.len(), "round", "rounds"),
        ),
    })?;
    Ok(0)
}

/// Removes the comments from OBF, because other programs may not understand them.
fn without_comments(obf: &[u8]) -> Vec<u8> {
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
    fn times_follow_the_last_text() {
        for (output, text, time) in [
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
            assert_eq!(time_after(output, text), time, "{output}");
        }
    }
}
