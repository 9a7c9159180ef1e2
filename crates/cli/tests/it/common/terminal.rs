//! The program in a pseudo-terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::pty::{OpenptyResult, Winsize, openpty};
use nix::sys::termios::{Termios, tcgetattr};

use crate::common::program::{TIMEOUT, cli};

/// Opens a pseudo-terminal of this size. Programs that concurrent tests start do not inherit it.
pub(crate) fn open(rows: u16, columns: u16) -> OpenptyResult {
    let size = Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    let pair = openpty(&size, None).expect("the system has terminals");
    for end in [&pair.master, &pair.slave] {
        let close_on_exec = FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC);
        fcntl(end, close_on_exec).expect("it is open");
    }
    pair
}

/// Forwards the output of a program to a channel.
pub(crate) fn receive(mut from: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        // Reading a closed terminal is an error.
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            let text = String::from_utf8_lossy(&bytes[..count]).into_owned();
            if sender.send(text).is_err() {
                break;
            }
        }
    });
    receiver
}

/// A program whose standard streams are a terminal.
pub(crate) struct Terminal {
    pub(crate) child: Child,
    keyboard: File,
    screen: Receiver<String>,
    /// The program's end of the terminal.
    slave: OwnedFd,
    /// Output so far.
    shown: String,
    /// Length of the output that earlier waits have seen.
    seen: usize,
}

impl Terminal {
    /// Starts a command line of the program, with an environment variable besides `TERM`.
    pub(crate) fn start(words: &str, variable: Option<(&str, &str)>) -> Terminal {
        let pair = open(40, 120);
        let end = || Stdio::from(pair.slave.try_clone().expect("it can be shared"));
        let mut command = cli(words);
        for name in ["CI", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        let child = command
            .env("TERM", "xterm")
            .envs(variable)
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .expect("the program starts");
        let keyboard = File::from(pair.master);
        let screen = receive(keyboard.try_clone().expect("it can be shared"));
        Terminal {
            child,
            keyboard,
            screen,
            slave: pair.slave,
            shown: String::new(),
            seen: 0,
        }
    }

    /// Presses keys, and waits for these texts in sequence. Returns the output since the last wait.
    #[track_caller]
    pub(crate) fn press(&mut self, keys: &str, texts: &[&str]) -> String {
        self.press_bytes(keys.as_bytes());
        self.until(texts)
    }

    /// Sends bytes that need not be text.
    pub(crate) fn press_bytes(&mut self, keys: &[u8]) {
        self.keyboard.write_all(keys).expect("it is open");
    }

    /// Presses keys that end the program, and waits for its end.
    #[track_caller]
    pub(crate) fn press_last(mut self, keys: &str) -> ExitStatus {
        self.press_bytes(keys.as_bytes());
        self.end()
    }

    /// Waits for these texts in sequence; returns the output since the last wait.
    #[track_caller]
    pub(crate) fn until(&mut self, texts: &[&str]) -> String {
        let start = self.seen;
        for text in texts {
            loop {
                if let Some(at) = self.shown[self.seen..].find(text) {
                    self.seen += at + text.len();
                    break;
                }
                let more = self.screen.recv_timeout(TIMEOUT);
                let more = more.unwrap_or_else(|_| panic!("no {text:?} in:\n{}", self.shown));
                self.shown += &more;
            }
        }
        self.shown[start..self.seen].to_owned()
    }

    /// Current modes of the terminal.
    pub(crate) fn modes(&self) -> Termios {
        tcgetattr(&self.slave).expect("it is a terminal")
    }

    /// Waits for the end of the program, [`TIMEOUT`] at most.
    #[track_caller]
    pub(crate) fn end(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it was started") {
                return status;
            }
            assert!(start.elapsed() < TIMEOUT, "no end after:\n{}", self.shown);
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A failed test leaves no program behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
