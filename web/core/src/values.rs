//! Values that go to JavaScript as plain objects, and those that come from there.

use std::time::Duration;

use outflank::analysis::Judgement;
use outflank::notation::{ply_name, position};
use outflank::search::Strength;
use outflank::square::Ply;
use outflank::{Board, Bound, Limits, SearchResult, Selectivity, Side, Square};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

/// A value as JavaScript has it.
pub(crate) fn to_js(value: &impl Serialize) -> JsValue {
    serde_wasm_bindgen::to_value(value).expect("plain data")
}

/// The number of a ply: a square, or -1 for a pass.
pub(crate) fn number(ply: Ply) -> i32 {
    ply.map_or(-1, |square| square.index() as i32)
}

fn squares(bits: u64) -> Vec<usize> {
    Square::all_in(bits).map(Square::index).collect()
}

fn side_name(side: Side) -> String {
    side.to_string()
}

/// A position of a game.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Position {
    /// 64 squares and the side to move.
    text: String,
    side: String,
    /// The legal moves of that side.
    moves: Vec<usize>,
    black: u32,
    white: u32,
    /// What was played last, and what that turned.
    last: Option<i32>,
    turned: Vec<usize>,
    must_pass: bool,
    is_over: bool,
    /// In discs from black's side, where the game is over.
    score: Option<i32>,
}

impl Position {
    pub(crate) fn new(
        (board, side): (Board, Side),
        last: Option<(Ply, (Board, Side))>,
    ) -> Position {
        let discs = side.black_first(board);
        let is_over = board.is_game_over();
        let turned = last.map_or(0, |(ply, (before, by))| match ply {
            // The opponent's discs that are the mover's now.
            Some(_) => {
                by.black_first(before).pass().player & discs.player
                    | by.black_first(before).player & discs.opponent
            }
            None => 0,
        });
        Position {
            text: position(board, side),
            side: side_name(side),
            moves: squares(board.mobility()),
            black: discs.player.count_ones(),
            white: discs.opponent.count_ones(),
            last: last.map(|(ply, _)| number(ply)),
            turned: squares(turned),
            must_pass: board.must_pass(),
            is_over,
            score: is_over.then(|| side.black_score(board.final_score())),
        }
    }
}

/// How far to search, as `SearchLimits` of the package has it.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Wanted {
    level: Option<u32>,
    depth: Option<u32>,
    selectivity: Option<u32>,
    time_ms: Option<f64>,
    nodes: Option<f64>,
    lines: Option<u32>,
}

impl Wanted {
    /// The level or the depth; to the end of the game where neither is named.
    pub(crate) fn strength(&self) -> Result<Strength, String> {
        let selectivity = match self.selectivity {
            None => Selectivity::Full,
            Some(percent) => Selectivity::of_percent(percent).ok_or_else(|| {
                let all = Selectivity::ALL.map(|one| one.percent().to_string());
                format!("selectivity {percent}: there are {}", all.join(", "))
            })?,
        };
        Ok(match (self.level, self.depth) {
            (Some(_), Some(_)) => return Err("a level or a depth, not both".to_owned()),
            (Some(level), None) => Strength::Level(level),
            (None, depth) => Strength::Depth(depth.unwrap_or(64), selectivity),
        })
    }

    /// The limits for a board.
    pub(crate) fn limits(&self, board: Board) -> Result<Limits, String> {
        let limits = self.strength()?.limits(board.empty_count());
        let time = match self.time_ms {
            None => None,
            Some(ms) => Some(
                Duration::try_from_secs_f64(ms / 1000.0)
                    .map_err(|_| format!("a time of {ms} ms: expected 0 or more"))?,
            ),
        };
        Ok(Limits {
            time,
            nodes: self.nodes.map(|nodes| nodes as u64),
            lines: self.lines.unwrap_or(1),
            ..limits
        })
    }
}

fn names(line: &[Ply]) -> Vec<i32> {
    line.iter().map(|&ply| number(ply)).collect()
}

fn bound_name(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    }
}

/// What a search found.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Answer {
    score: i32,
    bound: &'static str,
    depth: u32,
    selectivity: u32,
    complete: bool,
    line: Vec<i32>,
    candidates: Vec<Candidate>,
    nodes: f64,
    ms: f64,
}

#[derive(Serialize)]
struct Candidate {
    ply: i32,
    score: i32,
    bound: &'static str,
    line: Vec<i32>,
}

impl Answer {
    pub(crate) fn new(found: &SearchResult) -> Answer {
        let candidates = found.candidates.iter().map(|one| Candidate {
            ply: number(one.ply),
            score: one.score,
            bound: bound_name(one.bound),
            line: names(&one.line),
        });
        Answer {
            score: found.score,
            bound: bound_name(found.bound),
            depth: found.depth,
            selectivity: found.selectivity.percent(),
            complete: found.complete,
            line: names(&found.line),
            candidates: candidates.collect(),
            nodes: found.nodes as f64,
            ms: found.time.as_secs_f64() * 1000.0,
        }
    }
}

/// What a move of a game cost.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Judged {
    number: usize,
    side: String,
    played: usize,
    played_name: String,
    score: i32,
    best_score: i32,
    loss: i32,
    mark: &'static str,
    line: Vec<i32>,
    depth: u32,
    selectivity: u32,
    exact: bool,
}

impl Judged {
    pub(crate) fn new(one: &Judgement) -> Judged {
        Judged {
            number: one.number,
            side: side_name(one.side),
            played: one.played.index(),
            played_name: ply_name(Some(one.played)),
            score: one.score,
            best_score: one.best_score,
            loss: one.loss(),
            mark: one.mark().sign(),
            line: names(&one.line),
            depth: one.depth,
            selectivity: one.selectivity.percent(),
            exact: one.is_exact(),
        }
    }
}
