//! Helpers that run programs and send them signals.

use std::fs;
use std::io::{PipeReader, PipeWriter, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// Output of a finished program.
#[derive(Debug)]
pub struct Run {
    /// Exit status.
    pub status: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Run {
    /// Waits for the end of a program and returns its output.
    pub fn wait_for(child: Child) -> Run {
        let output = child.wait_with_output().expect("the program ends");
        let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
        Run {
            status: output.status.code().expect("no signal ended it"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// Parses each line of standard output as JSON.
    pub fn json(&self) -> Vec<Value> {
        let lines = self.stdout.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}")))
            .collect()
    }

    /// Checks the exit status. The failure message shows all output.
    #[track_caller]
    pub fn expect(self, status: i32) -> Run {
        assert_eq!(self.status, status, "{self:#?}");
        self
    }
}

/// Runs `command` to its end, with `stdin` as its standard input.
pub fn run(command: &mut Command, stdin: &[u8]) -> Run {
    let mut child = spawn(command, Stdio::piped());
    // The program may end before it has read all input.
    let _ = child.stdin.take().expect("it is piped").write_all(stdin);
    Run::wait_for(child)
}

fn spawn(command: &mut Command, stdin: Stdio) -> Child {
    let command = command.stdin(stdin).stdout(Stdio::piped());
    let command = command.stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// Sends the signal of Ctrl-C on Unix.
pub fn interrupt(child: &Child) {
    signal(child, "INT");
}

/// Sends a signal by its name without `SIG`.
pub fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-s", name, &pid]).status();
    assert!(sent.expect("there is kill").success());
}

/// Creates a pipe that is full. Writes block until the reader is dropped.
pub fn full_pipe() -> (PipeReader, PipeWriter) {
    let (unread, full) = std::io::pipe().expect("there is a pipe");
    let mut filler = full.try_clone().expect("it can be shared");
    let (sender, is_filling) = std::sync::mpsc::channel();
    // The last write blocks until the reader is dropped.
    std::thread::spawn(move || {
        while filler.write(&[b' '; 4096]).is_ok() {
            let _ = sender.send(());
        }
    });
    while is_filling.recv_timeout(Duration::from_millis(200)).is_ok() {}
    (unread, full)
}

/// Returns `true` if a program has started its thread `signals`, which handles signals. Without `/proc`, waits a
/// second and returns `true`.
pub fn handles_signals(child: &Child) -> bool {
    let Ok(threads) = fs::read_dir(format!("/proc/{}/task", child.id())) else {
        std::thread::sleep(Duration::from_secs(1));
        return true;
    };
    let mut names = threads.filter_map(|thread| {
        let thread: fs::DirEntry = thread.ok()?;
        fs::read_to_string(thread.path().join("comm")).ok()
    });
    names.any(|name| name.trim() == "signals")
}

/// Waits for the end of a program. After 30 seconds, kills it and panics.
#[track_caller]
pub fn ends_soon(mut child: Child) -> Run {
    let start = Instant::now();
    while child.try_wait().expect("the program was started").is_none() {
        if start.elapsed() > Duration::from_secs(30) {
            let _ = child.kill();
            panic!("the program goes on");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Run::wait_for(child)
}

/// Runs `command` until `condition` returns `true`, then interrupts it.
pub fn run_until(command: &mut Command, condition: impl Fn() -> bool) -> Run {
    let child = spawn(command, Stdio::null());
    wait_until(condition);
    interrupt(&child);
    Run::wait_for(child)
}

/// Waits until `condition` returns `true`. Panics after a minute.
#[track_caller]
pub fn wait_until(condition: impl Fn() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "the condition never holds"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Temporary folder of a test.
pub struct Folder(TempDir);

#[allow(
    clippy::new_without_default,
    reason = "creating a folder is a side effect"
)]
impl Folder {
    /// Creates an empty folder, which is removed on drop.
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder can be made"))
    }

    /// Path of `name`, which need not exist.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Creates a named pipe and returns its path.
    #[cfg(unix)]
    pub fn pipe(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        let made = Command::new("mkfifo").arg(&path).status();
        assert!(made.expect("there is mkfifo").success());
        path
    }

    /// Writes a file and returns its path.
    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, contents).expect("the file can be written");
        path
    }
}
