//! Limits and stops of searches, and their reports.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use outflank::eval::Evaluation;
use outflank::{Board, Bound, Engine, Limits, SearchResult, Selectivity};
use outflank_testing::models::random_linear;

use crate::common::{after, engine, problems, search_and_reports, within};

/// FFO #38: 24 empties. An exact search takes some million nodes.
fn hard() -> Board {
    problems("ffo-20-39")[18].board
}

/// FFO #35: 21 empties.
fn easier() -> Board {
    problems("ffo-20-39")[15].board
}

/// Depth and confidence of a result. Later results have more.
fn reach(result: &SearchResult) -> (u32, Selectivity) {
    (result.depth, result.selectivity)
}

/// Returns `true` if a result has a best move, a legal line and a score within -64..=64.
fn is_sensible(board: Board, result: &SearchResult) -> bool {
    let is_legal = after(board, &result.line).is_some();
    is_legal && result.best().is_some() && (-64..=64).contains(&result.score)
}

/// Solves FFO #20-39 exactly and for the outcome. Problems share a transposition table.
#[test]
fn every_thread_count_finds_the_exact_score() {
    let problems = problems("ffo-20-39");
    for threads in [1, 2, 3, 8, 40] {
        let mut engine = engine(threads);
        for problem in problems.iter().skip(threads % 2).step_by(2) {
            let best = problem.best_score().unwrap();
            let wld = engine.search(problem.board, &Limits::WLD).unwrap();
            assert_eq!(wld.score.signum(), best.signum(), "{threads}: {problem}");
            let result = engine.search(problem.board, &Limits::EXACT).unwrap();
            assert_eq!(result.score, best, "{threads}: {problem}");
            assert_eq!((result.bound, result.complete), (Bound::Exact, true));
            assert!(problem.moves.contains(&(result.best(), best)), "{problem}");
            assert!(is_sensible(problem.board, &result));
        }
    }
}

#[test]
fn impossible_thread_counts_are_errors() {
    for threads in [0, 513, 5000, usize::MAX] {
        let error = Engine::builder().threads(threads).build().err().unwrap();
        let message = format!("{threads} threads: an engine has 1 to 512");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn limits_end_a_search_soon_with_a_move() {
    let board = hard();
    let limited = |nodes, time| Limits {
        nodes,
        time,
        ..Limits::EXACT
    };
    for threads in [1, 3] {
        let mut engine = engine(threads);
        for (nodes, milliseconds) in [
            (Some(0), None),
            (Some(1000), None),
            (Some(500_000), None),
            (None, Some(0)),
            (None, Some(1)),
            (None, Some(20)),
            (Some(50_000), Some(1000)),
        ] {
            engine.clear();
            let limits = limited(nodes, milliseconds.map(Duration::from_millis));
            let result = engine.search(board, &limits).unwrap();
            assert!(!result.complete, "{limits:?}");
            assert!(is_sensible(board, &result), "{limits:?}: {result:?}");
            if let Some(nodes) = nodes {
                let most = nodes + 40_000 * threads as u64;
                assert!(result.nodes <= most, "{} of {nodes} nodes", result.nodes);
            }
            if let Some(milliseconds) = milliseconds {
                let most = Duration::from_millis(milliseconds + 500);
                assert!(result.time < most, "{:?}", result.time);
            }
        }
        // A limit that is not reached changes nothing.
        let result = engine.search(board, &limited(Some(u64::MAX), Some(Duration::MAX)));
        assert!(result.unwrap().complete);
    }
}

/// A stop from another thread also ends later searches at their beginning, until it is reset.
#[test]
fn a_stop_ends_a_search_at_once_with_a_move() {
    // 52 empties, too many to solve.
    let board = problems("midgame")[0].board;
    for threads in [1, 2, 5] {
        for milliseconds in [0, 1, 10, 100] {
            let mut engine = engine(threads);
            let handle = engine.stop_handle();
            let stopper = thread::spawn(move || {
                thread::sleep(Duration::from_millis(milliseconds));
                handle.stop();
                Instant::now()
            });
            let result = engine.search(board, &Limits::EXACT).unwrap();
            let late = stopper.join().unwrap().elapsed();
            assert!(late < Duration::from_millis(500), "{late:?}");
            assert!(!result.complete && is_sensible(board, &result));

            let again = engine.search(board, &Limits::EXACT).unwrap();
            assert!(!again.complete && again.time < Duration::from_millis(500));
            engine.stop_handle().reset();
            let limits = Limits::depth(6, Selectivity::Full);
            assert!(engine.search(board, &limits).unwrap().complete);
        }
    }
}

/// A search that is stopped inside an iteration returns the bound of that iteration, not the previous result. Its best
/// move is the one that failed high.
#[test]
fn a_stopped_search_returns_the_last_result_of_its_monitor() {
    let (mut lower_bounds, mut observed) = (0, 0);
    // File, index of a problem, and step of the node limits, which are 1 to 8 steps.
    for (file, index, step) in [
        ("ffo-40-59", 2, 500_000),
        ("ffo-20-39", 6, 200_000),
        ("ffo-20-39", 7, 50_000),
        ("ffo-20-39", 16, 100_000),
    ] {
        let board = problems(file)[index].board;
        for nodes in (step..=8 * step).step_by(step as usize) {
            let (result, finished, mut shown) =
                search_with_monitor(&mut engine(1), board, &within(nodes));
            let name = format!("{file}, problem {index}, {nodes} nodes");
            if result.bound != Bound::Lower {
                continue;
            }
            lower_bounds += 1;
            assert!(!result.complete && is_sensible(board, &result), "{name}");
            let before = finished.last().expect("one depth is always finished");
            assert!(reach(before) < reach(&result), "{name}");
            // On a busy machine the last observation may be old or missing.
            let Some(shown) = shown.pop() else { continue };
            observed += 1;
            assert!(reach(&shown) <= reach(&result), "{name}: {shown:?}");
            if (reach(&shown), shown.bound) == (reach(&result), result.bound) {
                assert!(shown.score <= result.score, "{name}: {shown:?}");
                let is_same = shown.score < result.score || shown.best() == result.best();
                assert!(is_same, "{name}: {shown:?}");
            }
        }
    }
    assert!(lower_bounds >= 8, "{lower_bounds} searches");
    assert!(
        observed >= 1,
        "none of {lower_bounds} searches was observed"
    );
}

/// Result of a search, its reports, and the results that its monitor showed.
fn search_with_monitor(
    engine: &mut Engine,
    board: Board,
    limits: &Limits,
) -> (SearchResult, Vec<SearchResult>, Vec<SearchResult>) {
    let monitor = engine.monitor();
    assert_eq!(monitor.so_far(), None);
    let is_over = AtomicBool::new(false);
    let (result, reports, shown) = thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut shown = Vec::new();
            while !is_over.load(Relaxed) {
                shown.extend(monitor.so_far());
                thread::sleep(Duration::from_millis(1));
            }
            shown
        });
        let (result, reports) = search_and_reports(engine, board, limits);
        is_over.store(true, Relaxed);
        (result, reports, reader.join().unwrap())
    });
    assert_eq!(monitor.so_far(), None);
    (result, reports, shown)
}

