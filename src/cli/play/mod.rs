//! `outflank play`: a game at the terminal.

mod board;
mod command;

use std::io::{self, BufRead, IsTerminal as _, Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use clap::Args;
use outflank::notation::{Contents, transcript};
use outflank::search::Strength;
use outflank::{Engine, Game, Limits, SearchResult, Selectivity, Side, Square};

use super::engine::{EngineArguments, StrengthArguments, seconds};
use super::input::{InputError, Inputs};
use super::output::line;
use super::signals::{SignalError, interrupted_status, on_interrupt, was_ctrl_c};
use super::{CommandError, table};
use command::{Command, HELP, Players};

/// Play a game at the terminal
///
/// The board is drawn before each of your moves, with the squares that you can move to marked by `*`. You
/// type a square, or hint, undo, level 20, black, white, both, none, moves, new, quit; help tells them.
/// Passes are made for you. Ctrl-C while the program thinks makes it move.
///
/// It works in a pipe too: commands come from standard input, line by line.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Which sides you play
    #[arg(long, value_enum, value_name = "SIDE", default_value_t = Players::Black)]
    side: Players,

    /// Begin where the first game, or with the first position, of a file ends: a transcript, GGF, WTHOR
    /// or OBF
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,

    /// Seconds that the program may think about a move; without --level and --depth it searches as far as
    /// it comes in that time
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,

    #[command(flatten)]
    strength: StrengthArguments,

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
  outflank play --side none --level 8         the program against itself";

/// The most that a file can have, in MiB.
const MOST_MIB: u64 = 64;

/// The most that a line of input can have, in bytes; what is longer is no command.
const MOST_BYTES: u64 = 256;

/// After so many bytes more a line is taken to have no end.
const MOST_SKIPPED: u64 = 1 << 26;

/// Plays until the end of the input; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let start = match &arguments.start {
        Some(path) => start(path)?,
        None => Game::new(),
    };
    let engine = arguments.engine.engine()?;
    let mut table = Table {
        game: start.clone(),
        start,
        players: arguments.side,
        strength: arguments
            .strength
            .strength()
            .unwrap_or(match arguments.time {
                Some(_) => Strength::Depth(60, Selectivity::Full),
                None => Strength::default(),
            }),
        time: arguments.time,
        is_thinking: move_on_interrupt(&engine)?,
        engine,
        was_stopped: false,
    };
    line("Type a square to move there, help for more.")?;
    table.go_on()?;
    let mut input = io::stdin().lock();
    while let Some(text) = next_line(&mut input)? {
        table.was_stopped = false;
        match text.and_then(|text| text.parse()) {
            Ok(Command::Quit) => break,
            Ok(command) => table.carry_out(command)?,
            Err(error) => line(error)?,
        }
    }
    Ok(0)
}

