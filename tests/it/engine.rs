//! Searches to a depth, selective searches, and searches with other weights. Exact solves are in `reference_solver.rs`,
//! `ffo.rs` and `wthor_24.rs`.

#[allow(dead_code, reason = "the example's `main` is not called")]
#[path = "../../examples/solve.rs"]
mod example;

use std::sync::Arc;

use outflank::eval::{Evaluation, Model, in_discs};
use outflank::notation::obf;
use outflank::{Board, Bound, Engine, Isa, Limits, Selectivity, Square, Window};
use outflank_random::SplitMix64;
use outflank_testing::data::project_file;
use outflank_testing::models::{random_linear, random_network};

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
    let mut board = Board::START;
    for _ in 0..plies {
        let moves: Vec<Square> = Square::all_in(board.mobility()).collect();
        board = match moves.len() {
            0 => board.pass(),
            count => board.play(moves[rng.index(count)]).unwrap(),
        };
        if board.is_game_over() {
            return position(rng, plies);
        }
    }
    board
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
        let results: Vec<_> = engines
            .iter_mut()
            .map(|engine| {
                engine.clear();
                engine.search(board, &limits).unwrap()
            })
            .collect();
        for result in &results {
            assert_eq!(result.score, expected, "{board} at depth {depth}");
            assert_eq!(
                (result.nodes, &result.line),
                (results[0].nodes, &results[0].line)
            );
            assert_eq!((result.depth, result.bound), (depth, Bound::Exact));
        }
        // The line leads to the score.
        let (mut end, mut sign) = (board, 1);
        for ply in &results[0].line {
            end = match ply {
                Some(square) => end.play(*square).expect("a legal move"),
                None => end.pass(),
            };
            sign = -sign;
        }
        let plies = results[0].line.iter().flatten().count() as u32;
        assert_eq!(
            sign * minimax(model, end, depth - plies),
            expected,
            "{board}"
        );
    }
}

#[test]
fn selective_solves_take_fewer_nodes_and_are_near_the_exact_score() {
    let bytes = project_file("data/problems/ffo-20-39.obf");
    let mut engine = Engine::builder().hash_mib(16).build().unwrap();
    let mut nodes = Vec::new();
    for selectivity in [Selectivity::P73, Selectivity::P95, Selectivity::Full] {
        let (mut sum, mut distance) = (0, 0);
        for problem in obf::read(&bytes).skip(3).take(8) {
            let problem = problem.unwrap();
            engine.clear();
            let result = engine
                .search(problem.board, &Limits::depth(60, selectivity))
                .unwrap();
            assert_eq!(result.selectivity, selectivity);
            assert_eq!(result.depth, problem.board.empty_count());
            sum += result.nodes;
            distance += (result.score - problem.best_score().unwrap()).abs();
        }
        assert!(
            distance <= 8 * (Selectivity::Full as i32 - selectivity as i32),
            "{selectivity}"
        );
        nodes.push(sum);
    }
    assert!(nodes.is_sorted(), "{nodes:?}");
}

/// FFO #39 wins all discs. The searches that prepare the solve once took 1.5 million nodes, because they looked for a
/// disc that the loser keeps.
#[test]
fn a_win_of_all_discs_is_found_at_once() {
    let bytes = project_file("data/problems/ffo-20-39.obf");
    let problem = obf::read(&bytes).last().unwrap().unwrap();
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
        let scores: Vec<i32> = result
            .candidates
            .iter()
            .map(|candidate| candidate.score)
            .collect();
        assert_eq!(scores.len(), 3, "{nodes:?}");
        assert!(result.complete == nodes.is_none(), "{nodes:?}");
        let least = if nodes.is_none() { 64 } else { 60 };
        assert!(
            scores.iter().all(|&score| score >= least),
            "{nodes:?}: {scores:?}"
        );
    }
}

#[test]
fn weights_do_not_change_an_exact_score() {
    let mut rng = SplitMix64::new(3);
    let network = Model::network(random_network(11), String::new());
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
