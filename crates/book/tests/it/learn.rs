//! Growth of books.

use std::path::Path;

use outflank::eval::ErrorModel;
use outflank::search::Strength;
use outflank::{Board, Engine, Game, Limits, Selectivity, Square, StopHandle};
use outflank_book::check::check;
use outflank_book::learn::{Learner, Plan, Progress, SearchAnswer, Work, learn};
use outflank_book::{Book, Writer};
use outflank_testing::command::Folder;

use crate::common::{entries, plies};

fn engines(count: usize, stop: &StopHandle) -> Vec<Engine> {
    let builder = || Engine::builder().hash_mib(1).stop_handle(stop.clone());
    (0..count).map(|_| builder().build().unwrap()).collect()
}

fn plan(depth: u32, positions: usize) -> Plan {
    Plan {
        strength: Strength::Depth(depth, Selectivity::Full),
        min_empties: 30,
        deadline: None,
        positions: Some(positions),
    }
}

/// Grows the book at `path`, which is created if need be.
fn grow(path: &Path, threads: usize, plan: &Plan, work: Work) -> Progress {
    let stop = StopHandle::default();
    let mut writer = Writer::open_or_create(path).unwrap();
    let engines = engines(threads, &stop);
    learn(&mut writer, engines, &stop, plan, work, |_| ()).unwrap()
}

/// For any number of threads the book has no fault, and every leaf is the best move that leaves the book.
#[test]
fn leaves_bound_the_moves_that_leave_the_book() {
    const DEPTH: u32 = 3;
    let folder = Folder::new();
    for threads in [1, 3] {
        let path = folder.path(&format!("{threads}.book"));
        let done = grow(&path, threads, &plan(DEPTH, 150), Work::Expand);
        assert!((150..160).contains(&done.added), "{done:?}");
        let book = Book::open(&path).unwrap();
        let report = check(&book).unwrap();
        assert_eq!(report.positions, done.positions as u64);
        assert_eq!(report.fault_count, 0);
        let mut engine = Engine::builder().hash_mib(1).build().unwrap();
        let mut replies = 0;
        for entry in entries(&book).unwrap() {
            assert_eq!(entry.searched().depth, DEPTH as u8);
            let leaf = entry.leaf();
            for (ply, next) in plies(entry.board()) {
                if entry.links().iter().any(|link| link.ply == ply) {
                    replies += 1;
                    continue;
                }
                let leaf = leaf.expect("a move leads out of the book");
                // All other moves to positions of the book are links, even if another line added the position later.
                let is_inside = book.entry(next).unwrap().is_some();
                assert!(!is_inside || ply == leaf.ply, "{} {ply:?}", entry.board());
                let limits = Limits::depth(DEPTH - 1, Selectivity::Full);
                let value = -engine.search(next, &limits).unwrap().score;
                assert!(value <= leaf.value, "{} {ply:?}", entry.board());
                assert!(ply != leaf.ply || value == leaf.value);
            }
        }
        assert!(replies >= 149, "links to all positions but the start");
        let start = book.entry(Board::START).unwrap().unwrap();
        assert_eq!((start.links().len(), Some(start.value())), (4, done.start));
    }
}

/// Positions of games are added down to the minimum of empty squares, with links. A correction searches them deeper.
#[test]
fn games_are_learnt_and_corrected() {
    let folder = Folder::new();
    let path = folder.path("a.book");
    let games: Vec<Game> = (0..4).map(outflank_testing::data::game).collect();
    let boards = |game: &Game| game.positions().iter().map(|&(board, _)| board).collect();
    let games: Vec<Vec<Board>> = games.iter().map(boards).collect();
    let mut plan = Plan {
        positions: None,
        min_empties: 40,
        ..plan(2, 0)
    };
    grow(&path, 2, &plan, Work::Games(games.clone()));
    let book = Book::open(&path).unwrap();
    for game in &games {
        for pair in game.windows(2) {
            let entry = book.entry(pair[0]).unwrap();
            if pair[0].empty_count() < 40 {
                assert_eq!(entry, None);
            } else if pair[1].empty_count() >= 40 {
                let next = pair[1].canonical().0;
                let entry = entry.unwrap();
                let is_linked = |ply| entry.links().iter().any(|link| link.ply == ply);
                let leads =
                    |&(ply, board): &(_, Board)| is_linked(ply) && board.canonical().0 == next;
                assert!(plies(entry.board()).iter().any(leads), "{}", pair[0]);
            }
        }
    }
    let before = check(&book).unwrap();
    assert_eq!(before.fault_count, 0);
    plan.strength = Strength::Depth(4, Selectivity::Full);
    let done = grow(&path, 2, &plan, Work::Correct);
    assert_eq!((done.added, done.positions as u64), (0, before.positions));
    let book = Book::open(&path).unwrap();
    assert_eq!(check(&book).unwrap().fault_count, 0);
    for entry in entries(&book).unwrap() {
        // Without a leaf there is nothing to search.
        let is_deep = entry.searched().depth == 4;
        assert!(is_deep || entry.leaf().is_none(), "{entry:?}");
    }
}

