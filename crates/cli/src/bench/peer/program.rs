//! A program that is run from start to exit, until it ends or the user stops it.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use outflank::StopHandle;
use outflank_support::threads::set_one_by_default;
use outflank_tournament::ProcessGroup;

use super::PeerError;

/// Splits the words of an option and replaces `{file}`.
pub(super) fn words(
    option: &'static str,
    words: &str,
    file: &Path,
) -> Result<Vec<OsString>, PeerError> {
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
    let file = file.to_str();
    let file = file.ok_or_else(|| error("the path of the file is not UTF-8"))?;
    let words = split.iter().map(|word| word.replace("{file}", file).into());
    Ok(words.collect())
}

/// Command line of a program.
pub(super) struct Program(pub(super) Vec<OsString>);

impl Program {
    /// First word of the command line.
    pub(super) fn name(&self) -> String {
        self.0[0].to_string_lossy().into_owned()
    }

    /// Runs the program and returns its time and output; `None` if `stop` ended it.
    pub(super) fn run(&self, stop: &StopHandle) -> Result<Option<(Duration, String)>, PeerError> {
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
        set_one_by_default(&mut command);
        let (mut child, group) = ProcessGroup::spawn(&mut command).map_err(start_error)?;
        let outputs = collect(child.stdout.take().expect("it is piped"));
        let errors = collect(child.stderr.take().expect("it is piped"));
        let streams = outputs.and_then(|outputs| Ok([outputs, errors?]));
        let streams = streams.map_err(|error| {
            end(&mut child, &group);
            start_error(error)
        })?;
        let mut output = String::new();
        for stream in streams {
            let Some(text) = wait(&stream, stop) else {
                end(&mut child, &group);
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

/// Reads a stream to its end on a separate thread. Returns an error if no thread can be started.
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
fn end(child: &mut Child, group: &ProcessGroup) {
    group.kill();
    // The child may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}

/// Waits for the end of a stream and returns its text; `None` if `stop` ends the wait.
fn wait(stream: &Receiver<String>, stop: &StopHandle) -> Option<String> {
    loop {
        match stream.recv_timeout(Duration::from_millis(50)) {
            Ok(text) => return Some(text),
            Err(RecvTimeoutError::Disconnected) => return Some(String::new()),
            Err(RecvTimeoutError::Timeout) if stop.is_stopped() => return None,
            Err(RecvTimeoutError::Timeout) => (),
        }
    }
}
