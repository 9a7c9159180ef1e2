//! The moves of a node with an evaluation, and their order.

use arrayvec::ArrayVec;
use outflank_kernels::Kernels;

use super::eval_state::{EvalState, Position};
use super::history::{self, HistoryScores};
use super::ordering::{MAX_MOVES, weighted_mobility};
use super::ranking::{Ranking, index_of};
use super::split::UnsearchedMoves;
use crate::board::Board;
use crate::eval::{DISC, Evaluator};
use crate::square::Square;
use crate::table::{OptionalSquare, Table};

/// Order penalty for each legal move of the opponent, in 1/128 disc. It exceeds the disc value of a move, because a
/// mobile opponent also has a large subtree. Tuned by node counts; see docs/lab/search.md.
const MOBILITY_WEIGHT: i32 = 3 * DISC;

/// Order penalty for each square of the opponent's potential mobility, in 1/128 disc.
const POTENTIAL_WEIGHT: i32 = 3 * DISC / 2;

/// Order bonus for each corner that the mover holds, and for each of its discs beside one on the edge, in 1/128 disc.
const CORNER_WEIGHT: i32 = 3 * DISC / 2;

/// Greater than any computed order score.
const MAX_ORDER_SCORE: i32 = 1 << 24;

/// The capacity of the ranking, a power of two.
const CAPACITY: usize = 64;
const _: () = assert!(MAX_MOVES <= CAPACITY);

/// A move and the board after it.
pub(super) struct MidgameChild {
    pub(super) square: Square,
    /// The index of the child's evaluation state in `states`, once it has one.
    state: u8,
    flipped: u64,
    pub(super) board: Board,
    /// The hash of `board`, if it was requested.
    pub(super) hash: u64,
}

/// The children of a node, and the evaluation states of the scored ones.
pub(super) struct MidgameChildren<S> {
    list: ArrayVec<MidgameChild, MAX_MOVES>,
    ranking: Ranking<CAPACITY>,
    states: ArrayVec<EvalState<S>, MAX_MOVES>,
    /// The moves to try first, the best first: the table's moves, or a killer.
    hash_moves: [OptionalSquare; 2],
    are_scored: bool,
}

impl<S: Copy> MidgameChildren<S> {
    #[inline(always)]
    pub(super) fn new(hash_moves: [OptionalSquare; 2]) -> MidgameChildren<S> {
        MidgameChildren {
            list: ArrayVec::new(),
            ranking: Ranking::new(),
            states: ArrayVec::new(),
            hash_moves,
            are_scored: false,
        }
    }

