//! Results of problems as a table in the layout of Othello engines.

use outflank::notation::ply_name;
use outflank::search::ThreadWork;
use outflank::{Bound, Isa, Window};

use super::{ProblemResult, Totals};
use crate::console::{clock, shortened, speed};
use crate::text_format::{bounded, depth, variation};

/// Heading of the table, two lines. If `name_width` is 0, the column of names is left out.
pub(crate) fn header(name_width: usize) -> String {
    let (title, rule) = match name_width {
        0 => (String::new(), String::new()),
        width => (
            format!(" {:<1$}|", "name", width - 1),
            "-".repeat(width) + "+",
        ),
    };
    format!(
        " # | depth|score|       time   |  nodes (N)  |   N/s    |{title} principal variation\n\
         ---+------+-----+--------------+-------------+----------+{rule}---------------------"
    )
}

/// Width of a column for these names; 0 without names.
pub(crate) fn name_width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    let longest = names.map(|name| name.chars().count()).max();
    longest.map_or(0, |longest| longest.clamp(" name".len(), MAX_NAME))
}

/// Widest column of names.
const MAX_NAME: usize = 46;

/// Formats the cell of a name, with a blank after it. The cell is empty if the width of the column is 0.
fn name_cell(name: Option<&str>, width: usize) -> String {
    let name = name.unwrap_or_default();
    match width {
        0 => String::new(),
        width => format!("{:<width$} ", shortened(name, width)),
    }
}

/// Row of a result. A wrong result is followed by the scores of the file.
pub(crate) fn row(result: &ProblemResult, name_width: usize) -> String {
    let search = &result.search;
    let row = format!(
        "{:>3}|{:>6} {} {:>14} {:>13} {:>10} {}{}",
        result.number,
        depth(search.depth, search.selectivity),
        score_cell(
            result.clipped_score(),
            result.clipped_bound(),
            result.clip_window()
        ),
        clock(search.time),
        search.nodes,
        speed(search.nodes, search.time),
        name_cell(result.problem.name.as_deref(), name_width),
        variation(&search.line, result.problem.side),
    );
    let wrong = match (result.is_right(), result.expected()) {
        (Some(false), Some(expected)) => {
            let expected = score(expected, Bound::Exact, result.clip_window());
            let moves: Vec<_> = result.expected_moves().map(ply_name).collect();
            format!("  WRONG: expected {expected} {}", moves.join(" "))
        }
        _ => String::new(),
    };
    let mut rows = vec![row + &wrong];
    // The first candidate is in the row above.
    for (number, candidate) in (1..).zip(&search.candidates).skip(1) {
        let window = result.clip_window();
        let bound = result.clipped_bound_of(candidate.score, candidate.bound);
        let score = score_cell(window.clamp(candidate.score), bound, window);
        let line = variation(&candidate.line, result.problem.side);
        let nothing = "";
        let number = format!("{number}.");
        rows.push(format!(
            "{nothing:>3}|{number:>6} {score} {nothing:>39} {}{line}",
            name_cell(None, name_width)
        ));
    }
    let rows: Vec<_> = rows.iter().map(|row| row.trim_end()).collect();
    rows.join("\n")
}

/// The line below the rows.
pub(crate) fn summary(totals: &Totals, isa: Isa) -> String {
    // Positions searched to fewer plies, selectively, or until a limit.
    let searched = match totals.positions - totals.solved {
        0 => String::new(),
        searched => format!(", {searched} searched"),
    };
    format!(
        "{} solved{searched}, {} wrong, {} malformed; {} nodes in {} ({} N/s), level {isa}",
        totals.solved,
        totals.wrong,
        totals.malformed,
        totals.nodes,
        clock(totals.time),
        speed(totals.nodes, totals.time),
    )
}

/// The line about the work of several threads; `None` if no node was split.
pub(crate) fn thread_work(work: &ThreadWork) -> Option<String> {
    let [searching, waiting, splitting] = work.shares().map(|share| 100.0 * share);
    (work.splits > 0).then(|| {
        format!(
            "thread time: {searching:.1} % searching, {waiting:.1} % waiting, {splitting:.1} % splitting; {} splits; \
             {} moves, {} given away, {} discarded",
            work.splits, work.moves, work.moves_given, work.moves_discarded,
        )
    })
}

/// Formats the cell of a score, five characters wide. With the sign of a bound a score can fill the cell; otherwise the
/// last character is blank.
fn score_cell(value: i32, bound: Bound, window: Window) -> String {
    format!("{:<5}", format!("{:>4}", score(value, bound, window)))
}

/// A score in discs, or the outcome of a win-loss-draw search.
fn score(score: i32, bound: Bound, window: Window) -> String {
    match score {
        _ if window != Window::WLD => bounded(score, bound),
        1 => "win".to_owned(),
        0 => "draw".to_owned(),
        _ => "loss".to_owned(),
    }
}
