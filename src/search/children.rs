//! The moves of a node with an evaluation, and the order in which it searches them.

use arrayvec::ArrayVec;
use outflank_kernels::Kernels;

use super::evaluated::Evaluated;
use super::history::{self, Scores};
use super::ordering::{MAX_MOVES, weighted_mobility};
use super::pool::Offer;
use super::ranking::Ranking;
use crate::board::Board;
use crate::eval::{DISC, Evaluator};
use crate::table::Table;

/// What one move less of the opponent is worth in the order of moves, in 1/128 disc: mobility costs more
/// nodes than it wins discs.
const MOBILITY_WEIGHT: i32 = 3 * DISC;

/// What a square less of the opponent's potential mobility is worth in the order of moves, in 1/128 disc.
const POTENTIAL_WEIGHT: i32 = 3 * DISC / 2;

/// What a disc that a corner makes stable is worth in the order of moves, in 1/128 disc.
const CORNER_WEIGHT: i32 = 3 * DISC / 2;

/// Above every order score that is computed.
const MAX_ORDER_SCORE: i32 = 1 << 24;

/// Room for the moves of any board.
const PLACES: usize = 64;
const _: () = assert!(MAX_MOVES <= PLACES);

/// A move and the board after it.
pub(super) struct Child {
    /// The square's index, 0..=63.
    pub(super) square: u8,
    /// The index of its state, once there is one.
    state: u8,
    flipped: u64,
    /// The board after the move, whose mover is the opponent of the node's.
    pub(super) board: Board,
    /// The hash of `board`, if it was asked for.
    pub(super) hash: u64,
}

/// The children of a node, and the evaluation's states of those that were scored.
pub(super) struct Children<S> {
    list: ArrayVec<Child, MAX_MOVES>,
    ranking: Ranking<PLACES>,
    states: ArrayVec<Evaluated<S>, MAX_MOVES>,
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
            ranking: Ranking::new(),
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

    /// The place of the child to search after `searched` others. `state` is the evaluation's state of the node,
    /// `history` what the search found about moves as the node's.
    #[inline(always)]
    pub(super) fn select<I: Kernels, E: Evaluator<I, State = S>>(
        &mut self,
        isa: I,
        evaluator: &E,
        state: &S,
        searched: usize,
        history: [&Scores; 2],
    ) -> usize {
        // A move that an earlier search found best usually causes the cut-off: the others need no scores.
        if searched == 0
            && let Some(place) = self.place_of_hash_move()
        {
            let child = &mut self.list[place];
            let square = usize::from(child.square);
            child.state = 0;
            let after = evaluator.update(isa, state, square, child.flipped);
            self.states.push(Evaluated::new(after));
            return place;
        }
        if !self.are_scored {
            self.are_scored = true;
            return self.score(isa, evaluator, state, searched, history);
        }
        self.best()
    }

    /// The place of the child with the greatest score.
    #[inline(always)]
    fn best(&self) -> usize {
        self.ranking.best(self.list.len().next_multiple_of(8))
    }

    /// Whether the children have their order scores.
    #[inline(always)]
    pub(super) fn are_scored(&self) -> bool {
        self.are_scored
    }

    /// Brings the static values of the children that are not searched half of the way to what `search` finds of
    /// them, in 1/128 disc from their mover's side, and their order scores with them. The place of the child with
    /// the greatest score.
    #[inline(always)]
    pub(super) fn look_ahead<I: Kernels, E: Evaluator<I, State = S>>(
        &mut self,
        isa: I,
        evaluator: &E,
        mut search: impl FnMut(Board, &Evaluated<S>) -> i32,
    ) -> usize {
        for place in 0..self.list.len() {
            let is_by_value = |&score: &i32| score < MAX_ORDER_SCORE - 1;
            let Some(score) = self.ranking.score(place).filter(is_by_value) else {
                continue;
            };
            let child = &self.list[place];
            let known = self.state_of(child);
            let change = search(child.board, known) - known.value(isa, evaluator, child.board);
            self.ranking.set(place, score - change / 2);
        }
        self.best()
    }

