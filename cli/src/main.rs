//! The program `outflank`: its arguments, errors and exit statuses; each command is a module.

mod analyze;
mod answer;
mod bench;
mod boards;
mod book;
mod convert;
mod engine;
mod help;
mod input;
mod json;
mod kernels;
mod live;
mod match_;
mod moves;
mod numbers;
mod output;
mod outputs;
mod perft;
mod picture;
mod play;
mod progress;
mod protocols;
mod replace;
mod signals;
mod solve;
mod table;
mod tournament;
mod train;
mod weights;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use outflank::eval::LoadError;
use outflank::kernels::IsaError;
use outflank::{EngineError, Isa, LargePages, StopHandle};
use outflank_checker::supervise::WorkerError;

use outputs::OutputError;
use replace::ReplaceError;
use signals::{SignalError, exit_where_blocked, interrupted_status, on_interrupt};

#[global_allocator]
static ALLOCATOR: LargePages = LargePages;

/// A fast Othello core: search, kernels, evaluation.
#[derive(Parser)]
#[command(name = "outflank", version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  outflank solve problems/ffo-20-39.obf            every position, its exact score and best play
  outflank solve --wld problems/ffo-20-39.obf      only who wins, which is faster
  outflank solve --json - < positions.obf          one JSON object a position
  outflank solve --level 21 problems/midgame.obf   as Edax at level 21, which has these levels
  outflank analyze game.ggf                        what every move of a game cost
  outflank bench                                   the speed of the engine
  outflank play                                    a game at the terminal
  outflank gtp                                     an engine for GoGui, gogui-twogtp and others
  outflank nboard                                  an engine for NBoard
  outflank match 'outflank gtp --depth 8' 'outflank gtp --depth 4'
                                                   games between two engines, and who is stronger
  outflank convert games.ggf --to transcript       between formats of games and positions
  outflank book learn my.book --time 600           an opening book, from nothing
  outflank perft 9                                 the positions after 1 to 9 plies
  outflank kernels check                           every algorithm against its reference
  outflank weights info                            the weights of the evaluation
  outflank train demo                              new ones, from nothing, in two minutes

The exit status is 0 if all went well, 1 after a wrong answer or a file or line that could not be
read, 2 if the command could not be carried out as asked, 130 after Ctrl-C,
143 after SIGTERM.";

const GTP_EXAMPLES: &str = "\
Examples:
  outflank gtp --level 21                          a stronger player, slower
  outflank gtp --threads 4 --hash 1024 --ponder    all that the machine has
  outflank gtp --live-gfx                          in GoGui, what it thinks while it thinks
  gogui-twogtp -black 'outflank gtp --level 8' -white 'outflank gtp --level 4' -games 10

docs/guide/gtp.md says more.";

const NBOARD_EXAMPLES: &str = "\
Examples:
  outflank nboard                                  what NBoard is told to start
  outflank nboard --threads 4 --hash 1024          with more of the machine

docs/guide/nboard.md says more.";

#[derive(Subcommand)]
enum Command {
    Solve(solve::Arguments),
    Analyze(analyze::Arguments),
    Bench(bench::Arguments),
    Convert(convert::Arguments),
    /// Play by the Go Text Protocol, for GoGui, gogui-twogtp and other programs
    ///
    /// Commands come from standard input, answers go to standard output. The time that a controller sets
    /// (time_settings, time_left) is kept; without one, and without --level or --depth, a move is searched
    /// at level 16.
    #[command(after_help = GTP_EXAMPLES)]
    Gtp(protocols::GtpArguments),
    /// Play and analyse by the protocol of NBoard
    ///
    /// Commands come from standard input, answers go to standard output. The depth that NBoard sets is
    /// taken as --level, and the clock of the game is kept; without both, a move is searched at level 16.
    #[command(name = "nboard", after_help = NBOARD_EXAMPLES)]
    NBoard(protocols::Arguments),
    Match(match_::Arguments),
    Play(play::Arguments),
    Book(book::Arguments),
    Perft(perft::Arguments),
    Kernels(kernels::Arguments),
    Train(train::Arguments),
    Weights(weights::Arguments),
    Completions(help::Completions),
    #[command(name = "man")]
    Manual(help::Manual),
}

/// The choice of an instruction-set level, of the commands that run kernels at one.
#[derive(Args, Clone)]
struct IsaArgument {
    // Not parsed by clap, whose message for an unknown level would be one of usage.
    #[arg(long, value_name = "ISA", help = isa_help())]
    isa: Option<String>,
}

fn isa_help() -> String {
    format!(
        "Instruction-set level of the kernels: {} [default: the environment variable \
         OUTFLANK_ISA, else the best that the CPU has]",
        Isa::ALL
            .iter()
            .map(|isa| isa.name())
            .collect::<Vec<_>>()
            .join(", ")
    )
}

impl IsaArgument {
    fn isa(&self) -> Result<Isa, IsaError> {
        let named = self.isa.as_deref().map(str::parse).transpose()?;
        Isa::choose(named)
    }
}

