//! The results as JSON, one object a line.

use outflank::notation::ply_name;
use outflank::text::is_unsafe_to_show;
use outflank::{Bound, Isa, Ply};
use serde::Serialize;

use super::answer::{Answer, Tally};
use super::output::speed;

#[derive(Serialize)]
struct Row<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    index: usize,
    /// What the file calls the position.
    name: Option<&'a str>,
    board: String,
    side: char,
    score: i32,
    bound: &'static str,
    best: Option<String>,
    depth: u32,
    /// The confidence of the answer in percent.
    selectivity: u32,
    /// Whether the search went as far as it was asked to.
    complete: bool,
    /// Whether that was to the end of the game, with nothing left out.
    solved: bool,
    nodes: u64,
    time_s: f64,
    pv: Vec<String>,
    /// The best moves, if several were asked for.
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

#[derive(Serialize)]
struct LastLine {
    summary: Summary,
}

/// The object of an answer; `file` names its file where that is not obvious.
pub(super) fn row(answer: &Answer, file: Option<&str>) -> String {
    let found = &answer.found;
    text(&Row {
        file,
        index: answer.index,
        name: answer.problem.name.as_deref(),
        board: answer.problem.squares(),
        side: answer.problem.side.letter(),
        score: answer.score(),
        bound: bound(answer.bound()),
        best: answer.best().map(ply_name),
        depth: found.depth,
        selectivity: found.selectivity.percent(),
        complete: found.complete,
        solved: answer.is_solved(),
        nodes: found.nodes,
        time_s: found.time.as_secs_f64(),
        pv: pv(&found.line),
        lines: found
            .candidates
            .iter()
            .map(|one| MoveRow {
                score: answer.window().clamp(one.score),
                bound: bound(answer.bound_of(one.score, one.bound)),
                pv: pv(&one.line),
            })
            .collect(),
        expected: answer.expected(),
        ok: answer.is_right(),
    })
}

fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    }
}

fn pv(line: &[Ply]) -> Vec<String> {
    line.iter().copied().map(ply_name).collect()
}

/// The object that ends the output.
pub(super) fn summary(tally: &Tally, isa: Isa) -> String {
    text(&LastLine {
        summary: Summary {
            positions: tally.positions,
            solved: tally.solved,
            wrong: tally.wrong,
            malformed: tally.malformed,
            nodes: tally.nodes,
            time_s: tally.time.as_secs_f64(),
            nps: speed(tally.nodes, tally.time),
            isa: isa.name(),
        },
    })
}

/// An object as a line. Format characters in its texts are escaped: JSON reaches terminals, too.
pub(super) fn text(object: &impl Serialize) -> String {
    let text = serde_json::to_string(object).expect("keys are strings and numbers are finite");
    if !text.contains(is_unsafe_to_show) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match is_unsafe_to_show(letter) {
            true => {
                let mut units = [0; 2];
                let units = letter.encode_utf16(&mut units).iter();
                escaped.extend(units.map(|unit| format!("\\u{unit:04x}")));
            }
            false => escaped.push(letter),
        }
    }
    escaped
}
