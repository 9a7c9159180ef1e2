//! Runs a worker, reads its messages and notices its silence.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::WorkerError;
use super::fault::WorkerEnd;
use super::protocol::{Message, Step, Task};

/// A finished run of a worker.
pub(super) struct WorkerRun {
    pub(super) end: WorkerEnd,
    /// The worker's last step.
    pub(super) step: Step,
    /// Index of the last case announced in that step.
    pub(super) index: Option<usize>,
    /// Text that the worker wrote to standard error.
    pub(super) stderr: String,
}

/// Process that is killed on drop.
struct KillOnDrop(Child);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        // An error means that the process has already ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts `command`, gives it `task`, and passes each of its messages with the current step to `on_message`,
/// until the worker ends or is silent for longer than `patience`.
pub(super) fn watch<E: From<WorkerError>>(
    command: &mut Command,
    task: &Task,
    patience: Duration,
    mut on_message: impl FnMut(Message, Step) -> Result<(), E>,
) -> Result<WorkerRun, E> {
    // Keeps the text of a panic to one line.
    command.env("RUST_BACKTRACE", "0");
    let child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(WorkerError)?;
    let mut child = KillOnDrop(child);
    let mut stdin = child.0.stdin.take().expect("it is piped");
    let task = task.to_string();
    // A worker may end before it reads its task, which is reported below. The thread avoids a deadlock with a
    // worker that writes much before it reads.
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
    let stderr = thread::spawn(move || text(stderr));

    let mut step = Step::Inputs(None);
    let mut index = None;
    let mut done = false;
    let end = loop {
        let line = match lines.recv_timeout(patience) {
            Ok(line) => line.map_err(WorkerError)?,
            Err(RecvTimeoutError::Timeout) => break WorkerEnd::Silent(patience),
            Err(RecvTimeoutError::Disconnected) => {
                break WorkerEnd::Gone(child.0.wait().map_err(WorkerError)?);
            }
        };
        let message: Message = line
            .parse()
            .map_err(|garbled| WorkerError(io::Error::other(garbled)))?;
        match message {
            Message::Step(next) => (step, index) = (next, None),
            Message::Index(next) => index = Some(next),
            Message::End => done = true,
            Message::Agreed(_) | Message::Differed(..) => {}
        }
        on_message(message, step)?;
    };
    drop(child);
    let end = match end {
        WorkerEnd::Gone(status) if done && status.success() => WorkerEnd::Done,
        end => end,
    };
    Ok(WorkerRun {
        end,
        step,
        index,
        stderr: stderr.join().unwrap_or_default(),
    })
}

/// Returns the beginning of a stream. The rest is read, too, so that the writer does not block.
fn text(mut from: impl Read) -> String {
    let mut start = Vec::new();
    let _ = from.by_ref().take(4096).read_to_end(&mut start);
    let _ = io::copy(&mut from, &mut io::sink());
    String::from_utf8_lossy(&start).into_owned()
}
