//! Process of an engine, with all processes that it starts.
//!
//! No call waits for longer than asked. Threads write and read the engine's lines, and end with the process. All queues
//! are bounded. Bounds of lines, bytes and time also limit the output before an answer.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use outflank::search::StopHandle;
use outflank_support::lines::{self, Line};
use outflank_support::text::plural;
use outflank_support::threads::set_one_by_default;

use crate::fault::{Failure, FaultKind, Reply, excerpt};
use crate::flood::OutputCount;
use crate::pipes::{Lifeline, spawn};
use crate::process_group::ProcessGroup;
use crate::stderr::StderrReader;

/// Maximum number of lines that wait for the engine to read them. A game has fewer.
const MAX_UNREAD: usize = 1024;

/// Time between two checks of the stop handle.
pub(crate) const POLL: Duration = Duration::from_millis(25);

/// Time to exit after `quit`.
const QUIT: Duration = Duration::from_millis(300);

/// Time to exit after the end of the output, or after a kill.
const EXIT: Duration = Duration::from_millis(500);

/// Upper bound of [`QUIT`] and [`EXIT`] once the match was stopped, so that the program ends within a second.
const STOPPED: Duration = Duration::from_millis(100);

/// Start and maximum duration of the wait for an answer.
#[derive(Clone, Copy)]
pub(crate) struct Wait {
    pub(crate) since: Instant,
    pub(crate) patience: Duration,
}

impl Wait {
    pub(crate) fn new(patience: Duration) -> Wait {
        Wait {
            since: Instant::now(),
            patience,
        }
    }
}

/// Running engine. Dropping it sends `quit`, then kills it with all processes of its group.
pub(crate) struct Process {
    child: Child,
    group: ProcessGroup,
    /// Lines for the engine; `None` at the end of its input.
    input: Option<Sender<String>>,
    output: Receiver<Line>,
    errors: StderrReader,
    /// Ends the threads that serve the pipes.
    _lifeline: Lifeline,
    stop: StopHandle,
    /// Last command.
    command: String,
    /// Output since the last command.
    count: OutputCount,
    /// Exit status; `None` until the process has been waited for.
    status: Option<ExitStatus>,
}

impl Process {
    /// Starts a program, the first word, with its arguments.
    pub(crate) fn start(words: &[String], stop: &StopHandle) -> io::Result<Process> {
        let (program, arguments) = words.split_first().expect("a command has a program");
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        set_one_by_default(&mut command);
        let lifeline = Lifeline::new()?;
        let (mut child, group) = ProcessGroup::spawn(&mut command)?;
        let (input, lines) = bounded(MAX_UNREAD);
        let stdin = lifeline.watch(child.stdin.take().expect("piped"));
        let stdout = lifeline.watch(child.stdout.take().expect("piped"));
        let stderr = lifeline.watch(child.stderr.take().expect("piped"));
        let id = child.id();
        let threads = || -> io::Result<_> {
            register(id, group.clone())?;
            spawn(move || write(stdin, &lines))?;
            Ok((lines::read(stdout)?, StderrReader::start(stderr)?))
        };
        let (output, errors) = threads().inspect_err(|_| {
            group.kill();
            let _ = child.kill();
            let _ = child.wait();
            unregister(id);
        })?;
        Ok(Process {
            child,
            group,
            input: Some(input),
            output,
            errors,
            _lifeline: lifeline,
            stop: stop.clone(),
            command: String::new(),
            count: OutputCount::default(),
            status: None,
        })
    }

    /// Sends a line. If the engine does not read it, the missing answer is detected later.
    pub(crate) fn send(&mut self, line: &str) {
        line.clone_into(&mut self.command);
        self.count = OutputCount::default();
        if let Some(input) = &self.input {
            let _ = input.try_send(format!("{line}\n"));
        }
    }

