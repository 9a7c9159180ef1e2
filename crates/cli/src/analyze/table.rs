//! Judged games as tables.

use outflank::Side;
use outflank::analysis::Judgement;

use super::{Analysis, Losses};
use crate::text_format::{depth, ply, variation};

/// Heading of the table, two lines.
const HEADER: &str = concat!(
    "  #|empty| move  |black|loss| depth | better\n",
    "---+-----+-------+-----+----+-------+---------------------\n",
);

/// Table of a game with a heading and the losses of both sides.
pub(super) fn game(analysis: &Analysis) -> String {
    let game = analysis.game;
    let mut text = format!("{}. {}", game.number, game.location);
    for side in [Side::Black, Side::White] {
        if let Some(player) = game.short_player(side) {
            text += &format!(", {side} {player}");
        }
    }
    if let Some(score) = game.record.score() {
        text += &format!(", {score:+}");
    }
    if let Some(opening) = game.opening() {
        text += &format!(", opening {opening}");
    }
    if analysis.first > 1 {
        text += &format!(", judged from move {} on", analysis.first);
    }
    text.push('\n');
    text.push_str(HEADER);
    for judgement in &analysis.moves {
        let cells = Cells::of(judgement);
        let row = format!(
            "{:>3}|{:>4} | {:<6}|{:>4} |{:>3} |{:>7}| {}",
            judgement.number,
            judgement.empties(),
            cells.played,
            cells.score,
            cells.loss,
            cells.depth,
            cells.better,
        );
        text += &format!("{}\n", row.trim_end());
    }
    for side in [Side::Black, Side::White] {
        text += &format!("{side}: {}\n", losses_text(analysis.losses(side)));
    }
    if let Some(novelty) = &analysis.game.novelty {
        text += &format!("{}\n", novelty.text());
    }
    text
}

/// Cells of the row of a move.
pub(super) struct Cells {
    /// The move and its mark.
    pub(super) played: String,
    /// Discs for black.
    pub(super) score: String,
    /// Lost discs; empty if none.
    pub(super) loss: String,
    pub(super) depth: String,
    /// Best line of play from the position before the move; empty if the move lost nothing.
    pub(super) better: String,
}

impl Cells {
    pub(super) fn of(judgement: &Judgement) -> Cells {
        let is_best = judgement.loss() == 0;
        let unless_best = |text: String| if is_best { String::new() } else { text };
        let played = ply(Some(judgement.played), judgement.side);
        Cells {
            played: format!("{played} {}", judgement.mark().sign()),
            score: format!("{:+}", judgement.black_score()),
            loss: unless_best(judgement.loss().to_string()),
            depth: match judgement.from_book {
                true => "book ".to_owned(),
                false => depth(judgement.depth, judgement.selectivity),
            },
            better: unless_best(variation(&judgement.line, judgement.side)),
        }
    }
}

/// Formats the line below several tables.
pub(super) fn summary(games: usize, losses: Losses) -> String {
    format!("games {games}, {}", losses_text(losses))
}

pub(super) fn losses_text(losses: Losses) -> String {
    let [inaccurate, mistakes, blunders] = losses.marked;
    format!(
        "moves {}, discs lost {}, {:.2} a move; ?! {inaccurate}, ? {mistakes}, ?? {blunders}",
        losses.moves,
        losses.discs,
        losses.mean(),
    )
}
