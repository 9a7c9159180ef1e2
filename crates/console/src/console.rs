//! Standard output and standard error, and how numbers and times are written.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use outflank_support::text::is_unsafe_to_show;

use crate::program::Program;

/// Start time of the write in progress on a standard stream. The lock of the stream allows only one at a time.
struct PendingWrite(Mutex<Option<Instant>>);

static STDOUT: PendingWrite = PendingWrite(Mutex::new(None));
static STDERR: PendingWrite = PendingWrite(Mutex::new(None));

impl PendingWrite {
    /// Runs a write. The caller holds the lock of the stream.
    fn track<T>(&self, write: impl FnOnce() -> T) -> T {
        *self.start() = Some(Instant::now());
        let written = write();
        *self.start() = None;
        written
    }

    fn start(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `true` if a write to a standard stream has lasted at least `time`, because the reader does not read.
pub fn is_blocked(time: Duration) -> bool {
    let is_old =
        |pending: &PendingWrite| pending.start().is_some_and(|start| start.elapsed() >= time);
    is_old(&STDOUT) || is_old(&STDERR)
}

/// Writes lines to standard output and flushes it. Names from files and engines are made safe to show: control
/// characters become blanks.
pub fn print_line(text: impl Display) -> io::Result<()> {
    print_styled_line(safe_to_show(&text.to_string()))
}

/// Writes a line that may contain terminal escape codes. Text from files or engines is not allowed, because it may
/// contain codes, too.
pub fn print_styled_line(text: impl Display) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    STDOUT.track(|| {
        writeln!(stdout, "{text}")?;
        stdout.flush()
    })
}

/// Replaces characters that are unsafe to show by blanks, except tabs and ends of lines.
fn safe_to_show(text: &str) -> String {
    let safe = |letter: char| match letter {
        '\n' | '\t' => letter,
        _ if is_unsafe_to_show(letter) => ' ',
        _ => letter,
    };
    text.chars().map(safe).collect()
}

/// Writes a line to standard error that begins with the name of the program: `outflank: …`.
pub fn print_error(message: impl Display) {
    remark(format_args!("{}: {message}", Program::running().name));
}

/// Writes a line to standard error. Failure to write it is ignored.
pub fn remark(text: impl Display) {
    let text = safe_to_show(&text.to_string());
    let mut stderr = io::stderr().lock();
    let _ = STDERR.track(|| writeln!(stderr, "{text}"));
}

/// Cuts a text to at most `most` characters. A text that is cut ends with `…`.
pub fn shortened(text: &str, most: usize) -> String {
    match text.chars().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

/// Formats a time as `0:00.153` or `1:00:00.000`.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let rest = format!("{:02}.{:03}", seconds % 60, time.subsec_millis());
    match hours {
        0 => format!("{minutes}:{rest}"),
        _ => format!("{hours}:{minutes:02}:{rest}"),
    }
}

/// Nodes per second; 0 if no time was measured.
pub fn speed(nodes: u64, time: Duration) -> u64 {
    match time.is_zero() {
        true => 0,
        false => (nodes as f64 / time.as_secs_f64()) as u64,
    }
}
