//! Signals that end the program: Ctrl-C (SIGINT), and on Unix SIGTERM and SIGHUP.

use std::io;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use outflank::StopHandle;

use super::console;
use super::error::{FAILURE, exit_status};

/// Time after a signal for which a command may still wait for a reader of its output or for an engine.
pub(super) const GRACE: Duration = Duration::from_millis(900);

/// Signal number of Ctrl-C on Unix.
const SIGINT: u8 = 2;

/// Signal number of the last signal received. Only Unix updates it; elsewhere it stays [`SIGINT`].
static LAST: AtomicU8 = AtomicU8::new(SIGINT);

/// The handler of signals cannot be installed.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen for Ctrl-C: {0}")]
pub(super) struct SignalError(io::Error);
exit_status!(FAILURE; SignalError);

/// Exit status of a command that a signal ended: 128 plus the number of the signal, as in shells; 130 after Ctrl-C,
/// 143 after SIGTERM.
pub(super) fn interrupted_status() -> u8 {
    128 + LAST.load(Relaxed)
}

/// Exit status of a command that can be interrupted: that of the signal if `stop` was used, else `status`.
pub(super) fn status_unless_stopped(stop: &StopHandle, status: u8) -> u8 {
    match stop.is_stopped() {
        true => interrupted_status(),
        false => status,
    }
}

/// Reports that a signal ended the command, and returns its exit status.
pub(super) fn report_interrupted() -> u8 {
    console::print_error("interrupted");
    interrupted_status()
}

/// `true` if the last signal was Ctrl-C.
pub(super) fn was_ctrl_c() -> bool {
    LAST.load(Relaxed) == SIGINT
}

/// Starts a thread that exits with the status of the signal if a write is blocked by a reader that does not read. The
/// thread begins to check [`GRACE`] after the signal. A program that is not blocked runs to its end.
fn exit_if_blocked() {
    let watch = || {
        // A write that was blocked before the signal gets this time, too.
        thread::sleep(GRACE);
        while !console::is_blocked(GRACE) {
            thread::sleep(Duration::from_millis(20));
        }
        std::process::exit(interrupted_status().into());
    };
    // Without a thread, a second signal ends the program.
    let _ = thread::Builder::new().spawn(watch);
}

/// Installs the handler of signals. The first signal stops the searches of `stop`, and exits if the output is blocked.
/// The second signal exits.
pub(super) fn stop_on_interrupt(stop: &StopHandle) -> Result<(), SignalError> {
    stop_on_interrupt_with_notice(stop, None)
}

/// Handles signals as [`stop_on_interrupt`] does and writes `notice` to standard error after the first one.
pub(super) fn stop_on_interrupt_with_notice(
    stop: &StopHandle,
    notice: Option<&'static str>,
) -> Result<(), SignalError> {
    let stop = stop.clone();
    on_interrupt(move || {
        if stop.is_stopped() {
            std::process::exit(interrupted_status().into());
        }
        stop.stop();
        exit_if_blocked();
        notice.into_iter().for_each(console::remark);
    })
}

/// Calls `handle` on a separate thread whenever a signal asks the program to end. Without this call signals end the
/// program.
#[cfg(unix)]
pub(super) fn on_interrupt(mut handle: impl FnMut() + Send + 'static) -> Result<(), SignalError> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // Under nohup the program survives the end of its terminal.
    let mut handled = vec![SIGINT, SIGTERM, SIGHUP];
    handled.retain(|&signal| signal != SIGHUP || !is_ignored(signal));
    let listen = || -> io::Result<()> {
        let mut signals = signal_hook::iterator::Signals::new(handled)?;
        let listener = thread::Builder::new().name("signals".to_owned());
        listener.spawn(move || {
            for signal in signals.forever() {
                LAST.store(signal as u8, Relaxed);
                handle();
            }
        })?;
        Ok(())
    };
    listen().map_err(SignalError)
}

/// `true` if the process was started with this signal ignored, as far as the system tells.
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

/// Calls `handle` on a separate thread whenever Ctrl-C or the system asks the program to end.
#[cfg(not(unix))]
pub(super) fn on_interrupt(handle: impl FnMut() + Send + 'static) -> Result<(), SignalError> {
    ctrlc::set_handler(handle).map_err(|error| SignalError(io::Error::other(error)))
}
