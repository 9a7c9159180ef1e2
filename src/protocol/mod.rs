//! Protocols through which other programs use the engine: lines of text over a pipe.
//!
//! - [`gtp`]: the Go Text Protocol, version 2, for GoGui, gogui-twogtp and referees.
//! - [`nboard`]: the protocol of NBoard, version 2, made for Othello.
//!
//! The engine and the reader of the input have their own threads, so commands are noticed during a search.

mod channels;
mod clock;
pub mod gtp;
pub mod nboard;
mod session;

use std::io;
use std::time::Instant;

use crate::board::Board;
use crate::search::{Limits, SearchResult, Selectivity, Strength};
use crate::side::Side;
use crate::skill::SkillPlayer;
use crate::square::Ply;
use clock::Clock;
use session::SearchRequest;

/// Settings that no protocol command covers.
#[derive(Clone, Default, Debug)]
pub struct SessionSettings {
    /// Strength of the searches. With `None`, a search goes as far as the clock allows; without a clock it has
    /// [`Strength::default`].
    pub strength: Option<Strength>,
    /// Player that draws the moves, for weaker play. Moves are then searched as its skill says, whatever `strength` is.
    pub skill: Option<SkillPlayer>,
    /// Seed of openings that [`gtp`] draws on request.
    pub opening_seed: u64,
    /// `true` to think on the opponent's time.
    pub ponder: bool,
    /// `true` to write remarks about answers to standard error, for example that a search was cut short. Only [`gtp`]
    /// writes remarks, since its answers have no place for them.
    pub remarks: bool,
    /// `true` to show the progress of searches as GoGui's live graphics on standard error. Only [`gtp`] uses it.
    pub live_graphics: bool,
    /// `true` to add each game to the book when it is over. Only [`gtp`] uses it; [`nboard`] has a command.
    pub learn_games: bool,
}

impl SessionSettings {
    /// Limits for a search of `board`, without a time limit. `default` applies if no strength is set.
    fn limits(&self, board: Board, default: Strength) -> Limits {
        let limits = self.strength.unwrap_or(default).limits(board.empty_count());
        Limits {
            // A search of depth 0 has no move.
            depth: limits.depth.max(1),
            ..limits
        }
    }

    /// Creates the search for a move that was requested at `start`.
    fn search(&self, board: Board, clock: Option<&Clock>, start: Instant) -> SearchRequest {
        let limits = match (&self.skill, clock) {
            (Some(player), _) => player.limits(board),
            (None, Some(_)) => self.limits(board, TO_END),
            (None, None) => self.limits(board, Strength::default()),
        };
        let mut request = SearchRequest::untimed(board, limits);
        if board.mobility().count_ones() == 1 {
            request.limits.depth = request.limits.depth.min(FORCED_DEPTH);
        }
        match clock {
            Some(clock) => clock.budget(board.empty_count()).limit(start, request),
            None => request,
        }
    }

    /// Returns `true` if moves are weaker on purpose.
    fn is_weaker(&self) -> bool {
        let player = self.skill.as_ref();
        player.is_some_and(|player| !player.skill().is_unlimited())
    }

    /// Makes the weaker player forget the losses of the game before.
    fn begin_game(&mut self) {
        if let Some(player) = &mut self.skill {
            player.begin_game();
        }
    }

    /// Chooses the move of `side` after its search. Returns it with its score.
    fn choose(&mut self, board: Board, side: Side, result: &SearchResult) -> (Ply, i32) {
        let player = self.skill.as_mut();
        match player.and_then(|player| player.choose(board, side, result)) {
            Some(chosen) => (chosen.ply, chosen.score),
            None => (result.best(), result.score),
        }
    }
}

/// Exact search to the end of the game.
const TO_END: Strength = Strength::Depth(Limits::EXACT.depth, Selectivity::Full);

/// Depth limit for a forced move, whose score changes nothing.
const FORCED_DEPTH: u32 = 6;

/// Error that ended a session early. The enum is exhaustive, so that callers get their own error back by a match.
#[derive(Debug, thiserror::Error)]
pub enum ServeError<E> {
    /// The engine could not be built.
    #[error(transparent)]
    Engine(E),
    /// An answer could not be written.
    #[error("cannot write an answer: {0}")]
    Output(#[from] io::Error),
}
