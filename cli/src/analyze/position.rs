//! The moves of a position of which nothing was played, each with its score.

use std::collections::HashMap;
use std::fmt::Write as _;

use outflank::kernels::levels::portable::canonical;
use outflank::notation::ply_name;
use outflank::search::Strength;
use outflank::text::counted;
use outflank::{Board, Candidate, Engine, Limits, Ply, SearchResult, Selectivity};
use serde::Serialize;

use super::Source;
use crate::json::text;
use crate::table::{depth, line, ply};

/// A position and its moves, the best first; none where the game is over.
pub(super) struct Position<'a> {
    source: &'a Source,
    moves: Vec<Candidate>,
    depth: u32,
    selectivity: Selectivity,
}

impl Position<'_> {
    /// Searches every move of a position; `None` where the engine was stopped.
    pub(super) fn search<'a>(
        engine: &mut Engine,
        source: &'a Source,
        strength: Strength,
    ) -> Option<Position<'a>> {
        let board = source.record.game.board();
        let limits = strength.limits(board.empty_count());
        let limits = Limits {
            depth: limits.depth.max(1),
            lines: 64,
            ..limits
        };
        engine.clear();
        let found = engine.search(board, &limits);
        let found = found.expect("the reader takes no square held twice");
        let SearchResult {
            candidates,
            depth,
            selectivity,
            ..
        } = found;
        // Little is searched before a search looks whether it is to end.
        (!engine.stop_handle().is_stopped()).then(|| Position {
            source,
            moves: as_symmetry_has_it(board, candidates),
            depth,
            selectivity,
        })
    }

    /// What the move gives away to the best one, in discs.
    fn loss(&self, one: &Candidate) -> i32 {
        self.moves[0].score - one.score
    }

    fn is_exact(&self) -> bool {
        let empties = self.source.record.game.board().empty_count();
        self.selectivity == Selectivity::Full && self.depth >= empties
    }

    /// The table of the moves, with its heading.
    pub(super) fn table(&self) -> String {
        let Source {
            index,
            place,
            name,
            record,
        } = self.source;
        let (board, side) = record.game.position();
        let mut text = format!("{index}. {place}");
        if let Some(name) = name {
            write!(text, ", {name}").expect("memory takes all");
        }
        if let Some(score) = record.game.score() {
            return text + &format!(", the game is over, {score:+}\n");
        }
        let empties = board.empty_count();
        let empties = counted(empties, "empty square", "empty squares");
        writeln!(text, ", {side} to move, {empties}").expect("memory takes all");
        text.push_str(HEADER);
        for (number, one) in (1..).zip(&self.moves) {
            let loss = match self.loss(one) {
                0 => String::new(),
                loss => loss.to_string(),
            };
            let row = format!(
                "{number:>3}| {:<5} | {:>+3} |{loss:>3} |{:>7}| {}",
                ply(one.ply, side),
                one.score,
                depth(self.depth, self.selectivity),
                line(&one.line, side),
            );
            text.push_str(row.trim_end());
            text.push('\n');
        }
        text
    }

    /// The object of the position.
    pub(super) fn json(&self) -> String {
        let (board, side) = self.source.record.game.position();
        text(&PositionObject {
            index: self.source.index,
            place: &self.source.place,
            name: self.source.name.as_deref(),
            board: side.black_first(board).to_string(),
            side: side.letter(),
            exact: self.is_exact(),
            depth: self.depth,
            selectivity: self.selectivity.percent(),
            moves: self
                .moves
                .iter()
                .map(|one| MoveObject {
                    ply: ply_name(one.ply),
                    score: one.score,
                    loss: self.loss(one),
                    pv: one.line.iter().copied().map(ply_name).collect(),
                })
                .collect(),
        })
    }
}

/// The two lines above the rows.
const HEADER: &str = concat!(
    "  #| move  |score|loss| depth | best play\n",
    "---+-------+-----+----+-------+---------------------\n",
);

/// Moves to positions that are equal up to symmetry get the best score of them: searches that are not exact
/// may tell them apart.
fn as_symmetry_has_it(board: Board, mut moves: Vec<Candidate>) -> Vec<Candidate> {
    let class = |ply: Ply| {
        let next = ply.map_or(Some(board.pass()), |square| board.play(square));
        let Board { player, opponent } = next.expect("a legal move");
        canonical::selected(player, opponent)
    };
    let mut best = HashMap::new();
    for one in &mut moves {
        // They are sorted: the first of a class is the best of it.
        one.score = *best.entry(class(one.ply)).or_insert(one.score);
    }
    moves.sort_by_key(|one| -one.score);
    moves
}

#[derive(Serialize)]
struct PositionObject<'a> {
    index: usize,
    place: &'a str,
    name: Option<&'a str>,
    board: String,
    side: char,
    exact: bool,
    depth: u32,
    selectivity: u32,
    moves: Vec<MoveObject>,
}

#[derive(Serialize)]
struct MoveObject {
    #[serde(rename = "move")]
    ply: String,
    score: i32,
    loss: i32,
    pv: Vec<String>,
}
