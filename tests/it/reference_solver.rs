//! The engine against a reference solver that shares no code with it.

use std::collections::HashSet;

use outflank::notation::wthor::Database;
use outflank::{Board, Bound, Engine, Isa, Limits, SearchResult, Selectivity, Window};
use outflank_random::SplitMix64;
use outflank_testing::data::{random_fill, random_game, wthor};
use outflank_testing::reference::exact_score;

use crate::common::after;

/// Solvers for each level of this CPU, with one to three threads. They keep their tables from position to position, as
/// long sessions do.
fn solvers() -> Vec<Engine> {
    let solver = |&isa: &Isa| {
        let builder = Engine::builder().isa(isa).hash_mib(1);
        let builder = builder.threads(1 + isa as usize % 3);
        builder.build().expect("the level is available")
    };
    Isa::available().iter().map(solver).collect()
}

fn random_window(rng: &mut SplitMix64) -> Window {
    loop {
        let (alpha, beta) = (rng.index(129) as i32 - 64, rng.index(129) as i32 - 64);
        if let Some(window) = Window::new(alpha, beta) {
            return window;
        }
    }
}

/// Solves `board` exactly, for its outcome and in a random window, and checks the results. For one board in four,
/// selective searches fill the table first.
fn check_searches(solver: &mut Engine, board: Board, rng: &mut SplitMix64) {
    let exact = exact_score(&board.to_string());
    if rng.index(4) == 0 {
        for depth in [8, 64] {
            let limits = Limits::depth(depth, Selectivity::P73);
            solver.search(board, &limits).expect("no square held twice");
        }
    }
    for window in [Window::EXACT, Window::WLD, random_window(rng)] {
        let limits = Limits {
            window,
            ..Limits::EXACT
        };
        let solution = solver.search(board, &limits);
        let solution = solution.expect("no square held twice");
        if let Err(fault) = check_solution(board, window, exact, &solution) {
            let isa = solver.isa();
            panic!("{board} X; at {isa}, {window:?}: {fault}; exact score {exact}, {solution:?}");
        }
    }
}

/// Checks bound, line and best move of a solution. The error says which of them is wrong.
fn check_solution(
    board: Board,
    window: Window,
    exact: i32,
    solution: &SearchResult,
) -> Result<(), String> {
    let score = solution.score;
    let bound_holds = match solution.bound {
        Bound::Exact => score == exact,
        Bound::Lower => window.beta() <= score && score <= exact,
        Bound::Upper => exact <= score && score <= window.alpha(),
    };
    if !bound_holds {
        return Err("the score does not hold".to_owned());
    }
    let Some(&best) = solution.line.first() else {
        return match board.is_game_over() || solution.bound == Bound::Upper {
            true => Ok(()),
            false => Err("there is no line".to_owned()),
        };
    };

    if solution.bound == Bound::Upper {
        return Err("there is a line where every move fails low".to_owned());
    }

    let end = after(board, &solution.line).ok_or("the line has an illegal ply")?;
    let sign = [1, -1][solution.line.len() % 2];
    if solution.bound == Bound::Exact {
        if !end.is_game_over() {
            return Err("the line ends before the game".to_owned());
        }
        if sign * end.final_score() != exact {
            return Err("the line plays to another score".to_owned());
        }
    }

    let after_best = after(board, &[best]).expect("the line is legal");
    let best_score = -exact_score(&after_best.to_string());
    match solution.bound {
        Bound::Exact if best_score != exact => Err("the best move is not best".to_owned()),
        Bound::Lower if best_score < score => Err("the best move fails".to_owned()),
        _ => Ok(()),
    }
}

/// Draws a game and returns its position with `empties` empty squares. `None` if the game is shorter or its players are
/// in `seen`.
fn draw(
    database: &Database,
    empties: usize,
    seen: &mut HashSet<(u16, u16)>,
    rng: &mut SplitMix64,
) -> Option<Board> {
    let game = &database.games[rng.index(database.games.len())];
    let positions = game.positions().expect("the moves are legal");
    let &(board, _) = positions.get(60 - empties)?;
    seen.insert((game.black, game.white)).then_some(board)
}

#[test]
fn tournament_positions_have_the_reference_score() {
    let Some(databases) = wthor() else { return };
    let mut rng = SplitMix64::new(1_000);
    let mut solvers = solvers();
    let levels = solvers.len();
    let mut seen = HashSet::new();
    let mut solved = 0;
    for database in databases.iter().cycle() {
        if solved == 1_000 {
            break;
        }
        // Some positions are large enough for the midgame search and for several threads.
        let empties = match solved % 12 {
            0 => 13 + rng.index(2),
            _ => 10 + rng.index(3),
        };
        let Some(board) = draw(database, empties, &mut seen, &mut rng) else {
            continue;
        };
        check_searches(&mut solvers[solved % levels], board, &mut rng);
        solved += 1;
    }
}

#[test]
fn ends_of_random_games_have_the_reference_score() {
    let mut rng = SplitMix64::new(2_000);
    let mut solvers = solvers();
    for _ in 0..60 {
        let positions = random_game(&mut rng).into_iter();
        for board in positions.filter(|board| board.empty_count() <= 10) {
            for solver in &mut solvers {
                check_searches(solver, board, &mut rng);
            }
        }
    }
}

#[test]
fn unreachable_boards_have_the_reference_score() {
    let mut rng = SplitMix64::new(3_000);
    let mut solvers = solvers();
    let (mut finished, mut passes) = (0, 0);
    for round in 0..600 {
        let share = [0, 3, 10, 30, 50, 70, 90, 97, 100][round % 9];
        let empties = rng.index(11);
        let board = random_fill(&mut rng, empties, share);
        finished += usize::from(board.is_game_over());
        passes += usize::from(board.mobility() == 0 && !board.is_game_over());
        for solver in &mut solvers {
            check_searches(solver, board, &mut rng);
        }
    }
    assert!(finished > 100, "{finished} finished");
    assert!(passes > 20, "{passes} passes");
}

#[test]
fn finished_games_count_the_empties_for_the_winner() {
    let cases = [
        (0, u64::MAX, -64),
        (u64::MAX, 0, 64),
        (0xff, 0, 64),
        (0, 0xff, -64),
        (0xffff_ffff, !0xffff_ffff, 0),
        (0xff, 0xff << 56, 0),
        (0x1ff, 0xff << 56, 64 - 2 * 8),
    ];
    for mut solver in solvers() {
        for (player, opponent, score) in cases {
            let board = Board { player, opponent };
            assert_eq!(exact_score(&board.to_string()), score, "{board}");
            let solution = solver.search(board, &Limits::EXACT).expect("a result");
            assert_eq!(solution.score, score, "{board}");
            assert_eq!(solution.bound, Bound::Exact, "{board}");
            assert_eq!(solution.line, [], "{board}");
        }
    }
}
