//! One game between two engines.

use std::time::Duration;

use super::control::{Clock, Rules};
use super::fault::{Fault, Kind, Trouble};
use super::nboard::rounded;
use super::player::{Answer, Player};
use outflank::book::OpeningBook;
use outflank::notation::Note;
use outflank::{Game, Side};
use outflank_book::BookPlayer;

/// A game that was played.
pub(super) struct Played {
    pub(super) game: Game,
    /// One for each ply.
    pub(super) notes: Vec<Note>,
    /// Who lost it before its end, and by what.
    pub(super) forfeit: Option<(Side, Fault)>,
    /// By how much black and white overstepped their limits at most.
    pub(super) overstep: [Duration; 2],
}

/// The match was stopped.
pub(super) struct Stopped;

/// Lets black and white play on from `opening`, which both know. What the book of a side knows, its engine is not asked.
pub(super) fn play(
    players: [&mut dyn Player; 2],
    books: [Option<BookPlayer>; 2],
    opening: &Game,
    rules: Rules,
) -> Result<Played, Stopped> {
    let mut table = Table {
        players,
        books,
        clocks: [Clock::new(rules), Clock::new(rules)],
        game: opening.clone(),
        notes: vec![Note::default(); opening.plies().len()],
    };
    let forfeit = match table.play() {
        Ok(()) => None,
        Err((side, Trouble::Fault(fault))) => Some((side, fault)),
        Err((_, Trouble::Stopped)) => return Err(Stopped),
    };
    Ok(Played {
        overstep: table.clocks.map(|clock| clock.overstep),
        game: table.game,
        notes: table.notes,
        forfeit,
    })
}

/// Where a game is played.
struct Table<'a> {
    /// Black and white.
    players: [&'a mut dyn Player; 2],
    books: [Option<BookPlayer>; 2],
    clocks: [Clock; 2],
    game: Game,
    notes: Vec<Note>,
}

impl Table<'_> {
    /// Plays to the end, or until a side has lost otherwise.
    fn play(&mut self) -> Result<(), (Side, Trouble)> {
        while !self.game.is_over() {
            match self.game.board().must_pass() {
                true => self.pass()?,
                false => self.turn()?,
            }
        }
        Ok(())
    }

    /// The pass that the rules demand: nobody is asked, and both are told.
    fn pass(&mut self) -> Result<(), (Side, Trouble)> {
        let side = self.game.side();
        self.game.pass().expect("a pass is due");
        self.notes.push(Note::default());
        for to in [side, side.other()] {
            let told = self.players[to as usize].played(side, None, None, false);
            told.map_err(|trouble| (to, trouble))?;
        }
        Ok(())
    }

    /// The move of the side that is to move.
    fn turn(&mut self) -> Result<(), (Side, Trouble)> {
        let side = self.game.side();
        let number = self.game.moves().count() + 1;
        let clock = &mut self.clocks[side as usize];
        let book = self.books[side as usize].as_mut();
        let known = book.and_then(|book| book.choose(self.game.board()));
        let by_book = known.map(|known| Answer {
            ply: known.ply,
            eval: Some(known.value.into()),
            taken: Duration::ZERO,
        });
        let is_asked = by_book.is_none();
        let answer = match by_book {
            Some(answer) => Ok(answer),
            None => self.players[side as usize].choose(side, &clock.allowance()),
        };
        let Answer { ply, eval, taken } = answer.map_err(|trouble| (side, trouble))?;
        clock.spend(taken).map_err(|over| {
            let (over, taken) = (over.as_secs_f64() * 1000.0, taken.as_secs_f64());
            let told = format!("move {number} came {over:.0} ms too late, after {taken:.3} s");
            (side, Trouble::of(Kind::Time, told))
        })?;
        let made = match ply {
            Some(square) => self.game.play(square),
            None => self.game.pass(),
        };
        made.map_err(|error| (side, Trouble::of(Kind::Illegal, error)))?;
        self.notes.push(Note {
            eval,
            seconds: Some(rounded(taken)),
        });
        if self.game.is_over() {
            // Whatever happens now changes nothing.
            return Ok(());
        }
        for (to, own) in [(side, is_asked), (side.other(), false)] {
            let told = self.players[to as usize].played(side, ply, Some(taken), own);
            told.map_err(|trouble| (to, trouble))?;
        }
        Ok(())
    }
}
