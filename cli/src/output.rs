//! Writing to standard output and standard error.

use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

/// Writes a line to standard output, at once: whoever follows a long solve sees every answer.
pub(super) fn line(text: impl Display) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{text}")?;
    stdout.flush()
}

/// Writes `outflank: …` to standard error.
pub(super) fn complain(error: impl Display) {
    remark(format_args!("outflank: {error}"));
}

/// Writes a line to standard error. Where nobody can read it, nothing is lost but the line.
pub(super) fn remark(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
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
