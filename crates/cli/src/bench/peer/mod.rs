//! `outflank bench --peer`: times whole runs of this program and of another one in turn, on the same positions.

mod program;
mod round;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use clap::Args;
use outflank::StopHandle;
use outflank::problems::FFO_20_39;
use outflank_support::text::plural;

use super::Arguments;
use crate::console::print_line;
use crate::error::{CommandError, FAILURE, USAGE, exit_status};
use crate::input;
use crate::json::{object, to_line};
use crate::number_options::whole;
use crate::signals::{report_interrupted, stop_on_interrupt};
use program::{Program, words};
use round::{Range, Round};

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
    let file = positions(arguments.file.as_deref(), folder.path())?;
    let peer = Program(words("--peer", command, &file)?);
    let mut ours: Vec<OsString> = vec![std::env::current_exe()?.into()];
    ours.extend(words("--ours", &arguments.ours, &file)?);
    ours.extend(engine.with_one_thread_by_default().words());
    let programs = [&Program(ours), &peer];

    let stop = StopHandle::default();
    stop_on_interrupt(&stop)?;
    let progress = progress.steps(arguments.rounds);
    let mut rounds = Vec::new();
    for number in 1..=arguments.rounds {
        let Some(round) = Round::run(number, programs, arguments.peer_time.as_deref(), &stop)?
        else {
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
    print_line(summary(&rounds, *as_json))?;
    Ok(0)
}

/// Path of the file of positions. Positions without a file are written to `folder`: those of standard input, or FFO #20-39.
fn positions(file: Option<&Path>, folder: &Path) -> Result<PathBuf, CommandError> {
    let unusable = |file: &Path, error| PeerError::File {
        file: file.to_owned(),
        error,
    };
    let contents = match file {
        None => without_comments(FFO_20_39),
        Some(stdin) if stdin == Path::new("-") => {
            input::read(stdin).map_err(|error| unusable(stdin, error))?
        }
        Some(file) => return Ok(fs::canonicalize(file).map_err(|error| unusable(file, error))?),
    };
    let written = folder.join("positions.obf");
    fs::write(&written, contents)?;
    Ok(written)
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

/// Formats the medians, minima and maxima over the rounds.
fn summary(rounds: &[Round], as_json: bool) -> String {
    let ours = Range::of(rounds, |round| round.ours_s);
    let peer = Range::of(rounds, |round| round.peer_s);
    let ratio = Range::of(rounds, |round| round.ratio);
    match as_json {
        true => to_line(&object! { rounds: rounds.len(), ours, peer, ratio }),
        false => format!(
            "outflank {}; peer {}\nratio {}: medians of {}, with minimum and maximum",
            ours.text(" s"),
            peer.text(" s"),
            ratio.text(""),
            plural(rounds.len(), "round", "rounds"),
        ),
    }
}
