//! Play by a book.

use std::collections::HashSet;

use outflank::book::{BookMove, OpeningBook};
use outflank::{Board, Engine, Selectivity};
use outflank_book::check::check;
use outflank_book::{Book, BookEntry, BookPlayer, SearchEffort, Tolerance, VariedOpenings, Writer};
use outflank_testing::command::Folder;

use crate::common::{entry, write_book};

/// Entries of the starting position and of the position after F5.
fn entries() -> [BookEntry; 2] {
    let searched = SearchEffort::new(9, Selectivity::P73);
    let next = after(Board::START, "F5");
    let first = ["F5", "E6", "D3", "C4"].map(|square| (square, 0));
    // Players trust the book, even links without a target.
    [
        entry(Board::START, searched, None, &first),
        entry(next, searched, Some(("F4", -5)), &[("D6", 0), ("F6", -2)]),
    ]
}

fn after(board: Board, square: &str) -> Board {
    board.play(square.parse().unwrap()).unwrap()
}

fn book(folder: &Folder) -> Book {
    let path = folder.path("a.book");
    if !path.exists() {
        write_book(&path, &entries());
    }
    Book::open(&path).unwrap()
}

/// Moves and games respect the tolerance, use all of it, and repeat with the seed.
#[test]
fn tolerance_is_respected() {
    let folder = Folder::new();
    let next = after(Board::START, "F5");
    for (of_move, of_game, expected) in [
        (0, 0, &[0][..]),
        (2, 4, &[0, -2]),
        (5, 5, &[0, -2, -5]),
        (9, 2, &[0, -2]),
    ] {
        let tolerance = Tolerance { of_move, of_game };
        let game = |seed| {
            let mut player = BookPlayer::new(book(&folder), tolerance, seed);
            [Board::START, next].map(|board| player.choose(board).unwrap())
        };
        let games: Vec<[BookMove; 2]> = (0..60).map(game).collect();
        assert_eq!(games, (0..60).map(game).collect::<Vec<_>>());
        let firsts: HashSet<_> = games.iter().map(|[first, _]| first.ply).collect();
        assert_eq!(firsts.len(), 4, "equal moves are all played");
        let values: HashSet<i32> = games.iter().map(|[_, second]| second.score).collect();
        assert_eq!(values, expected.iter().copied().collect());
    }
    // The loss of a game accumulates until a new game.
    let tolerance = Tolerance {
        of_move: 5,
        of_game: 5,
    };
    let mut player = BookPlayer::new(book(&folder), tolerance, 1);
    for _ in 0..50 {
        assert!(player.choose(Board::START).is_some());
        let sacrificed: i32 = (0..5).map(|_| -player.choose(next).unwrap().score).sum();
        assert!(sacrificed <= 5);
    }
    let unknown = after(next, "D6");
    assert_eq!(player.choose(unknown), None);
    assert_eq!(player.moves(unknown), []);
    let known = player.moves(next);
    let scores: Vec<i32> = known.iter().map(|known| known.score).collect();
    assert_eq!(scores, [0, -2, -5]);
}

/// Without a book only the first moves vary.
#[test]
fn first_moves_vary_without_a_book() {
    let play = |seed| {
        let engine = Engine::builder().hash_mib(1).build().unwrap();
        let mut varied = VariedOpenings::new(Box::new(()), engine, 4, seed);
        let mut board = Board::START;
        let mut moves = Vec::new();
        while let Some(chosen) = varied.choose(board) {
            moves.push(chosen.ply);
            board = board.play(chosen.ply.unwrap()).unwrap();
        }
        moves
    };
    let games: Vec<_> = (0..8).map(play).collect();
    assert!(games.iter().all(|moves| moves.len() == 12));
    let different: HashSet<_> = games.iter().collect();
    assert!(different.len() >= 7, "{games:?}");
    assert_eq!(play(3), games[3]);
}

/// A leaf has the depth of its search. A link adds the moves of the line to the depth of the leaf.
#[test]
fn moves_have_the_depth_behind_their_values() {
    let folder = Folder::new();
    let book = book(&folder);
    let depths = |board| -> Vec<u32> {
        let moves = book.moves(board).unwrap();
        moves.iter().map(|known| known.depth).collect()
    };
    let next = after(Board::START, "F5");
    assert_eq!(depths(next), [9; 3], "a leaf, and links without a target");
    assert_eq!(depths(Board::START), [10; 4]);
    // Adds the position after the best reply, with only a leaf.
    let searched = SearchEffort::new(20, Selectivity::P98);
    let last = entry(after(next, "D6"), searched, Some(("C3", 0)), &[]);
    let mut writer = Writer::open(book.path()).unwrap();
    writer.put(&last).unwrap();
    writer.commit().unwrap();
    drop(writer);
    let found = book.moves(Board::START).unwrap();
    let depths_and_selectivities: Vec<_> = found
        .iter()
        .map(|known| (known.depth, known.selectivity))
        .collect();
    assert_eq!(depths_and_selectivities, [(22, Selectivity::P98); 4]);
    assert_eq!(depths(next), [21, 9, 9]);
}

/// The built-in book has no fault, and gives the symmetric first moves equal values.
#[test]
fn built_in_book_is_valid() {
    let book = Book::built_in().unwrap();
    let report = check(&book).unwrap();
    assert_eq!(report.fault_count, 0);
    assert_eq!(report.positions, book.len().unwrap());
    let first = book.moves(Board::START).unwrap();
    assert_eq!(first.len(), 4);
    assert!(first.iter().all(|known| known.score == first[0].score));
    assert!(book.size().unwrap() < 1 << 20);
}
