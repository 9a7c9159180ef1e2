//! Values that are plain objects in JavaScript.

use std::time::Duration;

use outflank::analysis::Judgement;
use outflank::notation::{ply_name, write_position};
use outflank::search::Strength;
use outflank::square::Ply;
use outflank::{Board, Bound, Limits, SearchResult, Selectivity, Side, Square};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

/// Converts a value to one of JavaScript.
pub(crate) fn to_js(value: &impl Serialize) -> JsValue {
    serde_wasm_bindgen::to_value(value).expect("plain data")
}

/// Number of a ply: a square, or -1 for a pass.
pub(crate) fn ply_number(ply: Ply) -> i32 {
    ply.map_or(-1, |square| square.index() as i32)
}

fn squares(bits: u64) -> Vec<usize> {
    Square::all_in(bits).map(Square::index).collect()
}

/// Position of a game.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebPosition {
    /// 64 squares and the side to move, as in OBF.
    text: String,
    side: String,
    /// Legal moves of the side to move.
    moves: Vec<usize>,
    black: u32,
    white: u32,
    /// Last ply, and its flipped discs.
    last: Option<i32>,
    turned: Vec<usize>,
    must_pass: bool,
    is_over: bool,
    /// Score of a finished game, in discs for black.
    score: Option<i32>,
}

impl WebPosition {
    pub(crate) fn new(
        (board, side): (Board, Side),
        last: Option<(Ply, (Board, Side))>,
    ) -> WebPosition {
        let discs = side.black_first(board);
        let is_over = board.is_game_over();
        let turned = last.map_or(0, |(ply, (before, by))| match ply {
            // Discs of the opponent that are the mover's now.
            Some(_) => {
                by.black_first(before).pass().player & discs.player
                    | by.black_first(before).player & discs.opponent
            }
            None => 0,
        });
        WebPosition {
            text: write_position(board, side),
            side: side.to_string(),
            moves: squares(board.mobility()),
            black: discs.player.count_ones(),
            white: discs.opponent.count_ones(),
            last: last.map(|(ply, _)| ply_number(ply)),
            turned: squares(turned),
            must_pass: board.must_pass(),
            is_over,
            score: is_over.then(|| side.black_score(board.final_score())),
        }
    }
}

/// Limits of a search: `SearchLimits` of the package.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct WebLimits {
    level: Option<u32>,
    depth: Option<u32>,
    selectivity: Option<u32>,
    time_ms: Option<f64>,
    nodes: Option<f64>,
    lines: Option<u32>,
}

impl WebLimits {
    /// Strength by level or depth. Without either a search reaches the end of the game.
    pub(crate) fn strength(&self) -> Result<Strength, String> {
        let selectivity = match self.selectivity {
            None => Selectivity::Full,
            Some(percent) => Selectivity::of_percent(percent).ok_or_else(|| {
                let all = Selectivity::ALL.map(|selectivity| selectivity.percent().to_string());
                format!("selectivity {percent}: there are {}", all.join(", "))
            })?,
        };
        Ok(match (self.level, self.depth) {
            (Some(_), Some(_)) => return Err("a level or a depth, not both".to_owned()),
            (Some(level), None) => Strength::Level(level),
            (None, depth) => Strength::Depth(depth.unwrap_or(64), selectivity),
        })
    }

    /// Limits of a search of a board.
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

fn ply_numbers(line: &[Ply]) -> Vec<i32> {
    line.iter().map(|&ply| ply_number(ply)).collect()
}

fn bound_name(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    }
}

/// Result of a search: `SearchResult` of the package.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebResult {
    score: i32,
    bound: &'static str,
    depth: u32,
    selectivity: u32,
    complete: bool,
    line: Vec<i32>,
    candidates: Vec<WebCandidate>,
    nodes: f64,
    ms: f64,
}

#[derive(Serialize)]
struct WebCandidate {
    ply: i32,
    score: i32,
    bound: &'static str,
    line: Vec<i32>,
}

impl WebResult {
    pub(crate) fn new(result: &SearchResult) -> WebResult {
        let candidates = result.candidates.iter().map(|candidate| WebCandidate {
            ply: ply_number(candidate.ply),
            score: candidate.score,
            bound: bound_name(candidate.bound),
            line: ply_numbers(&candidate.line),
        });
        WebResult {
            score: result.score,
            bound: bound_name(result.bound),
            depth: result.depth,
            selectivity: result.selectivity.percent(),
            complete: result.complete,
            line: ply_numbers(&result.line),
            candidates: candidates.collect(),
            nodes: result.nodes as f64,
            ms: result.time.as_secs_f64() * 1000.0,
        }
    }
}

/// Loss of a move of a game: `Judgement` of the package.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebJudgement {
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

impl WebJudgement {
    pub(crate) fn new(judgement: &Judgement) -> WebJudgement {
        WebJudgement {
            number: judgement.number,
            side: judgement.side.to_string(),
            played: judgement.played.index(),
            played_name: ply_name(Some(judgement.played)),
            score: judgement.score,
            best_score: judgement.best_score,
            loss: judgement.loss(),
            mark: judgement.mark().sign(),
            line: ply_numbers(&judgement.line),
            depth: judgement.depth,
            selectivity: judgement.selectivity.percent(),
            exact: judgement.is_exact(),
        }
    }
}
