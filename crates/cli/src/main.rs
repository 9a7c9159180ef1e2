//! The program `outflank`: its arguments, errors and exit statuses; each command is a module.

mod analyze;
mod bench;
mod board_arguments;
mod book;
mod book_moves;
mod check;
mod convert;
mod engine;
mod error;
mod games;
mod help;
mod html_page;
mod in_order;
mod input;
mod kernels;
mod line_input;
mod live_line;
mod matches;
mod move_scores;
mod openings;
mod output_files;
mod perft;
mod play;
mod problem_choice;
mod problem_file;
mod problem_result;
mod protocols;
mod proven_scores;
mod puzzle;
mod show;
mod signals;
mod skill;
mod solve;
mod suite;
mod terminal_board;
mod text_format;
mod train;
mod verify;
mod weights;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use outflank::eval::FileKind;
use outflank_console::program::Program;
use outflank_console::{console, json, number_options, progress, replace, svg};

use engine::IsaArgument;
use error::{CommandError, FAILURE, make_folder};
use signals::stop_on_interrupt;

const EXAMPLES: &str = "\
Examples:
  outflank solve data/problems/ffo-20-39.obf            exact score and best play of every position
  outflank solve --wld data/problems/ffo-20-39.obf      only win, draw or loss, which is faster
  outflank solve --json - < positions.obf               one JSON object per position
  outflank solve --level 21 data/problems/midgame.obf   a selective search at level 21 of Edax
  outflank solve --certificate proof.cert FILE          proofs of the scores, for `outflank verify`
  outflank analyze game.ggf                             discs lost by each move of a game
  outflank bench                                        speed of the engine
  outflank play                                         a game at the terminal
  outflank gtp                                          an engine for GoGui, gogui-twogtp and others
  outflank nboard                                       an engine for NBoard
  outflank match 'outflank gtp --depth 8' 'outflank gtp --depth 4'
                                                        a match that shows which engine is stronger
  outflank suite data/problems/ffo-20-39.obf --level 9  how right a level is in positions with known scores
  outflank show f5d6c3 --numbers --png board.png        a position as a board, as text and as a picture
  outflank convert games.ggf --to transcript            games in another format
  outflank games import my.games WTH_*.wtb              a database of games, searchable by position
  outflank book learn my.book --time 600                an opening book from scratch
  outflank perft 9                                      leaves of the game tree at depths 1 to 9
  outflank kernels check                                every algorithm against its reference
  outflank weights info                                 contents of the built-in weights
  outflank train demo                                   new weights from scratch in 80 seconds

The exit status is 0 on success. It is 1 after a wrong answer, or if a file or line could not be read,
2 if the command could not be carried out as asked, 130 after Ctrl-C, and 143 after SIGTERM.";

const GTP_EXAMPLES: &str = "\
Examples:
  outflank gtp --level 21                         a stronger but slower player
  outflank gtp --threads 4 --hash 1024 --ponder   four threads, more memory and thinking time
  outflank gtp --live-gfx                         the running search on GoGui's board
  gogui-twogtp -black 'outflank gtp --level 8' -white 'outflank gtp --level 4' -games 10

See docs/guide/gtp.md.";

const NBOARD_EXAMPLES: &str = "\
Examples:
  outflank nboard                           the command to register in NBoard
  outflank nboard --threads 4 --hash 1024   four threads and more memory

See docs/guide/nboard.md.";

/// Defines an enum of subcommands with their options, and the function `run`, which runs the chosen one and returns the
/// exit status.
macro_rules! subcommands {
    (
        $(#[$about:meta])*
        $visibility:vis enum $commands:ident {
            $($(#[$attribute:meta])* $name:ident($options:ty) => $run:path,)+
        }
    ) => {
        #[derive(clap::Parser)]
        $(#[$about])*
        $visibility enum $commands {
            $($(#[$attribute])* $name($options),)+
        }

        $visibility fn run(command: &$commands) -> Result<u8, $crate::error::CommandError> {
            match command {
                $($commands::$name(options) => $run(options),)+
            }
        }
    };
}
pub(crate) use subcommands;

subcommands! {
    /// A fast Othello core: search, kernels, evaluation.
    #[command(name = "outflank", bin_name = "outflank", version, after_help = EXAMPLES)]
    enum Command {
        Solve(solve::Arguments) => solve::run,
        Analyze(analyze::Arguments) => analyze::run,
        Bench(bench::Arguments) => bench::run,
        Convert(convert::Arguments) => convert::run,
        /// Play over the Go Text Protocol (GTP), for GoGui, gogui-twogtp and other programs
        ///
        /// Commands are read from standard input, and answers are written to standard output. The engine keeps within
        /// the clock that a controller sets (time_settings, time_left). Without a clock, --level, --depth and
        /// --selectivity it searches at level 16.
        #[command(after_help = GTP_EXAMPLES)]
        Gtp(protocols::GtpArguments) => protocols::run_gtp,
        /// Play and analyse over NBoard's protocol
        ///
        /// Commands are read from standard input, and answers are written to standard output. The depth that NBoard
        /// sets is taken as --level. The engine keeps within the clock of the game. Without a depth or clock of
        /// NBoard, --level, --depth and --selectivity it searches at level 16.
        #[command(name = "nboard", after_help = NBOARD_EXAMPLES)]
        NBoard(protocols::Arguments) => protocols::run_nboard,
        Match(matches::Arguments) => matches::run,
        Suite(suite::Arguments) => suite::run,
        Verify(verify::Arguments) => verify::run,
        #[command(subcommand)]
        Check(check::Arguments) => check::run,
        #[command(subcommand)]
        Games(games::Arguments) => games::run,
        #[command(subcommand)]
        Openings(openings::Arguments) => openings::run,
        Play(play::Arguments) => play::run,
        Puzzle(puzzle::Arguments) => puzzle::run,
        #[command(subcommand)]
        Book(book::Arguments) => book::run,
        Show(show::Arguments) => show::run,
        Perft(perft::Arguments) => perft::run,
        /// List, check and measure the kernels: every algorithm at every instruction-set level
        #[command(subcommand, after_help = kernels::Command::examples())]
        Kernels(kernels::Command) => kernels::run,
        #[command(subcommand)]
        Train(train::Arguments) => train::run,
        #[command(subcommand)]
        Weights(weights::Arguments) => weights::run,
        Completions(help::Completions) => help::completions,
        #[command(name = "man")]
        Manual(help::Manual) => help::manual,
    }
}

/// Definition of the command line.
fn command() -> clap::Command {
    number_options::accept_negative_numbers(Command::command())
}

/// Parses the arguments of the process and runs the command.
fn main() -> ExitCode {
    Program {
        name: "outflank",
        kernel_words: &["kernels"],
        describe_file: |bytes| FileKind::detect(bytes).to_string(),
    }
    .begin();
    let words = board_arguments::escape_boards(std::env::args_os());
    let command = Command::from_arg_matches(&command().get_matches_from(words));
    let status = run(&command.unwrap_or_else(|error| error.exit()));
    ExitCode::from(status.unwrap_or_else(|error| error.report()))
}
