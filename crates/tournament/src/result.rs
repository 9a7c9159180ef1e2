//! Results of games, as the log keeps them.

use outflank::notation::{self, Contents, Format, GameRecord, ggf};
use outflank::{Board, Side};
use serde::{Deserialize, Serialize};

use crate::fault::{EngineFault, FaultKind};
use crate::openings::transcript;
use crate::pairing::{EngineId, ScheduledGame};
use crate::referee::PlayedGame;

/// Loss of a game before its end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Forfeit {
    /// Engine that lost.
    pub by: EngineId,
    /// Fault that lost the game.
    #[serde(flatten)]
    pub fault: EngineFault,
}

/// Result of one game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameResult {
    /// Number of the pair, from 0. Both games of a pair have the same opening.
    pub pair: usize,
    /// Engine that has black: A in the first game of a pair.
    pub black: EngineId,
    /// Moves of the opening, as a transcript.
    pub opening: String,
    /// Final score in discs from A's side, -64..=64. A forfeit loses by 64.
    pub score: i32,
    /// Loss before the end of the game.
    pub forfeit: Option<Forfeit>,
    /// Largest excess over the limit by A and by B, in milliseconds.
    pub overstep_ms: [f64; 2],
    /// The game in GGF.
    pub ggf: String,
}

/// GGF properties that all games of a match share.
pub(crate) struct GgfHeading<'a> {
    /// Names of A and B.
    pub(crate) names: [String; 2],
    pub(crate) clock: Option<String>,
    /// Start of the match, as `DT`.
    pub(crate) date: &'a str,
}

impl GameResult {
    /// Canonical board after `moves` moves, or at the end of a shorter game; `None` if the GGF is unreadable.
    pub(crate) fn board_after(&self, moves: usize) -> Option<Board> {
        let mut records = notation::read(self.ggf.as_bytes(), Format::Ggf);
        let Contents::Game(record) = records.next()?.ok()?.contents else {
            return None;
        };
        let mut game = record.game;
        while game.moves().count() > moves {
            game.undo();
        }
        Some(game.board().canonical().0)
    }

    pub(crate) fn new(scheduled: &ScheduledGame, played: PlayedGame, heading: &GgfHeading) -> Self {
        let black_score = match (&played.forfeit, played.game.score()) {
            (Some((side, _)), _) => side.black_score(-64),
            (None, score) => score.expect("a game without a forfeit is over"),
        };
        let forfeit = played.forfeit.map(|(side, fault)| Forfeit {
            by: scheduled.engine(side),
            fault,
        });
        let ending = match &forfeit {
            None => "",
            Some(forfeit) if forfeit.fault.kind == FaultKind::Time => ":t",
            Some(_) => ":r",
        };
        let comment = forfeit
            .as_ref()
            .map(|Forfeit { by, fault }| format!("{by:?} loses {}: {fault}", fault.kind));
        let name = |side| heading.names[scheduled.engine(side) as usize].clone();
        let mut record = GameRecord::new(played.game);
        record.notes = played.notes;
        for (property, value) in [
            ("PC", Some("outflank match".to_owned())),
            ("DT", Some(heading.date.to_owned())),
            ("PB", Some(name(Side::Black))),
            ("PW", Some(name(Side::White))),
            ("RE", Some(format!("{black_score:+}.000{ending}"))),
            ("TI", heading.clock.clone()),
            ("TY", Some("8".to_owned())),
            ("CO", comment),
        ] {
            if let Some(value) = value {
                record.set(property, &value).expect("a valid property");
            }
        }
        let overstep = EngineId::ALL.map(|engine| played.overstep[scheduled.side(engine) as usize]);
        GameResult {
            pair: scheduled.pair,
            black: scheduled.black,
            opening: transcript(&scheduled.opening),
            score: scheduled.side(EngineId::A).black_score(black_score),
            forfeit,
            overstep_ms: overstep.map(|time| time.as_secs_f64() * 1000.0),
            ggf: ggf::write(&record),
        }
    }
}
