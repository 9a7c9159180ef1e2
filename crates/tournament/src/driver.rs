//! Interface of a running engine, independent of its protocol.

use std::time::Duration;

use outflank::{Game, Ply, Side};

use crate::fault::Reply;
use crate::limits::{Allowance, Limit};

/// Move that an engine chose.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// Move or pass.
    pub ply: Ply,
    /// Score in discs from the mover's side, if the protocol reports one.
    pub eval: Option<f64>,
    /// Searched nodes, if the protocol reports them.
    pub nodes: Option<u64>,
    /// Time from the command to the answer.
    pub time: Duration,
}

/// Running engine that plays one game after another.
pub(crate) trait Driver: Send {
    /// Name that the engine reports; empty without one.
    fn name(&self) -> &str;

    /// Begins a game, from any starting position, and plays the moves of the opening.
    fn begin_game(&mut self, opening: &Game, limit: &Limit) -> Reply;

    /// Reports a move of `side` and its time. `is_own` is `true` if this engine chose the move.
    fn report_move(&mut self, side: Side, ply: Ply, time: Option<Duration>, is_own: bool) -> Reply;

    /// Asks for a move of `side`, which has a legal move, and waits for up to [`Allowance::wait`].
    fn choose_move(&mut self, side: Side, allowance: &Allowance) -> Reply<Answer>;
}
