//! Watching a worker: what it says, and whether it still says anything.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::WorkerError;
use super::fault::End;
use super::protocol::{Message, Step, Task};

/// A run of a worker that is over.
pub(super) struct Watched {
    pub(super) end: End,
    /// What it did last.
    pub(super) step: Step,
    /// The last case that it announced in that step.
    pub(super) index: Option<usize>,
    /// What it wrote to standard error.
    pub(super) said: String,
}

/// A process that is ended when nobody watches it any more.
struct Watchable(Child);

impl Drop for Watchable {
    fn drop(&mut self) {
        // It may be over already, which is as good.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts `command`, gives it `task`, and hands each of its messages to `each`, together with the step
/// that it is about, until it is over or silent for longer than `patience`.
pub(super) fn watch<E: From<WorkerError>>(
    command: &mut Command,
    task: &Task,
    patience: Duration,
    mut each: impl FnMut(Message, Step) -> Result<(), E>,
) -> Result<Watched, E> {
    // A panic is told in a line, not with a list of callers.
    command.env("RUST_BACKTRACE", "0");
    let child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(WorkerError)?;
    let mut child = Watchable(child);
    let mut stdin = child.0.stdin.take().expect("it is piped");
    let task = task.to_string();
    // One that ends before it has read its task is reported below. A thread, because one that writes
    // much before it reads would wait for us, and we for it.
    thread::spawn(move || {
        let _ = stdin.write_all(task.as_bytes());
    });
    let stdout = child.0.stdout.take().expect("it is piped");
    let stderr = child.0.stderr.take().expect("it is piped");
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(stdout).lines() {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let said = thread::spawn(move || text(stderr));

    let mut step = Step::Inputs(None);
    let mut index = None;
    let mut done = false;
    let end = loop {
        let line = match lines.recv_timeout(patience) {
            Ok(line) => line.map_err(WorkerError)?,
            Err(RecvTimeoutError::Timeout) => break End::Silent(patience),
            Err(RecvTimeoutError::Disconnected) => {
                break End::Gone(child.0.wait().map_err(WorkerError)?);
            }
        };
        let message: Message = line
            .parse()
            .map_err(|garbled| WorkerError(io::Error::other(garbled)))?;
        match message {
            Message::Step(next) => (step, index) = (next, None),
            Message::Index(next) => index = Some(next),
            Message::End => done = true,
            Message::Same(_) | Message::Different(..) => {}
        }
        each(message, step)?;
    };
    drop(child);
    let end = match end {
        End::Gone(status) if done && status.success() => End::Done,
        end => end,
    };
    Ok(Watched {
        end,
        step,
        index,
        said: said.join().unwrap_or_default(),
    })
}

/// The beginning of what is read; the rest is read too, or the writer would wait.
fn text(mut from: impl Read) -> String {
    let mut start = Vec::new();
    let _ = from.by_ref().take(4096).read_to_end(&mut start);
    let _ = io::copy(&mut from, &mut io::sink());
    String::from_utf8_lossy(&start).into_owned()
}
