//! `outflank gtp` and `outflank nboard`: playing with other programs.

use std::io;
#[cfg(unix)]
use std::{thread, time::Duration};

use clap::Args;
use outflank::protocol::{ServeError, SessionSettings, gtp, nboard};
use outflank::{Engine, StopHandle};

use super::CommandError;
use super::book::BookArguments;
use super::engine::{EngineArguments, StrengthArguments};

/// What both protocols leave open.
#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    strength: StrengthArguments,

    /// Think on the opponent's time, too
    #[arg(long)]
    ponder: bool,

    #[command(flatten)]
    book: BookArguments,

    #[command(flatten)]
    engine: EngineArguments,
}

/// What GTP leaves open.
#[derive(Args)]
pub(super) struct GtpArguments {
    #[command(flatten)]
    common: Arguments,

    /// Show on GoGui's board what a running search has found so far, by gogui-gfx: lines on standard error
    #[arg(long)]
    live_gfx: bool,
}

/// Plays by GTP until the end of standard input; the result is the exit status.
pub(super) fn run_gtp(arguments: &GtpArguments) -> Result<u8, CommandError> {
    let settings = SessionSettings {
        live_graphics: arguments.live_gfx,
        ..arguments.common.settings()
    };
    let (input, output) = (io::stdin(), io::stdout().lock());
    let common = &arguments.common;
    status(gtp::serve(
        settings,
        common.book.open(&common.engine)?,
        common.build(),
        input,
        output,
    ))
}

/// Plays by NBoard's protocol until the end of standard input; the result is the exit status.
pub(super) fn run_nboard(arguments: &Arguments) -> Result<u8, CommandError> {
    let (input, output) = (io::stdin(), io::stdout().lock());
    status(nboard::serve(
        arguments.settings(),
        arguments.book.open(&arguments.engine)?,
        arguments.build(),
        input,
        output,
    ))
}

impl Arguments {
    fn settings(&self) -> SessionSettings {
        SessionSettings {
            strength: self.strength.strength(),
            ponder: self.ponder,
            remarks: true,
            ..SessionSettings::default()
        }
    }

    /// A function that makes the engine. It is stopped where nobody can read the answers any more.
    fn build(&self) -> impl FnOnce(StopHandle) -> Result<Engine, CommandError> + Send + 'static {
        let engine = self.engine.clone();
        move |stop| {
            let built = engine.stopped_by(stop.clone())?;
            #[cfg(unix)]
            stop_with_reader(stop);
            Ok(built)
        }
    }
}

/// The exit status, or the error, after a protocol was served.
fn status(served: Result<(), ServeError<CommandError>>) -> Result<u8, CommandError> {
    served.map(|()| 0).map_err(|error| match error {
        ServeError::Engine(error) => error,
        ServeError::Output(error) => CommandError::Output(error),
    })
}

/// Ends every search once the other end of standard output is closed. The answer to the search can then not be
/// written, which ends the program.
#[cfg(unix)]
fn stop_with_reader(stop: StopHandle) {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd;
    /// Time between stops: a search that begins anew is not stopped by the one before.
    const STEP: Duration = Duration::from_millis(20);
    let watch = move || {
        let output = io::stdout();
        // Of a closed pipe `poll` tells without being asked.
        let mut polled = [PollFd::new(output.as_fd(), PollFlags::empty())];
        let closed = PollFlags::POLLERR | PollFlags::POLLHUP;
        loop {
            let events = match poll(&mut polled, PollTimeout::NONE) {
                Ok(_) => polled[0].revents().unwrap_or(PollFlags::empty()),
                Err(_) => PollFlags::empty(),
            };
            // There never was an output: it cannot be closed.
            if events.contains(PollFlags::POLLNVAL) {
                return;
            }
            if events.intersects(closed) {
                stop.stop();
            }
            thread::sleep(STEP);
        }
    };
    // Where the system has no more threads, the search ends as it would.
    let _ = thread::Builder::new().spawn(watch);
}
