//! Results of problems as JSON, one object per line.

use outflank::Isa;
use outflank::notation::ply_name;
use outflank::search::ThreadWork;
use serde::Serialize;

use super::{ProblemResult, Totals};
use crate::console::speed;
use crate::json::{is_nothing, object, to_line};
use crate::text_format::ply_names;

/// Object of a result. `file` names its file if the command has several.
pub(crate) fn row(result: &ProblemResult, file: Option<&str>) -> String {
    let search = &result.search;
    let lines = search.candidates.iter().map(|candidate| {
        object! {
            score: result.clip_window().clamp(candidate.score),
            bound: result.clipped_bound_of(candidate.score, candidate.bound).name(),
            pv: ply_names(&candidate.line),
        }
    });
    to_line(&object! {
        #[serde(skip_serializing_if = "is_nothing")]
        file,
        index: result.number,
        name: &result.problem.name,
        board: result.problem.squares(),
        side: result.problem.side.letter(),
        score: result.clipped_score(),
        bound: result.clipped_bound().name(),
        best: result.best().map(ply_name),
        depth: search.depth,
        // Confidence in percent.
        selectivity: search.selectivity.percent(),
        complete: search.complete,
        solved: result.is_solved(),
        nodes: search.nodes,
        time_s: search.time.as_secs_f64(),
        pv: ply_names(&search.line),
        // Best moves, if several were asked for.
        #[serde(skip_serializing_if = "is_nothing")]
        lines: lines.collect::<Vec<_>>(),
        expected: result.expected(),
        ok: result.is_right(),
    })
}

/// Object that ends the output.
pub(crate) fn summary(totals: &Totals, isa: Isa) -> String {
    let summary = object! {
        positions: totals.positions,
        solved: totals.solved,
        wrong: totals.wrong,
        malformed: totals.malformed,
        nodes: totals.nodes,
        time_s: totals.time.as_secs_f64(),
        nps: speed(totals.nodes, totals.time),
        isa: isa.name(),
        #[serde(skip_serializing_if = "is_nothing")]
        thread_work: thread_work(&totals.thread_work),
    };
    to_line(&object! { summary })
}

/// Object about the work of several threads; `None` if no node was split.
pub(crate) fn thread_work(work: &ThreadWork) -> Option<impl Serialize + use<>> {
    let [searching, waiting, splitting] = work.shares();
    (work.splits > 0).then(|| {
        object! {
            searching,
            waiting,
            splitting,
            splits: work.splits,
            moves: work.moves,
            moves_given: work.moves_given,
            moves_discarded: work.moves_discarded,
        }
    })
}
