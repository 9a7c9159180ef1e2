//! What ends the engine's searches, what they report on the way, and how many moves they answer.

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
    let bytes = project_file(&format!("problems/{file}.obf"));
    obf::read(&bytes).map(Result::unwrap).collect()
}

fn engine(threads: usize) -> Engine {
    let builder = Engine::builder().threads(threads).hash_mib(16);
    builder.build().unwrap()
}

/// FFO #38: 24 empties, and some million nodes.
fn hard() -> Board {
    problems("ffo-20-39")[18].board
}

/// FFO #35: 21 empties.
fn easier() -> Board {
    problems("ffo-20-39")[15].board
}

/// A legal move, and a line that can be played.
fn is_sensible(board: Board, found: &SearchResult) -> bool {
    let mut end = board;
    let legal = found.line.iter().all(|ply| {
        let next = match ply {
            Some(square) => end.play(*square),
            None => (end.mobility() == 0 && !end.is_game_over()).then(|| end.pass()),
        };
        next.is_some_and(|next| {
            end = next;
            true
        })
    });
    legal && found.best().is_some() && (-64..=64).contains(&found.score)
}

/// Every thread count finds the true score of FFO #20-39, in a kept table, too, and a line that is
/// worth it.
#[test]
fn any_number_of_threads_finds_the_same_score() {
    let problems = problems("ffo-20-39");
    for threads in [1, 2, 3, 8, 40] {
        let mut engine = engine(threads);
        for problem in problems.iter().skip(threads % 2).step_by(2) {
            let best = problem.best_score().unwrap();
            let wld = engine.search(problem.board, &Limits::WLD).unwrap();
            assert_eq!(wld.score.signum(), best.signum(), "{threads}: {problem}");
            let found = engine.search(problem.board, &Limits::EXACT).unwrap();
            assert_eq!(found.score, best, "{threads}: {problem}");
            assert_eq!((found.bound, found.complete), (Bound::Exact, true));
            assert!(problem.moves.contains(&(found.best(), best)), "{problem}");
            assert!(is_sensible(problem.board, &found));
        }
    }
}

#[test]
fn impossible_numbers_of_threads_are_errors() {
    for threads in [0, 513, 5000, usize::MAX] {
        let error = Engine::builder().threads(threads).build().err().unwrap();
        let said = format!("{threads} threads: an engine has 1 to 512");
        assert_eq!(error.to_string(), said);
    }
}

/// However little is allowed, there is a move; the next search is not held back.
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
            let found = engine.search(board, &limits).unwrap();
            assert!(!found.complete, "{limits:?}");
            assert!(is_sensible(board, &found), "{limits:?}: {found:?}");
            if let Some(nodes) = nodes {
                let most = nodes + 40_000 * threads as u64;
                assert!(found.nodes <= most, "{} of {nodes} nodes", found.nodes);
            }
            if let Some(milliseconds) = milliseconds {
                let most = Duration::from_millis(milliseconds + 500);
                assert!(found.time < most, "{:?}", found.time);
            }
        }
        // A limit that is not reached leaves everything as it is.
        let found = engine.search(board, &limited(Some(u64::MAX), Some(Duration::MAX)));
        assert!(found.unwrap().complete);
    }
}

/// A stop from another thread ends a search of any number of threads within milliseconds, and later
/// ones at their beginning, until it is taken back.
#[test]
fn a_stop_is_answered_at_once_and_leaves_a_move() {
    // 52 empties, so that nobody gets to the end.
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
            let found = engine.search(board, &Limits::EXACT).unwrap();
            let late = stopper.join().unwrap().elapsed();
            assert!(late < Duration::from_millis(500), "{late:?}");
            assert!(!found.complete && is_sensible(board, &found));

            let again = engine.search(board, &Limits::EXACT).unwrap();
            assert!(!again.complete && again.time < Duration::from_millis(500));
            engine.stop_handle().reset();
            let limits = Limits::depth(6, Selectivity::Full);
            assert!(engine.search(board, &limits).unwrap().complete);
        }
    }
}

