//! Judged games as objects.

use outflank::Side;
use outflank::analysis::Judgement;
use outflank::notation::ply_name;
use serde::Serialize;

use super::{Analysis, Losses};
use crate::json::text;

/// A game.
#[derive(Serialize)]
struct GameObject<'a> {
    index: usize,
    place: &'a str,
    /// The players' names, where they are known.
    players: Sides<Option<String>>,
    /// What the game came to, from black's side.
    result: Option<i32>,
    losses: Sides<Sums>,
    moves: Vec<MoveObject>,
}

#[derive(Serialize)]
struct Sides<T> {
    black: T,
    white: T,
}

impl<T> Sides<T> {
    fn of(of: impl Fn(Side) -> T) -> Sides<T> {
        Sides {
            black: of(Side::Black),
            white: of(Side::White),
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
    /// The score from black's side.
    black_score: i32,
    best: String,
    best_score: i32,
    loss: i32,
    mark: &'static str,
    exact: bool,
    /// Whether the scores are those of a book.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    book: bool,
    depth: u32,
    selectivity: u32,
    pv: Vec<String>,
}

/// The sum over some moves.
#[derive(Serialize)]
struct Sums {
    moves: usize,
    discs: i32,
    mean: f64,
    inaccurate: usize,
    mistakes: usize,
    blunders: usize,
}

#[derive(Serialize)]
struct LastLine {
    summary: Summary,
}

#[derive(Serialize)]
struct Summary {
    games: usize,
    positions: usize,
    losses: Sums,
}

/// The object of a game.
pub(super) fn game(analysis: &Analysis) -> String {
    let source = analysis.source;
    text(&GameObject {
        index: source.index,
        place: &source.place,
        players: Sides::of(|side| source.player(side)),
        result: source.record.score(),
        losses: Sides::of(|side| sums(analysis.losses(side))),
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

fn sums(losses: Losses) -> Sums {
    let [inaccurate, mistakes, blunders] = losses.marked;
    Sums {
        moves: losses.moves,
        discs: losses.discs,
        mean: losses.mean(),
        inaccurate,
        mistakes,
        blunders,
    }
}

/// The object that ends the output.
pub(super) fn summary(games: usize, positions: usize, losses: Losses) -> String {
    text(&LastLine {
        summary: Summary {
            games,
            positions,
            losses: sums(losses),
        },
    })
}
