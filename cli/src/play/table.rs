//! The game between the person and the program.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use outflank::analysis::{Mark, equal_by_symmetry};
use outflank::book::OpeningBook;
use outflank::notation::{Note, transcript};
use outflank::search::Strength;
use outflank::text::counted;
use outflank::{Board, Engine, Game, Limits, SearchResult, Selectivity, Side, Square};

use super::board;
use super::command::{Command, HELP, Players, Save};
use super::course::Course;
use super::hint::Hints;
use super::save;
use crate::live::{self, Watched};
use crate::moves;
use crate::output::line;
use crate::outputs::Files;
use crate::progress::ProgressArgument;
use crate::signals::interrupted_status;
use crate::table;

/// What is on the table.
pub(super) struct Table {
    /// What a new game begins with.
    pub(super) start: Game,
    pub(super) course: Course,
    /// The moves that are in a file: those that the game began with, or that were saved last.
    pub(super) saved: Vec<Square>,
    pub(super) players: Players,
    pub(super) strength: Strength,
    pub(super) time: Option<Duration>,
    /// Whether the person's moves are valued.
    pub(super) values: bool,
    pub(super) engine: Engine,
    /// What it plays by before it searches.
    pub(super) book: Box<dyn OpeningBook>,
    /// The files that the program reads: no game is saved over one of them.
    pub(super) files: Files,
    /// Where what a running search knows is shown.
    pub(super) progress: ProgressArgument,
    /// Whether Ctrl-C would end a search.
    pub(super) is_thinking: Arc<AtomicBool>,
    /// Whether it ended one since something was typed.
    pub(super) was_stopped: bool,
}

impl Table {
    /// What a terminal shows where something can be typed.
    pub(super) fn prompt(&self) -> String {
        match self.course.game().is_over() {
            true => "> ".to_owned(),
            false => format!("{}> ", self.course.game().side()),
        }
    }

    /// What is said before the end that Ctrl-C asks for: what would be lost.
    pub(super) fn before_the_end(&self) -> String {
        let again = "Ctrl-C again or quit ends the program.";
        let mut saved = self.saved.iter().copied();
        // Moves that were taken back after they were saved are in the file.
        match self
            .course
            .moves()
            .all(|square| saved.next() == Some(square))
        {
            true => again.to_owned(),
            false => {
                let moves = counted(self.course.len(), "move", "moves");
                format!("The game of {moves} is not saved. {again}")
            }
        }
    }

    /// Does what was typed.
    pub(super) fn carry_out(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Moves(squares) => self.play(&squares),
            Command::Pass => match self.course.game().is_over() {
                true => line("the game is over; undo, goto, save, new and quit are left"),
                false => line(format_args!("{} has a move", self.course.game().side())),
            },
            Command::Hint(lines) => self.hint(lines),
            Command::Go => self.go(),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::GoTo(moves) => match self.course.len() {
                all if moves > all => {
                    let moves = counted(all, "move", "moves");
                    line(format_args!("the game has {moves}: goto 0 to goto {all}"))
                }
                _ => self.go_to(moves),
            },
            Command::New => {
                self.course = Course::new(self.start.clone());
                self.saved = self.start.moves().collect();
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
            Command::Values(values) => {
                self.values = values;
                line(format_args!("values {}", if values { "on" } else { "off" }))
            }
            Command::List => self.moves(),
            Command::Save(save) => self.save(&save),
            Command::Board => self.board(),
            Command::Help => line(HELP),
            Command::Quit | Command::Empty => Ok(()),
        }
    }

