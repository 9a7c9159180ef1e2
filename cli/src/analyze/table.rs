//! Judged games as tables.

use std::fmt::Write as _;

use outflank::Side;
use outflank::analysis::Judgement;

use super::{Analysis, Losses};
use crate::table::{depth, line, ply};

/// The two lines above the rows.
const HEADER: &str = concat!(
    "  #|empty| move  |black|loss| depth | better\n",
    "---+-----+-------+-----+----+-------+---------------------\n",
);

/// The table of a game, with its heading and what both sides lost.
pub(super) fn game(analysis: &Analysis) -> String {
    let source = analysis.source;
    let mut text = format!("{}. {}", source.index, source.place);
    for side in [Side::Black, Side::White] {
        if let Some(player) = source.short_player(side) {
            write!(text, ", {side} {player}").expect("memory takes all");
        }
    }
    if let Some(score) = source.record.score() {
        write!(text, ", {score:+}").expect("memory takes all");
    }
    if analysis.first > 1 {
        write!(text, ", judged from move {} on", analysis.first).expect("memory takes all");
    }
    text.push('\n');
    text.push_str(HEADER);
    for judgement in &analysis.moves {
        text.push_str(row(judgement).trim_end());
        text.push('\n');
    }
    for side in [Side::Black, Side::White] {
        writeln!(text, "{side}: {}", told(analysis.losses(side))).expect("memory takes all");
    }
    text
}

fn row(judgement: &Judgement) -> String {
    let cells = Cells::of(judgement);
    format!(
        "{:>3}|{:>4} | {:<6}|{:>4} |{:>3} |{:>7}| {}",
        judgement.number,
        judgement.empties(),
        cells.played,
        cells.score,
        cells.loss,
        cells.depth,
        cells.better,
    )
}

/// Texts of the cells of a move.
pub(super) struct Cells {
    /// The move and its mark.
    pub(super) played: String,
    /// Discs for black.
    pub(super) score: String,
    /// Discs that the move lost; empty where it lost none.
    pub(super) loss: String,
    pub(super) depth: String,
    /// Best play from before the move on; empty where the move lost nothing.
    pub(super) better: String,
}

impl Cells {
    pub(super) fn of(judgement: &Judgement) -> Cells {
        let is_best = judgement.loss() == 0;
        let where_worse = |text: String| if is_best { String::new() } else { text };
        let played = ply(Some(judgement.played), judgement.side);
        Cells {
            played: format!("{played} {}", judgement.mark().sign()),
            score: format!("{:+}", judgement.black_score()),
            loss: where_worse(judgement.loss().to_string()),
            depth: match judgement.from_book {
                true => "book ".to_owned(),
                false => depth(judgement.depth, judgement.selectivity),
            },
            better: where_worse(line(&judgement.line, judgement.side)),
        }
    }
}

/// The line below several tables.
pub(super) fn summary(games: usize, losses: Losses) -> String {
    format!("games {games}, {}", told(losses))
}

pub(super) fn told(losses: Losses) -> String {
    let [inaccurate, mistakes, blunders] = losses.marked;
    format!(
        "moves {}, discs lost {}, {:.2} a move; ?! {inaccurate}, ? {mistakes}, ?? {blunders}",
        losses.moves,
        losses.discs,
        losses.mean(),
    )
}
