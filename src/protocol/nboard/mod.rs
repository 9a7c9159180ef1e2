//! The protocol of NBoard, version 2 (C. Welty, "NBoard engine protocol").
//!
//! | command | effect |
//! |---|---|
//! | `nboard 2` | answers `set myname Outflank` |
//! | `set depth N` | sets level N ([`Limits::level`]) of later searches |
//! | `set game GGF` | goes to the end of a game and sets the clocks |
//! | `set contempt N` | is ignored |
//! | `move F5/eval/time` | plays a move, or a pass (`PA`); evaluation and time are optional |
//! | `hint N` | searches deeper and deeper and reports the N best moves |
//! | `go` | answers `=== MOVE/eval/time`, and does not play the move |
//! | `ping N` | cancels the search and answers `pong N` |
//! | `learn` | adds the game to the book in the background, then answers `learned` |
//! | `analyze` | answers `analysis PLY EVAL` for every position of the game, the last one first |
//! | `stop` | extension: ends the search; `go` answers the best move so far |
//! | `quit` | extension: ends the program |
//!
//! A search writes lines `status`, `nodestats NODES SECONDS` and `search PV EVAL 0 DEPTH`. A book move has a line
//! `book PV EVAL 0 DEPTH`. Evaluations are in discs for the side to move. A command that changes the position or begins
//! a search cancels the running one.
//!
//! Levels over 60 are clamped; negative ones are errors. Other lines are ignored. A malformed command changes nothing
//! and is answered by `status Error: ...`.
//!
//! The clocks of a game come from `TB` and `TW`, else from `TI`, less the times of its moves.
//!
//! A `quit` cuts a running search short, unless the input ends right after it. The program also ends once the input has
//! ended and all commands are answered. An endless `hint` then ends at the default level.

mod clocks;
mod command;
mod report;

use std::fmt::Display;
use std::io::{self, Read, Write};
use std::time::Instant;

use super::channels::{Channels, Event};
use super::clock::{Clock, duration_from_seconds};
use super::session::{SearchEvent, SearchRequest};
use super::{ServeError, SessionSettings, TO_END};
use crate::book::OpeningBook;
use crate::notation::ggf::GgfMove;
use crate::notation::{GameRecord, Note};
use crate::search::{Engine, Limits, SearchResult, StopHandle, Strength};
use crate::{Game, Ply, Side};
use clocks::clocks;
use command::Command;
use outflank_support::lines::{Line, MAX_BYTES};
use outflank_support::text::plural;

/// Serves the commands of `input` until its end or a `quit`. Answers go to `output` without delay.
///
/// Moves come from `book` first, then from the engine. `build` receives the engine's stop handle.
///
/// ```
/// use outflank::Engine;
/// use outflank::protocol::{SessionSettings, nboard};
///
/// let build = |stop| Engine::builder().hash_mib(1).stop_handle(stop).build();
/// let mut answers = Vec::new();
/// nboard::serve(SessionSettings::default(), Box::new(()), build, &b"nboard 2\nmove F5\nping 7\n"[..], &mut answers)?;
/// assert_eq!(String::from_utf8(answers)?, "set myname Outflank\npong 7\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn serve<E>(
    settings: SessionSettings,
    book: Box<dyn OpeningBook>,
    build: impl FnOnce(StopHandle) -> Result<Engine, E>,
    input: impl Read + Send + 'static,
    output: impl Write,
) -> Result<(), ServeError<E>> {
    let mut server = NBoardServer {
        settings,
        book,
        channels: Channels::new(build, input, output)?,
        game: Game::new(),
        clocks: [None; 2],
        job: None,
        answered: None,
        will_quit: false,
        is_cut_short: false,
    };
    loop {
        server.handle_next()?;
        if (server.will_quit || server.channels.has_ended()) && !server.has_request() {
            return Ok(server.end_session()?);
        }
    }
}

/// Purpose of the running search.
enum Job {
    /// `go`, requested at this time.
    Go(Instant),
    /// `hint`, with its number of moves.
    Hint(u32),
    /// `analyze`, with the number of plies before the searched position.
    Analysis(usize),
    /// Thinking on the opponent's time. It fills the transposition table and writes nothing.
    Ponder,
}

struct NBoardServer<W> {
    settings: SessionSettings,
    book: Box<dyn OpeningBook>,
    channels: Channels<W>,
    game: Game,
    /// Clocks of black and white.
    clocks: [Option<Clock>; 2],
    job: Option<Job>,
    /// Last answer to `go`. Cleared when a move is played or a game is set.
    answered: Option<Ply>,
    /// `true` after a `quit`. The session ends once the running command is answered.
    will_quit: bool,
    /// `true` if the running search was told to end.
    is_cut_short: bool,
}

