//! `outflank gtp` and `outflank nboard`: playing with other programs.

use std::fs::File;
use std::io;

use clap::Args;
use outflank::protocol::{ServeError, Settings, gtp, nboard};

use super::CommandError;
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
    engine: EngineArguments,
}

/// How many there are to choose from.
#[derive(Clone, Copy)]
pub(super) enum Protocol {
    Gtp,
    NBoard,
}

/// Plays until the end of standard input; the result is the exit status.
pub(super) fn run(protocol: Protocol, arguments: &Arguments) -> Result<u8, CommandError> {
    let settings = Settings {
        strength: arguments.strength.strength(),
        ponder: arguments.ponder,
        patient: stdin_is_file(),
    };
    let engine = arguments.engine.clone();
    let build = move |stop| engine.stopped_by(stop);
    let (input, output) = (io::stdin(), io::stdout().lock());
    let served = match protocol {
        Protocol::Gtp => gtp::serve(settings, build, input, output),
        Protocol::NBoard => nboard::serve(settings, build, input, output),
    };
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
