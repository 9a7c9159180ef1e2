//! Incremental evaluation: a state that a search updates with each move.

use outflank_kernels::Kernels;

use crate::board::Board;
use crate::square::Square;

/// One disc in the unit of values and weights, 1/128 disc. Values are from the mover's side.
pub const DISC: i32 = 128;

/// The limit of the magnitude of static values, in discs. Only finished games are worth 64.
pub const MAX_DISCS: i32 = 63;

/// A static evaluation with a state that is updated move by move, at one instruction-set level.
///
/// A search keeps a state for each board on its path. An update creates a new state, so a move is taken back by
/// returning to the state before it. Implementations inline into code that is compiled for the level.
/// [`stamp!`](crate::kernels::stamp) makes such code, and [`with_evaluator!`](super::with_evaluator) calls it for the
/// evaluator of an [`Evaluation`](super::Evaluation).
///
/// ```
/// use outflank::eval::{Evaluation, Evaluator, with_evaluator};
/// use outflank::kernels::{Kernels, with_isa};
/// use outflank::{Board, Isa, Square};
///
/// /// The greatest value that one move leads to, in 1/128 disc.
/// fn best_value<I: Kernels, E: Evaluator<I>>(isa: I, evaluator: &E, board: Board) -> Option<i32> {
///     let state = evaluator.set(isa, board);
///     let values = Square::all_in(board.mobility()).map(|square| {
///         let next = board.play(square).expect("a legal move");
///         let flipped = next.player ^ board.opponent;
///         let state = evaluator.update(isa, &state, square, flipped);
///         -evaluator.value(isa, &state, next)
///     });
///     values.max()
/// }
///
/// let evaluation = Evaluation::embedded();
/// let token = Isa::detect().token()?;
/// let best = with_evaluator!(evaluation, evaluator => {
///     with_isa!(token, isa => best_value(isa, evaluator, Board::START))
/// });
/// let next = Board::START.play("F5".parse()?).unwrap();
/// assert_eq!(best, Some(-evaluation.value(token, next))); // All four moves are symmetric.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Evaluator<I: Kernels>: Sync {
    /// The state of the evaluation for one board.
    type State: Copy;

    /// The state of `board`, computed from its squares.
    fn set(&self, isa: I, board: Board) -> Self::State;

    /// The state after the mover plays on the empty `square` and flips `flipped`, with the other side to move.
    fn update(&self, isa: I, state: &Self::State, square: Square, flipped: u64) -> Self::State;

    /// The state after the mover passes.
    fn pass(&self, isa: I, state: &Self::State) -> Self::State;

    /// The value of `board`, whose state is `state`, in 1/128 disc ([`DISC`]) from the mover's side, within
    /// [`MAX_DISCS`] discs.
    fn value(&self, isa: I, state: &Self::State, board: Board) -> i32;

    /// The values of two boards with equally many empty squares. Computing both together can be faster.
    #[inline(always)]
    fn values(&self, isa: I, states: [&Self::State; 2], boards: [Board; 2]) -> [i32; 2] {
        [0, 1].map(|i| self.value(isa, states[i], boards[i]))
    }
}

/// Implements the state of an [`Evaluator`] by features and the three kernels that compute them.
macro_rules! feature_state {
    ($set:ident, $update:ident, $pass:ident) => {
        type State = Features;

        #[inline(always)]
        fn set(&self, isa: I, board: Board) -> Features {
            let mut features = Features::default();
            isa.$set(board.player, board.opponent, &mut features);
            features
        }

        #[inline(always)]
        fn update(&self, isa: I, state: &Features, square: Square, flipped: u64) -> Features {
            let mut after = Features::default();
            isa.$update(state, square.index(), flipped, &mut after);
            after
        }

        #[inline(always)]
        fn pass(&self, isa: I, state: &Features) -> Features {
            let mut after = Features::default();
            isa.$pass(state, &mut after);
            after
        }
    };
}
pub(super) use feature_state;

/// The value within [`MAX_DISCS`] discs that is nearest to `value`.
#[inline(always)]
pub(super) fn within_bounds(value: i32) -> i32 {
    value.clamp(-MAX_DISCS * DISC, MAX_DISCS * DISC)
}

/// A value in whole discs, rounded half away from zero.
#[inline(always)]
pub const fn in_discs(value: i32) -> i32 {
    (value + value.signum() * (DISC / 2)) / DISC
}
