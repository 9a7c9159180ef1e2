//! The moves of a node with an evaluation, and the order in which it searches them.

use arrayvec::ArrayVec;
use outflank_kernels::Kernels;

use super::ordering::{MAX_MOVES, weighted_mobility};
use super::pool::Offer;
use crate::board::Board;
use crate::eval::{DISC, Evaluator};
use crate::table::Table;

/// What one move less of the opponent is worth in the order of moves, in 1/128 disc: mobility costs more
/// nodes than it wins discs.
const MOBILITY_WEIGHT: i32 = 3 * DISC;

/// What a disc that a corner makes stable is worth in the order of moves, in 1/128 disc.
const CORNER_WEIGHT: i32 = DISC / 2;

/// Above every order score that is computed.
const MAX_ORDER_SCORE: i32 = 1 << 30;

/// A move and the board after it. Children are swapped while they are ordered, so the evaluation's states,
/// which are large, are kept apart.
pub(super) struct Child {
    /// The square's index, 0..=63.
    pub(super) square: u8,
    /// The index of its state, once there is one.
    state: u8,
    /// The child with the greatest order score is searched first.
    order_score: i32,
    flipped: u64,
    /// The board after the move, whose mover is the opponent of the node's.
    pub(super) board: Board,
    /// The hash of `board`, if it was asked for.
    pub(super) hash: u64,
}

/// The children of a node, and the evaluation's states of those that were scored.
pub(super) struct Children<S> {
    list: ArrayVec<Child, MAX_MOVES>,
    states: ArrayVec<S, MAX_MOVES>,
    /// The moves that the transposition table suggests, the best first.
    hash_moves: [u8; 2],
    are_scored: bool,
}

impl<S: Copy> Children<S> {
    /// No children yet.
    #[inline(always)]
    pub(super) fn new(hash_moves: [u8; 2]) -> Children<S> {
        Children {
            list: ArrayVec::new(),
            states: ArrayVec::new(),
            hash_moves,
            are_scored: false,
        }
    }

    /// Adds the children of `board`, which has the moves `mobility`. With `probes` they are hashed, and
    /// their buckets of the table prefetched.
    #[inline(always)]
    pub(super) fn generate<I: Kernels>(
        &mut self,
        isa: I,
        table: &Table,
        board: Board,
        mut mobility: u64,
        probes: bool,
    ) {
        while mobility != 0 {
            let square = mobility.trailing_zeros() as usize;
            mobility &= mobility - 1;
            let flipped = isa.flip(square, board.player, board.opponent);
            let next = board.after(square, flipped);
            let mut hash = 0;
            if probes {
                hash = isa.board_hash(next.player, next.opponent);
                table.prefetch(hash);
            }
            self.list.push(Child {
                square: square as u8,
                order_score: 0,
                flipped,
                board: next,
                hash,
                state: 0,
            });
        }
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[Child] {
        &self.list
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The child at place `i`, which [`Children::select`] chose, and the evaluation's state of it.
    #[inline(always)]
    pub(super) fn get(&self, i: usize) -> (&Child, &S) {
        let child = &self.list[i];
        (child, &self.states[usize::from(child.state)])
    }

    /// Chooses the child to search at place `i`, after those at the places before. `state` is the
    /// evaluation's state of the node.
    #[inline(always)]
    pub(super) fn select<I: Kernels, E: Evaluator<I, State = S>>(
        &mut self,
        isa: I,
        evaluator: &E,
        state: &S,
        i: usize,
    ) {
        // A move that an earlier search found best usually causes the cut-off: the others need no scores.
        if i == 0 && self.move_hash_move_to_front() {
            let child = &mut self.list[0];
            let square = usize::from(child.square);
            let after = evaluator.update(isa, state, square, child.flipped);
            self.states.push(after);
            child.state = 0;
            return;
        }
        if !self.are_scored {
            self.are_scored = true;
            self.score_from(isa, evaluator, state, i);
        }
        move_best_to_front(&mut self.list[i..]);
    }

    /// Whether the first hash move is one of the children, which is then the first.
    #[inline(always)]
    fn move_hash_move_to_front(&mut self) -> bool {
        for i in 0..self.list.len() {
            if self.list[i].square == self.hash_moves[0] {
                self.list.swap(0, i);
                return true;
            }
        }
        false
    }

    /// Gives the children from place `from` on their order scores and states.
    ///
    /// The score is the static value, with a bonus for few moves of the opponent: its tree is smaller, and
    /// evaluations underrate mobility compared to a search.
    #[inline(always)]
    fn score_from<I: Kernels, E: Evaluator<I, State = S>>(
        &mut self,
        isa: I,
        evaluator: &E,
        state: &S,
        from: usize,
    ) {
        let children = &mut self.list[from..];
        let is_only = children.len() == 1;
        for child in children {
            let Board { player, opponent } = child.board;
            let after = evaluator.update(isa, state, usize::from(child.square), child.flipped);
            child.order_score = if player == 0 {
                MAX_ORDER_SCORE
            } else if child.square == self.hash_moves[1] {
                MAX_ORDER_SCORE - 1
            } else if is_only {
                0
            } else {
                let value = evaluator.value(isa, &after, child.board);
                CORNER_WEIGHT * isa.corner_stability(opponent)
                    - value
                    - MOBILITY_WEIGHT * weighted_mobility(isa, child.board)
            };
            child.state = self.states.len() as u8;
            self.states.push(after);
        }
    }

    /// The moves from place `from` on as other threads take them, from the end.
    pub(super) fn offers_from(&mut self, from: usize) -> ArrayVec<Offer, MAX_MOVES> {
        let children = &mut self.list[from..];
        children.sort_by_key(|child| child.order_score);
        children
            .iter()
            .map(|child| (child.square, child.board))
            .collect()
    }
}

/// Swaps the child with the greatest order score to the front.
#[inline(always)]
fn move_best_to_front(children: &mut [Child]) {
    let mut best = 0;
    for i in 1..children.len() {
        if children[i].order_score > children[best].order_score {
            best = i;
        }
    }
    children.swap(0, best);
}
