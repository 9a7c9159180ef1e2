//! The protocol of NBoard, version 2 (C. Welty, "NBoard engine protocol").
//!
//! | command | what it does |
//! |---|---|
//! | `nboard 2` | answers `set myname Outflank` |
//! | `set depth N` | from now on searches as at level N ([`Limits::level`]): 0 to 60, more is as 60, less is an error |
//! | `set game GGF` | goes to the end of the game; its `TI` and the times of its moves are the clock's |
//! | `set contempt N` | nothing: a draw is a draw |
//! | `move F5/eval/time` | plays; evaluation and time may be missing, `PA` is a pass |
//! | `hint N` | tells the N best moves, `search ...`, deeper and deeper, in any time |
//! | `go` | answers `=== MOVE/eval/time`, and does not play the move |
//! | `ping N` | ends what was asked for, and answers `pong N` |
//! | `learn` | adds the positions of the game to the book, if there is one, while everything else goes on, and answers `learned` at the end |
//! | `analyze` | tells what every position of the game is worth, the last first, `analysis PLY EVAL` |
//! | `stop` | ours: ends any search; `go` answers what it has |
//! | `quit` | ours: the end, as that of the input |
//!
//! Other lines are passed over. A command that cannot be carried out changes nothing and is answered by
//! `status Error: ...`. While it thinks, the engine tells `status`, `nodestats NODES SECONDS` and
//! `search PV EVAL 0 DEPTH`, or `book PV EVAL 0 DEPTH` for a move that the book has, evaluations in discs for the side that is to move. A command that changes the
//! position, or asks for another search, ends the one that is running, of which nothing more is heard.

mod command;
mod report;

use std::io::{Read, Write};
use std::time::Instant;

use super::clock::{Clock, of_seconds};
use super::lines::{Line, MAX_BYTES};
use super::session::{News, Search};
use super::wires::{Event, Wires};
use super::{ServeError, SessionSettings, TO_END};
use crate::book::OpeningBook;
use crate::notation::ggf::Move;
use crate::notation::{GameRecord, Note};
use crate::search::{Engine, Limits, SearchResult, StopHandle, Strength};
use crate::{Game, Ply};
use command::Command;

/// Plays by what is read from `input`, until its end, by `book` and with the engine that `build` makes: it is given the
/// handle that is to stop it. Answers go to `output`, each at once.
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
pub fn serve<E: Send + 'static>(
    settings: SessionSettings,
    book: Box<dyn OpeningBook>,
    build: impl FnOnce(StopHandle) -> Result<Engine, E> + Send + 'static,
    input: impl Read + Send + 'static,
    output: impl Write,
) -> Result<(), ServeError<E>> {
    let mut player = Player {
        settings,
        book,
        wires: Wires::new(build, input, output),
        game: Game::new(),
        clocks: [None; 2],
        job: None,
        answered: None,
    };
    loop {
        match player.wires.next(true)? {
            Event::End => return player.leave(),
            Event::Line(Line::Text(text)) => match text.parse() {
                Ok(Command::Quit) => return player.leave(),
                Ok(command) => player.carry_out(command)?,
                Err(error) => player.complain(error)?,
            },
            Event::Line(Line::TooLong) => {
                player.complain(format_args!("a line has less than {MAX_BYTES} bytes"))?
            }
            Event::News(News::Report(found)) => player.tell(&found)?,
            Event::News(News::Done(found)) => player.end(&found)?,
            Event::Done(learnt) => player.learned(learnt)?,
        }
    }
}

/// What the engine searches for.
enum Job {
    /// `go`, at this time.
    Go(Instant),
    /// `hint`.
    Hint,
    /// `analyze`: the plies before the position that is searched.
    Analysis(usize),
    /// Nobody asked; what is found stays in the engine's memory.
    Ponder,
}

struct Player<W, E> {
    settings: SessionSettings,
    book: Box<dyn OpeningBook>,
    wires: Wires<W, E>,
    game: Game,
    /// Black's and white's.
    clocks: [Option<Clock>; 2],
    job: Option<Job>,
    /// What `go` was answered, as long as the position has not changed since.
    answered: Option<Ply>,
}

