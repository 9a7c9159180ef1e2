//! Searches for several lines, and searches without some moves.

use outflank::{Bound, Limits, Selectivity, Square};
use outflank_testing::reference::exact_score;

use crate::common::{engine, problems, scores, search_and_reports, within};

/// An exact search for the best `lines` moves.
fn of_lines(lines: u32) -> Limits {
    Limits {
        lines,
        ..Limits::EXACT
    }
}

/// Lines of the unfinished iteration come before those of the previous one.
#[test]
fn a_stopped_search_for_several_lines_has_them_all() {
    let board = problems("ffo-40-59")[2].board;
    for nodes in (500_000..4_000_000).step_by(500_000) {
        let limits = Limits {
            lines: 3,
            ..within(nodes)
        };
        let result = engine(1).search(board, &limits).unwrap();
        assert!(!result.complete, "{nodes}");
        let candidates = result.candidates.iter();
        let mut plies: Vec<_> = candidates.map(|candidate| candidate.ply).collect();
        assert_eq!(plies.len(), 3, "{nodes}");
        let first = &result.candidates[0];
        assert_eq!(first.score, result.score, "{nodes}");
        assert_eq!(first.line, result.line, "{nodes}");
        plies.sort();
        plies.dedup();
        assert_eq!(plies.len(), 3, "{nodes}");
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
            let result = engine.search(board, &of_lines(lines)).unwrap();
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
        let (_, reports) = search_and_reports(&mut engine(1), problem.board, &of_lines(3));
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
        let scores = scores(&several);
        let count = 4.min(problem.board.mobility().count_ones() as usize);
        assert_eq!(scores.len(), count);
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
        for candidate in &several.candidates {
            let next = problem.board.play(candidate.ply.unwrap()).unwrap();
            let limits = Limits::depth(5, Selectivity::Full);
            let reply = engine(1).search(next, &limits).unwrap();
            assert_eq!(candidate.score, -reply.score, "{problem}");
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
