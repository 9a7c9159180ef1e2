//! The protocol of NBoard, version 2 (C. Welty, "NBoard engine protocol").
//!
//! | command | what it does |
//! |---|---|
//! | `nboard 2` | answers `set myname Outflank` |
//! | `set depth N` | from now on searches as at level N ([`Limits::level`]): 0 to 60, more is as 60, less is an error |
//! | `set game GGF` | goes to the end of the game; its `TI`, or `TB` and `TW` for the sides, and the times of its moves are the clocks' |
//! | `set contempt N` | nothing: a draw is a draw |
//! | `move F5/eval/time` | plays; evaluation and time may be missing, `PA` is a pass |
//! | `hint N` | tells the N best moves, `search ...`, deeper and deeper, in any time |
//! | `go` | answers `=== MOVE/eval/time`, and does not play the move |
//! | `ping N` | ends what was asked for, and answers `pong N` |
//! | `learn` | adds the positions of the game to the book, if there is one, while everything else goes on, and answers `learned` at the end |
//! | `analyze` | tells what every position of the game is worth, the last first, `analysis PLY EVAL` |
//! | `stop` | ours: ends any search; `go` answers what it has |
//! | `quit` | ours: the end; it cuts a search short unless the input ends right behind it |
//!
//! The end of the input is the end of the program once all is answered. A `hint` that is to go on for ever then ends
//! at the level that moves are searched at without a clock, or at once where it is as deep.
//!
//! Other lines are passed over. A command that cannot be carried out changes nothing and is answered by
//! `status Error: ...`. While it thinks, the engine tells `status`, `nodestats NODES SECONDS` and
//! `search PV EVAL 0 DEPTH`, or `book PV EVAL 0 DEPTH` for a move that the book has, evaluations in discs for the side that is to move. A command that changes the
//! position, or asks for another search, ends the one that is running, of which nothing more is heard.

mod command;
mod report;

use std::io::{self, Read, Write};
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
use crate::text::counted;
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
        wires: Wires::new(build, input, output)?,
        game: Game::new(),
        clocks: [None; 2],
        job: None,
        answered: None,
        will_quit: false,
        is_cut: false,
    };
    loop {
        player.deal_with_next()?;
        if (player.will_quit || player.wires.has_ended()) && !player.is_asked() {
            return Ok(player.leave()?);
        }
    }
}

/// What the engine searches for.
enum Job {
    /// `go`, at this time.
    Go(Instant),
    /// `hint`, for so many moves.
    Hint(u32),
    /// `analyze`: the plies before the position that is searched.
    Analysis(usize),
    /// Nobody asked; what is found stays in the engine's memory.
    Ponder,
}

struct Player<W> {
    settings: SessionSettings,
    book: Box<dyn OpeningBook>,
    wires: Wires<W>,
    game: Game,
    /// Black's and white's.
    clocks: [Option<Clock>; 2],
    job: Option<Job>,
    /// What `go` was answered, as long as the position has not changed since.
    answered: Option<Ply>,
    /// `true` after a `quit` that came in during a search.
    will_quit: bool,
    /// `true` if the search that is running was told to end.
    is_cut: bool,
}

impl<W: Write> Player<W> {
    /// Waits for whatever happens next, and deals with it.
    fn deal_with_next(&mut self) -> io::Result<()> {
        match self.wires.next(true) {
            Event::Line(Line::Text(text)) => match text.parse() {
                // What stands behind a `quit` is not carried out.
                Ok(command) if !self.will_quit || matches!(command, Command::Stop) => {
                    self.carry_out(command)
                }
                Err(error) if !self.will_quit => self.complain(error),
                _ => Ok(()),
            },
            Event::Line(Line::TooLong) => {
                self.complain(format_args!("a line has less than {MAX_BYTES} bytes"))
            }
            Event::End => {
                self.limit_hint();
                Ok(())
            }
            Event::Impatience => {
                self.cut();
                Ok(())
            }
            Event::News(News::Report(found)) => self.tell(&found),
            Event::News(News::Done(found)) => self.end(&found),
            Event::Done(learnt) => self.learned(learnt),
        }
    }

    /// Returns `true` if something is searched that somebody asked for.
    fn is_asked(&self) -> bool {
        !matches!(self.job, None | Some(Job::Ponder))
    }

    /// Ends the running search soon. [`Player::end`] deals with what it has.
    fn cut(&mut self) {
        match self.is_asked() {
            true => {
                self.is_cut = true;
                self.wires.session.stop();
            }
            false => self.halt(),
        }
    }

    /// Limits an endless hint to the default level. A hint that is as deep already ends.
    fn limit_hint(&mut self) {
        if let (Some(Job::Hint(lines)), None) = (&self.job, self.settings.strength) {
            let (lines, board) = (*lines, self.game.board());
            let limits = self.settings.limits(board, Strength::default());
            let enough = limits.depth.min(board.empty_count());
            let is_enough = |found: &SearchResult| {
                found.depth >= enough && found.selectivity >= limits.selectivity
            };
            if self.wires.session.latest().is_some_and(is_enough) {
                return self.wires.session.stop();
            }
            self.begin(
                Job::Hint(lines),
                Search::untimed(board, Limits { lines, ..limits }),
            );
        }
    }

