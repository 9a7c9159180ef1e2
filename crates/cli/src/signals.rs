//! Signals that end the program: Ctrl-C (SIGINT), on Unix SIGTERM and SIGHUP, on Windows Ctrl-Break and a console that
//! closes.

use std::io;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use outflank::StopHandle;

use super::console;
use super::error::{FAILURE, exit_status};

/// Time after a signal for which a command may still wait for a reader of its output or for an engine.
pub(super) const GRACE: Duration = Duration::from_millis(900);

/// Signal number of Ctrl-C. On Windows it stands for Ctrl-Break, too.
const SIGINT: u8 = 2;

/// Signal number of a terminal that closes. On Windows it stands for a console that closes.
#[cfg(windows)]
const SIGHUP: u8 = 1;

/// Signal number of the last signal received.
static LAST: AtomicU8 = AtomicU8::new(SIGINT);

/// The handler of signals cannot be installed.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen for Ctrl-C: {0}")]
pub(super) struct SignalError(io::Error);
exit_status!(FAILURE; SignalError);

/// Exit status of a command that a signal ended: 128 plus the number of the signal, as in shells; 130 after Ctrl-C,
/// 143 after SIGTERM, 129 after the end of the terminal.
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
/// program. Called once.
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

/// Calls `handle` on a separate thread after Ctrl-C, after Ctrl-Break and when the console closes. Without this call they
/// end the program. Called once.
#[cfg(windows)]
pub(super) fn on_interrupt(mut handle: impl FnMut() + Send + 'static) -> Result<(), SignalError> {
    use std::sync::mpsc::{Sender, channel};
    use std::sync::{Mutex, PoisonError};
    use windows_sys::Win32::System::Console::{
        CTRL_BREAK_EVENT, CTRL_C_EVENT, CTRL_CLOSE_EVENT, SetConsoleCtrlHandler,
    };

    static SIGNALS: Mutex<Option<Sender<()>>> = Mutex::new(None);

    /// Receives an event of the console, on a thread that the system starts for it. Returns 0 for events that are left to
    /// the system.
    unsafe extern "system" fn receive(event: u32) -> i32 {
        let signal = match event {
            CTRL_C_EVENT | CTRL_BREAK_EVENT => SIGINT,
            CTRL_CLOSE_EVENT => SIGHUP,
            _ => return 0,
        };
        LAST.store(signal, Relaxed);
        let signals = SIGNALS.lock().unwrap_or_else(PoisonError::into_inner);
        let is_sent = signals
            .as_ref()
            .is_some_and(|signals| signals.send(()).is_ok());
        drop(signals);
        if !is_sent {
            return 0;
        }
        // When the console closes, Windows ends the program as soon as this function returns, and after 5 seconds in any
        // case. The command uses that time.
        while signal == SIGHUP {
            thread::park();
        }
        1
    }

    let (sender, receiver) = channel();
    let listen = || -> io::Result<()> {
        let listener = thread::Builder::new().name("signals".to_owned());
        listener.spawn(move || receiver.iter().for_each(|()| handle()))?;
        *SIGNALS.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        // SAFETY: the function lives as long as the program, and may be called on any thread.
        match unsafe { SetConsoleCtrlHandler(Some(receive), 1) } {
            0 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    };
    listen().map_err(SignalError)
}
