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

/// Gives a program on Windows a console of its own, so that signals reach only this program.
pub fn with_console(command: &mut Command) -> &mut Command {
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt;
        command.creation_flags(windows_sys::Win32::System::Threading::CREATE_NO_WINDOW);
    }
    command
}

/// Sends the signal of Ctrl-C. On Windows the program needs a console of its own ([`with_console`]).
pub fn interrupt(child: &Child) {
    signal(child, "INT");
}

/// Sends Ctrl-C, the only signal that Wine 8 can send. Its name is `INT`. Afterwards this process has no console.
#[cfg(windows)]
pub fn signal(child: &Child, name: &str) {
    use std::sync::{Mutex, PoisonError};
    use windows_sys::Win32::System::Console::{
        AttachConsole, CTRL_C_EVENT, FreeConsole, GenerateConsoleCtrlEvent, GetStdHandle,
        STD_ERROR_HANDLE, STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, SetConsoleCtrlHandler, SetStdHandle,
    };
    const STREAMS: [u32; 3] = [STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE];

    /// Ignores the event, which reaches this process, too.
    unsafe extern "system" fn ignore(_: u32) -> i32 {
        1
    }

    /// Held while this process is attached to the console of a child. It can be attached to one console only.
    static ATTACHED: Mutex<()> = Mutex::new(());

    assert_eq!(name, "INT");
    let attached = ATTACHED.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: `ignore` lives as long as the program. The standard streams are handles of this process.
    let sent = unsafe {
        let streams = || STREAMS.map(|stream| GetStdHandle(stream));
        let set_streams = |handles: [_; 3]| {
            for (stream, handle) in STREAMS.into_iter().zip(handles) {
                SetStdHandle(stream, handle);
            }
        };
        let checked = |result| match result {
            0 => Err(std::io::Error::last_os_error()),
            _ => Ok(()),
        };
        FreeConsole();
        let own = streams();
        // Attaching replaces the standard handles of this process by handles of the console, and its handlers of events
        // by those of the system.
        let is_attached = checked(AttachConsole(child.id()));
        let of_console = streams();
        set_streams(own);
        let sent = is_attached
            .and_then(|()| checked(SetConsoleCtrlHandler(Some(ignore), 1)))
            .and_then(|()| checked(GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0)));
        // Waits until the event has reached this process, too. The handler is in force only while it is attached.
        std::thread::sleep(Duration::from_millis(50));
        // Detaching closes the standard handles.
        set_streams(of_console);
        FreeConsole();
        set_streams(own);
        sent
    };
    drop(attached);
    sent.expect("the console of the child takes events");
}

/// Sends a signal by its name without `SIG`.
#[cfg(not(windows))]
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

/// Returns `true` if a program has started its thread `signals`, which handles signals. On systems other than Linux,
/// waits some seconds and returns `true`.
pub fn handles_signals(child: &Child) -> bool {
    if cfg!(not(target_os = "linux")) {
        std::thread::sleep(Duration::from_secs(3));
        return true;
    }
    let Ok(threads) = fs::read_dir(format!("/proc/{}/task", child.id())) else {
        return false;
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
    let child = spawn(with_console(command), Stdio::null());
    wait_until(condition);
    interrupt(&child);
    ends_soon(child)
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
