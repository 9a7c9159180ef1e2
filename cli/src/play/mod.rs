//! `outflank play`: a game at the terminal.

mod board;
mod command;
mod course;
mod hint;
mod input;
mod save;
mod table;

use std::io::{self, IsTerminal as _};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use clap::Args;
use outflank::notation::Contents;
use outflank::search::Strength;
use outflank::{Engine, Game, Selectivity};

use super::CommandError;
use super::book::BookArguments;
use super::engine::{EngineArguments, StrengthArguments, seconds};
use super::input::{InputError, Inputs};
use super::output::line;
use super::outputs::Files;
use super::progress::ProgressArgument;
use super::signals::{SignalError, interrupted_status, on_interrupt, was_ctrl_c};
use command::{Command, Players};
use course::Course;
use input::{Input, Terminal, Typed};
use table::Table;

/// Play a game at the terminal
///
/// The board is drawn before each of your moves, with the squares that you can move to marked by `*`. You
/// type a square, several of them (f5d6c3), or a command: hint, go, undo, redo, goto 12, level 20, black,
/// white, both, none, values off, moves, save game.ggf, new, quit; help tells what they do. Passes are made
/// for you. Ctrl-C while the program thinks makes it move.
///
/// At the prompt Ctrl-C drops the line, as in a shell; on an empty line it says whether the game is saved,
/// and ends the program when it comes again.
///
/// On a terminal the line can be edited, the arrow keys bring back earlier ones, and the board has colours,
/// unless the environment variable NO_COLOR is set. It works in a pipe too: commands come from standard
/// input, line by line.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The sides that you play
    #[arg(long, value_enum, value_name = "SIDE", default_value_t = Players::Black)]
    side: Players,

    /// Begin with the last position of the first game in a file (transcript, GGF or WTHOR), or with the first position
    /// of a problem file (OBF)
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,

    /// Seconds that the program may think about a move; without --level and --depth it uses all of them
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,

    /// Do not show the score of each of your moves and the best move
    #[arg(long)]
    no_values: bool,

    #[command(flatten)]
    progress: ProgressArgument,

    #[command(flatten)]
    strength: StrengthArguments,

    #[command(flatten)]
    book: BookArguments,

    #[command(flatten)]
    engine: EngineArguments,
}

const EXAMPLES: &str = "\
Examples:
  outflank play                               you are black, the program plays at level 16
  outflank play --side white --level 4        an easier game
  outflank play --start problems/ffo-1-19.obf --side both
                                              an endgame to look at, with hints
  printf 'f5\\nhint\\nmoves\\n' | outflank play --level 1
  printf 'f5d6c3\\nsave game.ggf\\n' | outflank play --side both
  outflank play --side none --level 8         the program against itself";

/// Plays until the end of the input; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let start = match &arguments.start {
        Some(path) => start(path)?,
        None => Game::new(),
    };
    let engine = arguments.engine.engine()?;
    let strength = arguments.strength.strength();
    let mut table = Table {
        saved: start.moves().collect(),
        course: Course::new(start.clone()),
        start,
        players: arguments.side,
        strength: strength.unwrap_or(match arguments.time {
            Some(_) => Strength::Depth(60, Selectivity::Full),
            None => Strength::default(),
        }),
        time: arguments.time,
        values: !arguments.no_values,
        is_thinking: move_on_interrupt(&engine)?,
        book: arguments.book.open(&arguments.engine)?,
        files: Files::new()
            .reading("--start", &arguments.start)
            .reading("--book", arguments.book.path())
            .reading("--weights", arguments.engine.weights()),
        engine,
        progress: arguments.progress.clone(),
        was_stopped: false,
    };
    line("Type a square to move there, help for more.")?;
    table.go_on()?;
    let mut input = Input::new();
    let mut was_interrupt = false;
    loop {
        let typed = input.next(&table.prompt())?;
        table.was_stopped = false;
        let is_second = mem::replace(&mut was_interrupt, matches!(typed, Typed::Interrupt));
        match typed {
            Typed::End => return Ok(0),
            Typed::Interrupt if is_second => return Ok(interrupted_status()),
            Typed::Interrupt => line(table.before_the_end())?,
            Typed::Dropped => {}
            Typed::Unusable(why) => line(why)?,
            Typed::Line(text) => match text.parse() {
                Ok(Command::Quit) => return Ok(0),
                Ok(command) => table.carry_out(command)?,
                Err(error) => line(error)?,
            },
        }
    }
}

/// The first game or position of a file.
fn start(path: &Path) -> Result<Game, InputError> {
    Ok(match Inputs::new(None).open(path)?.first()? {
        Contents::Game(record) => record.game,
        Contents::Position(problem) => Game::from_start(problem.board, problem.side)
            .expect("the reader takes no square held twice"),
    })
}

/// Lets Ctrl-C end a search that is under way, and the program where there is none, or where nobody sits at
/// a terminal. What it returns is to tell whether there is one. Other signals that ask for the end get it.
fn move_on_interrupt(engine: &Engine) -> Result<Arc<AtomicBool>, SignalError> {
    let is_thinking = Arc::new(AtomicBool::new(false));
    let (thinks, stop) = (is_thinking.clone(), engine.stop_handle());
    let terminal = Terminal::now();
    on_interrupt(move || {
        let is_to_move = thinks.load(Relaxed) && !stop.is_stopped() && io::stdin().is_terminal();
        if !is_to_move || !was_ctrl_c() {
            terminal.restore();
            std::process::exit(interrupted_status().into());
        }
        stop.stop();
    })?;
    Ok(is_thinking)
}
