//! Writing to standard output and standard error.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The write under way on a standard stream: when it began. The stream's lock allows one at a time.
struct Pending(Mutex<Option<Instant>>);

static OUTPUT: Pending = Pending(Mutex::new(None));
static ERRORS: Pending = Pending(Mutex::new(None));

impl Pending {
    /// Carries out a write. The caller holds the lock of the stream.
    fn during<T>(&self, write: impl FnOnce() -> T) -> T {
        *self.start() = Some(Instant::now());
        let written = write();
        *self.start() = None;
        written
    }

    fn start(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a write to standard output or standard error has been under way for this long: its reader
/// does not read.
pub(super) fn is_blocked(time: Duration) -> bool {
    let is_old = |pending: &Pending| pending.start().is_some_and(|start| start.elapsed() >= time);
    is_old(&OUTPUT) || is_old(&ERRORS)
}

use outflank::eval::Looks;
use outflank::text::is_unsafe_to_show;

/// Writes a line, or several, to standard output, at once: whoever follows a long solve sees every answer.
/// Characters that a terminal might obey are left out: texts have names from files and engines.
pub(super) fn line(text: impl Display) -> io::Result<()> {
    styled_line(plain(&text.to_string()))
}

/// Writes a line with the escape codes of a terminal, where all of it is our own.
pub(super) fn styled_line(text: impl Display) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    OUTPUT.during(|| {
        writeln!(stdout, "{text}")?;
        stdout.flush()
    })
}

/// The text with a blank for each character that is unsafe to show, but for ends of lines.
fn plain(text: &str) -> String {
    let safe = |letter: char| match letter {
        '\n' | '\t' => letter,
        _ if is_unsafe_to_show(letter) => ' ',
        _ => letter,
    };
    text.chars().map(safe).collect()
}

/// Writes `outflank: …` to standard error.
pub(super) fn complain(error: impl Display) {
    let text = format!("outflank: {error}");
    let command = command_for(&text).unwrap_or_default();
    remark(format_args!("{text}{command}"));
}

/// Which command takes the file that another one was given, where the message ends with what that file looks
/// like: the library, which makes these messages, knows of no commands.
fn command_for(message: &str) -> Option<&'static str> {
    let commands = [
        (Looks::Edax, ", which `outflank weights import` reads"),
        (Looks::Weights, ", which `outflank weights info` shows"),
        (Looks::Book, ", which `outflank book info` shows"),
        (Looks::EdaxBook, ", which `outflank book import` reads"),
        (
            Looks::Records,
            ", which `outflank train fit` makes weights of",
        ),
    ];
    let found = commands
        .into_iter()
        .find(|(looks, _)| message.ends_with(&looks.to_string()));
    found.map(|(_, command)| command)
}

/// Writes a line to standard error. Where nobody can read it, nothing is lost but the line.
pub(super) fn remark(text: impl Display) {
    let text = plain(&text.to_string());
    let mut stderr = io::stderr().lock();
    let _ = ERRORS.during(|| writeln!(stderr, "{text}"));
}

/// A text of at most `most` characters; one that is cut ends with `…`.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.chars().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

/// A time as `0:00.153`, with hours where there are any: `1:00:00.000`.
pub(super) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let milliseconds = time.subsec_millis();
    if hours > 0 {
        format!("{hours}:{minutes:02}:{rest:02}.{milliseconds:03}")
    } else {
        format!("{minutes}:{rest:02}.{milliseconds:03}")
    }
}

/// Nodes per second, 0 where no time was measured.
pub(super) fn speed(nodes: u64, time: Duration) -> u64 {
    if time.is_zero() {
        return 0;
    }
    (nodes as f64 / time.as_secs_f64()) as u64
}