    /// Receives the next line. After the end of the wait, only lines that were read ahead are received.
    pub(crate) fn receive(&mut self, wait: Wait) -> Reply<String> {
        loop {
            if self.stop.is_stopped() {
                return Err(Failure::Stopped);
            }
            let waited = wait.since.elapsed();
            let left = wait.patience.saturating_sub(waited);
            match self.output.recv_timeout(left.min(POLL)) {
                Ok(Line::Text(text)) => {
                    self.count.add(&text, left.is_zero());
                    return match self.count.is_flood(waited) {
                        true => Err(self.no_answer(FaultKind::Flood, waited)),
                        false => Ok(text),
                    };
                }
                Ok(Line::TooLong) => {
                    let message = format!("wrote a line of {} bytes or more", lines::MAX_BYTES);
                    return Err(Failure::fault(FaultKind::Flood, message));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.crash()),
                Err(RecvTimeoutError::Timeout) if left <= POLL => {
                    return Err(self.no_answer(FaultKind::Hang, wait.patience));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Fault of an engine that did not answer the last command within `time`.
    fn no_answer(&self, kind: FaultKind, time: Duration) -> Failure {
        let OutputCount { lines, bytes, .. } = self.count;
        let (command, seconds) = (excerpt(&self.command), time.as_secs_f64());
        let mut message = format!("no answer to {command:?} in {seconds:.1} s");
        if lines > 0 {
            let lines = plural(lines, "other line", "other lines");
            message += &format!(", but {lines}, {}", plural(bytes, "byte", "bytes"));
        }
        Failure::fault(kind, message)
    }

    /// Fault of an engine whose output has ended.
    fn crash(&mut self) -> Failure {
        self.wait_for_exit(|process| process.errors.is_finished());
        let mut message = match self.status {
            Some(status) => {
                self.group.kill();
                format!("ended ({status})")
            }
            None => "closed its output".to_owned(),
        };
        if let Some(last) = self.errors.last_line() {
            message += &format!(": {}", excerpt(&last));
        }
        Failure::fault(FaultKind::Crash, message)
    }

    /// Waits until the process has exited and `is_done` returns `true`, but for no longer than [`EXIT`].
    fn wait_for_exit(&mut self, is_done: impl Fn(&Process) -> bool) {
        let start = Instant::now();
        while start.elapsed() < self.shortened(EXIT) {
            let exited = || self.child.try_wait().unwrap_or(None);
            self.status = self.status.or_else(exited);
            if self.status.is_some() && is_done(self) {
                return;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Shortens a wait if the match was stopped.
    fn shortened(&self, usual: Duration) -> Duration {
        match self.stop.is_stopped() {
            true => usual.min(STOPPED),
            false => usual,
        }
    }

    /// Discards output until the end of the process, but for no longer than [`QUIT`]: a full pipe could keep the engine
    /// from exiting.
    fn drain(&self) {
        let start = Instant::now();
        loop {
            let left = self.shortened(QUIT).saturating_sub(start.elapsed());
            // A flood never times out.
            if left.is_zero() {
                return;
            }
            let line = self.output.recv_timeout(left.min(POLL));
            if line.is_err_and(|error| error.is_disconnected()) {
                return;
            }
        }
    }
}

impl Drop for Process {
    /// Ends the engine. A process that cannot be killed, such as one of another user, is left running.
    fn drop(&mut self) {
        if self.status.is_none() {
            self.send("quit");
            self.input = None;
            self.drain();
            self.group.kill();
            let _ = self.child.kill();
            self.wait_for_exit(|_| true);
        }
        unregister(self.child.id());
    }
}

/// Groups of all running engines by process number; `None` once no more may start.
static ENGINES: Mutex<Option<BTreeMap<u32, ProcessGroup>>> = Mutex::new(Some(BTreeMap::new()));

fn engines() -> MutexGuard<'static, Option<BTreeMap<u32, ProcessGroup>>> {
    ENGINES.lock().expect("no panic while locked")
}

/// Adds an engine. An error means that no more engines may start.
fn register(id: u32, group: ProcessGroup) -> io::Result<()> {
    let mut all = engines();
    all.as_mut()
        .ok_or(io::ErrorKind::Interrupted)?
        .insert(id, group);
    Ok(())
}

fn unregister(id: u32) {
    if let Some(all) = engines().as_mut() {
        all.remove(&id);
    }
}

/// Kills the engines of all matches with all processes of their groups. No engine can start afterwards.
///
/// A program that exits without waiting for its matches calls this first.
pub fn end_engines() {
    let all = engines().take().unwrap_or_default();
    all.values().for_each(ProcessGroup::kill);
}

/// Writes lines until the engine closes its input, or no more come.
fn write(mut stdin: impl Write, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).is_err() {
            break;
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::pipes::THREAD;

    /// Threads of this program that serve engines.
    fn threads() -> usize {
        let all = std::fs::read_dir("/proc/self/task").unwrap();
        all.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("comm")).ok())
            .filter(|name| [THREAD, lines::THREAD].contains(&name.trim()))
            .count()
    }

    /// Processes in groups of their own outlive the engine: they hold its pipes, fill them, and read nothing.
    #[test]
    fn threads_end_with_the_engine() {
        let script =
            "setsid sleep 20 & setsid timeout 20 yes & setsid timeout 20 yes >&2 & read -r line";
        let command = ["sh", "-c", script].map(str::to_owned);
        for _ in 0..10 {
            let mut process = Process::start(&command, &StopHandle::default()).unwrap();
            for _ in 0..MAX_UNREAD {
                process.send(&"x".repeat(1000));
            }
            let answer = process.receive(Wait::new(Duration::from_secs(5)));
            assert_eq!(answer.unwrap(), "y");
        }
        let start = Instant::now();
        while threads() > 0 {
            assert!(start.elapsed() < Duration::from_secs(10), "{}", threads());
            thread::sleep(Duration::from_millis(10));
        }
    }
}
