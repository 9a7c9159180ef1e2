//! Playing by a book.

use std::collections::HashSet;

use outflank::book::{BookMove, OpeningBook};
use outflank::{Board, Engine, Selectivity};
use outflank_book::check::check;
use outflank_book::{Book, BookPlayer, Entry, Move, Searched, Tolerance, Varied, Writer};
use outflank_testing::command::Folder;

/// The start, and the three positions with different values after the first move.
fn entries() -> Vec<Entry> {
    let searched = Searched {
        selectivity: Selectivity::P73,
        depth: 9,
    };
    let one = |name: &str, value| Move {
        ply: Some(name.parse().unwrap()),
        value,
    };
    let next = Board::START.play("F5".parse().unwrap()).unwrap();
    let first = ["F5", "E6", "D3", "C4"].map(|name| one(name, 0));
    let replies = vec![one("D6", 0), one("F6", -2)];
    // Links that lead nowhere are a matter of `check`; a player believes the book.
    vec![
        Entry::new(Board::START, searched, None, first.to_vec()).unwrap(),
        Entry::new(next, searched, Some(one("F4", -5)), replies).unwrap(),
    ]
}

fn book(folder: &Folder) -> Book {
    let path = folder.path("a.book");
    if !path.exists() {
        let mut writer = Writer::create(&path).unwrap();
        entries()
            .iter()
            .for_each(|entry| writer.put(entry).unwrap());
        writer.commit().unwrap();
    }
    Book::open(&path).unwrap()
}

/// No move and no game gives away more than it may, all that may be played is played, and the same seed
/// plays the same.
#[test]
fn a_tolerance_is_kept() {
    let folder = Folder::new();
    let next = Board::START.play("F5".parse().unwrap()).unwrap();
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
        let values: HashSet<i32> = games.iter().map(|[_, second]| second.value).collect();
        assert_eq!(values, expected.iter().copied().collect());
    }
    // What was given away counts until a new game.
    let tolerance = Tolerance {
        of_move: 5,
        of_game: 5,
    };
    let mut player = BookPlayer::new(book(&folder), tolerance, 1);
    for _ in 0..50 {
        assert!(player.choose(Board::START).is_some());
        let given: i32 = (0..5).map(|_| -player.choose(next).unwrap().value).sum();
        assert!(given <= 5);
    }
    let unknown = next.play("D6".parse().unwrap()).unwrap();
    assert_eq!(
        (player.choose(unknown), player.moves(unknown)),
        (None, vec![])
    );
    let known = player.moves(next);
    assert_eq!(
        known.iter().map(|one| one.value).collect::<Vec<_>>(),
        [0, -2, -5]
    );
}

/// Without a book the first moves vary, and only those.
#[test]
fn first_moves_vary_without_a_book() {
    let play = |seed| {
        let engine = Engine::builder().hash_mib(1).build().unwrap();
        let mut varied = Varied::new(Box::new(()), engine, 4, seed);
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

/// A leaf has the depth of its search; what a link leads to has that of the leaf that its value comes from, and the moves
/// up to there.
#[test]
fn moves_tell_of_the_search_that_their_values_come_from() {
    let folder = Folder::new();
    let book = book(&folder);
    let depths = |board| -> Vec<u32> {
        let moves = book.moves(board).unwrap();
        moves.iter().map(|one| one.depth).collect()
    };
    let next = Board::START.play("F5".parse().unwrap()).unwrap();
    assert_eq!(depths(next), [9; 3], "a leaf, and links that lead nowhere");
    assert_eq!(depths(Board::START), [10; 4]);
    // With the position behind the best reply, which has a leaf alone.
    let last = next.play("D6".parse().unwrap()).unwrap();
    let searched = Searched {
        selectivity: Selectivity::P98,
        depth: 20,
    };
    let leaf = Move {
        ply: Some("C3".parse().unwrap()),
        value: 0,
    };
    let mut writer = Writer::open(book.path()).unwrap();
    let entry = Entry::new(last, searched, Some(leaf), vec![]).unwrap();
    writer.put(&entry).unwrap();
    writer.commit().unwrap();
    drop(writer);
    let found = book.moves(Board::START).unwrap();
    let told: Vec<_> = found
        .iter()
        .map(|one| (one.depth, one.selectivity))
        .collect();
    assert_eq!(told, [(22, Selectivity::P98); 4]);
    assert_eq!(depths(next), [21, 9, 9]);
}

/// The book of the package has no fault, and says of the four first moves, which are one, the same.
#[test]
fn the_built_in_book_is_whole() {
    let book = Book::built_in().unwrap();
    let report = check(&book).unwrap();
    assert_eq!(
        (report.fault_count, report.positions),
        (0, book.len().unwrap())
    );
    let first = book.moves(Board::START).unwrap();
    assert_eq!(first.len(), 4);
    assert!(first.iter().all(|one| one.value == first[0].value));
    assert!(book.size().unwrap() < 1 << 20);
}