impl<W: Write> NBoardServer<W> {
    /// Waits for the next event and handles it.
    fn handle_next(&mut self) -> io::Result<()> {
        match self.channels.next(true) {
            Event::Line(Line::Text(text)) => match text.parse() {
                // Only `stop` is executed behind a `quit`.
                Ok(command) if !self.will_quit || matches!(command, Command::Stop) => {
                    self.execute(command)
                }
                Err(error) if !self.will_quit => self.report_error(error),
                _ => Ok(()),
            },
            Event::Line(Line::TooLong) => {
                self.report_error(format_args!("a line has less than {MAX_BYTES} bytes"))
            }
            Event::End => {
                self.limit_hint();
                Ok(())
            }
            Event::QuitTimeout => {
                self.cut_short();
                Ok(())
            }
            Event::Search(SearchEvent::Report(result)) => self.report(&result),
            Event::Search(SearchEvent::Done(result)) => self.finish(&result),
            Event::TaskDone(result) => self.report_learned(result),
        }
    }

    /// Returns `true` if a command waits for the running search.
    fn has_request(&self) -> bool {
        !matches!(self.job, None | Some(Job::Ponder))
    }

    /// Ends the running search soon. [`NBoardServer::finish`] handles its result.
    fn cut_short(&mut self) {
        match self.has_request() {
            true => {
                self.is_cut_short = true;
                self.channels.session.stop();
            }
            false => self.cancel(),
        }
    }

    /// Limits an endless hint to the default level. A hint that has reached this level ends.
    fn limit_hint(&mut self) {
        if let (Some(Job::Hint(lines)), None) = (&self.job, self.settings.strength) {
            let (lines, board) = (*lines, self.game.board());
            let limits = self.settings.limits(board, Strength::default());
            let depth = limits.depth.min(board.empty_count());
            let reaches_level = |report: &SearchResult| {
                report.depth >= depth && report.selectivity >= limits.selectivity
            };
            if self.channels.session.latest().is_some_and(reaches_level) {
                return self.channels.session.stop();
            }
            let search = SearchRequest::untimed(board, Limits { lines, ..limits });
            self.begin(Job::Hint(lines), search);
        }
    }

    fn execute(&mut self, command: Command) -> io::Result<()> {
        if command.cancels_search() {
            self.cancel();
        }
        match command {
            Command::NBoard => self.write("set myname Outflank")?,
            Command::Depth(level) => self.settings.strength = Some(Strength::Level(level)),
            Command::Ignored => {}
            Command::Quit => {
                self.will_quit = true;
                self.channels.start_quit_timeout();
            }
            Command::Game(record) => self.set_game(*record),
            Command::Move(played) => self.play(played)?,
            Command::Hint(lines) => self.hint(lines)?,
            Command::Go => self.go()?,
            Command::Ping(number) => {
                // Pondering writes nothing and may go on.
                if !matches!(self.job, Some(Job::Ponder)) {
                    self.cancel();
                }
                self.write(format_args!("pong {number}"))?;
            }
            Command::Learn => {
                let task = self.book.learn(&self.game);
                if !self.channels.run_task(task) {
                    let busy = "another game is being learnt: ask again later";
                    self.report_learned(Err(busy.to_owned()))?;
                }
            }
            Command::Analyze => {
                self.write("status Analyzing")?;
                self.analyze(self.game.plies().len());
            }
            Command::Stop => self.cut_short(),
        }
        Ok(())
    }

    /// Answers `learn`. An error is reported first.
    fn report_learned(&mut self, result: Result<(), String>) -> io::Result<()> {
        if let Err(error) = result {
            self.report_error(error)?;
        }
        self.write("learned")
    }

    /// Cancels the search and waits for the learning task, so that its game is not lost.
    fn end_session(&mut self) -> io::Result<()> {
        self.cancel();
        match self.channels.finish_task() {
            Some(result) => self.report_learned(result),
            None => Ok(()),
        }
    }

    /// Cancels the running search without an answer.
    fn cancel(&mut self) {
        self.channels.session.cancel();
        self.job = None;
    }

    fn report_error(&mut self, error: impl Display) -> io::Result<()> {
        self.write(format_args!("status Error: {error}"))
    }

    fn set_game(&mut self, record: GameRecord) {
        self.clocks = clocks(&record);
        let positions = record.game.positions().iter();
        for ((_, note), &(_, side)) in record.noted_plies().zip(positions) {
            self.spend(side, note);
        }
        if record.game.plies().is_empty() {
            self.channels.session.clear();
            self.settings.begin_game();
        }
        self.game = record.game;
        self.answered = None;
    }