    /// Adds the children of `board`, whose legal moves are `mobility`. With `probes` they are hashed, and
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
            let square = Square::lowest_in(mobility);
            mobility &= mobility - 1;
            let flipped = isa.flip(square.index(), board.player, board.opponent);
            let next = board.after(square, flipped);
            let mut hash = 0;
            if probes {
                hash = isa.board_hash(next.player, next.opponent);
                table.prefetch(hash);
            }
            self.list.push(MidgameChild {
                square,
                flipped,
                board: next,
                hash,
                state: 0,
            });
        }
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[MidgameChild] {
        &self.list
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The index of the child to search after `searched` others. `state` and `history` are those of the node.
    #[inline(always)]
    pub(super) fn select<I: Kernels, E: Evaluator<I, State = S>>(
        &mut self,
        isa: I,
        evaluator: &E,
        state: &S,
        searched: usize,
        history: [&HistoryScores; 2],
    ) -> usize {
        // The best move of an earlier search usually causes the cut-off, and the others need no scores.
        if searched == 0
            && !self.are_scored
            && let Some(index) = self.index_of_hash_move()
        {
            let child = &mut self.list[index];
            child.state = 0;
            let after = evaluator.update(isa, state, child.square, child.flipped);
            self.states.push(EvalState::new(after));
            return index;
        }
        if !self.are_scored {
            return self.score_all(isa, evaluator, state, searched, history);
        }
        self.best()
    }

    /// The index of the child with the greatest score.
    #[inline(always)]
    fn best(&self) -> usize {
        self.ranking.best(self.list.len().next_multiple_of(8))
    }

    /// Returns `true` once the children have order scores.
    #[inline(always)]
    pub(super) fn are_scored(&self) -> bool {
        self.are_scored
    }

    /// Corrects each order score by half the difference between the value of `search` and the static value. Children
    /// already searched and children ordered without a static value stay unchanged. Values are in 1/128 disc, from the
    /// child's mover. Returns the index of the child with the greatest score.
    #[inline(always)]
    pub(super) fn look_ahead<I: Kernels, E: Evaluator<I, State = S>>(
        &mut self,
        isa: I,
        evaluator: &E,
        mut search: impl FnMut(Position<'_, S>) -> i32,
    ) -> usize {
        for index in 0..self.list.len() {
            let has_static_value = |&score: &i32| score < MAX_ORDER_SCORE - 1;
            let Some(score) = self.ranking.score(index).filter(has_static_value) else {
                continue;
            };
            let position = self.position(index);
            let change = search(position) - position.value(isa, evaluator);
            self.ranking.set(index, score - change / 2);
        }
        self.best()
    }

    /// Consumes the child at an index, so that it is not selected again.
    #[inline(always)]
    pub(super) fn take(&mut self, index: usize) -> (Square, Position<'_, S>) {
        self.ranking.take(index);
        (self.list[index].square, self.position(index))
    }

    /// The index of the first hash move, if it is one of the children.
    #[inline(always)]
    fn index_of_hash_move(&self) -> Option<usize> {
        let is_hash_move = |child: &MidgameChild| self.hash_moves[0] == child.square;
        self.list.iter().position(is_hash_move)
    }

    /// Computes order scores and states of the children. `searched` is 1 if the first hash move was searched, which is
    /// then skipped; otherwise it is 0, and a hash move comes first. Returns the index of the child with the greatest
    /// score.
    ///
    /// The order score is the static value with corrections. The opponent's mobility and potential mobility are
    /// penalties: they make its subtree larger, and static values underrate mobility. Moves that failed high lately get
    /// a bonus, and so do moves that leave the mover with stable corners.
    #[inline(always)]
    pub(super) fn score_all<I: Kernels, E: Evaluator<I, State = S>>(
        &mut self,
        isa: I,
        evaluator: &E,
        state: &S,
        searched: usize,
        history: [&HistoryScores; 2],
    ) -> usize {
        self.are_scored = true;
        let is_only = self.list.len() - searched == 1;
        let mut best = i32::MIN;
        // The index of the pending child, and its order score without the static value. It is evaluated with the next
        // child as a pair.
        let mut pending = None;
        for index in 0..self.list.len() {
            let child = &mut self.list[index];
            if searched > 0 && self.hash_moves[0] == child.square {
                continue;
            }
            let Board { player, opponent } = child.board;
            let after = evaluator.update(isa, state, child.square, child.flipped);
            child.state = self.states.len() as u8;
            self.states.push(EvalState::new(after));
            let order_score = if player == 0 || self.hash_moves[0] == child.square {
                MAX_ORDER_SCORE
            } else if self.hash_moves[1] == child.square {
                MAX_ORDER_SCORE - 1
            } else if is_only {
                0
            } else {
                let potential = isa.potential_mobility(player, opponent).count_ones() as i32;
                let corrections = history::bonus(history, child.square)
                    + CORNER_WEIGHT * isa.corner_stability(opponent)
                    - MOBILITY_WEIGHT * weighted_mobility(isa, child.board)
                    - POTENTIAL_WEIGHT * potential;
                let Some((other, other_corrections)) = pending.take() else {
                    pending = Some((index, corrections));
                    continue;
                };
                let both = [self.position(other), self.position(index)];
                let values = EvalState::values(
                    isa,
                    evaluator,
                    both.map(|position| position.eval),
                    both.map(|position| position.board),
                );
                best = best.max(self.ranking.set(other, other_corrections - values[0]));
                corrections - values[1]
            };
            best = best.max(self.ranking.set(index, order_score));
        }
        if let Some((index, corrections)) = pending {
            let value = self.position(index).value(isa, evaluator);
            best = best.max(self.ranking.set(index, corrections - value));
        }
        index_of::<CAPACITY>(best)
    }

    /// The position of a child, which must have its state.
    #[inline(always)]
    fn position(&self, index: usize) -> Position<'_, S> {
        let child = &self.list[index];
        Position {
            board: child.board,
            eval: &self.states[usize::from(child.state)],
        }
    }

    /// The moves that were not yet searched, the best last.
    pub(super) fn unsearched_moves(&self) -> UnsearchedMoves {
        let is_unsearched = |&index: &usize| self.ranking.get(index).is_some();
        let indices = (0..self.list.len()).filter(is_unsearched);
        let mut indices: ArrayVec<usize, MAX_MOVES> = indices.collect();
        indices.sort_by_key(|&index| self.ranking.get(index));
        let children = indices.iter().map(|&index| &self.list[index]);
        children.map(|child| (child.square, child.board)).collect()
    }
}
