//! Judgement of positions: a score for each legal move.

use outflank::book::OpeningBook;
use outflank::notation::ply_name;
use outflank::search::Strength;
use outflank::{Engine, Selectivity};
use outflank_support::text::plural;

use super::InputGame;
use crate::json::{is_nothing, object, to_line};
use crate::move_scores::{MoveScores, ScoredMove};
use crate::text_format::{depth, ply, ply_names, variation};

/// A position with its judged moves, best first. There are no moves if the game is over.
pub(super) struct JudgedPosition<'a> {
    input: &'a InputGame,
    scores: MoveScores,
}

impl JudgedPosition<'_> {
    /// Looks up every move in `book` and searches the others; `None` if the engine was stopped.
    pub(super) fn judge<'a>(
        book: &mut dyn OpeningBook,
        engine: &mut Engine,
        input: &'a InputGame,
        strength: Strength,
    ) -> Option<JudgedPosition<'a>> {
        let scores = MoveScores::of(input.record.game.board(), book, engine, strength)?;
        Some(JudgedPosition { input, scores })
    }

    /// Discs that a move loses against the best one.
    fn loss(&self, judged: &ScoredMove) -> i32 {
        self.scores.moves[0].score - judged.score
    }

    fn is_exact(&self) -> bool {
        let empties = self.input.record.game.board().empty_count();
        let is_searched = !self.scores.moves.iter().any(|judged| judged.from_book);
        self.scores.selectivity == Selectivity::Full && self.scores.depth >= empties && is_searched
    }

    /// Table of the moves with a heading.
    pub(super) fn table(&self) -> String {
        let InputGame {
            number,
            location,
            name,
            record,
            ..
        } = self.input;
        let (board, side) = record.game.position();
        let mut text = format!("{number}. {location}");
        if let Some(name) = name {
            text += &format!(", {name}");
        }
        if let Some(score) = record.game.score() {
            return text + &format!(", the game is over, {score:+}\n");
        }
        let empties = board.empty_count();
        let empties = plural(empties, "empty square", "empty squares");
        text += &format!(", {side} to move, {empties}\n");
        text.push_str(HEADER);
        for (number, judged) in (1..).zip(&self.scores.moves) {
            let loss = match self.loss(judged) {
                0 => String::new(),
                loss => loss.to_string(),
            };
            let row = format!(
                "{number:>3}| {:<5} | {:>+3} |{loss:>3} |{:>7}| {}",
                ply(judged.ply, side),
                judged.score,
                match judged.from_book {
                    true => "book ".to_owned(),
                    false => depth(self.scores.depth, self.scores.selectivity),
                },
                variation(&judged.line, side),
            );
            text.push_str(row.trim_end());
            text.push('\n');
        }
        text
    }

    /// JSON object of the position.
    pub(super) fn json(&self) -> String {
        let (board, side) = self.input.record.game.position();
        let moves = self.scores.moves.iter().map(|judged| {
            object! {
                #[serde(rename = "move")]
                name: ply_name(judged.ply),
                score: judged.score,
                loss: self.loss(judged),
                #[serde(skip_serializing_if = "is_nothing")]
                book: judged.from_book,
                pv: ply_names(&judged.line),
            }
        });
        to_line(&object! {
            index: self.input.number,
            place: &self.input.location,
            name: &self.input.name,
            board: side.black_first(board).to_string(),
            side: side.letter(),
            exact: self.is_exact(),
            depth: self.scores.depth,
            selectivity: self.scores.selectivity.percent(),
            moves: moves.collect::<Vec<_>>(),
        })
    }
}

/// Heading of the table, two lines.
const HEADER: &str = concat!(
    "  #| move  |score|loss| depth | best play\n",
    "---+-------+-----+----+-------+---------------------\n",
);
