//! Judged games as JSON.

use outflank::Side;
use outflank::analysis::Judgement;
use outflank::notation::ply_name;
use serde::Serialize;

use super::{Analysis, Losses};
use crate::json::{is_nothing, object, to_line};
use crate::text_format::ply_names;

/// Object of a game.
pub(super) fn game(analysis: &Analysis) -> String {
    let game = analysis.game;
    to_line(&object! {
        index: game.number,
        place: &game.location,
        // Names, if known.
        players: by_side(|side| game.player(side)),
        // Final score for black.
        result: game.record.score(),
        // The most specific name, if there is one.
        opening: game.opening().map(|opening| opening.to_string()),
        // Last position that other games of the database have.
        novelty: &game.novelty,
        losses: by_side(|side| loss_totals(analysis.losses(side))),
        moves: analysis.moves.iter().map(object).collect::<Vec<_>>(),
    })
}

fn by_side<T: Serialize>(value: impl Fn(Side) -> T) -> impl Serialize {
    object! { black: value(Side::Black), white: value(Side::White) }
}

fn object(judgement: &Judgement) -> impl Serialize {
    object! {
        number: judgement.number,
        side: judgement.side.letter(),
        // Empty squares before the move.
        empties: judgement.empties(),
        #[serde(rename = "move")]
        played: judgement.played.to_string(),
        score: judgement.score,
        black_score: judgement.black_score(),
        best: ply_name(judgement.line.first().copied().flatten()),
        best_score: judgement.best_score,
        loss: judgement.loss(),
        mark: judgement.mark().sign(),
        exact: judgement.is_exact(),
        #[serde(skip_serializing_if = "is_nothing")]
        book: judgement.from_book,
        depth: judgement.depth,
        selectivity: judgement.selectivity.percent(),
        pv: ply_names(&judgement.line),
    }
}

fn loss_totals(losses: Losses) -> impl Serialize {
    let [inaccurate, mistakes, blunders] = losses.marked;
    object! {
        moves: losses.moves,
        discs: losses.discs,
        mean: losses.mean(),
        inaccurate,
        mistakes,
        blunders,
    }
}

/// Object that ends the output.
pub(super) fn summary(games: usize, positions: usize, losses: Losses) -> String {
    let losses = loss_totals(losses);
    to_line(&object! { summary: object! { games, positions, losses } })
}
