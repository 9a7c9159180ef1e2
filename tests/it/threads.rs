//! Searches by several threads: right scores, prompt ends, and errors instead of hangs.

use std::time::Duration;

use outflank::search::SearchError;
use outflank::{Board, Engine, Limits, Selectivity};

use crate::common::problems;

/// The problems FFO #20 to #39.
fn ffo() -> Vec<(Board, i32)> {
    let problems = problems("ffo-20-39").into_iter();
    problems
        .map(|problem| (problem.board, problem.best_score().unwrap()))
        .collect()
}

fn engine(threads: usize) -> Engine {
    let builder = Engine::builder().threads(threads).hash_mib(64);
    builder.build().unwrap()
}

#[test]
fn any_number_of_threads_finds_the_same_exact_scores() {
    for threads in [2, 3, 16, 64] {
        let (mut engine, mut moves_given) = (engine(threads), 0);
        for (number, (board, score)) in (20..).zip(ffo()) {
            engine.clear();
            let found = engine.search(board, &Limits::EXACT).unwrap();
            assert_eq!(
                (found.score, found.complete),
                (score, true),
                "#{number}, {threads} threads"
            );
            let work = found.thread_work;
            assert!(work.moves_given.max(work.moves_discarded) <= work.moves);
            moves_given += work.moves_given;
        }
        assert!(moves_given > 0, "{threads} threads shared nothing");
    }
}

/// Starts and stops searches at various moments, some with several lines.
fn start_and_stop(times: u64) {
    let (mut engine, problems) = (engine(4), ffo());
    for i in 0..times {
        let (board, _) = problems[i as usize % problems.len()];
        let stop = engine.stop_handle();
        stop.reset();
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_micros(i * 37 % 3000));
            stop.stop();
        });
        let limits = Limits {
            lines: 1 + u32::from(i % 5 == 0),
            ..Limits::EXACT
        };
        let found = engine.search(board, &limits).unwrap();
        assert!(found.best().is_some());
        stopper.join().unwrap();
    }
}

#[test]
fn searches_start_and_stop_without_a_hang() {
    start_and_stop(500);
}

#[test]
#[ignore = "20 seconds: cargo test -p outflank --test it -- --ignored ten_thousand_starts"]
fn ten_thousand_starts_and_stops_end() {
    start_and_stop(10_000);
}

#[test]
fn a_panic_in_a_helper_ends_the_search_with_an_error() {
    let searching = std::thread::current().id();
    let interrupt = move || {
        assert!(std::thread::current().id() == searching, "planted");
        false
    };
    let builder = Engine::builder().threads(4).hash_mib(16);
    let mut engine = builder.interrupt(interrupt).build().unwrap();
    let board = problems("ffo-40-59")[0].board;
    let error = engine.search(board, &Limits::EXACT).unwrap_err();
    let message = "planted".to_owned();
    assert_eq!(error, SearchError::Panicked { message });
    assert_eq!(error.to_string(), "a thread of the search failed: planted");
    // The engine can search again. A search of four plies needs no helpers.
    let limits = Limits::depth(4, Selectivity::Full);
    assert!(engine.search(board, &limits).is_ok());
}
