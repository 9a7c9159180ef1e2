//! Referee of one game between two engines.

use std::time::Duration;

use outflank::book::OpeningBook;
use outflank::notation::Note;
use outflank::{Game, Ply, Side};

use crate::driver::{Answer, Driver};
use crate::fault::{EngineFault, Failure, FaultKind};
use crate::limits::{Clock, GameLimits, seconds_rounded_up};

/// Finished or forfeited game.
pub(crate) struct PlayedGame {
    pub(crate) game: Game,
    /// One note for each ply.
    pub(crate) notes: Vec<Note>,
    /// Side that lost before the end, and its fault.
    pub(crate) forfeit: Option<(Side, EngineFault)>,
    /// Largest excess over the limit by black and by white.
    pub(crate) overstep: [Duration; 2],
}

impl PlayedGame {
    /// Game that is forfeited right after its opening.
    pub(crate) fn forfeited(opening: &Game, by: Side, fault: EngineFault) -> PlayedGame {
        PlayedGame {
            game: opening.clone(),
            notes: Vec::new(),
            forfeit: Some((by, fault)),
            overstep: [Duration::ZERO; 2],
        }
    }
}

/// Game in progress. Arrays have black's value first.
pub(crate) struct Referee<'a> {
    drivers: [&'a mut dyn Driver; 2],
    books: [Option<Box<dyn OpeningBook>>; 2],
    clocks: [Clock; 2],
    game: Game,
    notes: Vec<Note>,
}

impl<'a> Referee<'a> {
    /// Continues `opening`, which both engines know already. A book moves for its engine while it knows the position.
    pub(crate) fn new(
        drivers: [&'a mut dyn Driver; 2],
        books: [Option<Box<dyn OpeningBook>>; 2],
        opening: &Game,
        limits: GameLimits,
    ) -> Referee<'a> {
        Referee {
            drivers,
            books,
            clocks: [Clock::new(limits), Clock::new(limits)],
            game: opening.clone(),
            notes: vec![Note::default(); opening.plies().len()],
        }
    }

    /// Plays the game. The only error is [`Failure::Stopped`], with the side whose engine was asked last.
    pub(crate) fn play(mut self) -> Result<PlayedGame, (Side, Failure)> {
        let forfeit = match self.play_on() {
            Ok(()) => None,
            Err((side, Failure::Fault(fault))) => Some((side, fault)),
            Err(stopped) => return Err(stopped),
        };
        Ok(PlayedGame {
            overstep: self.clocks.map(|clock| clock.overstep),
            game: self.game,
            notes: self.notes,
            forfeit,
        })
    }

    fn play_on(&mut self) -> Result<(), (Side, Failure)> {
        while !self.game.is_over() {
            let side = self.game.side();
            if self.game.board().must_pass() {
                // Engines are not asked for forced passes.
                self.game.pass().expect("a pass is due");
                self.notes.push(Note::default());
                self.report(side, None, None, false)?;
            } else {
                self.turn(side)?;
            }
        }
        Ok(())
    }

    /// Reports a move to both engines.
    fn report(
        &mut self,
        side: Side,
        ply: Ply,
        time: Option<Duration>,
        is_own: bool,
    ) -> Result<(), (Side, Failure)> {
        for (to, is_own) in [(side, is_own), (side.other(), false)] {
            let reported = self.drivers[to as usize].report_move(side, ply, time, is_own);
            reported.map_err(|failure| (to, failure))?;
        }
        Ok(())
    }

    /// Plays a move of `side`, by its book or its engine.
    fn turn(&mut self, side: Side) -> Result<(), (Side, Failure)> {
        let blame = |failure| (side, failure);
        let number = self.game.moves().count() + 1;
        let clock = &mut self.clocks[side as usize];
        let book = self.books[side as usize].as_mut();
        let book_move = book.and_then(|book| book.choose(self.game.board()));
        let is_own = book_move.is_none();
        let Answer {
            ply, eval, time, ..
        } = match book_move {
            Some(book_move) => Answer {
                ply: book_move.ply,
                eval: Some(book_move.score.into()),
                nodes: None,
                time: Duration::ZERO,
            },
            None => self.drivers[side as usize]
                .choose_move(side, &clock.allowance())
                .map_err(blame)?,
        };
        clock.spend(time).map_err(|over| {
            let (over, time) = (over.as_secs_f64() * 1000.0, time.as_secs_f64());
            let message = format!("move {number} came {over:.0} ms too late, after {time:.3} s");
            blame(Failure::fault(FaultKind::Time, message))
        })?;
        let played = match ply {
            Some(square) => self.game.play(square),
            None => self.game.pass(),
        };
        played.map_err(|error| blame(Failure::fault(FaultKind::Illegal, error)))?;
        self.notes.push(Note {
            eval,
            seconds: Some(seconds_rounded_up(time)),
        });
        match self.game.is_over() {
            // Faults after the last move change nothing.
            true => Ok(()),
            false => self.report(side, ply, Some(time), is_own),
        }
    }
}
