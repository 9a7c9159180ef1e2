//! Results of problems as JSON, one object per line.

use outflank::notation::ply_name;
use outflank::{Bound, Isa, Ply};
use serde::Serialize;

use super::{ProblemResult, Totals};
use crate::console::speed;
use crate::json::{to_line, under_key};

#[derive(Serialize)]
struct Row<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(rename = "index")]
    number: usize,
    /// Name in the file.
    name: Option<&'a str>,
    board: String,
    side: char,
    score: i32,
    bound: &'static str,
    best: Option<String>,
    depth: u32,
    /// Confidence in percent.
    selectivity: u32,
    /// `true` if no limit or signal ended the search.
    complete: bool,
    /// `true` if searched to the end of the game without selectivity.
    solved: bool,
    nodes: u64,
    time_s: f64,
    pv: Vec<String>,
    /// Best moves, if several were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<MoveRow>,
    expected: Option<i32>,
    ok: Option<bool>,
}

#[derive(Serialize)]
struct MoveRow {
    score: i32,
    bound: &'static str,
    pv: Vec<String>,
}

#[derive(Serialize)]
struct Summary {
    positions: usize,
    solved: usize,
    wrong: usize,
    malformed: usize,
    nodes: u64,
    time_s: f64,
    nps: u64,
    isa: &'static str,
}

/// Object of a result. `file` names its file if the command has several.
pub(crate) fn row(result: &ProblemResult, file: Option<&str>) -> String {
    let search = &result.search;
    to_line(&Row {
        file,
        number: result.number,
        name: result.problem.name.as_deref(),
        board: result.problem.squares(),
        side: result.problem.side.letter(),
        score: result.clipped_score(),
        bound: bound_name(result.clipped_bound()),
        best: result.best().map(ply_name),
        depth: search.depth,
        selectivity: search.selectivity.percent(),
        complete: search.complete,
        solved: result.is_solved(),
        nodes: search.nodes,
        time_s: search.time.as_secs_f64(),
        pv: pv(&search.line),
        lines: search
            .candidates
            .iter()
            .map(|candidate| MoveRow {
                score: result.clip_window().clamp(candidate.score),
                bound: bound_name(result.clipped_bound_of(candidate.score, candidate.bound)),
                pv: pv(&candidate.line),
            })
            .collect(),
        expected: result.expected(),
        ok: result.is_right(),
    })
}

fn bound_name(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    }
}

fn pv(line: &[Ply]) -> Vec<String> {
    line.iter().copied().map(ply_name).collect()
}

/// Object that ends the output.
pub(crate) fn summary(totals: &Totals, isa: Isa) -> String {
    under_key(
        "summary",
        Summary {
            positions: totals.positions,
            solved: totals.solved,
            wrong: totals.wrong,
            malformed: totals.malformed,
            nodes: totals.nodes,
            time_s: totals.time.as_secs_f64(),
            nps: speed(totals.nodes, totals.time),
            isa: isa.name(),
        },
    )
}
