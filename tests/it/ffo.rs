//! FFO endgame problems 1 to 39: scores, best moves and equal node counts at every level.

use outflank::notation::ply_name;
use outflank::{Bound, Engine, Isa, Limits};

use crate::common::problems;

#[test]
fn every_level_solves_the_problems_with_the_same_nodes() {
    let problems = [problems("ffo-1-19"), problems("ffo-20-39")].concat();
    let mut first_nodes = vec![None; problems.len()];
    for &isa in Isa::available() {
        let builder = Engine::builder().isa(isa).hash_mib(64);
        let mut solver = builder.build().expect("the level is available");
        for (problem, first_nodes) in problems.iter().zip(&mut first_nodes) {
            solver.clear();
            let solution = solver.search(problem.board, &Limits::EXACT);
            let solution = solution.expect("a result");
            assert_eq!(
                Some(solution.score),
                problem.best_score(),
                "{isa}: {problem}"
            );
            assert_eq!(solution.bound, Bound::Exact, "{isa}: {problem}");
            let answer = (solution.line[0], solution.score);
            let name = ply_name(answer.0);
            let is_best = problem.moves.contains(&answer);
            assert!(is_best, "{isa}: {name} in {problem}");
            let nodes = *first_nodes.get_or_insert(solution.nodes);
            assert_eq!(solution.nodes, nodes, "{isa}: {problem}");
        }
    }
}
