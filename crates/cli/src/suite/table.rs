//! Replies to a suite as tables.

use outflank::notation::ply_name;
use outflank::test_suite::SCORE_BOUNDS;

use super::{Position, Reply, Report, SuiteAnswer};
use crate::console::{clock, shortened};
use crate::text_format::depth;

/// Heading of the table of an engine.
pub(super) fn header(name: &str) -> String {
    format!(
        "{name}\n  # | move | lost | score | exact |  depth  |        nodes  |      time  | position\n\
         ----+------+------+-------+-------+---------+---------------+------------+----------"
    )
}

/// Row of a reply.
pub(super) fn row(position: &Position, reply: &Reply) -> String {
    /// Widest name.
    const MAX_NAME: usize = 50;
    let exact = position.problem.best_score().unwrap_or_default();
    let name = position.problem.name.as_deref().unwrap_or_default();
    let name = shortened(name, MAX_NAME);
    let number = position.number;
    let row = match reply {
        Err(fault) => format!("{number:>3} |      no answer: {fault} | {name}"),
        Ok(answer) => {
            let AnswerTexts {
                ply,
                lost,
                score,
                depth,
                nodes,
                time,
            } = AnswerTexts::of(answer);
            format!(
                "{number:>3} | {ply:<4} | {lost:>4} | {score:>5} | {exact:>+5} | {depth:<7} | {nodes:>13} | \
                 {time:>10} | {name}"
            )
        }
    };
    row.trim_end().to_owned()
}

/// Texts of an answer. Unknown values are empty; so is the loss of a best move.
pub(super) struct AnswerTexts {
    pub(super) ply: String,
    pub(super) lost: String,
    pub(super) score: String,
    pub(super) depth: String,
    pub(super) nodes: String,
    pub(super) time: String,
}

impl AnswerTexts {
    pub(super) fn of(answer: &SuiteAnswer) -> AnswerTexts {
        AnswerTexts {
            ply: ply_name(answer.ply),
            lost: match answer.verdict.loss {
                0 => String::new(),
                loss => loss.to_string(),
            },
            score: text(answer.score, |score| match score == score.round() {
                true => format!("{score:+}"),
                false => format!("{score:+.1}"),
            }),
            depth: text(answer.depth, |(plies, selectivity)| {
                depth(plies, selectivity)
            }),
            nodes: text(answer.nodes, |nodes| nodes.to_string()),
            time: clock(answer.time),
        }
    }
}

/// Formats a value if it is known.
fn text<T>(value: Option<T>, format: impl FnOnce(T) -> String) -> String {
    value.map(format).unwrap_or_default()
}

/// Titles of [`total_cells`].
pub(super) fn total_titles() -> [String; 9] {
    let [a, b, c] = SCORE_BOUNDS.map(|bound| format!("within {bound}"));
    let [best, lost, error] = ["best moves", "mean loss", "mean error"].map(str::to_owned);
    let [engine, nodes, time] = ["engine", "nodes", "time"].map(str::to_owned);
    [engine, best, lost, a, b, c, error, nodes, time]
}

/// Totals of an engine as texts. Unknown values are empty.
pub(super) fn total_cells(report: &Report) -> [String; 9] {
    let totals = &report.totals;
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let discs = |discs: Option<f64>| text(discs, |discs| format!("{discs:.2}"));
    let best = format!(
        "{}/{} {}",
        totals.best,
        totals.positions,
        percent(report.best_share())
    );
    let within = report.within_shares();
    let [a, b, c] = within.map_or_else(Default::default, |shares| shares.map(percent));
    [
        report.name.clone(),
        best,
        discs(totals.mean_loss()),
        a,
        b,
        c,
        discs(totals.mean_score_error()),
        text(report.nodes, |nodes| nodes.to_string()),
        clock(report.time),
    ]
}

/// Table of the totals of all engines.
pub(super) fn totals(reports: &[Report]) -> String {
    let mut rows = vec![total_titles()];
    rows.extend(reports.iter().map(total_cells));
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or_default()
    };
    let line = |row: &[String; 9]| {
        let mut line = format!("{:<1$}", row[0], width(0));
        for (column, cell) in row.iter().enumerate().skip(1) {
            line += &format!("  {cell:>0$}", width(column));
        }
        line.trim_end().to_owned()
    };
    let lines: Vec<_> = rows.iter().map(line).collect();
    format!("\n{}", lines.join("\n"))
}