/// A search that is ended inside a depth returns the bound that it knew of that depth, not the result of the
/// depth before; where a move failed high there, it is the best move.
#[test]
fn a_search_that_is_ended_returns_what_its_monitor_showed_last() {
    let (mut lower_bounds, mut looks) = (0, 0);
    // The file, the place of a problem in it, and the nodes after which to end its search: so many, twice as many, …
    // eight times as many.
    for (file, place, step) in [
        ("ffo-40-59", 2, 500_000),
        ("ffo-20-39", 6, 200_000),
        ("ffo-20-39", 7, 50_000),
        ("ffo-20-39", 16, 100_000),
    ] {
        let board = problems(file)[place].board;
        for nodes in (step..=8 * step).step_by(step as usize) {
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::EXACT
            };
            let mut finished = Vec::new();
            let (found, shown) = watched(board, &limits, |step| finished.push(step.clone()));
            let name = format!("{file}, problem {place}, {nodes} nodes");
            if found.bound != Bound::Lower {
                continue;
            }
            lower_bounds += 1;
            assert!(!found.complete && is_sensible(board, &found), "{name}");
            let reach = |one: &SearchResult| (one.depth, one.selectivity);
            let before = finished.last().expect("one depth is always finished");
            assert!(reach(before) < reach(&found), "{name}");
            // On a busy machine the last look may have been some bounds ago, and a short search none.
            let Some(shown) = shown else { continue };
            looks += 1;
            assert!(reach(&shown) <= reach(&found), "{name}: {shown:?}");
            if (reach(&shown), shown.bound) == (reach(&found), found.bound) {
                assert!(shown.score <= found.score, "{name}: {shown:?}");
                let is_same = shown.score < found.score || shown.best() == found.best();
                assert!(is_same, "{name}: {shown:?}");
            }
        }
    }
    assert!(lower_bounds >= 8, "{lower_bounds} searches");
    assert!(looks >= 1, "none of {lower_bounds} searches was looked at");
}

/// What a search finds, and what its monitor showed last.
fn watched(
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
        let found = engine.search_and_report(board, limits, report).unwrap();
        is_over.store(true, Relaxed);
        (found, reader.join().unwrap())
    })
}

/// Ended inside a depth, a search for several lines still has as many, the newest first.
#[test]
fn a_search_for_several_lines_keeps_them_when_it_is_ended() {
    let board = problems("ffo-40-59")[2].board;
    for nodes in (500_000..4_000_000).step_by(500_000) {
        let limits = Limits {
            lines: 3,
            nodes: Some(nodes),
            ..Limits::EXACT
        };
        let found = engine(1).search(board, &limits).unwrap();
        assert!(!found.complete, "{nodes}");
        let mut plies: Vec<_> = found.candidates.iter().map(|one| one.ply).collect();
        assert_eq!(plies.len(), 3, "{nodes}");
        let first = &found.candidates[0];
        assert_eq!(
            (first.score, &first.line),
            (found.score, &found.line),
            "{nodes}"
        );
        plies.sort();
        plies.dedup();
        assert_eq!(plies.len(), 3, "{nodes}");
    }
}

/// Reports tell of deeper and deeper searches, and the last is the answer, by a network and by linear weights.
#[test]
fn reports_lead_up_to_the_answer() {
    for (mut engine, board) in [(engine(1), hard()), (by_linear_weights(), easier())] {
        let mut reports = Vec::new();
        let found = engine
            .search_and_report(board, &Limits::EXACT, |report| reports.push(report.clone()))
            .unwrap();
        assert!(reports.len() > 4, "{} reports", reports.len());
        for pair in reports.windows(2) {
            let reach = |one: &SearchResult| (one.depth, one.selectivity);
            assert!(reach(&pair[0]) < reach(&pair[1]) && pair[0].nodes < pair[1].nodes);
            assert!(!pair[0].complete && is_sensible(board, &pair[0]));
        }
        let last = reports.last().unwrap();
        assert!(last.complete);
        assert_eq!((last.score, &last.line), (found.score, &found.line));
    }
}

/// By linear weights a search to the end that is rougher than any selectivity prepares a solve. It is no report, but a
/// solve that is ended after it has its score, told of the depth that was reported last.
#[test]
fn a_rough_search_is_remembered_and_not_told_as_certain() {
    let board = easier();
    let mut engine = by_linear_weights();
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
        let found = engine.search(board, &limits).unwrap();
        assert!(!found.complete && is_sensible(board, &found), "{found:?}");
        if found.depth == short.depth {
            assert_eq!(found.selectivity, short.selectivity);
            scores.push(found.score);
        } else {
            let reach = (found.depth, found.selectivity);
            assert_eq!(reach, (solve.depth, Selectivity::Full));
        }
    }
    assert!(
        scores.iter().any(|&score| score != short.score),
        "{scores:?} after {}",
        short.score
    );
}

/// An engine with weights that mean nothing.
fn by_linear_weights() -> Engine {
    let linear = Evaluation::new(random_linear(5, [10, 20], 600));
    let builder = Engine::builder().hash_mib(16);
    builder.evaluation(Arc::new(linear)).build().unwrap()
}

