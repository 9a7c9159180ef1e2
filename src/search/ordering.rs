//! Move order of nodes without an evaluation. It is fastest first: moves that leave the opponent the least mobility
//! come first.

use outflank_kernels::{Kernels, KeyedChildren};

use super::isolated::isolated_squares;
use super::local_table::MAX_LOCAL_EMPTIES;
use super::ranking::index_of;
use crate::board::Board;
use crate::square::Square;
use crate::table::OptionalSquare;

/// The four corners.
const CORNERS: u64 = 0x8100_0000_0000_0081;

/// A legal move of an endgame node.
pub(super) struct EndgameMove {
    pub(super) square: Square,
    /// The board after the move.
    pub(super) next: Board,
    /// The opponent's moves after the move, so that the child node need not compute them.
    pub(super) mobility: u64,
}

/// The capacity of a list of moves. Positions of games have at most 33 moves, and other known boards at most 34. A
/// bound below 60 is not proven for all boards.
pub(super) const MAX_MOVES: usize = 60;

const _: () = assert!(MAX_LOCAL_EMPTIES as usize <= KeyedChildren::CAPACITY);

/// The moves of an endgame node, by index.
pub(super) struct EndgameMoves {
    children: KeyedChildren,
    /// The empty squares of the node.
    empties: u64,
}

impl EndgameMoves {
    /// Creates an empty list. Moves are added in place, because a returned list would be copied
    /// (docs/lab/speed.md).
    #[inline(always)]
    pub(super) fn new(empties: u64) -> EndgameMoves {
        EndgameMoves {
            children: KeyedChildren::new(),
            empties,
        }
    }

    /// Adds the moves `mobility` of `board` and returns the index of the first to search. `hash_moves` are the table's
    /// moves, the best first.
    ///
    /// Low mobility of the opponent comes first, then stable corners and isolated squares, then low potential mobility
    /// of the opponent. Among equals the square decides.
    #[inline(always)]
    pub(super) fn add<I: Kernels>(
        &mut self,
        isa: I,
        board: Board,
        mobility: u64,
        hash_moves: [OptionalSquare; 2],
    ) -> usize {
        let isolated = isolated_squares(self.empties);
        let children = &mut self.children;
        let mut best = isa.children(board.player, board.opponent, mobility, isolated, children);
        if hash_moves != [OptionalSquare::NONE; 2] {
            for (rank, square) in (1..).zip(hash_moves) {
                let bit = square.bit();
                let index = (mobility & bit.wrapping_sub(1)).count_ones() as usize;
                if mobility & bit != 0 && children.keys()[index] < KeyedChildren::WINS {
                    let key = (KeyedChildren::WINS >> rank) | index as i32;
                    children.set_key(index, key);
                    best = best.max(key);
                }
            }
        }
        index_of::<{ KeyedChildren::CAPACITY }>(best)
    }

    /// The number of moves, consumed ones included.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.children.len()
    }

    /// The number of moves that were not consumed.
    #[inline(always)]
    pub(super) fn remaining(&self) -> usize {
        let is_remaining = |&&key: &&i32| key > KeyedChildren::NONE;
        self.children.keys().iter().filter(is_remaining).count()
    }

    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> EndgameMove {
        let child = self.children.get(index);
        EndgameMove {
            square: Square::lowest_in(child.opponent & self.empties),
            next: Board {
                player: child.player,
                opponent: child.opponent,
            },
            mobility: child.moves,
        }
    }

    /// Consumes the move at an index, so that it is not selected again. Other indices stay.
    #[inline(always)]
    pub(super) fn take(&mut self, index: usize) -> EndgameMove {
        self.children.set_key(index, KeyedChildren::NONE);
        self.get(index)
    }

    /// The index of the next move to search. At least one move must remain.
    #[inline(always)]
    pub(super) fn select(&self) -> usize {
        // All keys are compared: a loop over the moves alone would end with an unpredictable branch.
        let keys = self.children.keys().iter();
        index_of::<{ KeyedChildren::CAPACITY }>(
            keys.fold(KeyedChildren::NONE, |best, &key| best.max(key)),
        )
    }
}

/// The number of the mover's legal moves; corners count twice.
#[inline(always)]
pub(super) fn weighted_mobility<I: Kernels>(isa: I, board: Board) -> i32 {
    let moves = isa.mobility(board.player, board.opponent);
    (moves.count_ones() + (moves & CORNERS).count_ones()) as i32
}