/// The first game or position of a file.
fn start(path: &Path) -> Result<Game, InputError> {
    Ok(match Inputs::new(MOST_MIB, None).open(path)?.first()? {
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
    on_interrupt(move || {
        let is_to_move = thinks.load(Relaxed) && !stop.is_stopped() && io::stdin().is_terminal();
        if !is_to_move || !was_ctrl_c() {
            std::process::exit(interrupted_status().into());
        }
        stop.stop();
    })?;
    Ok(is_thinking)
}

/// The next line of the input, or what is said of one that is too long; `None` at the end, or where a line
/// has none.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut bytes = Vec::new();
    if input
        .by_ref()
        .take(MOST_BYTES)
        .read_until(b'\n', &mut bytes)?
        == 0
    {
        return Ok(None);
    }
    if bytes.len() as u64 == MOST_BYTES && bytes.last() != Some(&b'\n') {
        let skipped = input.by_ref().take(MOST_SKIPPED).skip_until(b'\n')? as u64;
        let told = || Err(format!("a line of over {MOST_BYTES} bytes is no command"));
        return Ok((skipped < MOST_SKIPPED).then(told));
    }
    Ok(Some(Ok(String::from_utf8_lossy(&bytes).into_owned())))
}

/// What is on the table.
struct Table {
    /// What a new game begins with.
    start: Game,
    game: Game,
    players: Players,
    strength: Strength,
    time: Option<Duration>,
    engine: Engine,
    /// Whether Ctrl-C would end a search.
    is_thinking: Arc<AtomicBool>,
    /// Whether it ended one since something was typed.
    was_stopped: bool,
}

impl Table {
    /// Does what was typed.
    fn carry_out(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Move(square) => match self.game.play(square) {
                Ok(()) => self.go_on(),
                Err(error) => line(error),
            },
            Command::Pass => match self.game.is_over() {
                true => line("the game is over; undo, new and quit are left"),
                false => line(format_args!("{} has a move", self.game.side())),
            },
            Command::Hint(lines) => self.hint(lines),
            Command::Undo => self.undo(),
            Command::New => {
                self.game = self.start.clone();
                self.engine.clear();
                self.go_on()
            }
            Command::Play(players) => {
                self.players = players;
                self.go_on()
            }
            Command::Level(level) => {
                self.strength = Strength::Level(level);
                line(format_args!("level {level}"))
            }
            Command::Moves => self.moves(),
            Command::Board => self.board(),
            Command::Help => line(HELP),
            Command::Quit | Command::Empty => Ok(()),
        }
    }

    /// Plays until it is the person's turn, or the game is over, and shows the board then.
    fn go_on(&mut self) -> io::Result<()> {
        while !self.game.is_over() {
            if self.game.board().must_pass() {
                line(format_args!("{} has to pass", self.game.side()))?;
                self.game.pass().expect("no move, and the game is not over");
            } else if self.is_persons(self.game.side()) {
                break;
            } else {
                self.think()?;
            }
        }
        self.board()?;
        match self.game.score() {
            Some(score) => self.end(score),
            None => Ok(()),
        }
    }

    fn is_persons(&self, side: Side) -> bool {
        match self.players {
            Players::Black => side == Side::Black,
            Players::White => side == Side::White,
            Players::Both => true,
            Players::None => false,
        }
    }

    /// Makes a move of the program's.
    fn think(&mut self) -> io::Result<()> {
        let (board, side) = self.game.position();
        let found = self.search(1);
        // A search that ended before its first ply has nothing better.
        let square = found.best().or(Square::all_in(board.mobility()).next());
        let square = square.expect("there is a move");
        line(format_args!(
            "{side} plays {square} ({}, {:.2} s)",
            told(&found),
            found.time.as_secs_f64()
        ))?;
        self.game.play(square).expect("a legal move");
        Ok(())
    }

    fn search(&mut self, lines: u32) -> SearchResult {
        let board = self.game.board();
        let limits = self.strength.limits(board.empty_count());
        let limits = Limits {
            depth: limits.depth.max(1),
            lines,
            time: self.time,
            ..limits
        };
        let stop = self.engine.stop_handle();
        // A stop that came too late for the search before is not for this one.
        stop.reset();
        self.is_thinking.store(true, Relaxed);
        let found = self.engine.search(board, &limits);
        self.is_thinking.store(false, Relaxed);
        if stop.is_stopped() && std::mem::replace(&mut self.was_stopped, true) {
            std::process::exit(interrupted_status().into());
        }
        found.expect("games have no square held twice")
    }

    fn hint(&mut self, lines: u32) -> io::Result<()> {
        if self.game.is_over() {
            return line("the game is over");
        }
        // Of one line there are no candidates.
        let found = self.search(lines.max(2));
        let side = self.game.side();
        for one in found.candidates.iter().take(lines as usize) {
            line(format_args!(
                "{:>+4}  {}",
                one.score,
                table::line(&one.line, side)
            ))?;
        }
        line(format_args!("      by {} plies", depth(&found)))
    }

    /// Takes back the plies up to the last move of the person.
    fn undo(&mut self) -> io::Result<()> {
        let before = self.game.clone();
        while self.game.undo().is_some() {
            if self.is_persons(self.game.side()) && !self.game.board().must_pass() {
                return self.board();
            }
        }
        // Somebody who lets the program play both sides takes back its last move.
        self.game = before;
        match self.players {
            Players::None => {
                self.game.undo();
                self.board()
            }
            _ => line("there is no move of yours to take back"),
        }
    }

    fn moves(&self) -> io::Result<()> {
        match transcript::write(&self.game) {
            Ok(moves) => line(moves),
            Err(error) => line(error),
        }
    }

    fn board(&self) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        let last = self.game.moves().last();
        writeln!(stdout, "\n{}", board::draw(self.game.position(), last))?;
        stdout.flush()
    }

    fn end(&self, score: i32) -> io::Result<()> {
        match score {
            0 => line("The game is over: a draw.")?,
            1.. => line(format_args!("The game is over: black wins by {score}."))?,
            ..0 => line(format_args!("The game is over: white wins by {}.", -score))?,
        }
        self.moves()
    }
}

/// The score for who moves, and how far it was searched.
fn told(found: &SearchResult) -> String {
    format!("{:+} by {} plies", found.score, depth(found))
}

fn depth(found: &SearchResult) -> String {
    table::depth(found.depth, found.selectivity)
        .trim_end()
        .to_owned()
}
