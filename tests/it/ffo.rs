//! FFO endgame problems 1 to 39: scores, best moves and equal node counts at every level.

use outflank::notation::{obf, ply_name};
use outflank::{Bound, Engine, Isa, Limits};
use outflank_testing::data::project_file;

#[test]
fn every_level_solves_the_problems_with_the_same_nodes() {
    let files =
        ["1-19", "20-39"].map(|name| project_file(&format!("data/problems/ffo-{name}.obf")));
    let problems: Vec<_> = files
        .iter()
        .flat_map(|file| obf::read(file))
        .map(|problem| problem.expect("the file is well formed"))
        .collect();
    let mut first_nodes = vec![None; problems.len()];
    for &isa in Isa::available() {
        let mut solver = Engine::builder()
            .isa(isa)
            .hash_mib(64)
            .build()
            .expect("the level is available");
        for (problem, first_nodes) in problems.iter().zip(&mut first_nodes) {
            solver.clear();
            let solution = solver
                .search(problem.board, &Limits::EXACT)
                .expect("a result");
            let best = problem.moves.iter().map(|&(_, score)| score).max();
            assert_eq!(Some(solution.score), best, "{isa}: {problem}");
            assert_eq!(solution.bound, Bound::Exact, "{isa}: {problem}");
            let answer = (solution.line[0], solution.score);
            let name = ply_name(answer.0);
            assert!(
                problem.moves.contains(&answer),
                "{isa}: {name} in {problem}"
            );
            let nodes = *first_nodes.get_or_insert(solution.nodes);
            assert_eq!(solution.nodes, nodes, "{isa}: {problem}");
        }
    }
}