#[test]
fn reports_go_deeper_and_end_with_the_result() {
    for (mut engine, board) in [(engine(1), hard()), (with_linear_weights(), easier())] {
        let (result, reports) = search_and_reports(&mut engine, board, &Limits::EXACT);
        assert!(reports.len() > 4, "{} reports", reports.len());
        for pair in reports.windows(2) {
            assert!(reach(&pair[0]) < reach(&pair[1]) && pair[0].nodes < pair[1].nodes);
            assert!(!pair[0].complete && is_sensible(board, &pair[0]));
        }
        let last = reports.last().unwrap();
        assert!(last.complete);
        assert_eq!((last.score, &last.line), (result.score, &result.line));
    }
}

/// With linear weights, a preparatory search comes before a solve. It goes to the end at a selectivity below the lowest
/// public one, and is not reported. A solve stopped after the preparatory search returns the score of that search, with
/// the depth of the last report.
#[test]
fn a_preparatory_search_gives_its_score_to_the_last_reported_depth() {
    let board = easier();
    let mut engine = with_linear_weights();
    let (_, reports) = search_and_reports(&mut engine, board, &Limits::EXACT);
    let [.., short, solve] = &reports[..] else {
        panic!("{} reports", reports.len())
    };
    assert!(short.depth < solve.depth, "{short:?}");
    let mut scores = Vec::new();
    for sixteenths in 1..16 {
        engine.clear();
        let nodes = short.nodes + (solve.nodes - short.nodes) * sixteenths / 16;
        let result = engine.search(board, &within(nodes)).unwrap();
        assert!(!result.complete, "{result:?}");
        assert!(is_sensible(board, &result), "{result:?}");
        if result.depth == short.depth {
            assert_eq!(result.selectivity, short.selectivity);
            scores.push(result.score);
        } else {
            assert_eq!(reach(&result), (solve.depth, Selectivity::Full));
        }
    }
    let is_new = |&score: &i32| score != short.score;
    assert!(scores.iter().any(is_new), "{scores:?} after {short:?}");
}

/// An engine with random linear weights.
fn with_linear_weights() -> Engine {
    let linear = Evaluation::new(random_linear(5, [10, 20], 600));
    let builder = Engine::builder().hash_mib(16);
    builder.evaluation(Arc::new(linear)).build().unwrap()
}

#[test]
fn a_monitor_reads_a_running_search_without_changing_it() {
    // FFO #37, whose last iteration takes most of the time.
    let board = problems("ffo-20-39")[17].board;
    let unwatched = engine(1).search(board, &Limits::EXACT).unwrap();
    let (result, _, reads) = search_with_monitor(&mut engine(1), board, &Limits::EXACT);
    assert_eq!(result.nodes, unwatched.nodes);
    assert_eq!(result.score, unwatched.score);
    assert_eq!(result.line, unwatched.line);
    for pair in reads.windows(2) {
        assert!(reach(&pair[0]) <= reach(&pair[1]));
        assert!(pair[0].nodes <= pair[1].nodes && pair[0].time <= pair[1].time);
    }
    let is_last = |read: &&SearchResult| reach(read) == (result.depth, Selectivity::Full);
    let last: Vec<_> = reads.iter().filter(is_last).collect();
    assert!(!last.is_empty(), "no bound of {} reads", reads.len());
    for read in last {
        let holds = match read.bound {
            Bound::Exact => read.score == result.score,
            Bound::Lower => read.score <= result.score,
            Bound::Upper => read.score >= result.score,
        };
        assert!(holds && is_sensible(board, read), "{read:?}");
        assert!(read.nodes <= result.nodes, "{read:?}");
    }
}
