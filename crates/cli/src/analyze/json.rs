//! Judged games as JSON.

use outflank::Side;
use outflank::analysis::Judgement;
use outflank::notation::ply_name;
use serde::Serialize;

use super::{Analysis, Losses};
use crate::json::{to_line, under_key};

#[derive(Serialize)]
struct GameObject<'a> {
    #[serde(rename = "index")]
    number: usize,
    #[serde(rename = "place")]
    location: &'a str,
    /// Names, if known.
    players: Sides<Option<String>>,
    /// Final score for black.
    result: Option<i32>,
    losses: Sides<LossTotals>,
    moves: Vec<MoveObject>,
}

#[derive(Serialize)]
struct Sides<T> {
    black: T,
    white: T,
}

impl<T> Sides<T> {
    fn of(value: impl Fn(Side) -> T) -> Sides<T> {
        Sides {
            black: value(Side::Black),
            white: value(Side::White),
        }
    }
}

#[derive(Serialize)]
struct MoveObject {
    number: usize,
    side: char,
    /// Empty squares before the move.
    empties: u32,
    #[serde(rename = "move")]
    played: String,
    score: i32,
    black_score: i32,
    best: String,
    best_score: i32,
    loss: i32,
    mark: &'static str,
    exact: bool,
    /// `true` if the scores are from a book.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    book: bool,
    depth: u32,
    selectivity: u32,
    pv: Vec<String>,
}

#[derive(Serialize)]
struct LossTotals {
    moves: usize,
    discs: i32,
    mean: f64,
    inaccurate: usize,
    mistakes: usize,
    blunders: usize,
}

#[derive(Serialize)]
struct Summary {
    games: usize,
    positions: usize,
    losses: LossTotals,
}

/// Object of a game.
pub(super) fn game(analysis: &Analysis) -> String {
    let game = analysis.game;
    to_line(&GameObject {
        number: game.number,
        location: &game.location,
        players: Sides::of(|side| game.player(side)),
        result: game.record.score(),
        losses: Sides::of(|side| loss_totals(analysis.losses(side))),
        moves: analysis.moves.iter().map(object).collect(),
    })
}

fn object(judgement: &Judgement) -> MoveObject {
    MoveObject {
        number: judgement.number,
        side: judgement.side.letter(),
        empties: judgement.empties(),
        played: judgement.played.to_string(),
        score: judgement.score,
        black_score: judgement.black_score(),
        best: ply_name(judgement.line.first().copied().flatten()),
        best_score: judgement.best_score,
        loss: judgement.loss(),
        mark: judgement.mark().sign(),
        exact: judgement.is_exact(),
        book: judgement.from_book,
        depth: judgement.depth,
        selectivity: judgement.selectivity.percent(),
        pv: judgement.line.iter().copied().map(ply_name).collect(),
    }
}

fn loss_totals(losses: Losses) -> LossTotals {
    let [inaccurate, mistakes, blunders] = losses.marked;
    LossTotals {
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
    under_key(
        "summary",
        Summary {
            games,
            positions,
            losses,
        },
    )
}
