//! The protocols by which other programs play with the engine, as lines of text over a pipe.
//!
//! - [`gtp`]: the Go Text Protocol, version 2, for GoGui, gogui-twogtp and referees of many games.
//! - [`nboard`]: the protocol of NBoard, version 2, which is made for Othello.
//! - `session`: an engine on its own thread; `lines`: input on another. Between them a third one, which
//!   called, hears both and waits for neither.
//! - `clock`: how much time a move gets.

mod clock;
pub mod gtp;
pub mod lines;
pub mod nboard;
mod session;
mod wires;

use std::io;
use std::time::Instant;

use crate::board::Board;
use crate::search::{Limits, Selectivity, Strength};
use clock::Clock;
use session::Search;

/// What an engine behind a protocol is to do where the protocol leaves it open.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SessionSettings {
    /// How far it searches for a move; without it as far as the time goes, and [`Strength::default`]
    /// where that is not limited.
    pub strength: Option<Strength>,
    /// Whether it thinks while its opponent does.
    pub ponder: bool,
    /// `true` if remarks about answers go to standard error: that a search was cut short. Only for [`gtp`], which has
    /// no place for remarks.
    pub remarks: bool,
    /// Whether a running search shows what it has found so far as GoGui's live graphics, on standard
    /// error. Only for [`gtp`].
    pub live_graphics: bool,
}

impl SessionSettings {
    /// How far to search a board, but for the time; `else_to` where that is open.
    fn limits(&self, board: Board, else_to: Strength) -> Limits {
        let limits = self.strength.unwrap_or(else_to).limits(board.empty_count());
        Limits {
            // A search of nothing has no move.
            depth: limits.depth.max(1),
            ..limits
        }
    }

    /// The search for a move that was asked for at `start`.
    fn search(&self, board: Board, clock: Option<&Clock>, start: Instant) -> Search {
        let else_to = match clock {
            Some(_) => TO_END,
            None => Strength::default(),
        };
        let mut search = Search::untimed(board, self.limits(board, else_to));
        if board.mobility().count_ones() == 1 {
            search.limits.depth = search.limits.depth.min(FORCED);
        }
        match clock {
            Some(clock) => clock.share(board.empty_count()).limit(start, search),
            None => search,
        }
    }
}

/// Exactly, to the end of the game.
const TO_END: Strength = Strength::Depth(Limits::EXACT.depth, Selectivity::Full);

/// Plies that the only move of a position is searched for: what it is worth changes nothing.
const FORCED: u32 = 6;

/// Why a protocol could not be served to its end.
#[derive(Debug, thiserror::Error)]
pub enum ServeError<E> {
    /// There is no engine.
    #[error(transparent)]
    Engine(E),
    /// An answer could not be written.
    #[error("cannot write an answer: {0}")]
    Output(#[from] io::Error),
}