    /// Plays until it is the person's turn, or the game is over, and shows the board then.
    pub(super) fn go_on(&mut self) -> io::Result<()> {
        loop {
            let side = self.course.game().side();
            if self.course.pass() {
                line(format_args!("{side} has to pass"))?;
            } else if self.course.game().is_over() || self.is_persons(side) {
                return self.board();
            } else {
                self.think()?;
            }
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

    /// Makes moves that were typed, all or none of them. A single one is valued.
    fn play(&mut self, squares: &[Square]) -> io::Result<()> {
        let mut game = self.course.game().clone();
        if let Err(error) = squares.iter().try_for_each(|&square| game.play(square)) {
            return match squares.len() {
                1 => line(error),
                count => line(format_args!("{error}; none of the {count} moves was made")),
            };
        }
        let eval = match squares {
            &[square] if self.values => self.value(square)?,
            _ => None,
        };
        let note = Note {
            eval,
            seconds: None,
        };
        let played = self.course.play(squares, note);
        played.expect("the moves are legal");
        self.go_on()
    }

    /// Tells what a move of the position is worth, and which one is best; returns the worth.
    ///
    /// All moves are searched as deep, so that their scores can be compared, and no deeper than takes a
    /// moment. The number of nodes, and not the time, is what ends the search as a rule: the same moves
    /// then have the same values every time.
    fn value(&mut self, square: Square) -> io::Result<Option<f64>> {
        const LEVEL: u32 = 10;
        const MAX_NODES: u64 = 3_000_000;
        const MAX_TIME: Duration = Duration::from_secs(1);
        let board = self.course.game().board();
        let mut found = self.search(Limits {
            // Of one line there are no candidates.
            lines: board.mobility().count_ones().max(2),
            nodes: Some(MAX_NODES),
            time: Some(MAX_TIME),
            ..Limits::level(LEVEL, board.empty_count())
        });
        equal_by_symmetry(board, &mut found.candidates);
        let candidates = &found.candidates;
        let score_of = |square| candidates.iter().find(|one| one.ply == Some(square));
        let (Some(best), Some(own)) = (candidates.first(), score_of(square)) else {
            return Ok(None);
        };
        let (score, loss) = (own.score, best.score - own.score);
        let how_far = how_far(&found, board.empty_count());
        match best.ply {
            Some(better) if loss > 0 => line(format_args!(
                "{square}{} scores {score:+}, {better} scores {:+} ({how_far})",
                Mark::of_loss(loss).sign(),
                best.score
            ))?,
            _ => line(format_args!(
                "{square} scores {score:+}, no move scores more ({how_far})"
            ))?,
        }
        Ok(Some(score.into()))
    }

    /// Makes a move of the program's.
    fn think(&mut self) -> io::Result<()> {
        let (board, side) = self.course.game().position();
        if let Some((square, value)) = self.book_move(board) {
            line(format_args!("{side} plays {square} ({value:+}, book)"))?;
            let note = Note {
                eval: Some(value.into()),
                seconds: None,
            };
            self.course.play(&[square], note).expect("a legal move");
            return Ok(());
        }
        let found = self.search(self.limits(1));
        // A search that ended before its first ply has nothing better.
        let square = found.best().or(Square::all_in(board.mobility()).next());
        let square = square.expect("there is a move");
        let seconds = found.time.as_secs_f64();
        line(format_args!(
            "{side} plays {square} ({:+} {}, {seconds:.2} s)",
            found.score,
            how_far(&found, board.empty_count()),
        ))?;
        let note = Note {
            eval: Some(found.score.into()),
            seconds: Some((seconds * 1000.0).round() / 1000.0),
        };
        self.course.play(&[square], note).expect("a legal move");
        Ok(())
    }

    /// The move that the book chooses, and its value. A pass is made without asking.
    fn book_move(&mut self, board: Board) -> Option<(Square, i32)> {
        let chosen = self.book.choose(board)?;
        Some((chosen.ply?, chosen.value))
    }

    /// How far the program searches, for so many of the best moves.
    fn limits(&self, lines: u32) -> Limits {
        Limits {
            lines,
            time: self.time,
            ..self
                .strength
                .limits(self.course.game().board().empty_count())
        }
    }

    fn search(&mut self, limits: Limits) -> SearchResult {
        let limits = Limits {
            depth: limits.depth.max(1),
            ..limits
        };
        let stop = self.engine.stop_handle();
        // A stop that came too late for the search before is not for this one.
        stop.reset();
        let (board, side) = self.course.game().position();
        let monitor = self.engine.monitor();
        let shown = live::show(&self.progress, move || {
            Some(Watched {
                heading: String::new(),
                monitor: monitor.clone(),
                side,
            })
        });
        self.is_thinking.store(true, Relaxed);
        let found = self.engine.search(board, &limits);
        self.is_thinking.store(false, Relaxed);
        drop(shown);
        if stop.is_stopped() && std::mem::replace(&mut self.was_stopped, true) {
            std::process::exit(interrupted_status().into());
        }
        found.expect("games have no square held twice")
    }

    /// Shows the best moves, a row each: what a search and the book say of it.
    fn hint(&mut self, count: u32) -> io::Result<()> {
        if self.course.game().is_over() {
            return line("the game is over");
        }
        let (board, side) = self.course.game().position();
        let known = moves::with_symmetric_moves(board, &self.book.moves(board));
        let hints = Hints::search(board, &known, count, |without, lines| {
            let limits = self.limits(lines);
            self.search(Limits { without, ..limits })
        });
        line(hints.table(side))
    }

    /// Lets the program make the next move, whoever's it is.
    fn go(&mut self) -> io::Result<()> {
        if self.course.game().is_over() {
            return line("the game is over");
        }
        self.think()?;
        self.go_on()
    }

    /// Takes back the moves up to the last one of the person. Somebody who lets the program play both sides
    /// takes back its last move.
    fn undo(&mut self) -> io::Result<()> {
        let is_watched = self.players == Players::None;
        let target = self
            .course
            .before_last(|side| is_watched || self.is_persons(side));
        match target {
            Some(moves) => self.go_to(moves),
            None => line("there is no move of yours to take back"),
        }
    }

    /// Plays moves that were taken back up to the person's next turn.
    fn redo(&mut self) -> io::Result<()> {
        let is_watched = self.players == Players::None;
        let target = self
            .course
            .before_next(|side| is_watched || self.is_persons(side));
        match target {
            Some(moves) => self.go_to(moves),
            None => line("no move was taken back"),
        }
    }

    /// Goes to the position after so many moves. The program does not move there by itself: that would
    /// make an end of the moves that were taken back.
    fn go_to(&mut self, moves: usize) -> io::Result<()> {
        self.course.go_to(moves);
        self.board()?;
        let (played, all) = (self.course.played(), self.course.len());
        if played < all {
            line(format_args!(
                "after {played} of {}; redo and goto lead on",
                counted(all, "move", "moves")
            ))?;
        }
        let side = self.course.game().side();
        match self.course.game().is_over() || self.is_persons(side) {
            true => Ok(()),
            false => line(format_args!("{side} is the program's: go lets it move")),
        }
    }

    fn moves(&self) -> io::Result<()> {
        if self.course.played() == 0 {
            return line("no moves yet");
        }
        match transcript::write(self.course.game()) {
            Ok(moves) => line(moves),
            Err(error) => line(error),
        }
    }

    fn save(&mut self, to: &Save) -> io::Result<()> {
        let name = |side| {
            if self.is_persons(side) {
                "Player"
            } else {
                "Outflank"
            }
        };
        if let Err(error) = save::save(to, &self.files, self.course.record(), name) {
            return line(error);
        }
        self.saved = self.course.game().moves().collect();
        let (played, all) = (self.course.played(), self.course.len());
        let moves = counted(played, "move", "moves");
        let path = to.path.display();
        match all - played {
            0 => line(format_args!("{path}: {moves} saved")),
            left => line(format_args!(
                "{path}: {moves} saved, without {}",
                counted(left, "that was taken back", "that were taken back")
            )),
        }
    }

    /// Shows the board, and what the game came to where it is over.
    fn board(&self) -> io::Result<()> {
        let game = self.course.game();
        // Where there are no colours, their codes are left out.
        let mut stdout = anstream::stdout().lock();
        let last = game.moves().last();
        writeln!(stdout, "\n{}", board::draw(game.position(), last))?;
        stdout.flush()?;
        drop(stdout);
        let Some(score) = game.score() else {
            return Ok(());
        };
        match score {
            0 => line("The game is over: a draw.")?,
            1.. => line(format_args!("The game is over: black wins by {score}."))?,
            ..0 => line(format_args!("The game is over: white wins by {}.", -score))?,
        }
        self.moves()
    }
}

/// How far a position with so many empty squares was searched.
fn how_far(found: &SearchResult, empties: u32) -> String {
    match (found.depth, found.selectivity) {
        (depth, Selectivity::Full) if depth >= empties => "exact".to_owned(),
        (depth, selectivity) => {
            let depth = table::depth(depth, selectivity);
            format!("by {}", counted(depth.trim_end(), "ply", "plies"))
        }
    }
}