    /// Subtracts the time of a ply, if known, from the clock of `side`.
    fn spend(&mut self, side: Side, note: Note) {
        let taken = note.seconds.and_then(duration_from_seconds);
        if let (Some(clock), Some(taken)) = (&mut self.clocks[side as usize], taken) {
            clock.spend(taken);
        }
    }

    fn play(&mut self, GgfMove { ply, note }: GgfMove) -> io::Result<()> {
        let played = match ply {
            // Both programs may pass at the end of the game.
            None if self.game.is_over() => Ok(()),
            None => self.game.pass(),
            Some(square) => self.game.play(square),
        };
        if let Err(error) = played {
            return self.report_error(error);
        }
        self.spend(self.game.side().other(), note);
        let is_answer = self.answered.take() == Some(ply);
        if is_answer && self.settings.ponder && !self.game.is_over() {
            let search = SearchRequest::untimed(self.game.board(), Limits::EXACT);
            self.begin(Job::Ponder, search);
        }
        Ok(())
    }

    fn hint(&mut self, lines: u32) -> io::Result<()> {
        let board = self.game.board();
        if board.is_game_over() {
            return self.write("status The game is over");
        }
        let known = self.book.moves(board);
        for line in report::book(&known[..known.len().min(lines as usize)], board) {
            self.write(line)?;
        }
        self.write("status Thinking")?;
        let limits = self.settings.limits(board, TO_END);
        let search = SearchRequest::untimed(board, Limits { lines, ..limits });
        self.begin(Job::Hint(lines), search);
        Ok(())
    }

    fn go(&mut self) -> io::Result<()> {
        let start = Instant::now();
        let (board, side) = self.game.position();
        if board.is_game_over() {
            return self.write("status The game is over");
        }
        if board.must_pass() {
            return self.answer(None, Note::default());
        }
        if let Some(chosen) = self.book.choose(board) {
            for line in report::book(&[chosen], board) {
                self.write(line)?;
            }
            return self.answer(chosen.ply, report::note(chosen.score, start));
        }
        self.write("status Thinking")?;
        let clock = self.clocks[side as usize].as_ref();
        let search = self.settings.search(board, clock, start);
        self.begin(Job::Go(start), search);
        Ok(())
    }

    /// Searches the position after `plies` plies of the game, for `analyze`.
    fn analyze(&mut self, plies: usize) {
        let (board, _) = self.game.positions()[plies];
        let limits = self.settings.limits(board, Strength::default());
        self.begin(Job::Analysis(plies), SearchRequest::untimed(board, limits));
    }

    fn begin(&mut self, job: Job, search: SearchRequest) {
        self.channels.session.begin(search);
        self.job = Some(job);
        self.is_cut_short = false;
    }

    /// Writes the result of a finished iteration.
    fn report(&mut self, result: &SearchResult) -> io::Result<()> {
        let board = self.game.board();
        match self.job {
            // The best line is no hint at the move that a weaker player draws.
            Some(Job::Go(_)) if self.settings.is_weaker() => self.write(report::nodes(result)),
            Some(Job::Go(_) | Job::Hint(_)) => {
                for line in report::searches(result, board) {
                    self.write(line)?;
                }
                self.write(report::nodes(result))
            }
            _ => Ok(()),
        }
    }

    /// Handles the final result of a search.
    fn finish(&mut self, result: &SearchResult) -> io::Result<()> {
        let Some(job) = self.job.take().filter(|job| !matches!(job, Job::Ponder)) else {
            return Ok(());
        };
        let is_incomplete = self.is_cut_short && !result.complete;
        match job {
            // A search that was cut short has no score to report.
            Job::Analysis(plies) if !is_incomplete => {
                self.write(format_args!("analysis {plies} {}", result.score))?;
                if let Some(plies) = plies.checked_sub(1) {
                    let is_cut_short = self.is_cut_short;
                    self.analyze(plies);
                    if is_cut_short {
                        self.cut_short();
                    }
                    return Ok(());
                }
            }
            // The last report of a complete search has the nodes.
            Job::Go(_) | Job::Hint(_) if !result.complete => self.write(report::nodes(result))?,
            _ => {}
        }
        if is_incomplete {
            let depth = plural(result.depth, "ply", "plies");
            self.write(format_args!("status Cut short after {depth}"))?;
        }
        if let Job::Go(start) = job {
            let (board, side) = self.game.position();
            let (ply, score) = self.settings.choose(board, side, result);
            self.answer(ply, report::note(score, start))?;
        }
        self.write("status Ready")
    }

    /// Answers a `go`.
    fn answer(&mut self, ply: Ply, note: Note) -> io::Result<()> {
        self.answered = Some(ply);
        self.write(format_args!("=== {}", GgfMove { ply, note }))
    }

    fn write(&mut self, line: impl Display) -> io::Result<()> {
        self.channels.write_line(line)
    }
}
