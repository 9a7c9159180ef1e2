//! The engine's searches to a depth, selective ones and those with other weights. Exact solves:
//! `reference_solver.rs`, `ffo.rs`, `wthor_24.rs`.

/// Its `main` is for those who run it.
#[allow(dead_code)]
#[path = "../../examples/solve.rs"]
mod example;

use std::sync::Arc;

use outflank::eval::{Evaluation, Model, in_discs};
use outflank::notation::obf;
use outflank::{Board, Bound, Engine, Isa, Limits, Selectivity, Square, Window};
use outflank_testing::data::project_file;
use outflank_testing::models::{random_linear, random_network};
use outflank_testing::rng::Rng;

/// An engine with `model` at every level.
fn engines(model: &Model) -> Vec<Engine> {
    let evaluation = Arc::new(Evaluation::new(model.clone()));
    let engine = |&isa| {
        let builder = Engine::builder().isa(isa).hash_mib(1);
        builder.evaluation(evaluation.clone()).build().unwrap()
    };
    Isa::available().iter().map(engine).collect()
}

/// A position of a random game.
fn position(rng: &mut Rng, plies: usize) -> Board {
    let mut board = Board::START;
    for _ in 0..plies {
        let moves: Vec<Square> = Square::all_in(board.mobility()).collect();
        board = match moves.len() {
            0 => board.pass(),
            count => board.play(moves[rng.below(count)]).unwrap(),
        };
        if board.is_game_over() {
            return position(rng, plies);
        }
    }
    board
}

/// The score by the definition of a search without cuts: static values in whole discs at its leaves.
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
    let mut rng = Rng::new(8);
    for game in 0..games {
        let board = position(&mut rng, 5 + game % 40);
        let depth = (game % 5) as u32;
        let expected = minimax(model, board, depth);
        let limits = Limits::depth(depth, Selectivity::Full);
        let found: Vec<_> = engines
            .iter_mut()
            .map(|engine| {
                engine.clear();
                engine.search(board, &limits).unwrap()
            })
            .collect();
        for one in &found {
            assert_eq!(one.score, expected, "{board} at depth {depth}");
            assert_eq!((one.nodes, &one.line), (found[0].nodes, &found[0].line));
            assert_eq!((one.depth, one.bound), (depth, Bound::Exact));
        }
        // The line is worth the score.
        let (mut end, mut sign) = (board, 1);
        for ply in &found[0].line {
            end = match ply {
                Some(square) => end.play(*square).expect("a legal move"),
                None => end.pass(),
            };
            sign = -sign;
        }
        let plies = found[0].line.iter().flatten().count() as u32;
        assert_eq!(
            sign * minimax(model, end, depth - plies),
            expected,
            "{board}"
        );
    }
}

/// Selective searches take fewer nodes the less certain they are, and mostly find the true score.
#[test]
fn selective_solves_are_cheaper_and_near() {
    let bytes = project_file("problems/ffo-20-39.obf");
    let mut engine = Engine::builder().hash_mib(16).build().unwrap();
    let mut nodes = Vec::new();
    for selectivity in [Selectivity::P73, Selectivity::P95, Selectivity::Full] {
        let (mut sum, mut distance) = (0, 0);
        for problem in obf::read(&bytes).skip(3).take(8) {
            let problem = problem.unwrap();
            engine.clear();
            let found = engine
                .search(problem.board, &Limits::depth(60, selectivity))
                .unwrap();
            assert_eq!(found.selectivity, selectivity);
            assert_eq!(found.depth, problem.board.empty_count());
            sum += found.nodes;
            distance += (found.score - problem.best_score().unwrap()).abs();
        }
        assert!(
            distance <= 8 * (Selectivity::Full as i32 - selectivity as i32),
            "{selectivity}"
        );
        nodes.push(sum);
    }
    assert!(nodes.is_sorted(), "{nodes:?}");
}

/// FFO #39 wins all discs: no search that comes before the solve looks for a disc that the loser might keep. They
/// took 1.5 million nodes.
#[test]
fn a_win_of_all_discs_is_found_at_once() {
    let bytes = project_file("problems/ffo-20-39.obf");
    let problem = obf::read(&bytes).last().unwrap().unwrap();
    let mut engine = Engine::builder().hash_mib(16).build().unwrap();
    let found = engine.search(problem.board, &Limits::EXACT).unwrap();
    assert_eq!((found.score, found.bound), (64, Bound::Exact));
    assert!(found.nodes < 300_000, "{}", found.nodes);
    // Nine moves do. A search for three of them that is ended early knows of three good ones, too.
    for nodes in [None, Some(1000), Some(30_000)] {
        engine.clear();
        let limits = Limits {
            lines: 3,
            nodes,
            ..Limits::EXACT
        };
        let found = engine.search(problem.board, &limits).unwrap();
        let scores: Vec<i32> = found.candidates.iter().map(|one| one.score).collect();
        assert_eq!(scores.len(), 3, "{nodes:?}");
        assert!(found.complete == nodes.is_none(), "{nodes:?}");
        let least = if nodes.is_none() { 64 } else { 60 };
        assert!(
            scores.iter().all(|&score| score >= least),
            "{nodes:?}: {scores:?}"
        );
    }
}

/// Weights change what is searched, never what is found by an exact solve.
#[test]
fn weights_do_not_change_an_exact_score() {
    let mut rng = Rng::new(3);
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
        let found = engines.each_mut().map(|engine| {
            let exact = engine.search(board, &Limits::EXACT).unwrap().score;
            let limits = Limits {
                window,
                ..Limits::EXACT
            };
            let inside = engine.search(board, &limits).unwrap().score;
            assert_eq!(window.clamp(inside), window.clamp(exact));
            exact
        });
        assert_eq!([found[0]; 3], found, "{board}");
    }
}

/// Boards that no game leads to have an answer, too, and finished games their score at any depth.
#[test]
fn strange_boards_are_searched() {
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
            let found = engine.search(board, &limits).unwrap();
            assert!((-64..=64).contains(&found.score));
            if let Some(score) = score {
                assert_eq!(found.score, score, "{board} at depth {depth}");
            }
        }
    }
}

#[test]
fn the_example_without_a_position_explains_itself() {
    let told = example::run(None).unwrap();
    assert!(told.starts_with("No position was given."), "{told}");
    assert!(told.contains("usage: cargo run --release --example solve -- 'POSITION'"));
    assert!(told.contains("\n+18 by G8 "), "{told}");
    let given = example::run(Some(example::SAMPLE)).unwrap();
    assert!(given.starts_with("+18 by G8 "), "{given}");
    let error = example::run(Some("X")).unwrap_err().to_string();
    assert_eq!(error, "expected 64 squares (X, O or -), found 1");
}