/// A monitor reads depth, bounds, nodes and line of a search while it runs, and changes nothing of it.
#[test]
fn a_monitor_reads_what_a_running_search_knows() {
    // FFO #37, whose exact search takes most of the time.
    let board = problems("ffo-20-39")[17].board;
    let unwatched = engine(1).search(board, &Limits::EXACT).unwrap();
    let mut engine = engine(1);
    let monitor = engine.monitor();
    assert_eq!(monitor.so_far(), None);
    let is_over = AtomicBool::new(false);
    let (found, reads) = thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut reads: Vec<SearchResult> = Vec::new();
            while !is_over.load(Relaxed) {
                reads.extend(monitor.so_far());
                thread::sleep(Duration::from_millis(1));
            }
            reads
        });
        let found = engine.search(board, &Limits::EXACT).unwrap();
        is_over.store(true, Relaxed);
        (found, reader.join().unwrap())
    });
    assert_eq!(
        (found.nodes, found.score),
        (unwatched.nodes, unwatched.score)
    );
    assert_eq!(found.line, unwatched.line);
    assert_eq!(monitor.so_far(), None);
    for pair in reads.windows(2) {
        let reach = |one: &SearchResult| (one.depth, one.selectivity);
        assert!(reach(&pair[0]) <= reach(&pair[1]));
        assert!(pair[0].nodes <= pair[1].nodes && pair[0].time <= pair[1].time);
    }
    let is_last =
        |one: &&SearchResult| (one.depth, one.selectivity) == (found.depth, Selectivity::Full);
    let last: Vec<_> = reads.iter().filter(is_last).collect();
    assert!(!last.is_empty(), "no bound of {} reads", reads.len());
    for one in last {
        let holds = match one.bound {
            Bound::Exact => one.score == found.score,
            Bound::Lower => one.score <= found.score,
            Bound::Upper => one.score >= found.score,
        };
        assert!(holds && is_sensible(board, one), "{one:?}");
        assert!(one.nodes <= found.nodes, "{one:?}");
    }
}

/// The best moves with their scores are those that solving every move by itself finds.
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
            let found = engine.search(board, &limits).unwrap();
            assert_eq!(found.score, expected[0].1);
            if lines == 1 {
                assert!(found.candidates.is_empty());
                continue;
            }
            let candidates = &found.candidates;
            assert_eq!(candidates.len(), expected.len().min(lines as usize));
            assert_eq!(candidates[0].line, found.line);
            for (one, (_, score)) in candidates.iter().zip(&expected) {
                // Moves of equal scores come in any order.
                let square = one.ply.expect("a move");
                assert!(expected.contains(&(square, *score)), "{problem}: {one:?}");
                assert_eq!((one.line[0], one.bound), (one.ply, Bound::Exact));
                assert_eq!(one.score, *score, "{problem}");
            }
        }
    }
}

/// On the way to the answer, too, the moves are the best and their scores near the truth, for who loses as
/// for who wins: the last search before it is a selective one to the end.
#[test]
fn reports_of_several_lines_are_near_the_truth() {
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
        for one in &before.candidates {
            let truth = problem.moves.iter().find(|(ply, _)| *ply == one.ply);
            let (_, truth) = truth.expect("the file has all moves");
            distance += (truth - one.score).abs();
            count += 1;
        }
    }
    assert!(lost > 3 && count > 40, "{lost} lost, {count} moves");
    assert!(distance <= 4 * count, "{distance} discs in {count} moves");
}

/// Several lines to a depth: the first is what a search for one finds.
#[test]
fn several_lines_to_a_depth_begin_with_the_best() {
    for problem in problems("midgame") {
        let limits = Limits::depth(6, Selectivity::Full);
        let one = engine(1).search(problem.board, &limits).unwrap();
        let limits = Limits { lines: 4, ..limits };
        let several = engine(1).search(problem.board, &limits).unwrap();
        assert_eq!(several.score, one.score, "{problem}");
        let scores: Vec<i32> = several.candidates.iter().map(|one| one.score).collect();
        let count = 4.min(problem.board.mobility().count_ones() as usize);
        assert_eq!(scores.len(), count);
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
        for one in &several.candidates {
            let next = problem.board.play(one.ply.unwrap()).unwrap();
            let limits = Limits::depth(5, Selectivity::Full);
            assert_eq!(-engine(1).search(next, &limits).unwrap().score, one.score);
        }
    }
}

/// Without the best moves, the score is that of the best of the others.
#[test]
fn left_out_moves_are_not_chosen() {
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
            let found = search(without);
            assert_eq!(found.score, problem.moves[best].1, "{problem} {without:x}");
            assert_eq!(found.best().unwrap().bit() & without, 0);
            assert!(found.candidates.is_empty());
        }
        // Where nothing is left, nothing is left out.
        assert_eq!(Some(search(u64::MAX).score), problem.best_score());
    }
}
