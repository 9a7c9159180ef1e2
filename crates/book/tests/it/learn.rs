//! Growth of books.

use outflank::eval::ErrorModel;
use outflank::search::Strength;
use outflank::{Board, Engine, Game, Limits, Selectivity, Square, StopHandle};
use outflank_book::check::check;
use outflank_book::learn::{Learner, Plan, SearchAnswer, Work, learn};
use outflank_book::{Book, BookError, Writer};
use outflank_testing::command::Folder;

use crate::common::plies;

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

/// For any number of threads the book has no fault, and every leaf is the best move that leaves the book.
#[test]
fn leaves_bound_the_moves_that_leave_the_book() {
    const DEPTH: u32 = 3;
    let folder = Folder::new();
    for threads in [1, 3] {
        let path = folder.path(&format!("{threads}.book"));
        let stop = StopHandle::default();
        let mut writer = Writer::create(&path).unwrap();
        let engines = engines(threads, &stop);
        let done = learn(
            &mut writer,
            engines,
            &stop,
            &plan(DEPTH, 150),
            Work::Expand,
            |_| (),
        );
        let done = done.unwrap();
        assert!((150..160).contains(&done.added), "{done:?}");
        drop(writer);
        let book = Book::open(&path).unwrap();
        let report = check(&book).unwrap();
        assert_eq!(
            (report.positions, report.fault_count),
            (done.positions as u64, 0)
        );
        let mut engine = Engine::builder().hash_mib(1).build().unwrap();
        let mut replies = 0;
        book.for_each(|entry| {
            assert_eq!(entry.searched().depth, DEPTH as u8);
            let leaf = entry.leaf();
            for (ply, next) in plies(entry.board()) {
                if entry.links().iter().any(|link| link.ply == ply) {
                    replies += 1;
                    continue;
                }
                // Moves to positions added later are bounded, too.
                let limits = Limits::depth(DEPTH - 1, Selectivity::Full);
                let value = -engine.search(next, &limits).unwrap().score;
                let leaf = leaf.expect("a move leads out of the book");
                assert!(value <= leaf.value, "{} {ply:?}", entry.board());
                assert!(ply != leaf.ply || value == leaf.value);
            }
            Ok::<(), BookError>(())
        })
        .unwrap();
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
    let stop = StopHandle::default();
    let mut writer = Writer::create(&path).unwrap();
    let mut plan = Plan {
        positions: None,
        min_empties: 40,
        ..plan(2, 0)
    };
    let work = Work::Games(games.clone());
    learn(&mut writer, engines(2, &stop), &stop, &plan, work, |_| ()).unwrap();
    drop(writer);
    let book = Book::open(&path).unwrap();
    for game in &games {
        for pair in game.windows(2) {
            let entry = book.entry(pair[0]).unwrap();
            if pair[0].empty_count() < 40 {
                assert_eq!(entry, None);
            } else if pair[1].empty_count() >= 40 {
                let next = pair[1].canonical().0;
                let entry = entry.unwrap();
                let leads = |ply| {
                    plies(entry.board())
                        .iter()
                        .any(|&(other, board)| other == ply && board.canonical().0 == next)
                };
                assert!(
                    entry.links().iter().any(|link| leads(link.ply)),
                    "{}",
                    pair[0]
                );
            }
        }
    }
    let before = check(&book).unwrap();
    assert_eq!(before.fault_count, 0);
    plan.strength = Strength::Depth(4, Selectivity::Full);
    let mut writer = Writer::open(&path).unwrap();
    let done = learn(
        &mut writer,
        engines(2, &stop),
        &stop,
        &plan,
        Work::Correct,
        |_| (),
    )
    .unwrap();
    drop(writer);
    assert_eq!((done.added, done.positions as u64), (0, before.positions));
    let book = Book::open(&path).unwrap();
    assert_eq!(check(&book).unwrap().fault_count, 0);
    book.for_each(|entry| {
        // Without a leaf there is nothing to search.
        assert!(
            entry.searched().depth == 4 || entry.leaf().is_none(),
            "{entry:?}"
        );
        Ok::<(), BookError>(())
    })
    .unwrap();
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
    let done = learn(
        &mut writer,
        engines(2, &stop),
        &stop,
        &plan,
        Work::Expand,
        |progress| {
            reported = progress.positions;
            if reported > 10 {
                stop.stop();
            }
        },
    );
    let done = done.unwrap();
    drop(writer);
    let book = Book::open(&path).unwrap();
    assert_eq!(
        (book.len().unwrap(), reported),
        (done.positions as u64, done.positions)
    );
    assert_eq!(check(&book).unwrap().fault_count, 0);
}
