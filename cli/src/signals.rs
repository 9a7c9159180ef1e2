//! What asks the program to end: Ctrl-C (SIGINT), and on Unix SIGTERM and SIGHUP.

use std::io;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use super::output;

/// How long after a signal a command may wait for something outside it: a reader of its output, an engine.
pub(super) const GRACE: Duration = Duration::from_millis(900);

/// The signal of Ctrl-C, by its number on Unix.
const SIGINT: u8 = 2;

/// The last signal that asked for the end.
static LAST: AtomicU8 = AtomicU8::new(SIGINT);

/// The system does not hand over signals.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen for Ctrl-C: {0}")]
pub(super) struct SignalError(io::Error);

/// The exit status of a command that a signal ended: 128 and the number of the signal, as shells have it;
/// 130 after Ctrl-C, 143 after SIGTERM.
pub(super) fn interrupted_status() -> u8 {
    128 + LAST.load(Relaxed)
}

/// Whether it was Ctrl-C, which comes from who sits at the terminal, and no other signal.
pub(super) fn was_ctrl_c() -> bool {
    LAST.load(Relaxed) == SIGINT
}

/// Exits with the status of the signal as soon as the program, [`GRACE`] after it, waits for a reader of
/// standard output or standard error that does not read. What does not wait for one goes on to its end.
pub(super) fn exit_where_blocked() {
    let watch = || {
        // A write that was blocked before the signal is given the time as well.
        thread::sleep(GRACE);
        while !output::is_blocked(GRACE) {
            thread::sleep(Duration::from_millis(20));
        }
        std::process::exit(interrupted_status().into());
    };
    // Where the system has no more threads, a second signal ends the program.
    let _ = thread::Builder::new().spawn(watch);
}

/// Calls `handle`, on a thread of its own, whenever a signal asks the program to end. Until then each such
/// signal ends it as usual.
#[cfg(unix)]
pub(super) fn on_interrupt(mut handle: impl FnMut() + Send + 'static) -> Result<(), SignalError> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // What ignores the end of its terminal, as under nohup, goes on.
    let mut heeded = vec![SIGINT, SIGTERM, SIGHUP];
    heeded.retain(|&signal| signal != SIGHUP || !is_ignored(signal));
    let listen = || -> io::Result<()> {
        let mut signals = signal_hook::iterator::Signals::new(heeded)?;
        let listener = thread::Builder::new().name("signals".to_owned());
        listener.spawn(move || {
            for signal in signals.forever() {
                LAST.store(u8::try_from(signal).expect("one of the three"), Relaxed);
                handle();
            }
        })?;
        Ok(())
    };
    listen().map_err(SignalError)
}

/// Whether the process was started with this signal ignored; where the system does not say, it was not.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let ignored = || {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let mask = status
            .lines()
            .find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    };
    ignored().is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Calls `handle`, on a thread of its own, whenever Ctrl-C asks the program to end.
#[cfg(not(unix))]
pub(super) fn on_interrupt(handle: impl FnMut() + Send + 'static) -> Result<(), SignalError> {
    ctrlc::set_handler(handle).map_err(|error| SignalError(io::Error::other(error)))
}
