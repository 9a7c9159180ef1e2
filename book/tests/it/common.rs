//! Books to test with.

use std::collections::HashMap;

use outflank::{Board, Ply, Selectivity, Square};
use outflank_book::{Entry, Graph, Move, Searched};
use outflank_testing::data::random_game;
use outflank_testing::rng::Rng;

/// The plies of a board, and what each leads to.
pub(crate) fn plies(board: Board) -> Vec<(Ply, Board)> {
    if board.must_pass() {
        return vec![(None, board.pass())];
    }
    let moves = Square::all_in(board.mobility());
    let next = |square| (Some(square), board.play(square).unwrap());
    moves.map(next).collect()
}

/// The positions of `games` games of random moves from the start, each with a leaf of random value among its moves
/// that lead out of them, and without links.
pub(crate) fn random_positions(seed: u64, games: usize) -> HashMap<Board, Entry> {
    let mut rng = Rng::new(seed);
    let boards = (0..games)
        .flat_map(|_| random_game(&mut rng))
        .collect::<Vec<_>>();
    let canonical = boards.into_iter().map(|board| board.canonical().0);
    let inside: HashMap<Board, ()> = canonical.map(|board| (board, ())).collect();
    let mut boards: Vec<Board> = inside.keys().copied().collect();
    boards.sort_by_key(|board| (board.player, board.opponent));
    let mut entry = |board: Board| {
        let out: Vec<Ply> = plies(board)
            .into_iter()
            .filter(|(_, next)| !inside.contains_key(&next.canonical().0))
            .map(|(ply, _)| ply)
            .collect();
        let leaf = (!out.is_empty()).then(|| Move {
            ply: out[rng.below(out.len())],
            value: rng.below(41) as i32 - 20,
        });
        let links = plies(board).into_iter().map(|(ply, _)| ply);
        let links = links.filter(|ply| !out.contains(ply));
        let links = links.map(|ply| Move { ply, value: 0 }).collect();
        let empties = board.empty_count() as usize;
        let searched = Searched {
            selectivity: match empties {
                0 => Selectivity::Full,
                _ => Selectivity::ALL[rng.below(6)],
            },
            depth: empties.min(1 + rng.below(empties + 1)) as u8,
        };
        Entry::new(board, searched, leaf, links).unwrap()
    };
    boards.iter().map(|&board| (board, entry(board))).collect()
}

/// The values of all positions, by the definition: slowly.
pub(crate) fn value(
    board: Board,
    positions: &HashMap<Board, Entry>,
    known: &mut HashMap<Board, i32>,
) -> i32 {
    let board = board.canonical().0;
    if let Some(&value) = known.get(&board) {
        return value;
    }
    let inside = plies(board).into_iter().map(|(_, next)| next.canonical().0);
    let inside = inside.filter(|next| positions.contains_key(next));
    let values: Vec<i32> = inside.map(|next| -value(next, positions, known)).collect();
    let leaf = positions[&board].leaf().map(|leaf| leaf.value);
    let best = values.into_iter().chain(leaf).max();
    let value = best.unwrap_or_else(|| board.final_score());
    known.insert(board, value);
    value
}

/// A book of random positions in memory, linked.
pub(crate) fn random_graph(seed: u64, games: usize) -> Graph {
    let mut graph = Graph::default();
    let positions = random_positions(seed, games);
    let mut entries: Vec<_> = positions.values().collect();
    entries.sort_by_key(|entry| (entry.board().player, entry.board().opponent));
    for entry in entries {
        graph.add(entry);
    }
    graph.link();
    graph
}