impl<W: Write, E: Send + 'static> Player<W, E> {
    fn carry_out(&mut self, command: Command) -> Result<(), ServeError<E>> {
        match command {
            Command::NBoard => self.wires.say("set myname Outflank")?,
            Command::Depth(level) => self.settings.strength = Some(Strength::Level(level)),
            Command::Nothing | Command::Quit => {}
            Command::Game(record) => {
                self.halt();
                self.set_game(*record);
            }
            Command::Move(played) => {
                self.halt();
                self.play(played)?;
            }
            Command::Hint(lines) => {
                self.halt();
                self.hint(lines)?;
            }
            Command::Go => {
                self.halt();
                self.go()?;
            }
            Command::Ping(number) => {
                // Of what nobody asked for, nothing is heard anyway: it may go on.
                if !matches!(self.job, Some(Job::Ponder)) {
                    self.halt();
                }
                self.wires.say(format_args!("pong {number}"))?;
            }
            Command::Learn => {
                let lesson = self.book.learn(&self.game);
                if !self.wires.carry_out(lesson) {
                    self.learned(Err(
                        "another game is being learnt: ask again later".to_owned()
                    ))?;
                }
            }
            Command::Analyze => {
                self.halt();
                self.wires.say("status Analyzing")?;
                self.analyze(self.game.plies().len());
            }
            Command::Stop => match self.job {
                Some(Job::Go(_)) => self.wires.session.stop(),
                _ => self.halt(),
            },
        }
        Ok(())
    }

    /// Tells that a game was learnt, or why it was not.
    fn learned(&mut self, learnt: Result<(), String>) -> Result<(), ServeError<E>> {
        if let Err(error) = learnt {
            self.complain(error)?;
        }
        self.wires.say("learned")
    }

    /// Ends with what is being learnt, which is not to be lost.
    fn leave(&mut self) -> Result<(), ServeError<E>> {
        self.halt();
        match self.wires.finish() {
            Some(learnt) => self.learned(learnt),
            None => Ok(()),
        }
    }

    /// Ends what is being searched, of which nothing more is told.
    fn halt(&mut self) {
        self.wires.session.halt();
        self.job = None;
    }

    fn complain(&mut self, error: impl std::fmt::Display) -> Result<(), ServeError<E>> {
        self.wires.say(format_args!("status Error: {error}"))
    }

    fn set_game(&mut self, record: GameRecord) {
        let clock = record.property("TI").and_then(Clock::ggf);
        self.clocks = [clock; 2];
        let positions = record.game.positions().iter();
        for ((_, note), &(_, side)) in record.noted_plies().zip(positions) {
            self.spend(side as usize, note);
        }
        if record.game.plies().is_empty() {
            self.wires.session.forget();
        }
        self.game = record.game;
        self.answered = None;
    }

    /// Takes from a player's clock what a ply took, where that is known.
    fn spend(&mut self, player: usize, note: Note) {
        if let (Some(clock), Some(taken)) =
            (&mut self.clocks[player], note.seconds.and_then(of_seconds))
        {
            clock.spend(taken);
        }
    }

    fn play(&mut self, Move { ply, note }: Move) -> Result<(), ServeError<E>> {
        let played = match ply {
            // The other side may say so, too.
            None if self.game.is_over() => Ok(()),
            None => self.game.pass(),
            Some(square) => self.game.play(square),
        };
        if let Err(error) = played {
            return self.complain(error);
        }
        self.spend(self.game.side().other() as usize, note);
        let own = self.answered.take() == Some(ply);
        if own && self.settings.ponder && !self.game.is_over() {
            self.begin(
                Job::Ponder,
                Search::untimed(self.game.board(), Limits::EXACT),
            );
        }
        Ok(())
    }

    fn hint(&mut self, lines: u32) -> Result<(), ServeError<E>> {
        let board = self.game.board();
        if board.is_game_over() {
            return self.wires.say("status The game is over");
        }
        let known = self.book.moves(board);
        for line in report::book(&known[..known.len().min(lines as usize)], board) {
            self.wires.say(line)?;
        }
        self.wires.say("status Thinking")?;
        let limits = self.settings.limits(board, TO_END);
        let search = Search::untimed(board, Limits { lines, ..limits });
        self.begin(Job::Hint, search);
        Ok(())
    }

    fn go(&mut self) -> Result<(), ServeError<E>> {
        let start = Instant::now();
        let (board, side) = self.game.position();
        if board.is_game_over() {
            return self.wires.say("status The game is over");
        }
        if board.must_pass() {
            let note = Note::default();
            return self.answer(Move { ply: None, note });
        }
        if let Some(chosen) = self.book.choose(board) {
            for line in report::book(&[chosen], board) {
                self.wires.say(line)?;
            }
            let note = Note {
                eval: Some(chosen.value.into()),
                seconds: Some(report::rounded(start.elapsed())),
            };
            let ply = chosen.ply;
            return self.answer(Move { ply, note });
        }
        self.wires.say("status Thinking")?;
        let clock = self.clocks[side as usize].as_ref();
        let search = self.settings.search(board, clock, start);
        self.begin(Job::Go(start), search);
        Ok(())
    }

    /// Searches the position after so many plies of the game, for `analyze`.
    fn analyze(&mut self, plies: usize) {
        let (board, _) = self.game.positions()[plies];
        let limits = self.settings.limits(board, Strength::default());
        self.begin(Job::Analysis(plies), Search::untimed(board, limits));
    }

    fn begin(&mut self, job: Job, search: Search) {
        self.wires.session.begin(search);
        self.job = Some(job);
    }

    /// Tells what is found so far.
    fn tell(&mut self, found: &SearchResult) -> Result<(), ServeError<E>> {
        let board = self.game.board();
        match self.job {
            Some(Job::Go(_) | Job::Hint) => {
                for line in report::searches(found, board) {
                    self.wires.say(line)?;
                }
                self.wires.say(report::nodes(found))
            }
            _ => Ok(()),
        }
    }

    /// Deals with what was found in the end.
    fn end(&mut self, found: &SearchResult) -> Result<(), ServeError<E>> {
        match self.job.take() {
            Some(Job::Go(start)) => {
                self.tell_nodes(found)?;
                let note = Note {
                    eval: Some(found.score.into()),
                    seconds: Some(report::rounded(start.elapsed())),
                };
                let ply = found.best();
                self.answer(Move { ply, note })?;
                self.wires.say("status Ready")
            }
            Some(Job::Hint) => {
                self.tell_nodes(found)?;
                self.wires.say("status Ready")
            }
            Some(Job::Analysis(plies)) => {
                self.wires
                    .say(format_args!("analysis {plies} {}", found.score))?;
                match plies.checked_sub(1) {
                    Some(plies) => {
                        self.analyze(plies);
                        Ok(())
                    }
                    None => self.wires.say("status Ready"),
                }
            }
            Some(Job::Ponder) | None => Ok(()),
        }
    }

    /// Tells how much was searched, unless the last report did.
    fn tell_nodes(&mut self, found: &SearchResult) -> Result<(), ServeError<E>> {
        match found.complete {
            true => Ok(()),
            false => self.wires.say(report::nodes(found)),
        }
    }

    fn answer(&mut self, chosen: Move) -> Result<(), ServeError<E>> {
        self.answered = Some(chosen.ply);
        self.wires.say(format_args!("=== {chosen}"))
    }
}
