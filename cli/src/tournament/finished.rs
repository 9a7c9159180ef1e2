//! A game that was played, as it is kept.

use serde::{Deserialize, Serialize};

use super::contestant::Contestant;
use super::control::Control;
use super::fault::{Fault, Kind};
use super::nboard::ggf_time;
use super::openings::moves;
use super::referee::Played;
use super::schedule::Task;
use outflank::notation::{self, Contents, Format, GameRecord, ggf};
use outflank::{Board, Side};

/// The place of an engine in a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Seat {
    /// The first one.
    A,
    /// The second one.
    B,
}

impl Seat {
    /// Both.
    pub(crate) const ALL: [Seat; 2] = [Seat::A, Seat::B];

    /// The other one.
    pub(crate) const fn other(self) -> Seat {
        match self {
            Seat::A => Seat::B,
            Seat::B => Seat::A,
        }
    }
}

/// A game that was lost before its end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Forfeit {
    /// By this engine,
    pub(crate) by: Seat,
    /// which did this.
    #[serde(flatten)]
    pub(crate) fault: Fault,
}

/// A game that was played, and how it ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Finished {
    /// The number of its pair, from 0: both of a pair have the same opening.
    pub(crate) pair: usize,
    /// Who had black. In a pair, A has it first.
    pub(crate) black: Seat,
    /// The moves of the opening, as a transcript.
    pub(crate) opening: String,
    /// What the game came to, in discs from A's side, -64..=64; a game that was lost before its end is
    /// lost by 64.
    pub(crate) score: i32,
    /// How it was lost before its end, if it was.
    pub(crate) forfeit: Option<Forfeit>,
    /// By how many milliseconds A and B overstepped their limits at most.
    pub(crate) overstep_ms: [f64; 2],
    /// The game in GGF.
    pub(crate) ggf: String,
}

/// What a game's record says of its match.
pub(super) struct Heading<'a> {
    /// A and B.
    pub(super) contestants: [&'a Contestant; 2],
    /// What limited them.
    pub(super) control: Control,
    /// When it was played, as GGF's `DT` has it.
    pub(super) date: &'a str,
}

impl Finished {
    /// The board after so many moves of the game, or at its end if that comes before, as [`Board::canonical`] has it.
    pub(super) fn board_after(&self, moves: usize) -> Option<Board> {
        let record = notation::read(self.ggf.as_bytes(), Format::Ggf)
            .next()?
            .ok()?;
        let Contents::Game(record) = record.contents else {
            return None;
        };
        let mut game = record.game;
        while game.moves().count() > moves {
            game.undo();
        }
        Some(game.board().canonical().0)
    }

    /// The game of this task, as it was played.
    pub(super) fn of(task: &Task, played: Played, heading: &Heading) -> Finished {
        let black_score = match (&played.forfeit, played.game.score()) {
            (Some((side, _)), _) => side.black_score(-64),
            (None, score) => score.expect("it was played to the end"),
        };
        let forfeit = played.forfeit.map(|(side, fault)| Forfeit {
            by: task.seat(side),
            fault,
        });
        let overstep_ms =
            Seat::ALL.map(|seat| played.overstep[task.side(seat) as usize].as_secs_f64() * 1000.0);
        let mut record = GameRecord::new(played.game);
        record.notes = played.notes;
        let result = match &forfeit {
            None => format!("{black_score:+}.000"),
            Some(forfeit) if forfeit.fault.kind == Kind::Time => format!("{black_score:+}.000:t"),
            Some(_) => format!("{black_score:+}.000:r"),
        };
        let told = forfeit
            .as_ref()
            .map(|Forfeit { by, fault }| format!("{by:?} loses {}: {fault}", fault.kind));
        for (name, value) in [
            ("PC", Some("outflank match".to_owned())),
            ("DT", Some(heading.date.to_owned())),
            ("PB", Some(heading.name(task.seat(Side::Black)))),
            ("PW", Some(heading.name(task.seat(Side::White)))),
            ("RE", Some(result)),
            ("TI", ggf_time(&heading.control)),
            ("TY", Some("8".to_owned())),
            ("CO", told),
        ] {
            if let Some(value) = value {
                record.set(name, &value).expect("a name of a property");
            }
        }
        Finished {
            pair: task.pair,
            black: task.black,
            opening: moves(&task.opening),
            score: task.side(Seat::A).black_score(black_score),
            forfeit,
            overstep_ms,
            ggf: ggf::write(&record),
        }
    }
}

impl Heading<'_> {
    /// What an engine is called, so that it is not taken for the other.
    fn name(&self, seat: Seat) -> String {
        let [a, b] = self.contestants.map(|one| one.name.as_str());
        let contestant = self.contestants[seat as usize];
        match contestant.name.as_str() {
            "" => contestant.command.clone(),
            name if a == b => format!("{name} ({seat:?})"),
            name => name.to_owned(),
        }
    }
}