/// Why a command ended early.
#[derive(Debug, thiserror::Error)]
enum CommandError {
    #[error(transparent)]
    Isa(#[from] IsaError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("a window has -64 <= LOW < HIGH <= 64, unlike {low} and {high}")]
    Window { low: i32, high: i32 },
    #[error("--jobs searches each position on one thread: leave out --threads")]
    JobThreads,
    #[error("a table has at least 1 MiB, and --hash {hash} is to be divided among {jobs} --jobs")]
    JobMemory { hash: usize, jobs: usize },
    #[error(transparent)]
    Only(#[from] solve::OnlyError),
    #[error(transparent)]
    Interrupt(#[from] SignalError),
    #[error(transparent)]
    Selection(#[from] kernels::SelectionError),
    #[error(transparent)]
    Worker(#[from] WorkerError),
    #[error(transparent)]
    Train(#[from] train::TrainError),
    #[error(transparent)]
    Analyze(#[from] analyze::AnalyzeError),
    #[error(transparent)]
    Input(#[from] input::InputError),
    #[error(transparent)]
    Convert(#[from] convert::ConvertError),
    #[error(transparent)]
    Match(#[from] match_::MatchError),
    #[error(transparent)]
    Book(#[from] book::BookCommandError),
    #[error(transparent)]
    Peer(#[from] bench::peer::PeerError),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Replace(#[from] ReplaceError),
    #[error(transparent)]
    Outputs(#[from] OutputError),
    #[error("cannot make the folder {}: {}; name another", .0.display(), .1)]
    Folder(PathBuf, io::Error),
    #[error("this outflank was built without weights (feature embedded-weights): name a file")]
    NoWeights,
    #[cfg(feature = "prove")]
    #[error(transparent)]
    Prove(#[from] kernels::ProveError),
    #[cfg(not(feature = "prove"))]
    #[error("this outflank was built without proofs: build it with --features prove")]
    NoProofs,
    #[error("{}: a network; expected linear weights", .0.display())]
    NotLinear(PathBuf),
    #[error("cannot write the results: {0}")]
    Output(#[from] io::Error),
}

/// Lets Ctrl-C stop what `stop` stops, and end the program where it comes twice, or where nobody reads what
/// the program writes. So do the other signals that ask for the end.
fn stop_on_interrupt(stop: &StopHandle) -> Result<(), SignalError> {
    tell_and_stop_on_interrupt(stop, None)
}

/// The same, and tells what happens now.
fn tell_and_stop_on_interrupt(
    stop: &StopHandle,
    told: Option<&'static str>,
) -> Result<(), SignalError> {
    let stop = stop.clone();
    on_interrupt(move || {
        if stop.is_stopped() {
            // Asked twice: do not wait for the search to notice.
            std::process::exit(interrupted_status().into());
        }
        stop.stop();
        exit_where_blocked();
        told.into_iter().for_each(output::remark);
    })
}

/// Makes a folder, and those above it, unless it is there.
fn make_folder(folder: &Path) -> Result<(), CommandError> {
    fs::create_dir_all(folder).map_err(|error| CommandError::Folder(folder.to_owned(), error))
}

/// The exit status of a command that found something wrong.
const FAILURE: u8 = 1;
/// The exit status of a command that cannot be carried out as asked; also clap's.
const USAGE: u8 = 2;
/// The exit status where the reader of a pipe left, by the same rule.
const BROKEN_PIPE: u8 = 128 + 13;

impl CommandError {
    fn status(&self) -> u8 {
        match self {
            CommandError::Isa(_)
            | CommandError::Engine(_)
            | CommandError::Window { .. }
            | CommandError::JobThreads
            | CommandError::JobMemory { .. }
            | CommandError::Only(_)
            | CommandError::Selection(_)
            | CommandError::Analyze(_)
            | CommandError::Convert(_)
            | CommandError::Outputs(_)
            | CommandError::NoWeights
            | CommandError::NotLinear(_) => USAGE,
            #[cfg(feature = "prove")]
            CommandError::Prove(_) => USAGE,
            #[cfg(not(feature = "prove"))]
            CommandError::NoProofs => USAGE,
            CommandError::Match(error) if error.is_usage() => USAGE,
            CommandError::Book(error) if error.is_usage() => USAGE,
            CommandError::Peer(error) if error.is_usage() => USAGE,
            CommandError::Train(error) if error.is_usage() => USAGE,
            CommandError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => BROKEN_PIPE,
            CommandError::Interrupt(_)
            | CommandError::Worker(_)
            | CommandError::Train(_)
            | CommandError::Match(_)
            | CommandError::Book(_)
            | CommandError::Peer(_)
            | CommandError::Load(_)
            | CommandError::Replace(_)
            | CommandError::Folder(..)
            | CommandError::Input(_)
            | CommandError::Output(_) => FAILURE,
        }
    }
}

/// The program's commands and options, as clap has them.
fn command() -> clap::Command {
    numbers::negative_are_values(Arguments::command())
}

/// Carries out the command of the process's arguments.
fn main() -> ExitCode {
    let arguments = Arguments::from_arg_matches(
        &command().get_matches_from(boards::marked(std::env::args_os())),
    );
    let status = match arguments.unwrap_or_else(|error| error.exit()).command {
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Analyze(arguments) => analyze::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Gtp(arguments) => protocols::run_gtp(&arguments),
        Command::NBoard(arguments) => protocols::run_nboard(&arguments),
        Command::Match(arguments) => match_::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Book(arguments) => book::run(&arguments),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Kernels(arguments) => kernels::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        Command::Weights(arguments) => weights::run(&arguments),
        Command::Completions(arguments) => help::completions(&arguments),
        Command::Manual(arguments) => help::manual(&arguments),
    };
    let status = status.unwrap_or_else(|error| {
        // Whoever closed the pipe has read enough and wants no complaint.
        if error.status() != BROKEN_PIPE {
            output::complain(&error);
        }
        error.status()
    });
    ExitCode::from(status)
}