    /// The child at a place, which is not selected again, and what the evaluation knows of it.
    #[inline(always)]
    pub(super) fn take(&mut self, place: usize) -> (&Child, &Evaluated<S>) {
        self.ranking.take(place);
        let child = &self.list[place];
        (child, self.state_of(child))
    }

    /// The place of the first hash move, if it is one of the children.
    #[inline(always)]
    fn place_of_hash_move(&self) -> Option<usize> {
        let is_it = |child: &Child| child.square == self.hash_moves[0];
        self.list.iter().position(is_it)
    }

    /// Gives the children that are not searched their order scores and states. `searched` is 1 if the first hash
    /// move was, and else 0. The place of the child with the greatest score.
    ///
    /// The order score is the static value, with a bonus for low mobility and potential mobility of the opponent:
    /// its tree is smaller, and evaluations underrate mobility compared to a search; and with one for moves that
    /// failed high lately.
    #[inline(always)]
    fn score<I: Kernels, E: Evaluator<I, State = S>>(
        &mut self,
        isa: I,
        evaluator: &E,
        state: &S,
        searched: usize,
        history: [&Scores; 2],
    ) -> usize {
        let is_only = self.list.len() - searched == 1;
        let mut best = i32::MIN;
        // A child that waits for another, so that both are evaluated together: its place, and its order score but for
        // the static value.
        let mut waiting = None;
        for place in 0..self.list.len() {
            let child = &mut self.list[place];
            if searched > 0 && child.square == self.hash_moves[0] {
                continue;
            }
            let Board { player, opponent } = child.board;
            let after = evaluator.update(isa, state, usize::from(child.square), child.flipped);
            child.state = self.states.len() as u8;
            self.states.push(Evaluated::new(after));
            let order_score = if player == 0 {
                MAX_ORDER_SCORE
            } else if child.square == self.hash_moves[1] {
                MAX_ORDER_SCORE - 1
            } else if is_only {
                0
            } else {
                let potential = isa.potential_mobility(player, opponent).count_ones() as i32;
                let rest = history::bonus(history, child.square)
                    + CORNER_WEIGHT * isa.corner_stability(opponent)
                    - MOBILITY_WEIGHT * weighted_mobility(isa, child.board)
                    - POTENTIAL_WEIGHT * potential;
                let Some((other, other_rest)) = waiting.take() else {
                    waiting = Some((place, rest));
                    continue;
                };
                let both = [&self.list[other], &self.list[place]];
                let states = [self.state_of(both[0]), self.state_of(both[1])];
                let boards = [both[0].board, both[1].board];
                let values = Evaluated::values(isa, evaluator, states, boards);
                best = best.max(self.ranking.set(other, other_rest - values[0]));
                rest - values[1]
            };
            best = best.max(self.ranking.set(place, order_score));
        }
        if let Some((place, rest)) = waiting {
            let child = &self.list[place];
            let value = self.state_of(child).value(isa, evaluator, child.board);
            best = best.max(self.ranking.set(place, rest - value));
        }
        Ranking::<PLACES>::place_of(best)
    }

    /// What the evaluation knows of a child that has its state.
    #[inline(always)]
    fn state_of(&self, child: &Child) -> &Evaluated<S> {
        &self.states[usize::from(child.state)]
    }

    /// The moves that are not searched, as other threads take them, from the end.
    pub(super) fn offers(&self) -> ArrayVec<Offer, MAX_MOVES> {
        let mut left: ArrayVec<usize, MAX_MOVES> = (0..self.list.len())
            .filter(|&place| self.ranking.get(place).is_some())
            .collect();
        left.sort_by_key(|&place| self.ranking.get(place));
        left.iter()
            .map(|&place| (self.list[place].square, self.list[place].board))
            .collect()
    }
}
