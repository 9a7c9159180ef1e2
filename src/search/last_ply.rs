//! The last ply of a search with an evaluation.

use super::eval_state::Position;
use super::line::BestLine;
use super::recursion::SearchRecursion;
use super::worker::Worker;
use crate::board::Board;
use crate::eval::{Evaluator, in_discs};
use crate::square::Square;

/// The score of a position whose legal moves are `mobility`, by a search of one ply.
///
/// The killer is evaluated alone, since it mostly fails high. The other moves are evaluated in pairs, which takes less
/// time.
#[inline(always)]
pub(super) fn last_ply<I: SearchRecursion, E: Evaluator<I>, L: BestLine>(
    isa: I,
    worker: &mut Worker<'_, E>,
    position: Position<'_, E::State>,
    mut mobility: u64,
    beta: i32,
    line: &mut L,
) -> i32 {
    let evaluator = worker.shared.evaluator;
    let empties = position.board.empty_count();
    let mut killer = mobility & worker.killer(1, empties).bit();
    let mut best = -65;
    while mobility != 0 {
        let first = Square::lowest_in(if killer == 0 { mobility } else { killer });
        mobility &= !first.bit();
        let leaf = Leaf::new(isa, evaluator, position, first);
        let (scores, squares) = if killer != 0 || mobility == 0 {
            killer = 0;
            let value = evaluator.value(isa, &leaf.state, leaf.board);
            ([leaf.score(value); 2], [first; 2])
        } else {
            let second = Square::lowest_in(mobility);
            mobility &= mobility - 1;
            let other = Leaf::new(isa, evaluator, position, second);
            let states = [&leaf.state, &other.state];
            let values = evaluator.values(isa, states, [leaf.board, other.board]);
            worker.endgame.nodes += 1;
            (
                [leaf.score(values[0]), other.score(values[1])],
                [first, second],
            )
        };
        worker.endgame.nodes += 1;
        let (score, square) = match scores[1] > scores[0] {
            true => (scores[1], squares[1]),
            false => (scores[0], squares[0]),
        };
        if L::OPEN && score > best {
            line.set(Some(square), &L::default());
        }
        best = best.max(score);
        if best >= beta {
            *worker.killer(1, empties) = square.into();
            break;
        }
    }
    best
}

/// A board at depth 0 and its evaluation state.
struct Leaf<S> {
    board: Board,
    state: S,
}

impl<S: Copy> Leaf<S> {
    /// The leaf after a move on `square`.
    #[inline(always)]
    fn new<I: SearchRecursion, E: Evaluator<I, State = S>>(
        isa: I,
        evaluator: &E,
        Position { board, eval }: Position<'_, S>,
        square: Square,
    ) -> Leaf<S> {
        let flipped = isa.flip(square.index(), board.player, board.opponent);
        Leaf {
            board: board.after(square, flipped),
            state: evaluator.update(isa, &eval.state, square, flipped),
        }
    }

    /// The score for the side that has just moved, from the static `value` of the board.
    #[inline(always)]
    fn score(&self, value: i32) -> i32 {
        // A side without discs has lost, but patterns give such a board any value.
        match self.board.player {
            0 => 64,
            _ => -in_discs(value),
        }
    }
}
