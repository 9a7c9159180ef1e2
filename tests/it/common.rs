//! Helpers of several tests: problems, engines, and parts of results.

use outflank::notation::obf::{self, Problem};
use outflank::{Board, Engine, Limits, Ply, SearchResult};
use outflank_testing::data::project_file;

/// Problems of a file in `data/problems`.
pub(crate) fn problems(file: &str) -> Vec<Problem> {
    let bytes = project_file(&format!("data/problems/{file}.obf"));
    obf::read(&bytes).map(Result::unwrap).collect()
}

/// An engine with 16 MiB.
pub(crate) fn engine(threads: usize) -> Engine {
    let builder = Engine::builder().threads(threads).hash_mib(16);
    builder.build().unwrap()
}

/// An exact search with a node limit.
pub(crate) fn within(nodes: u64) -> Limits {
    let nodes = Some(nodes);
    Limits {
        nodes,
        ..Limits::EXACT
    }
}

/// Scores of the candidates.
pub(crate) fn scores(result: &SearchResult) -> Vec<i32> {
    let candidates = result.candidates.iter();
    candidates.map(|candidate| candidate.score).collect()
}

/// Result of a search, and its reports.
pub(crate) fn search_and_reports(
    engine: &mut Engine,
    board: Board,
    limits: &Limits,
) -> (SearchResult, Vec<SearchResult>) {
    let mut reports = Vec::new();
    let result = engine.search_and_report(board, limits, |report| reports.push(report.clone()));
    (result.unwrap(), reports)
}

/// Board after a line; `None` if the line has an illegal ply.
pub(crate) fn after(board: Board, line: &[Ply]) -> Option<Board> {
    line.iter().try_fold(board, |board, ply| match ply {
        Some(square) => board.play(*square),
        None => board.must_pass().then(|| board.pass()),
    })
}
