//! Limits and stops of searches, their reports, and searches for several lines.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use outflank::eval::Evaluation;
use outflank::notation::obf::{self, Problem};
use outflank::{Board, Bound, Engine, Limits, SearchResult, Selectivity, Square};
use outflank_testing::data::project_file;
use outflank_testing::models::random_linear;
use outflank_testing::reference::exact_score;

fn problems(file: &str) -> Vec<Problem> {
    let bytes = project_file(&format!("data/problems/{file}.obf"));
    obf::read(&bytes).map(Result::unwrap).collect()
}

fn engine(threads: usize) -> Engine {
    let builder = Engine::builder().threads(threads).hash_mib(16);
    builder.build().unwrap()
}

/// FFO #38: 24 empties. An exact search takes some million nodes.
fn hard() -> Board {
    problems("ffo-20-39")[18].board
}

/// FFO #35: 21 empties.
fn easier() -> Board {
    problems("ffo-20-39")[15].board
}

/// Returns `true` if a result has a best move, a legal line and a score within -64..=64.
fn is_sensible(board: Board, result: &SearchResult) -> bool {
    let mut end = board;
    let legal = result.line.iter().all(|ply| {
        let next = match ply {
            Some(square) => end.play(*square),
            None => (end.mobility() == 0 && !end.is_game_over()).then(|| end.pass()),
        };
        next.is_some_and(|next| {
            end = next;
            true
        })
    });
    legal && result.best().is_some() && (-64..=64).contains(&result.score)
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
    // File, index of a problem, and step of node limits: 1 to 8 steps.
    for (file, index, step) in [
        ("ffo-40-59", 2, 500_000),
        ("ffo-20-39", 6, 200_000),
        ("ffo-20-39", 7, 50_000),
        ("ffo-20-39", 16, 100_000),
    ] {
        let board = problems(file)[index].board;
        for nodes in (step..=8 * step).step_by(step as usize) {
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::EXACT
            };
            let mut finished = Vec::new();
            let (result, shown) =
                search_with_monitor(board, &limits, |step| finished.push(step.clone()));
            let name = format!("{file}, problem {index}, {nodes} nodes");
            if result.bound != Bound::Lower {
                continue;
            }
            lower_bounds += 1;
            assert!(!result.complete && is_sensible(board, &result), "{name}");
            let reach = |result: &SearchResult| (result.depth, result.selectivity);
            let before = finished.last().expect("one depth is always finished");
            assert!(reach(before) < reach(&result), "{name}");
            // On a busy machine the last observation may be old or missing.
            let Some(shown) = shown else { continue };
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

/// Result of a search, and the last result that its monitor showed.
fn search_with_monitor(
    board: Board,
    limits: &Limits,
    report: impl FnMut(&SearchResult),
) -> (SearchResult, Option<SearchResult>) {
    let mut engine = engine(1);
    let monitor = engine.monitor();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut shown = None;
            while !is_over.load(Relaxed) {
                shown = monitor.so_far().or(shown);
                thread::sleep(Duration::from_millis(1));
            }
            shown
        });
        let result = engine.search_and_report(board, limits, report).unwrap();
        is_over.store(true, Relaxed);
        (result, reader.join().unwrap())
    })
}

/// Lines of the unfinished iteration come before those of the previous one.
#[test]
fn a_stopped_search_for_several_lines_has_them_all() {
    let board = problems("ffo-40-59")[2].board;
    for nodes in (500_000..4_000_000).step_by(500_000) {
        let limits = Limits {
            lines: 3,
            nodes: Some(nodes),
            ..Limits::EXACT
        };
        let result = engine(1).search(board, &limits).unwrap();
        assert!(!result.complete, "{nodes}");
        let mut plies: Vec<_> = result
            .candidates
            .iter()
            .map(|candidate| candidate.ply)
            .collect();
        assert_eq!(plies.len(), 3, "{nodes}");
        let first = &result.candidates[0];
        assert_eq!(
            (first.score, &first.line),
            (result.score, &result.line),
            "{nodes}"
        );
        plies.sort();
        plies.dedup();
        assert_eq!(plies.len(), 3, "{nodes}");
    }
}