    fn carry_out(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::NBoard => self.wires.say("set myname Outflank")?,
            Command::Depth(level) => self.settings.strength = Some(Strength::Level(level)),
            Command::Nothing => {}
            Command::Quit => {
                self.will_quit = true;
                self.wires.await_end();
            }
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
            Command::Stop => self.cut(),
        }
        Ok(())
    }

    /// Tells that a game was learnt, or why it was not.
    fn learned(&mut self, learnt: Result<(), String>) -> io::Result<()> {
        if let Err(error) = learnt {
            self.complain(error)?;
        }
        self.wires.say("learned")
    }

    /// Ends with what is being learnt, which is not to be lost.
    fn leave(&mut self) -> io::Result<()> {
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

    fn complain(&mut self, error: impl std::fmt::Display) -> io::Result<()> {
        self.wires.say(format_args!("status Error: {error}"))
    }

    fn set_game(&mut self, record: GameRecord) {
        self.clocks = clocks(&record);
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

    fn play(&mut self, Move { ply, note }: Move) -> io::Result<()> {
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

    fn hint(&mut self, lines: u32) -> io::Result<()> {
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
        self.begin(Job::Hint(lines), search);
        Ok(())
    }

    fn go(&mut self) -> io::Result<()> {
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
        self.is_cut = false;
    }

    /// Tells what is found so far.
    fn tell(&mut self, found: &SearchResult) -> io::Result<()> {
        let board = self.game.board();
        match self.job {
            Some(Job::Go(_) | Job::Hint(_)) => {
                for line in report::searches(found, board) {
                    self.wires.say(line)?;
                }
                self.wires.say(report::nodes(found))
            }
            _ => Ok(()),
        }
    }

    /// Deals with what was found in the end.
    fn end(&mut self, found: &SearchResult) -> io::Result<()> {
        match self.job.take() {
            Some(Job::Go(start)) => {
                self.tell_nodes(found)?;
                let note = Note {
                    eval: Some(found.score.into()),
                    seconds: Some(report::rounded(start.elapsed())),
                };
                let ply = found.best();
                self.tell_cut(found)?;
                self.answer(Move { ply, note })?;
                self.wires.say("status Ready")
            }
            Some(Job::Hint(_)) => {
                self.tell_nodes(found)?;
                self.tell_cut(found)?;
                self.wires.say("status Ready")
            }
            // The score of a position is told where the search of it was not cut.
            Some(Job::Analysis(_)) if self.is_cut && !found.complete => {
                self.tell_cut(found)?;
                self.wires.say("status Ready")
            }
            Some(Job::Analysis(plies)) => {
                self.wires
                    .say(format_args!("analysis {plies} {}", found.score))?;
                match plies.checked_sub(1) {
                    Some(plies) => {
                        let is_cut = self.is_cut;
                        self.analyze(plies);
                        if is_cut {
                            self.cut();
                        }
                        Ok(())
                    }
                    None => self.wires.say("status Ready"),
                }
            }
            Some(Job::Ponder) | None => Ok(()),
        }
    }

    /// Tells that the search was cut short, and after how many plies, if it was.
    fn tell_cut(&mut self, found: &SearchResult) -> io::Result<()> {
        match self.is_cut && !found.complete {
            true => {
                let depth = counted(found.depth, "ply", "plies");
                self.wires
                    .say(format_args!("status Cut short after {depth}"))
            }
            false => Ok(()),
        }
    }

    /// Tells how much was searched, unless the last report did.
    fn tell_nodes(&mut self, found: &SearchResult) -> io::Result<()> {
        match found.complete {
            true => Ok(()),
            false => self.wires.say(report::nodes(found)),
        }
    }

    fn answer(&mut self, chosen: Move) -> io::Result<()> {
        self.answered = Some(chosen.ply);
        self.wires.say(format_args!("=== {chosen}"))
    }
}

/// Black's and white's clock in a game, each by `TB` or `TW` if the game has it, else by `TI`.
fn clocks(record: &GameRecord) -> [Option<Clock>; 2] {
    ["TB", "TW"].map(|own| {
        let time = record.property(own).or_else(|| record.property("TI"));
        time.and_then(Clock::ggf)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::ggf;
    use std::time::Duration;

    #[test]
    fn each_side_has_its_own_clock() {
        let clock = |seconds| Some(Clock::new(Duration::from_secs(seconds), Duration::ZERO));
        for (times, expected) in [
            ("TB[00:01]TW[05:00]", [clock(1), clock(300)]),
            ("TI[15:00]", [clock(900); 2]),
            ("TI[15:00]TW[00:07]", [clock(900), clock(7)]),
            ("TW[00:07]TB[2]TI[15:00]", [clock(120), clock(7)]),
            ("TB[00:01]", [clock(1), None]),
            ("TI[15:00]TB[?]", [None, clock(900)]),
            ("", [None; 2]),
        ] {
            let game = format!("(;GM[Othello]PB[a]PW[b]{times}TY[8]B[F5]W[F6];)");
            let read = ggf::read(game.as_bytes()).next();
            let record = read.expect("a game").expect("it can be read").record;
            assert_eq!(clocks(&record), expected, "{times}");
        }
    }
}
