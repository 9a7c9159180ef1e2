//! The order in which a node without an evaluation searches its moves: the moves that leave the opponent the
//! least mobility first (fastest first).

use outflank_kernels::{Children, Kernels};

use super::local::MAX_EMPTIES;
use super::squares::{CORNERS, alone};
use crate::board::Board;
use crate::table::NO_MOVE;

/// A legal move of a node.
pub(super) struct Move {
    /// The square's index, 0..=63.
    pub(super) square: u8,
    /// The board after it.
    pub(super) next: Board,
    /// The opponent's moves after it: the child does not compute them again.
    pub(super) mobility: u64,
}

/// Room for the moves of any board. Positions of games have at most 33, but boards with 34 are known,
/// and nothing says that there are none with more.
pub(super) const MAX_MOVES: usize = 60;

const _: () = assert!(MAX_EMPTIES as usize <= Children::PLACES);

/// The moves of a node without an evaluation, which has few empty squares, by their places in a list.
pub(super) struct Moves {
    children: Children,
    /// The empty squares of the node.
    empties: u64,
}

impl Moves {
    /// No moves yet of a board with these empty squares. They are added where they stay: a list that is returned
    /// is copied (docs/lab/nodes-per-second.md).
    #[inline(always)]
    pub(super) fn new(empties: u64) -> Moves {
        Moves {
            children: Children::new(),
            empties,
        }
    }

    /// Adds the moves `mobility` of `board`. The table suggests `hash_moves`. The place of the move to search
    /// first.
    ///
    /// Fastest first: low mobility of the opponent, then stable corners and squares alone (no empty square beside
    /// them), then low potential mobility. The square itself decides between equals.
    #[inline(always)]
    pub(super) fn add<I: Kernels>(
        &mut self,
        isa: I,
        board: Board,
        mobility: u64,
        hash_moves: [u8; 2],
    ) -> usize {
        let alone = alone(self.empties);
        let children = &mut self.children;
        let mut best = isa.children(board.player, board.opponent, mobility, alone, children);
        if hash_moves != [NO_MOVE; 2] {
            for (rank, square) in (1..).zip(hash_moves) {
                let bit = 1_u64.checked_shl(square.into()).unwrap_or(0);
                let place = (mobility & bit.wrapping_sub(1)).count_ones() as usize;
                if mobility & bit != 0 && children.keys()[place] < Children::WINS {
                    let key = (Children::WINS >> rank) | place as i32;
                    children.set_key(place, key);
                    best = best.max(key);
                }
            }
        }
        place_of(best)
    }

    /// How many there are, those included that were taken.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.children.len()
    }

    /// How many were not taken.
    #[inline(always)]
    pub(super) fn left(&self) -> usize {
        let is_left = |&&key: &&i32| key > Children::NONE;
        self.children.keys().iter().filter(is_left).count()
    }

    /// The move at a place.
    #[inline(always)]
    pub(super) fn get(&self, place: usize) -> Move {
        let child = self.children.get(place);
        Move {
            square: (child.opponent & self.empties).trailing_zeros() as u8,
            next: Board {
                player: child.player,
                opponent: child.opponent,
            },
            mobility: child.moves,
        }
    }

    /// The move at a place, which is not selected again; the others keep their places.
    #[inline(always)]
    pub(super) fn take(&mut self, place: usize) -> Move {
        self.children.set_key(place, Children::NONE);
        self.get(place)
    }

    /// The place of the move to search next, of one or more that are left.
    #[inline(always)]
    pub(super) fn select(&self) -> usize {
        // A loop over as many as there are would end with a branch that nothing predicts.
        let keys = self.children.keys().iter();
        place_of(keys.fold(Children::NONE, |best, &key| best.max(key)))
    }
}

/// The place of the move that a key belongs to.
#[inline(always)]
const fn place_of(key: i32) -> usize {
    key as usize % Children::PLACES
}

/// The number of the mover's moves, a corner counting twice.
#[inline(always)]
pub(super) fn weighted_mobility<I: Kernels>(isa: I, board: Board) -> i32 {
    weight(isa.mobility(board.player, board.opponent))
}

/// The number of `moves`, a corner counting twice.
#[inline(always)]
fn weight(moves: u64) -> i32 {
    (moves.count_ones() + (moves & CORNERS).count_ones()) as i32
}
