//! `outflank play`: a game at the terminal.

mod command;
mod game_state;
mod hint;
mod learning;
mod save;
mod session;

use std::io::{self, IsTerminal as _};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use clap::Args;
use outflank::drawn_openings::{DrawnOpenings, OpeningChoice};
use outflank::notation::Contents;
use outflank::search::Strength;
use outflank::{Engine, Game, Selectivity};

use super::book::{BookArguments, LearnArgument};
use super::console::print_line;
use super::engine::{EngineArguments, StrengthArguments};
use super::error::CommandError;
use super::input::{InputError, Inputs};
use super::line_input::{Input, InputLine, terminal_restorer};
use super::number_options::{ANY_U64, seconds, whole};
use super::output_files::Files;
use super::progress::ProgressArgument;
use super::signals::{SignalError, interrupted_status, on_interrupt, was_ctrl_c};
use super::skill::{SkillArguments, new_seed};
use command::{Command, Players};
use game_state::GameState;
use learning::GameLearner;
use session::{PlaySession, StartSource};

/// Play a game at the terminal
///
/// The board is drawn before each of your moves, with the legal moves marked by `*`. Enter a square, several squares
/// (f5d6c3), or a command: hint, go, undo, redo, goto 12, level 20, skill club, black, white, both, none, values off,
/// moves, save game.ggf, new, quit. The command help explains all of them. Passes are made for you.
///
/// Ctrl-C during a search of the program makes it move at once. At the prompt, Ctrl-C discards the line. On an empty
/// line it warns if the game is not saved, and a second Ctrl-C ends the program.
///
/// On a terminal the line can be edited, and the arrow keys bring back earlier lines. The board has colours unless the
/// environment variable NO_COLOR is set. In a pipe, commands are read from standard input line by line.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Side or sides that you play
    #[arg(long, value_enum, value_name = "SIDE", default_value_t = Players::Black)]
    side: Players,

    /// File with the position to begin with: the last one of the first game (GGF, SGF, WTHOR, Othello Quest,
    /// transcripts), or the first one of a file of positions (OBF)
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,

    /// Opening that each game begins with: a name of `outflank openings list`, moves (f5d6c3), xot for a random even
    /// position of 8 moves, even:N for one of N moves. =W at the end is a weight among several: tiger=3
    #[arg(long, value_name = "OPENING", conflicts_with = "start")]
    opening: Vec<OpeningChoice>,

    /// Seed of the openings [default: a new one in each run]
    #[arg(long, value_name = "S", requires = "opening", value_parser = whole::<u64>(ANY_U64))]
    opening_seed: Option<u64>,

    /// Time limit of the program for each move in seconds. Without --level, --depth and --selectivity it uses all of
    /// this time
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,

    /// Hide the scores of your moves and the best move
    #[arg(long)]
    no_values: bool,

    #[command(flatten)]
    progress: ProgressArgument,

    #[command(flatten)]
    strength: StrengthArguments,

    #[command(flatten)]
    skill: SkillArguments,

    #[command(flatten)]
    book: BookArguments,

    #[command(flatten)]
    learning: LearnArgument,

    #[command(flatten)]
    engine: EngineArguments,
}

const EXAMPLES: &str = "\
Examples:
  outflank play                               you are black, the program plays at level 16
  outflank play --skill casual                a weaker opponent
  outflank play --side white --skill 5,30,10  one that loses 5 discs in the opening, 30 and 10 later
  outflank play --start data/problems/ffo-1-19.obf --side both
                                              an endgame to explore with hints
  outflank play --opening tiger=2 --opening rose-birth
                                              games that begin with one of these openings
  outflank play --opening xot --skill club    games from random even positions
  printf 'f5\\nhint\\nmoves\\n' | outflank play --level 1
  printf 'f5d6c3\\nsave game.ggf\\n' | outflank play --side both
  outflank play --side none --level 8         the program against itself";

/// Runs the command until the end of the input and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let mut starts = match &arguments.start {
        Some(path) => StartSource::Game(read_start(path)?),
        None if arguments.opening.is_empty() => StartSource::Game(Game::new()),
        None => {
            let seed = arguments.opening_seed.unwrap_or_else(new_seed);
            let openings = DrawnOpenings::new(arguments.opening.clone(), seed)?;
            StartSource::Drawn(Box::new(openings))
        }
    };
    let start = starts.next()?;
    let learner = arguments
        .learning
        .checked(&arguments.book)?
        .then(|| GameLearner::new(&start));
    let engine = arguments.engine.engine()?;
    let strength = arguments.strength.strength();
    let mut session = PlaySession {
        saved: start.moves().collect(),
        state: GameState::new(start),
        starts,
        players: arguments.side,
        strength: strength.unwrap_or(match arguments.time {
            Some(_) => Strength::Depth(60, Selectivity::Full),
            None => Strength::default(),
        }),
        skill: arguments.skill.player(strength),
        skill_strength: strength,
        skill_seed: arguments.skill.seed(),
        time: arguments.time,
        shows_values: !arguments.no_values,
        is_searching: move_on_interrupt(&engine)?,
        book: arguments.book.open(&arguments.engine)?,
        learner,
        is_book_named: arguments.book.book.is_some(),
        files: Files::new()
            .reading("--start", &arguments.start)
            .reading("--book", &arguments.book.book)
            .reading("--weights", &arguments.engine.weights),
        engine,
        progress: arguments.progress.clone(),
        was_stopped: false,
    };
    print_line("Type a square to move there, help for more.")?;
    session.play_until_user()?;
    session.learn_finished_game();
    let mut input = Input::new();
    let (mut was_interrupt, mut status) = (false, 0);
    loop {
        let next = input.next(&session.prompt())?;
        session.was_stopped = false;
        let is_second = mem::replace(&mut was_interrupt, matches!(next, InputLine::Interrupt));
        match next {
            InputLine::End => break,
            InputLine::Interrupt if is_second => {
                status = interrupted_status();
                break;
            }
            InputLine::Interrupt => print_line(session.exit_warning())?,
            InputLine::Dropped => {}
            InputLine::Unusable(reason) => print_line(reason)?,
            InputLine::Text(text) => match text.parse() {
                Ok(Command::Quit) => break,
                Ok(command) => {
                    session.execute(command)?;
                    session.learn_finished_game();
                }
                Err(error) => print_line(error)?,
            },
        }
    }
    if let Some(learner) = &mut session.learner {
        learner.finish();
    }
    Ok(status)
}

/// Reads the start of the game: the first game or position of a file.
fn read_start(path: &Path) -> Result<Game, InputError> {
    Ok(match Inputs::new(None).open(path)?.first()? {
        Contents::Game(record) => record.game,
        Contents::Position(problem) => Game::from_start(problem.board, problem.side)
            .expect("the reader takes no square held twice"),
    })
}

/// Installs the handler of signals. The first Ctrl-C on a terminal stops a running search; any other signal ends the
/// program. The caller sets the returned flag while a search runs.
fn move_on_interrupt(engine: &Engine) -> Result<Arc<AtomicBool>, SignalError> {
    let is_searching = Arc::new(AtomicBool::new(false));
    let (searching, stop) = (is_searching.clone(), engine.stop_handle());
    let restore_terminal = terminal_restorer();
    on_interrupt(move || {
        let can_stop = searching.load(Relaxed) && !stop.is_stopped() && io::stdin().is_terminal();
        if !can_stop || !was_ctrl_c() {
            restore_terminal();
            std::process::exit(interrupted_status().into());
        }
        stop.stop();
    })?;
    Ok(is_searching)
}
