//! An engine's process: lines go in, lines come out, and in the end nothing of it is left.
//!
//! Whatever it does, nobody here waits for longer than asked: lines are written and read on threads of
//! their own, what waits for a reader is bounded, and so is what is listened to before an answer.

use std::io::Write;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use super::fault::{Kind, Trouble, excerpt};
use crate::protocol::lines::{self, Line};
use crate::search::StopHandle;

/// Lines that may wait until the engine reads them; a game has fewer.
const UNREAD: usize = 1024;

/// Lines that an engine may write before the answer to one command: more than one a millisecond in a
/// long search.
const FLOOD: u32 = 200_000;

/// How often whoever waits looks whether the match was stopped.
const LOOK: Duration = Duration::from_millis(25);

/// How long an engine that was told to end may take to do so by itself.
const FAREWELL: Duration = Duration::from_millis(300);

/// How long after the end of its output an engine's end is waited for.
const END: Duration = Duration::from_millis(500);

/// A running engine. Dropped, it is told to end, and ended with all that it started.
pub(super) struct Process {
    child: Child,
    /// What it is to read; `None` once there is nothing more.
    input: Option<Sender<String>>,
    output: Receiver<Line>,
    /// The last line that it wrote to standard error, and the thread that reads there.
    complaint: Arc<Mutex<String>>,
    listener: JoinHandle<()>,
    stop: StopHandle,
    /// The last command.
    asked: String,
    /// Lines that it wrote since.
    heard: u32,
    /// Set when it has ended, and is no process any more.
    status: Option<ExitStatus>,
}

impl Process {
    /// Starts `command`: the program, then its arguments.
    pub(super) fn start(command: &[String], stop: &StopHandle) -> std::io::Result<Process> {
        let (program, arguments) = command.split_first().expect("a command has a program");
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        {
            // A group of its own is ended as a whole, and does not hear the terminal's Ctrl-C.
            use std::os::unix::process::CommandExt;
            command.process_group(0);
        }
        let mut child = command.spawn()?;
        let stdin = child.stdin.take().expect("it is piped");
        let (input, waiting) = bounded(UNREAD);
        thread::spawn(move || write(stdin, &waiting));
        let output = lines::read(child.stdout.take().expect("it is piped"));
        let stderr = child.stderr.take().expect("it is piped");
        let complaint = Arc::new(Mutex::new(String::new()));
        let last = Arc::clone(&complaint);
        let listener = thread::spawn(move || {
            lines::each(stderr, |line| {
                if let Line::Text(text) = line
                    && !text.trim().is_empty()
                {
                    *last.lock().expect("nobody panics with it") = text;
                }
                true
            });
        });
        Ok(Process {
            child,
            input: Some(input),
            output,
            complaint,
            listener,
            stop: stop.clone(),
            asked: String::new(),
            heard: 0,
            status: None,
        })
    }

    /// Writes a line. An engine that reads none will not answer, which is noticed then.
    pub(super) fn say(&mut self, line: &str) {
        self.asked.clear();
        self.asked.push_str(line);
        self.heard = 0;
        if let Some(input) = &self.input {
            let _ = input.try_send(format!("{line}\n"));
        }
    }

    /// The next line that it writes, which is awaited for `patience` from `since` on.
    pub(super) fn line(&mut self, since: Instant, patience: Duration) -> Result<String, Trouble> {
        loop {
            if self.stop.is_stopped() {
                return Err(Trouble::Stopped);
            }
            let left = patience.saturating_sub(since.elapsed());
            match self.output.recv_timeout(left.min(LOOK)) {
                Ok(Line::Text(_)) if self.heard >= FLOOD => {
                    let told = format!("wrote {FLOOD} lines in answer to {:?}", self.asked());
                    return Err(Trouble::of(Kind::Flood, told));
                }
                Ok(Line::Text(text)) => {
                    self.heard += 1;
                    return Ok(text);
                }
                Ok(Line::TooLong) => {
                    let told = format!("wrote a line of {} bytes or more", lines::MOST_BYTES);
                    return Err(Trouble::of(Kind::Flood, told));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.crash()),
                Err(RecvTimeoutError::Timeout) if left <= LOOK => {
                    let seconds = patience.as_secs_f64();
                    let told = format!("no answer to {:?} in {seconds:.1} s", self.asked());
                    return Err(Trouble::of(Kind::Hang, told));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// The last command, as it can be shown.
    fn asked(&self) -> String {
        excerpt(&self.asked)
    }

    /// What became of an engine whose output has ended.
    fn crash(&mut self) -> Trouble {
        let start = Instant::now();
        while start.elapsed() < END {
            self.status = self.child.try_wait().unwrap_or(None);
            if self.status.is_some() && self.listener.is_finished() {
                break;
            }
            thread::sleep(Duration::from_millis(2));
        }
        if self.status.is_some() {
            self.kill_group();
        }
        let mut told = match self.status {
            Some(status) => format!("ended ({status})"),
            None => "closed its output".to_owned(),
        };
        let complaint = self.complaint.lock().expect("nobody panics with it");
        if !complaint.is_empty() {
            told += &format!(": {}", excerpt(&complaint));
        }
        Trouble::of(Kind::Crash, told)
    }

    /// Ends it at once, with all that it started.
    fn kill(&mut self) {
        if self.status.is_none() {
            self.kill_group();
            self.status = self.child.wait().ok();
        }
    }

    /// Ends all that it started, too. No other group has its number: not as long as nobody has waited for
    /// the process that leads it, or another one is in it; and numbers come again after thousands of others.
    fn kill_group(&mut self) {
        #[cfg(unix)]
        {
            use nix::sys::signal::{Signal, killpg};
            use nix::unistd::Pid;
            let group = Pid::from_raw(self.child.id().cast_signed());
            let _ = killpg(group, Signal::SIGKILL);
        }
        #[cfg(not(unix))]
        let _ = self.child.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.status.is_none() {
            self.say("quit");
            self.input = None;
            let end = Instant::now() + FAREWELL;
            while self.output.recv_deadline(end).is_ok() {}
        }
        self.kill();
    }
}

/// Writes what is sent, until the engine reads no more, or nothing more comes.
fn write(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).is_err() {
            break;
        }
    }
}
