//! `outflank gtp` and `outflank nboard`: playing with other programs.

use std::fs::File;
use std::io;

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
            patient: stdin_is_file(),
            ..SessionSettings::default()
        }
    }

    /// What makes the engine.
    fn build(&self) -> impl FnOnce(StopHandle) -> Result<Engine, CommandError> + Send + 'static {
        let engine = self.engine.clone();
        move |stop| engine.stopped_by(stop)
    }
}

/// The exit status, or the error, after a protocol was served.
fn status(served: Result<(), ServeError<CommandError>>) -> Result<u8, CommandError> {
    served.map(|()| 0).map_err(|error| match error {
        ServeError::Engine(error) => error,
        ServeError::Output(error) => CommandError::Output(error),
    })
}

/// Whether standard input is a file, which ends though nobody has gone.
fn stdin_is_file() -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let own = io::stdin().as_fd().try_clone_to_owned();
        let metadata = own.and_then(|own| File::from(own).metadata());
        metadata.is_ok_and(|metadata| metadata.is_file())
    }
    #[cfg(not(unix))]
    false
}
