//! Values that are plain objects in JavaScript.

use std::time::Duration;

use outflank::analysis::Judgement;
use outflank::notation::write_position;
use outflank::search::Strength;
use outflank::square::Ply;
use outflank::{Board, Limits, SearchResult, Selectivity, Side, Square};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

/// Converts a value to one of JavaScript. `null` becomes undefined.
pub(crate) fn to_js(value: &Value) -> JsValue {
    let serializer = Serializer::new().serialize_maps_as_objects(true);
    value.serialize(&serializer).expect("plain data")
}

/// Number of a ply: a square, or -1 for a pass.
pub(crate) fn ply_number(ply: Ply) -> i32 {
    ply.map_or(-1, |square| square.index() as i32)
}

fn squares(bits: u64) -> Vec<usize> {
    Square::all_in(bits).map(Square::index).collect()
}

/// Converts a position of a game to `Position` of the package. `last` is the last ply and the position before it.
pub(crate) fn position(
    (board, side): (Board, Side),
    last: Option<(Ply, (Board, Side))>,
) -> JsValue {
    let discs = side.black_first(board);
    let is_over = board.is_game_over();
    let turned = last.map_or(0, |(ply, (before, by))| match ply {
        // Discs that changed colour.
        Some(_) => {
            by.black_first(before).pass().player & discs.player
                | by.black_first(before).player & discs.opponent
        }
        None => 0,
    });
    to_js(&json!({
        "text": write_position(board, side),
        "side": side.to_string(),
        "moves": squares(board.mobility()),
        "black": discs.player.count_ones(),
        "white": discs.opponent.count_ones(),
        "last": last.map(|(ply, _)| ply_number(ply)),
        "turned": squares(turned),
        "mustPass": board.must_pass(),
        "isOver": is_over,
        "score": is_over.then(|| side.black_score(board.final_score())),
    }))
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
        let time = self.time_ms.map(|ms| {
            let time = Duration::try_from_secs_f64(ms / 1000.0);
            time.map_err(|_| format!("a time of {ms} ms: expected 0 or more"))
        });
        Ok(Limits {
            time: time.transpose()?,
            nodes: self.nodes.map(node_count).transpose()?,
            lines: self.lines.unwrap_or(1),
            ..limits
        })
    }
}

/// Converts a limit of nodes. Infinity is no limit.
fn node_count(nodes: f64) -> Result<u64, String> {
    match nodes >= 0.0 {
        true => Ok(nodes as u64),
        false => Err(format!("a limit of {nodes} nodes: expected 0 or more")),
    }
}

fn ply_numbers(line: &[Ply]) -> Vec<i32> {
    line.iter().map(|&ply| ply_number(ply)).collect()
}

/// Result of a search: `SearchResult` of the package.
pub(crate) fn search_result(result: &SearchResult) -> JsValue {
    let candidates = result.candidates.iter().map(|candidate| {
        json!({
            "ply": ply_number(candidate.ply),
            "score": candidate.score,
            "bound": candidate.bound.name(),
            "line": ply_numbers(&candidate.line),
        })
    });
    to_js(&json!({
        "score": result.score,
        "bound": result.bound.name(),
        "depth": result.depth,
        "selectivity": result.selectivity.percent(),
        "complete": result.complete,
        "line": ply_numbers(&result.line),
        "candidates": candidates.collect::<Value>(),
        "nodes": result.nodes,
        "ms": result.time.as_secs_f64() * 1000.0,
    }))
}

/// Loss of a move of a game: `Judgement` of the package.
pub(crate) fn judgement(judgement: &Judgement) -> Value {
    json!({
        "number": judgement.number,
        "side": judgement.side.to_string(),
        "played": judgement.played.index(),
        "playedName": judgement.played.to_string(),
        "score": judgement.score,
        "bestScore": judgement.best_score,
        "loss": judgement.loss(),
        "mark": judgement.mark().sign(),
        "line": ply_numbers(&judgement.line),
        "depth": judgement.depth,
        "selectivity": judgement.selectivity.percent(),
        "exact": judgement.is_exact(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_nodes_are_numbers_from_0() {
        for (nodes, expected) in [
            (0.0, Ok(Some(0))),
            (1.5e6, Ok(Some(1_500_000))),
            (f64::INFINITY, Ok(Some(u64::MAX))),
            (-1.0, Err("a limit of -1 nodes: expected 0 or more")),
            (f64::NAN, Err("a limit of NaN nodes: expected 0 or more")),
        ] {
            let limits = WebLimits {
                nodes: Some(nodes),
                ..WebLimits::default()
            };
            let found = limits.limits(Board::START).map(|limits| limits.nodes);
            assert_eq!(found, expected.map_err(str::to_owned));
        }
    }
}
