//! Searches to a depth, selective searches, and searches with other weights. Exact solves are in `reference_solver.rs`,
//! `ffo.rs` and `wthor_24.rs`.

#[allow(dead_code, reason = "the example's `main` is not called")]
#[path = "../../examples/solve.rs"]
mod example;

use std::sync::Arc;

use outflank::eval::{Evaluation, Model, in_discs};
use outflank::{Board, Bound, Engine, Isa, Limits, Selectivity, Square, Window};
use outflank_random::SplitMix64;
use outflank_testing::data::random_game;
use outflank_testing::models::{random_linear, random_network};

use crate::common::{after, problems, scores};

/// Engines with `model`, one for every level.
fn engines(model: &Model) -> Vec<Engine> {
    let evaluation = Arc::new(Evaluation::new(model.clone()));
    let engine = |&isa| {
        let builder = Engine::builder().isa(isa).hash_mib(1);
        builder.evaluation(evaluation.clone()).build().unwrap()
    };
    Isa::available().iter().map(engine).collect()
}

/// Position of a random game after `plies` plies. The game is not over.
fn position(rng: &mut SplitMix64, plies: usize) -> Board {
    loop {
        let positions = random_game(rng);
        if plies + 1 < positions.len() {
            return positions[plies];
        }
    }
}

/// Minimax score with static values in whole discs at the leaves.
fn minimax(model: &Model, board: Board, depth: u32) -> i32 {
    if board.player == 0 || depth > 0 && board.is_game_over() {
        return board.final_score();
    }
    if depth == 0 {
        return in_discs(model.value(board));
    }
    if board.mobility() == 0 {
        return -minimax(model, board.pass(), depth);
    }
    let after = |square| -minimax(model, board.play(square).unwrap(), depth - 1);
    Square::all_in(board.mobility()).map(after).max().unwrap()
}

#[test]
fn a_search_to_a_depth_finds_the_minimax_score_at_every_level() {
    let linear = random_linear(12, [0, 20, 50], 300);
    for (model, games) in [(Model::embedded().expect("built in"), 60), (linear, 30)] {
        finds_the_minimax_score(&model, games);
    }
}

fn finds_the_minimax_score(model: &Model, games: usize) {
    let mut engines = engines(model);
    let mut rng = SplitMix64::new(8);
    for game in 0..games {
        let board = position(&mut rng, 5 + game % 40);
        let depth = (game % 5) as u32;
        let expected = minimax(model, board, depth);
        let limits = Limits::depth(depth, Selectivity::Full);
        let mut results = engines.iter_mut().map(|engine| {
            engine.clear();
            engine.search(board, &limits).unwrap()
        });
        let first = results.next().expect("there are levels");
        assert_eq!(first.score, expected, "{board} at depth {depth}");
        assert_eq!((first.depth, first.bound), (depth, Bound::Exact));
        for result in results {
            assert_eq!(result.score, expected, "{board} at depth {depth}");
            assert_eq!((result.nodes, &result.line), (first.nodes, &first.line));
        }
        // The line leads to the score.
        let end = after(board, &first.line).expect("a legal line");
        let sign = [1, -1][first.line.len() % 2];
        let plies = first.line.iter().flatten().count() as u32;
        let reached = sign * minimax(model, end, depth - plies);
        assert_eq!(reached, expected, "{board}");
    }
}

#[test]
fn selective_solves_take_fewer_nodes_and_are_near_the_exact_score() {
    let mut engine = Engine::builder().hash_mib(16).build().unwrap();
    let mut nodes = Vec::new();
    for selectivity in [Selectivity::P73, Selectivity::P95, Selectivity::Full] {
        let (mut sum, mut distance) = (0, 0);
        for problem in &problems("ffo-20-39")[3..11] {
            engine.clear();
            let limits = Limits::depth(60, selectivity);
            let result = engine.search(problem.board, &limits).unwrap();
            assert_eq!(result.selectivity, selectivity);
            assert_eq!(result.depth, problem.board.empty_count());
            sum += result.nodes;
            distance += (result.score - problem.best_score().unwrap()).abs();
        }
        let most = 8 * (Selectivity::Full as i32 - selectivity as i32);
        assert!(distance <= most, "{selectivity}");
        nodes.push(sum);
    }
    assert!(nodes.is_sorted(), "{nodes:?}");
}

