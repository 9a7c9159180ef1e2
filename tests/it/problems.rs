//! Problem files: complete and in the spelling of the writer.

use outflank::notation::obf::{self, Problem};
use outflank_testing::data::{project_file, shared};

const SETS: [(&str, usize); 3] = [("1-19", 1), ("20-39", 20), ("40-59", 40)];

fn problems(file: &[u8]) -> Vec<Problem> {
    let problems: Result<_, _> = obf::read(file).collect();
    problems.expect("the file is well formed")
}

#[test]
fn problems_are_numbered_and_list_all_moves_best_first() {
    for (name, first) in SETS {
        let file = project_file(&format!("data/problems/ffo-{name}.obf"));
        let text = std::str::from_utf8(&file).expect("the file is UTF-8");
        let lines: Vec<_> = text.lines().collect();
        for (number, problem) in (first..).zip(problems(&file)) {
            assert_eq!(problem.name, Some(format!("FFO #{number}")));
            let unnamed = Problem {
                name: None,
                ..problem.clone()
            };
            let comment = format!("% FFO #{number}, {} empties", problem.board.empty_count());
            assert_eq!(lines[problem.line - 1], format!("{unnamed} {comment}"));
            let listed = problem.moves.iter();
            let listed = listed.map(|(ply, _)| ply.expect("a move").bit());
            assert_eq!(listed.sum::<u64>(), problem.board.mobility(), "{problem}");
            assert!(problem.moves.is_sorted_by(|a, b| a.1 >= b.1), "{problem}");
        }
    }
}

#[test]
fn problems_equal_the_published_sets() {
    let published = |name| shared(&format!("ffo/fforum-{name}.obf"));
    for (name, _) in SETS {
        let Some(path) = published(name) else { return };
        let strip = |mut problem: Problem| {
            (problem.line, problem.name) = (0, None);
            problem
        };
        let published = problems(&std::fs::read(path).expect("the file can be read"));
        let ours = problems(&project_file(&format!("data/problems/ffo-{name}.obf")));
        let published: Vec<_> = published.into_iter().map(strip).collect();
        assert_eq!(ours.into_iter().map(strip).collect::<Vec<_>>(), published);
    }
}
