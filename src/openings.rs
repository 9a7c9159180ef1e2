//! Distinct openings: all positions after a number of moves, up to symmetry.

use crate::board::Board;
use crate::square::Square;
use outflank_kernels::levels::portable::canonical;

/// Limit of `plies` in [`openings`], so that the positions fit into memory.
pub const MAX_PLIES: u32 = 9;

/// Returns all positions after `plies` moves from the start, mover first, one for each class of symmetric positions.
///
/// The positions are sorted by the mover's discs, then by the opponent's. Forced passes are made; finished games are
/// left out. After 0 to 9 moves there are 1, 1, 3, 14, 60, 322, 1773, 10649, 67245 and 433993 positions.
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

/// Returns the moves of a position, each with the canonical position that it leads to.
///
/// Forced passes are made. Moves that end the game are left out.
pub fn replies(board: Board) -> impl Iterator<Item = (Square, Board)> {
    let moves = Square::all_in(board.mobility());
    let reply = move |square| board.play(square).expect("a move of the mobility");
    moves
        .map(move |square| (square, reply(square)))
        .filter(|(_, reply)| !reply.is_game_over())
        .map(|(square, reply)| {
            let reply = match reply.must_pass() {
                true => reply.pass(),
                false => reply,
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

    /// Expands all games with the reference kernels alone.
    #[test]
    fn openings_have_each_class_of_symmetric_positions_once() {
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
                assert_ne!(moves, 0, "no pass is forced so early");
                for square in (0..64).filter(|square| moves >> square & 1 != 0) {
                    let flipped = reference::flip(square, player, opponent);
                    next.insert((opponent ^ flipped, player | flipped | 1 << square));
                }
            }
            boards = next;
        }
        assert_eq!(counts, [1, 1, 3, 14, 60, 322, 1773, 10649]);
        let counts = [8, 9].map(|plies| openings(plies).len());
        assert_eq!(counts, [67245, 433_993]);
    }
}
