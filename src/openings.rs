//! Distinct openings: every position that the first plies can lead to.

use crate::board::Board;
use crate::square::Square;
use outflank_kernels::levels::portable::canonical;

/// The most plies that [`openings`] goes to: that many positions still fit into memory.
pub const MAX_PLIES: u32 = 9;

/// Every position after `plies` moves from the start of the game, mover first, one of each that are
/// equal up to the board's eight symmetries, in ascending order of the mover's discs and then the
/// opponent's. Where a side has to pass, the pass is made; finished games are left out.
///
/// There are 1, 1, 3, 14, 60, 322, 1773, 10649, 67245 and 433993 of them after 0 to 9 plies.
///
/// # Panics
///
/// Panics if `plies` is over [`MAX_PLIES`].
pub fn openings(plies: u32) -> Vec<Board> {
    assert!(plies <= MAX_PLIES, "too many openings");
    let mut boards = vec![Board::START];
    for _ in 0..plies {
        let mut next: Vec<Board> = boards
            .iter()
            .flat_map(|&board| replies(board).map(|(_, reply)| reply))
            .collect();
        next.sort_unstable_by_key(|board| (board.player, board.opponent));
        next.dedup();
        boards = next;
    }
    boards
}

/// The moves of a position, and what each leads to: one for all that are equal up to symmetry, after the
/// pass where a side has to. Moves that end the game are left out.
pub fn replies(board: Board) -> impl Iterator<Item = (Square, Board)> {
    let moves = Square::all_in(board.mobility());
    let reply = move |square| board.play(square).expect("a move of the mobility");
    moves
        .map(move |square| (square, reply(square)))
        .filter(|(_, reply)| !reply.is_game_over())
        .map(|(square, reply)| {
            let reply = if reply.must_pass() {
                reply.pass()
            } else {
                reply
            };
            let [player, opponent] = canonical::selected(reply.player, reply.opponent);
            (square, Board { player, opponent })
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_checker::reference;
    use std::collections::HashSet;

    /// Counted by the kernels' references alone: all boards of all games, then one of each class.
    #[test]
    fn every_opening_is_there_once() {
        let mut boards = HashSet::from([(Board::START.player, Board::START.opponent)]);
        let mut counts = Vec::new();
        for plies in 0..=7 {
            let classes: HashSet<[u64; 2]> = boards
                .iter()
                .map(|&(player, opponent)| reference::canonical(player, opponent))
                .collect();
            let found = openings(plies);
            counts.push(found.len());
            assert!(found.is_sorted_by_key(|board| (board.player, board.opponent)));
            let found = found.iter().map(|board| [board.player, board.opponent]);
            assert_eq!(found.collect::<HashSet<_>>(), classes, "{plies} plies");
            let mut next = HashSet::new();
            for (player, opponent) in boards {
                let moves = reference::mobility(player, opponent);
                assert_ne!(moves, 0, "nobody has to pass so early");
                for square in (0..64).filter(|square| moves >> square & 1 != 0) {
                    let flipped = reference::flip(square, player, opponent);
                    next.insert((opponent ^ flipped, player | flipped | 1 << square));
                }
            }
            boards = next;
        }
        assert_eq!(counts, [1, 1, 3, 14, 60, 322, 1773, 10649]);
        assert_eq!(
            [8, 9].map(openings).map(|found| found.len()),
            [67245, 433_993]
        );
    }
}
