//! An engine's process: lines go in, lines come out, and in the end nothing of it is left.
//!
//! Whatever the engine does, nobody here waits for longer than asked. Lines are written and read on
//! threads of their own, which end with the process. What waits to be written or read is bounded, and so
//! is what the engine may write before it answers: by lines, bytes and time.

use std::io::Write;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use super::fault::{Kind, Trouble, excerpt};
use super::flood::Heard;
use super::pipes::{Lifeline, spawn};
use super::stderr::Listener;
use outflank::protocol::lines::{self, Line};
use outflank::search::StopHandle;
use outflank::text::counted;

/// Lines that may wait until the engine reads them; a game has fewer.
const UNREAD: usize = 1024;

/// How often whoever waits looks whether the match was stopped.
const LOOK: Duration = Duration::from_millis(25);

/// How long an engine that was told to end may take to do so by itself.
const FAREWELL: Duration = Duration::from_millis(300);

/// How long after the end of its output, or after it was killed, an engine's end is waited for.
const END: Duration = Duration::from_millis(500);

/// The most of each of these where the match was stopped, so that the program ends within a second.
const HURRY: Duration = Duration::from_millis(100);

/// A running engine. Dropped, it is told to end, and ended with all that it started.
pub(super) struct Process {
    child: Child,
    /// What it is to read; `None` once there is nothing more.
    input: Option<Sender<String>>,
    output: Receiver<Line>,
    /// What it writes to standard error.
    errors: Listener,
    /// Ends the threads that read and write.
    _lifeline: Lifeline,
    stop: StopHandle,
    /// The last command.
    asked: String,
    /// What it wrote since.
    heard: Heard,
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
        let lifeline = Lifeline::new()?;
        let mut child = command.spawn()?;
        let (input, waiting) = bounded(UNREAD);
        let stdin = lifeline.watch(child.stdin.take().expect("it is piped"));
        let stdout = lifeline.watch(child.stdout.take().expect("it is piped"));
        let stderr = lifeline.watch(child.stderr.take().expect("it is piped"));
        let id = child.id();
        let threads = || -> std::io::Result<_> {
            Running::enter(id)?;
            spawn(move || write(stdin, &waiting))?;
            Ok((lines::read(stdout)?, Listener::start(stderr)?))
        };
        let (output, errors) = threads().inspect_err(|_| {
            // Nobody could speak with it.
            let _ = child.kill();
            let _ = child.wait();
            Running::leave(id);
        })?;
        Ok(Process {
            child,
            input: Some(input),
            output,
            errors,
            _lifeline: lifeline,
            stop: stop.clone(),
            asked: String::new(),
            heard: Heard::default(),
            status: None,
        })
    }

    /// Writes a line. An engine that reads none will not answer, which is noticed then.
    pub(super) fn say(&mut self, line: &str) {
        self.asked.clear();
        self.asked.push_str(line);
        self.heard = Heard::default();
        if let Some(input) = &self.input {
            let _ = input.try_send(format!("{line}\n"));
        }
    }

    /// The next line that it writes, which is awaited for `patience` from `since` on. Callers may ask for
    /// lines until they like one: after that time there are few more.
    pub(super) fn line(&mut self, since: Instant, patience: Duration) -> Result<String, Trouble> {
        loop {
            if self.stop.is_stopped() {
                return Err(Trouble::Stopped);
            }
            let waited = since.elapsed();
            let left = patience.saturating_sub(waited);
            // A line that is there is handed over whatever the time is.
            match self.output.recv_timeout(left.min(LOOK)) {
                Ok(Line::Text(text)) => {
                    self.heard.add(&text, left.is_zero());
                    return match self.heard.is_flood(waited) {
                        true => Err(self.silence(Kind::Flood, waited)),
                        false => Ok(text),
                    };
                }
                Ok(Line::TooLong) => {
                    let told = format!("wrote a line of {} bytes or more", lines::MAX_BYTES);
                    return Err(Trouble::of(Kind::Flood, told));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.crash()),
                Err(RecvTimeoutError::Timeout) if left <= LOOK => {
                    return Err(self.silence(Kind::Hang, patience));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// That it did not answer the last command in this time, and what it wrote instead.
    fn silence(&self, kind: Kind, time: Duration) -> Trouble {
        let Heard { lines, bytes, .. } = self.heard;
        let (asked, seconds) = (self.asked(), time.as_secs_f64());
        let mut told = format!("no answer to {asked:?} in {seconds:.1} s");
        if lines > 0 {
            let lines = counted(lines, "other line", "other lines");
            told += &format!(", but {lines}, {}", counted(bytes, "byte", "bytes"));
        }
        Trouble::of(kind, told)
    }

    /// The longest that the end of an engine is waited for.
    fn patience(&self, usual: Duration) -> Duration {
        match self.stop.is_stopped() {
            true => usual.min(HURRY),
            false => usual,
        }
    }

    /// Gives it time to end by itself. What it still writes is read, so that it is not kept from ending by
    /// a full pipe, and forgotten.
    fn farewell(&self) {
        let start = Instant::now();
        loop {
            let left = self.patience(FAREWELL).saturating_sub(start.elapsed());
            // The channel alone would hand over lines for as long as there are any.
            if left.is_zero() {
                return;
            }
            let line = self.output.recv_timeout(left.min(LOOK));
            if line.is_err_and(|error| error.is_disconnected()) {
                return;
            }
        }
    }

    /// The last command, as it can be shown.
    fn asked(&self) -> String {
        excerpt(&self.asked)
    }

    /// The state of an engine whose output has ended.
    fn crash(&mut self) -> Trouble {
        let start = Instant::now();
        while start.elapsed() < self.patience(END) {
            self.status = self.child.try_wait().unwrap_or(None);
            if self.status.is_some() && self.errors.is_finished() {
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
        if let Some(last) = self.errors.last_line() {
            told += &format!(": {}", excerpt(&last));
        }
        Trouble::of(Kind::Crash, told)
    }

    /// Ends it at once, with all that it started. One that cannot be ended, as a program with the rights of
    /// another user, is left alone in the end: a match does not wait for it.
    fn kill(&mut self) {
        let start = Instant::now();
        if self.status.is_none() {
            self.kill_group();
            let _ = self.child.kill();
        }
        while self.status.is_none() && start.elapsed() < self.patience(END) {
            self.status = self.child.try_wait().unwrap_or(None);
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Ends all that it started, too. No other group has its number: not as long as nobody has waited for
    /// the process that leads it, or another one is in it; and numbers come again after thousands of others.
    fn kill_group(&mut self) {
        kill_group(self.child.id());
        #[cfg(not(unix))]
        let _ = self.child.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.status.is_none() {
            self.say("quit");
            self.input = None;
            self.farewell();
        }
        self.kill();
        Running::leave(self.child.id());
    }
}

/// Ends all processes of the group that process `id` leads, on Unix.
pub(crate) fn kill_group(id: u32) {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, killpg};
        use nix::unistd::Pid;
        let _ = killpg(Pid::from_raw(id.cast_signed()), Signal::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = id;
}

/// The engines of all matches in this program.
struct Running {
    /// Each leads the group of this number.
    groups: Vec<u32>,
    /// Whether no others may start.
    is_over: bool,
}

impl Running {
    fn all() -> MutexGuard<'static, Running> {
        static ALL: Mutex<Running> = Mutex::new(Running {
            groups: Vec::new(),
            is_over: false,
        });
        ALL.lock().expect("nobody panics with it")
    }

    /// Adds an engine that has just started.
    fn enter(id: u32) -> std::io::Result<()> {
        let mut all = Running::all();
        if all.is_over {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        all.groups.push(id);
        Ok(())
    }

    fn leave(id: u32) {
        Running::all().groups.retain(|&group| group != id);
    }
}

/// Ends the engines of all matches in this program at once, with all that they started, and lets none
/// start any more: for a program that is about to exit without waiting for its matches. Where there are no
/// groups of processes, as on Windows, engines only see the end of their input when the program exits.
pub(crate) fn end_engines() {
    let mut all = Running::all();
    all.is_over = true;
    all.groups.drain(..).for_each(kill_group);
}

/// Writes what is sent, until the engine reads no more, or nothing more comes.
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
    use crate::tournament::pipes::THREAD;

    /// How many threads of this program read and write lines.
    fn threads() -> usize {
        let all = std::fs::read_dir("/proc/self/task").expect("it is there");
        let name = |entry: std::io::Result<std::fs::DirEntry>| {
            std::fs::read_to_string(entry.ok()?.path().join("comm")).ok()
        };
        all.filter_map(name)
            .filter(|name| [THREAD, lines::THREAD].contains(&name.trim()))
            .count()
    }

    /// What an engine leaves behind, in a group of its own, holds its pipes, fills them, and reads none.
    #[test]
    fn threads_end_with_the_engine() {
        let leaves =
            "setsid sleep 20 & setsid timeout 20 yes & setsid timeout 20 yes >&2 & read -r line";
        let command = ["sh", "-c", leaves].map(str::to_owned);
        for _ in 0..10 {
            let mut process =
                Process::start(&command, &StopHandle::default()).expect("there is a shell");
            for _ in 0..UNREAD {
                process.say(&"x".repeat(1000));
            }
            let answer = process.line(Instant::now(), Duration::from_secs(5));
            assert_eq!(answer.expect("it floods"), "y");
        }
        let start = Instant::now();
        while threads() > 0 {
            assert!(start.elapsed() < Duration::from_secs(10), "{}", threads());
            thread::sleep(Duration::from_millis(10));
        }
    }
}
