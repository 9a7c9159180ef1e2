//! What a referee asks of an engine, whatever protocol it speaks.

use std::time::{Duration, Instant};

use super::control::{Allowance, Control};
use super::fault::Trouble;
use outflank::{Game, Ply, Side};

/// What an engine answered when it was asked for a move.
pub(super) struct Answer {
    /// The move, or a pass.
    pub(super) ply: Ply,
    /// What it thinks of it, in discs, where it says so.
    pub(super) eval: Option<f64>,
    /// How long it thought, as seen from outside.
    pub(super) taken: Duration,
}

/// An engine that plays one game after another.
pub(super) trait Player: Send {
    /// What it calls itself; empty where it says nothing.
    fn name(&self) -> &str;

    /// Begins a new game with what was played in `opening`.
    fn begin(&mut self, opening: &Game, control: &Control) -> Result<(), Trouble>;

    /// Tells that `side` played `ply`, in this time; `own` if this engine had chosen it.
    fn played(
        &mut self,
        side: Side,
        ply: Ply,
        taken: Option<Duration>,
        own: bool,
    ) -> Result<(), Trouble>;

    /// Asks for the move of `side`, which is to move and need not pass. An answer that comes after
    /// [`Allowance::wait`] is not awaited.
    fn choose(&mut self, side: Side, allowance: &Allowance) -> Result<Answer, Trouble>;
}

/// When a question was asked, and how long its answer is awaited.
#[derive(Clone, Copy)]
pub(super) struct Waiting {
    pub(super) since: Instant,
    pub(super) patience: Duration,
}

impl Waiting {
    pub(super) fn from_now(patience: Duration) -> Waiting {
        Waiting {
            since: Instant::now(),
            patience,
        }
    }
}