#[test]
fn reports_go_deeper_and_end_with_the_result() {
    for (mut engine, board) in [(engine(1), hard()), (with_linear_weights(), easier())] {
        let mut reports = Vec::new();
        let result = engine
            .search_and_report(board, &Limits::EXACT, |report| reports.push(report.clone()))
            .unwrap();
        assert!(reports.len() > 4, "{} reports", reports.len());
        for pair in reports.windows(2) {
            let reach = |result: &SearchResult| (result.depth, result.selectivity);
            assert!(reach(&pair[0]) < reach(&pair[1]) && pair[0].nodes < pair[1].nodes);
            assert!(!pair[0].complete && is_sensible(board, &pair[0]));
        }
        let last = reports.last().unwrap();
        assert!(last.complete);
        assert_eq!((last.score, &last.line), (result.score, &result.line));
    }
}

/// With linear weights, a preparatory search comes before a solve. It goes to the end at a selectivity below the lowest
/// public one, and is not reported. A solve that is stopped after it returns its score, with the depth of the last
/// report.
#[test]
fn a_preparatory_search_gives_its_score_to_the_last_reported_depth() {
    let board = easier();
    let mut engine = with_linear_weights();
    let mut reports = Vec::new();
    engine
        .search_and_report(board, &Limits::EXACT, |report| reports.push(report.clone()))
        .unwrap();
    let [.., short, solve] = &reports[..] else {
        panic!("{} reports", reports.len())
    };
    assert!(short.depth < solve.depth, "{short:?}");
    let mut scores = Vec::new();
    for sixteenths in 1..16 {
        engine.clear();
        let limits = Limits {
            nodes: Some(short.nodes + (solve.nodes - short.nodes) * sixteenths / 16),
            ..Limits::EXACT
        };
        let result = engine.search(board, &limits).unwrap();
        assert!(
            !result.complete && is_sensible(board, &result),
            "{result:?}"
        );
        if result.depth == short.depth {
            assert_eq!(result.selectivity, short.selectivity);
            scores.push(result.score);
        } else {
            let reach = (result.depth, result.selectivity);
            assert_eq!(reach, (solve.depth, Selectivity::Full));
        }
    }
    assert!(
        scores.iter().any(|&score| score != short.score),
        "{scores:?} after {}",
        short.score
    );
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
    let mut engine = engine(1);
    let monitor = engine.monitor();
    assert_eq!(monitor.so_far(), None);
    let is_over = AtomicBool::new(false);
    let (result, reads) = thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut reads: Vec<SearchResult> = Vec::new();
            while !is_over.load(Relaxed) {
                reads.extend(monitor.so_far());
                thread::sleep(Duration::from_millis(1));
            }
            reads
        });
        let result = engine.search(board, &Limits::EXACT).unwrap();
        is_over.store(true, Relaxed);
        (result, reader.join().unwrap())
    });
    assert_eq!(
        (result.nodes, result.score),
        (unwatched.nodes, unwatched.score)
    );
    assert_eq!(result.line, unwatched.line);
    assert_eq!(monitor.so_far(), None);
    for pair in reads.windows(2) {
        let reach = |result: &SearchResult| (result.depth, result.selectivity);
        assert!(reach(&pair[0]) <= reach(&pair[1]));
        assert!(pair[0].nodes <= pair[1].nodes && pair[0].time <= pair[1].time);
    }
    let is_last =
        |read: &&SearchResult| (read.depth, read.selectivity) == (result.depth, Selectivity::Full);
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