/// FFO #39 wins all discs. The iterations before the solve once took 1.5 million nodes, because they had to prove that
/// the loser keeps no disc.
#[test]
fn a_win_of_all_discs_is_found_at_once() {
    let problem = problems("ffo-20-39").pop().unwrap();
    let mut engine = Engine::builder().hash_mib(16).build().unwrap();
    let result = engine.search(problem.board, &Limits::EXACT).unwrap();
    assert_eq!((result.score, result.bound), (64, Bound::Exact));
    assert!(result.nodes < 300_000, "{}", result.nodes);
    // Nine moves win all discs. A stopped search for three lines also has three good ones.
    for nodes in [None, Some(1000), Some(30_000)] {
        engine.clear();
        let limits = Limits {
            lines: 3,
            nodes,
            ..Limits::EXACT
        };
        let result = engine.search(problem.board, &limits).unwrap();
        let scores = scores(&result);
        assert_eq!(scores.len(), 3, "{nodes:?}");
        assert!(result.complete == nodes.is_none(), "{nodes:?}");
        let least = if nodes.is_none() { 64 } else { 60 };
        let are_good = scores.iter().all(|&score| score >= least);
        assert!(are_good, "{nodes:?}: {scores:?}");
    }
}

#[test]
fn weights_do_not_change_an_exact_score() {
    let mut rng = SplitMix64::new(3);
    let network = Model::networks(random_network(11), String::new());
    let linear = random_linear(11, [10, 30], 600);
    let mut engines = [Model::embedded().expect("built in"), linear, network].map(|model| {
        let builder = Engine::builder().hash_mib(1);
        let builder = builder.evaluation(Arc::new(Evaluation::new(model)));
        builder.build().unwrap()
    });
    for _ in 0..20 {
        let board = position(&mut rng, 44);
        let window = Window::new(-8, 8).unwrap();
        let scores = engines.each_mut().map(|engine| {
            let exact = engine.search(board, &Limits::EXACT).unwrap().score;
            let limits = Limits {
                window,
                ..Limits::EXACT
            };
            let inside = engine.search(board, &limits).unwrap().score;
            assert_eq!(window.clamp(inside), window.clamp(exact));
            exact
        });
        assert_eq!([scores[0]; 3], scores, "{board}");
    }
}

#[test]
fn unreachable_and_finished_boards_have_possible_scores() {
    let mut engine = Engine::builder().hash_mib(1).build().unwrap();
    let board = |player, opponent| Board { player, opponent };
    for depth in [0, 4, 6] {
        let limits = Limits::depth(depth, Selectivity::P73);
        for (board, score) in [
            (board(0, 0), Some(0)),
            (board(0xff, 0), Some(64)),
            (board(0, 0xff), Some(-64)),
            (board(1, 2), None),
            (board(1, 6), None),
        ] {
            let result = engine.search(board, &limits).unwrap();
            assert!((-64..=64).contains(&result.score));
            if let Some(score) = score {
                assert_eq!(result.score, score, "{board} at depth {depth}");
            }
        }
    }
}

#[test]
fn the_example_without_a_position_solves_a_sample() {
    let text = example::run(None).unwrap();
    assert!(text.starts_with("No position was given."), "{text}");
    assert!(text.contains("usage: cargo run --release --example solve -- 'POSITION'"));
    assert!(text.contains("\n+18 by G8 "), "{text}");
    let given = example::run(Some(example::SAMPLE)).unwrap();
    assert!(given.starts_with("+18 by G8 "), "{given}");
    let error = example::run(Some("X")).unwrap_err().to_string();
    assert_eq!(error, "expected 64 squares (X, O or -), found 1");
}
