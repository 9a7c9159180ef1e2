//! `outflank gtp` and `outflank nboard`: engine protocols for other programs.

use std::io;
#[cfg(unix)]
use std::{thread, time::Duration};

use clap::Args;
use outflank::protocol::{ServeError, SessionSettings, gtp, nboard};
use outflank::{Engine, StopHandle};

use super::book::BookArguments;
use super::engine::{EngineArguments, StrengthArguments};
use super::error::CommandError;

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    strength: StrengthArguments,

    /// Ponder: keep searching while the opponent thinks
    #[arg(long)]
    ponder: bool,

    #[command(flatten)]
    book: BookArguments,

    #[command(flatten)]
    engine: EngineArguments,
}

#[derive(Args)]
pub(super) struct GtpArguments {
    #[command(flatten)]
    common: Arguments,

    /// Show the running search on GoGui's board, by gogui-gfx lines on standard error
    #[arg(long)]
    live_gfx: bool,
}

/// Runs `gtp` until the end of standard input and returns the exit status.
pub(super) fn run_gtp(arguments: &GtpArguments) -> Result<u8, CommandError> {
    let settings = SessionSettings {
        live_graphics: arguments.live_gfx,
        ..arguments.common.settings()
    };
    let (input, output) = (io::stdin(), io::stdout().lock());
    let book = arguments.common.book.open(&arguments.common.engine)?;
    let build = arguments.common.engine_builder();
    to_exit_status(gtp::serve(settings, book, build, input, output))
}

/// Runs `nboard` until the end of standard input and returns the exit status.
pub(super) fn run_nboard(arguments: &Arguments) -> Result<u8, CommandError> {
    let (input, output) = (io::stdin(), io::stdout().lock());
    let (settings, build) = (arguments.settings(), arguments.engine_builder());
    let book = arguments.book.open(&arguments.engine)?;
    to_exit_status(nboard::serve(settings, book, build, input, output))
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

    /// Returns the function that builds the engine. The searches of the engine stop once standard output is closed.
    fn engine_builder(
        &self,
    ) -> impl FnOnce(StopHandle) -> Result<Engine, CommandError> + Send + 'static {
        let engine = self.engine.clone();
        move |stop| {
            let built = engine.engine_with_stop(stop.clone())?;
            #[cfg(unix)]
            stop_when_output_closes(stop);
            Ok(built)
        }
    }
}

fn to_exit_status(served: Result<(), ServeError<CommandError>>) -> Result<u8, CommandError> {
    served.map(|()| 0).map_err(|error| match error {
        ServeError::Engine(error) => error,
        ServeError::Output(error) => error.into(),
    })
}

/// Stops every search once the other end of standard output is closed. Writing the answer then fails, which ends the
/// program.
#[cfg(unix)]
fn stop_when_output_closes(stop: StopHandle) {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd;
    /// Time between stops. Each search resets the handle, so the stop is repeated.
    const STEP: Duration = Duration::from_millis(20);
    let watch = move || {
        let output = io::stdout();
        // `poll` always reports a closed pipe.
        let mut polled = [PollFd::new(output.as_fd(), PollFlags::empty())];
        let closed = PollFlags::POLLERR | PollFlags::POLLHUP;
        loop {
            let events = match poll(&mut polled, PollTimeout::NONE) {
                Ok(_) => polled[0].revents().unwrap_or(PollFlags::empty()),
                Err(_) => PollFlags::empty(),
            };
            // Standard output is not open.
            if events.contains(PollFlags::POLLNVAL) {
                return;
            }
            if events.intersects(closed) {
                stop.stop();
            }
            thread::sleep(STEP);
        }
    };
    // Without this thread, a running search ends at its own limits.
    let _ = thread::Builder::new().spawn(watch);
}