/// The reference solver gives the exact score of every move.
#[test]
fn several_lines_are_the_best_moves() {
    for (threads, problem) in problems("ffo-1-19").iter().enumerate() {
        let board = problem.board;
        let score = |square| -exact_score(&board.play(square).unwrap().to_string());
        let mut expected: Vec<(Square, i32)> = Square::all_in(board.mobility())
            .map(|square| (square, score(square)))
            .collect();
        expected.sort_by_key(|(_, score)| -score);
        for lines in [1, 2, 3, 60] {
            let mut engine = engine(1 + threads % 3);
            let limits = Limits {
                lines,
                ..Limits::EXACT
            };
            let result = engine.search(board, &limits).unwrap();
            assert_eq!(result.score, expected[0].1);
            if lines == 1 {
                assert!(result.candidates.is_empty());
                continue;
            }
            let candidates = &result.candidates;
            assert_eq!(candidates.len(), expected.len().min(lines as usize));
            assert_eq!(candidates[0].line, result.line);
            for (candidate, (_, score)) in candidates.iter().zip(&expected) {
                // Moves of equal scores come in any order.
                let square = candidate.ply.expect("a move");
                assert!(
                    expected.contains(&(square, *score)),
                    "{problem}: {candidate:?}"
                );
                let first = (candidate.line[0], candidate.bound);
                assert_eq!(first, (candidate.ply, Bound::Exact));
                assert_eq!(candidate.score, *score, "{problem}");
            }
        }
    }
}

/// Checks the last report before the result, which comes from a selective search to the end. Some positions are won,
/// some lost.
#[test]
fn reports_of_several_lines_are_near_the_exact_scores() {
    let (mut distance, mut count, mut lost) = (0, 0, 0);
    for problem in problems("ffo-20-39") {
        let limits = Limits {
            lines: 3,
            ..Limits::EXACT
        };
        let mut reports = Vec::new();
        engine(1)
            .search_and_report(problem.board, &limits, |report| {
                reports.push(report.clone())
            })
            .unwrap();
        let [.., before, last] = &reports[..] else {
            continue;
        };
        lost += usize::from(last.score < 0);
        assert!(before.candidates.len() == last.candidates.len() && last.complete);
        for candidate in &before.candidates {
            let exact = problem.moves.iter().find(|(ply, _)| *ply == candidate.ply);
            let (_, exact) = exact.expect("the file has all moves");
            distance += (exact - candidate.score).abs();
            count += 1;
        }
    }
    assert!(lost > 3 && count > 40, "{lost} lost, {count} moves");
    assert!(distance <= 4 * count, "{distance} discs in {count} moves");
}

#[test]
fn several_lines_to_a_depth_begin_with_the_best() {
    for problem in problems("midgame") {
        let limits = Limits::depth(6, Selectivity::Full);
        let single = engine(1).search(problem.board, &limits).unwrap();
        let limits = Limits { lines: 4, ..limits };
        let several = engine(1).search(problem.board, &limits).unwrap();
        assert_eq!(several.score, single.score, "{problem}");
        let scores: Vec<i32> = several
            .candidates
            .iter()
            .map(|candidate| candidate.score)
            .collect();
        let count = 4.min(problem.board.mobility().count_ones() as usize);
        assert_eq!(scores.len(), count);
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
        for candidate in &several.candidates {
            let next = problem.board.play(candidate.ply.unwrap()).unwrap();
            let limits = Limits::depth(5, Selectivity::Full);
            assert_eq!(
                -engine(1).search(next, &limits).unwrap().score,
                candidate.score
            );
        }
    }
}

#[test]
fn excluded_moves_are_not_chosen() {
    for (threads, problem) in problems("ffo-1-19").iter().enumerate() {
        let mut engine = engine(1 + threads % 3);
        let mut search = |without| {
            let limits = Limits {
                without,
                ..Limits::EXACT
            };
            engine.search(problem.board, &limits).unwrap()
        };
        for best in 1..problem.moves.len() {
            let squares = problem.moves[..best].iter().filter_map(|&(ply, _)| ply);
            let without = squares.map(|square| square.bit()).sum();
            let result = search(without);
            assert_eq!(result.score, problem.moves[best].1, "{problem} {without:x}");
            assert_eq!(result.best().unwrap().bit() & without, 0);
            assert!(result.candidates.is_empty());
        }
        // If all moves are excluded, none is left out.
        assert_eq!(Some(search(u64::MAX).score), problem.best_score());
    }
}
