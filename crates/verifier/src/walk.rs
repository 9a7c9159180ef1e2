//! The positions of a proof, in the order of a certificate.

use std::collections::HashSet;

use crate::claim::Claim;
use crate::position::{Position, squares};

/// The source of a proof's moves, and the checker of its leaves. An error ends the walk.
pub trait ProofVisitor {
    /// The reason to give up.
    type Error;

    /// Chooses one of the claimant's legal `moves`, a bitboard with at least one square. The result is the bit of its square.
    fn claimant_move(&mut self, position: Position, moves: u64) -> Result<u64, Self::Error>;

    /// Checks a leaf. The claim needs that the mover of `position` scores more than `bound` if `exceeds`, and not more than
    /// `bound` otherwise.
    fn check_leaf(
        &mut self,
        position: Position,
        bound: i32,
        exceeds: bool,
    ) -> Result<(), Self::Error>;
}

/// A walk through all positions of a proof, depth first. Where the claimant is to move, it follows one move, and nothing if it
/// has visited the position before. Where the opponent is to move, it follows all moves, A1 first, unless the claimant's stable
/// discs alone decide.
pub struct Walk<'v, V> {
    visitor: &'v mut V,
    /// The score that the claimant exceeds.
    bound: i32,
    leaf_empties: u32,
    visited: HashSet<Position>,
}

impl<'v, V: ProofVisitor> Walk<'v, V> {
    /// Walks through the proof of `claim`. At a leaf the game is over, or at most `leaf_empties` squares are empty.
    pub fn run(visitor: &'v mut V, claim: Claim, leaf_empties: u32) -> Result<(), V::Error> {
        let (bound, visited) = (claim.bound(), HashSet::new());
        let mut walk = Walk {
            visitor,
            bound,
            leaf_empties,
            visited,
        };
        walk.prove(claim.position, claim.at_least)
    }

    fn prove(&mut self, position: Position, claimant_moves: bool) -> Result<(), V::Error> {
        let moves = position.moves();
        let is_over = moves == 0 && position.pass().moves() == 0;
        if is_over || position.empties().count_ones() <= self.leaf_empties {
            let bound = match claimant_moves {
                true => self.bound,
                false => -self.bound - 1,
            };
            self.visitor.check_leaf(position, bound, claimant_moves)
        } else if moves == 0 {
            self.prove(position.pass(), !claimant_moves)
        } else if claimant_moves {
            // Each move adds a disc, so no position follows itself. One that was visited before is proven by now.
            if !self.visited.insert(position) {
                return Ok(());
            }
            let square = self.visitor.claimant_move(position, moves)?;
            self.prove(position.after(square, position.flipped(square)), false)
        } else if position.least_score_of_other() > self.bound {
            Ok(())
        } else {
            let after = |square| position.after(square, position.flipped(square));
            squares(moves).try_for_each(|square| self.prove(after(square), true))
        }
    }
}