/// An illegal move is refused and not counted. The same search is requested again.
#[test]
fn refused_answers_are_not_counted() {
    let folder = Folder::new();
    let writer = Writer::create(&folder.path("a.book")).unwrap();
    let plan = plan(2, 1);
    let mut learner = Learner::new(&writer, &plan, Work::Expand, ErrorModel::NETWORK).unwrap();
    let answer = |ply| SearchAnswer {
        ply,
        score: 0,
        depth: 2,
        selectivity: Selectivity::Full,
    };
    let search = learner.next().unwrap();
    let board = search.board;
    learner.answer(search, answer(Square::new(0))).unwrap_err();
    let progress = learner.progress();
    assert_eq!((progress.searches, progress.positions), (0, 0));
    let again = learner.next().unwrap();
    assert_eq!(again.board, board);
    let legal = Square::all_in(board.mobility()).next();
    learner.answer(again, answer(legal)).unwrap();
    let progress = learner.progress();
    assert_eq!((progress.searches, progress.positions), (1, 1));
}

/// A stop commits the results so far.
#[test]
fn stopped_growth_leaves_a_valid_book() {
    let folder = Folder::new();
    let path = folder.path("a.book");
    let stop = StopHandle::default();
    let mut writer = Writer::create(&path).unwrap();
    let plan = Plan {
        positions: None,
        ..plan(6, 0)
    };
    let mut reported = 0;
    let report = |progress: Progress| {
        reported = progress.positions;
        if reported > 10 {
            stop.stop();
        }
    };
    let (engines, work) = (engines(2, &stop), Work::Expand);
    let done = learn(&mut writer, engines, &stop, &plan, work, report).unwrap();
    drop(writer);
    let book = Book::open(&path).unwrap();
    assert_eq!(reported, done.positions);
    assert_eq!(book.len().unwrap(), done.positions as u64);
    assert_eq!(check(&book).unwrap().fault_count, 0);
}

/// Growth below a position adds the way to it and then only positions below it. A second run goes on there.
#[test]
fn books_grow_below_a_position() {
    let folder = Folder::new();
    let path = folder.path("a.book");
    let moves = ["F5", "D6", "C3", "D3", "C4"].map(|name| name.parse::<Square>().unwrap());
    let game = Game::from_moves(&moves).unwrap();
    let way: Vec<Board> = game.positions().iter().map(|&(board, _)| board).collect();
    let root = game.board().canonical().0;
    for positions in [30, 20] {
        let work = Work::ExpandBelow(way.clone());
        let done = grow(&path, 2, &plan(2, positions), work);
        assert!(
            (positions..positions + 10).contains(&done.added),
            "{done:?}"
        );
        let book = Book::open(&path).unwrap();
        assert_eq!(check(&book).unwrap().fault_count, 0);
        let mut below = vec![root];
        let mut next = 0;
        while let Some(&board) = below.get(next) {
            let entry = book.entry(board).unwrap().unwrap();
            for link in entry.links() {
                let reply = link
                    .ply
                    .map_or(Some(board.pass()), |square| board.play(square));
                let reply = reply.unwrap().canonical().0;
                if !below.contains(&reply) {
                    below.push(reply);
                }
            }
            next += 1;
        }
        for entry in entries(&book).unwrap() {
            let board = entry.board();
            let is_on_way = way.iter().any(|on_way| on_way.canonical().0 == board);
            assert!(is_on_way || below.contains(&board), "{board}");
        }
        assert_eq!(below.len() + way.len() - 1, done.positions);
    }
}
