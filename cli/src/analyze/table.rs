//! Judged games as tables.

use std::fmt::Write as _;

use outflank::Side;
use outflank::analysis::Judgement;

use super::{Analysis, Losses};
use crate::table::{depth, line, ply};

/// The two lines above the rows.
const HEADER: &str = concat!(
    "  #| move  |score|loss| depth | better\n",
    "---+-------+-----+----+-------+---------------------\n",
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
    let is_best = judgement.loss() == 0;
    format!(
        "{:>3}| {} {:<3}| {:>+3} |{:>3} |{:>7}| {}",
        judgement.number,
        ply(Some(judgement.played), judgement.side),
        judgement.mark().sign(),
        judgement.score,
        if is_best {
            String::new()
        } else {
            judgement.loss().to_string()
        },
        match judgement.from_book {
            true => "book ".to_owned(),
            false => depth(judgement.depth, judgement.selectivity),
        },
        if is_best {
            String::new()
        } else {
            line(&judgement.line, judgement.side)
        },
    )
}

/// The line below several tables.
pub(super) fn summary(games: usize, losses: Losses) -> String {
    format!("games {games}, {}", told(losses))
}

fn told(losses: Losses) -> String {
    let [inaccurate, mistakes, blunders] = losses.marked;
    format!(
        "moves {}, discs lost {}, {:.2} a move; ?! {inaccurate}, ? {mistakes}, ?? {blunders}",
        losses.moves,
        losses.discs,
        losses.mean(),
    )
}
