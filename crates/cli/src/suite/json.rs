//! Replies to a suite as JSON, one object per line.

use outflank::notation::ply_name;
use outflank::test_suite::SCORE_BOUNDS;

use super::{Position, Reply, Report, SuiteAnswer};
use crate::json::{is_nothing, object, to_line};

/// Object of a reply. Values that are not known are `null`.
pub(super) fn row(engine: &str, position: &Position, reply: &Reply) -> String {
    let problem = &position.problem;
    let exact = problem.best_score();
    let best = problem.moves.iter();
    let best = best.filter(|&&(_, score)| Some(score) == exact);
    let best: Vec<String> = best.map(|&(ply, _)| ply_name(ply)).collect();
    let answer = reply.as_ref().ok();
    let value = |of: fn(&SuiteAnswer) -> Option<f64>| answer.and_then(of);
    to_line(&object! {
        engine,
        index: position.number,
        name: &problem.name,
        board: problem.squares(),
        side: problem.side.letter(),
        exact_score: exact,
        best_moves: best,
        #[serde(rename = "move")]
        played: answer.map(|answer| ply_name(answer.ply)),
        loss: answer.map(|answer| answer.verdict.loss),
        score: value(|answer| answer.score),
        score_error: value(|answer| answer.verdict.score_error),
        depth: answer.and_then(|answer| answer.depth).map(|(plies, _)| plies),
        // Confidence in percent.
        selectivity: answer.and_then(|answer| answer.depth).map(|(_, selectivity)| selectivity.percent()),
        nodes: answer.and_then(|answer| answer.nodes),
        time_s: value(|answer| Some(answer.time.as_secs_f64())),
        #[serde(skip_serializing_if = "is_nothing")]
        fault: reply.as_ref().err().map(|fault| &fault.message),
    })
}

/// Object of the totals of an engine.
pub(super) fn totals(report: &Report) -> String {
    let totals = &report.totals;
    let within = report.within_shares().map(|shares| {
        let within = SCORE_BOUNDS.iter().zip(shares);
        let within = within.map(|(&discs, share)| object! { discs, share });
        within.collect::<Vec<_>>()
    });
    let summary = object! {
        engine: &report.name,
        positions: totals.positions,
        unanswered: totals.unanswered,
        best_moves: totals.best,
        best_share: report.best_share(),
        mean_loss: totals.mean_loss(),
        within,
        mean_score_error: totals.mean_score_error(),
        nodes: report.nodes,
        time_s: report.time.as_secs_f64(),
    };
    to_line(&object! { summary })
}
