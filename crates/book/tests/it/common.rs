//! Books with random values.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use outflank::eval::ErrorModel;
use outflank::{Board, Ply, Selectivity, Square};
use outflank_book::learn::{Learner, Plan, SearchAnswer, Work};
use outflank_book::{Book, BookEntry, BookError, Graph, SearchEffort, ValuedMove, Writer};
use outflank_random::SplitMix64;
use outflank_testing::command::Folder;
use outflank_testing::data::random_game;

/// Legal plies of a board, with the boards after them.
pub(crate) fn plies(board: Board) -> Vec<(Ply, Board)> {
    if board.must_pass() {
        return vec![(None, board.pass())];
    }
    let moves = Square::all_in(board.mobility());
    let next = |square| (Some(square), board.play(square).unwrap());
    moves.map(next).collect()
}

/// Entries of the positions of random games, linked with each other. If moves leave the set, the leaf is one of them,
/// with a random value.
pub(crate) fn random_positions(seed: u64, games: usize) -> HashMap<Board, BookEntry> {
    let mut rng = SplitMix64::new(seed);
    let boards = (0..games).flat_map(|_| random_game(&mut rng));
    let inside: HashSet<Board> = boards.map(|board| board.canonical().0).collect();
    let mut boards: Vec<Board> = inside.iter().copied().collect();
    boards.sort_by_key(|board| (board.player, board.opponent));
    let mut entry = |board: Board| {
        let out: Vec<Ply> = plies(board)
            .into_iter()
            .filter(|(_, next)| !inside.contains(&next.canonical().0))
            .map(|(ply, _)| ply)
            .collect();
        let leaf = (!out.is_empty()).then(|| {
            let ply = out[rng.index(out.len())];
            ValuedMove::new(ply, rng.index(41) as i32 - 20)
        });
        let links = plies(board).into_iter().map(|(ply, _)| ply);
        let links = links.filter(|ply| !out.contains(ply));
        let links = links.map(|ply| ValuedMove::new(ply, 0)).collect();
        let empties = board.empty_count() as usize;
        let selectivity = match empties {
            0 => Selectivity::Full,
            _ => Selectivity::ALL[rng.index(6)],
        };
        let depth = empties.min(1 + rng.index(empties + 1)) as u8;
        let searched = SearchEffort::new(depth, selectivity);
        BookEntry::new(board, searched, leaf, links).unwrap()
    };
    boards.iter().map(|&board| (board, entry(board))).collect()
}

/// Negamax value of a position by its definition.
pub(crate) fn value(
    board: Board,
    positions: &HashMap<Board, BookEntry>,
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

pub(crate) fn random_graph(seed: u64, games: usize) -> Graph {
    let mut graph = Graph::default();
    let positions = random_positions(seed, games);
    let mut entries: Vec<_> = positions.values().collect();
    entries.sort_by_key(|entry| (entry.board().player, entry.board().opponent));
    for entry in entries {
        graph.add(entry);
    }
    graph.link_all_moves();
    graph
}

pub(crate) fn write_book(path: &Path, entries: &[BookEntry]) {
    let mut writer = Writer::create(path).unwrap();
    entries.iter().for_each(|entry| writer.put(entry).unwrap());
    writer.commit().unwrap();
}

pub(crate) fn entries(book: &Book) -> Result<Vec<BookEntry>, BookError> {
    let mut entries = Vec::new();
    book.for_each(|entry| {
        entries.push(entry);
        Ok::<(), BookError>(())
    })?;
    Ok(entries)
}

/// Entry with a leaf and these links, each a square and a value.
pub(crate) fn entry(
    board: Board,
    searched: SearchEffort,
    leaf: Option<(&str, i32)>,
    links: &[(&str, i32)],
) -> BookEntry {
    let valued = |(square, value): (&str, i32)| ValuedMove::new(square.parse().ok(), value);
    let links = links.iter().copied().map(valued).collect();
    BookEntry::new(board, searched, leaf.map(valued), links).unwrap()
}

/// Writes a book of random positions to a new file.
pub(crate) fn random_book(path: &Path, seed: u64, games: usize) -> Graph {
    let mut graph = random_graph(seed, games);
    let mut writer = Writer::create(path).unwrap();
    graph.save(&mut writer).unwrap();
    writer.commit().unwrap();
    graph
}

/// Grows a book to the end of the work, and returns it. Searches are answered by numbers from `-most` to `most` that
/// depend on the position alone: these tests have no weights.
pub(crate) fn grow_by_numbers(folder: &Folder, most: i32, plan: &Plan, work: Work) -> Graph {
    let mut writer = Writer::open_or_create(&folder.path("a.book")).unwrap();
    let mut learner = Learner::new(&writer, plan, work, ErrorModel::NETWORK).unwrap();
    while let Some(request) = learner.next() {
        let Board { player, opponent } = request.board;
        let squares = request.board.mobility() & !request.limits.without;
        let number = (player ^ opponent.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let answer = SearchAnswer {
            ply: Square::all_in(squares).next(),
            score: (number % (2 * most as u64 + 1)) as i32 - most,
            depth: 3,
            selectivity: Selectivity::Full,
        };
        learner.answer(request, answer).unwrap();
    }
    learner.finish(&mut writer).unwrap();
    Graph::read(&writer).unwrap()
}
