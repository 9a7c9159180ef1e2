//! `outflank gtp` and `outflank nboard`: engine protocols for other programs.

use std::io;
use std::thread;
use std::time::Duration;

use clap::Args;
use outflank::book::OpeningBook;
use outflank::protocol::{ServeError, SessionSettings, gtp, nboard};
use outflank::{Engine, StopHandle};

use super::book::{BookArguments, LearnArgument};
use super::engine::{EngineArguments, StrengthArguments};
use super::error::CommandError;
use super::number_options::{ANY_U64, whole};
use super::skill::{SkillArguments, new_seed};

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    strength: StrengthArguments,

    #[command(flatten)]
    skill: SkillArguments,

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

    #[command(flatten)]
    learning: LearnArgument,

    /// Show the running search on GoGui's board, by gogui-gfx lines on standard error
    #[arg(long)]
    live_gfx: bool,

    /// Seed of the command outflank-draw_opening [default: a new one in each run]
    #[arg(long, value_name = "S", value_parser = whole::<u64>(ANY_U64))]
    opening_seed: Option<u64>,
}

/// Runs `gtp` until the end of standard input and returns the exit status.
pub(super) fn run_gtp(arguments: &GtpArguments) -> Result<u8, CommandError> {
    let settings = SessionSettings {
        live_graphics: arguments.live_gfx,
        learn_games: arguments.learning.checked(&arguments.common.book)?,
        opening_seed: arguments.opening_seed.unwrap_or_else(new_seed),
        ..arguments.common.settings()
    };
    let (input, output) = (io::stdin(), io::stdout().lock());
    let book = arguments.common.open_book()?;
    let build = arguments.common.engine_builder();
    to_exit_status(gtp::serve(settings, book, build, input, output))
}

/// Runs `nboard` until the end of standard input and returns the exit status.
pub(super) fn run_nboard(arguments: &Arguments) -> Result<u8, CommandError> {
    let (input, output) = (io::stdin(), io::stdout().lock());
    let (settings, build) = (arguments.settings(), arguments.engine_builder());
    let book = arguments.open_book()?;
    to_exit_status(nboard::serve(settings, book, build, input, output))
}

impl Arguments {
    fn open_book(&self) -> Result<Box<dyn OpeningBook>, CommandError> {
        match self.skill.is_weaker() {
            // The book would play perfect openings.
            true => self.book.without_default().open(&self.engine),
            false => self.book.open(&self.engine),
        }
    }

    fn settings(&self) -> SessionSettings {
        SessionSettings {
            strength: self.strength.strength(),
            skill: self.skill.player(self.strength.strength()),
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
fn stop_when_output_closes(stop: StopHandle) {
    /// Time between stops. Each search resets the handle, so the stop is repeated.
    const STEP: Duration = Duration::from_millis(20);
    let watch = move || {
        while let Some(is_closed) = is_output_closed() {
            if is_closed {
                stop.stop();
            }
            thread::sleep(STEP);
        }
    };
    // Without this thread, a running search ends at its own limits.
    let _ = thread::Builder::new().spawn(watch);
}

/// Waits for the reader of standard output to close it; may return earlier. Returns `true` if it is closed; `None` if
/// standard output is not open.
#[cfg(unix)]
fn is_output_closed() -> Option<bool> {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd;
    let output = io::stdout();
    // `poll` always reports a closed pipe.
    let mut polled = [PollFd::new(output.as_fd(), PollFlags::empty())];
    let events = match poll(&mut polled, PollTimeout::NONE) {
        Ok(_) => polled[0].revents().unwrap_or(PollFlags::empty()),
        Err(_) => PollFlags::empty(),
    };
    match events.contains(PollFlags::POLLNVAL) {
        true => None,
        false => Some(events.intersects(PollFlags::POLLERR | PollFlags::POLLHUP)),
    }
}

/// Returns `true` if the reader of standard output has closed it; `None` if standard output is no pipe.
#[cfg(windows)]
fn is_output_closed() -> Option<bool> {
    use std::os::windows::io::AsRawHandle;
    use windows_sys::Wdk::Storage::FileSystem::{
        FILE_PIPE_CLOSING_STATE, FILE_PIPE_DISCONNECTED_STATE, FILE_PIPE_LOCAL_INFORMATION,
        FilePipeLocalInformation, NtQueryInformationFile,
    };
    use windows_sys::Win32::System::IO::IO_STATUS_BLOCK;
    let mut pipe = FILE_PIPE_LOCAL_INFORMATION::default();
    let mut status = IO_STATUS_BLOCK::default();
    // SAFETY: both pointers lead to values that live until the call returns, and the size is that of the value. The
    // handle is that of standard output, which is never closed; an invalid one is refused.
    let result = unsafe {
        NtQueryInformationFile(
            io::stdout().as_raw_handle(),
            &raw mut status,
            (&raw mut pipe).cast(),
            size_of_val(&pipe) as u32,
            FilePipeLocalInformation,
        )
    };
    let closed = [FILE_PIPE_CLOSING_STATE, FILE_PIPE_DISCONNECTED_STATE];
    (result >= 0).then_some(closed.contains(&pipe.NamedPipeState))
}
