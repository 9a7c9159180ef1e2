//! Judgement of positions: a score for each legal move.

use outflank::analysis::equalize_symmetric_scores;
use outflank::book::OpeningBook;
use outflank::notation::ply_name;
use outflank::search::Strength;
use outflank::{Engine, Limits, Ply, Selectivity};
use outflank_support::text::plural;

use super::InputGame;
use crate::book_moves;
use crate::json::{is_nothing, object, to_line};
use crate::text_format::{depth, ply, ply_names, variation};

/// A position with its judged moves, best first. There are no moves if the game is over.
pub(super) struct JudgedPosition<'a> {
    input: &'a InputGame,
    moves: Vec<JudgedMove>,
    /// Depth of the search in plies, or of the best book move if the book knows all moves.
    depth: u32,
    selectivity: Selectivity,
}

/// A move with its score and best play.
struct JudgedMove {
    ply: Ply,
    score: i32,
    line: Vec<Ply>,
    from_book: bool,
}

impl JudgedPosition<'_> {
    /// Looks up every move in `book` and searches the others; `None` if the engine was stopped.
    pub(super) fn judge<'a>(
        book: &mut dyn OpeningBook,
        engine: &mut Engine,
        input: &'a InputGame,
        strength: Strength,
    ) -> Option<JudgedPosition<'a>> {
        let board = input.record.game.board();
        let known = book.moves(board);
        let (mut depth, mut selectivity) = known.first().map_or((0, Selectivity::Full), |best| {
            (best.depth, best.selectivity)
        });
        let known = book_moves::with_symmetric_moves(board, &known);
        let of_book = known.iter().map(|known| JudgedMove {
            ply: known.ply,
            score: known.score,
            line: vec![known.ply],
            from_book: true,
        });
        let mut moves: Vec<JudgedMove> = of_book.collect();
        let squares = moves.iter().filter_map(|judged| judged.ply);
        let known_squares: u64 = squares.map(|square| square.bit()).sum();
        if moves.is_empty() || board.mobility() & !known_squares != 0 {
            let limits = strength.limits(board.empty_count());
            let limits = Limits {
                depth: limits.depth.max(1),
                lines: 64,
                without: known_squares,
                ..limits
            };
            engine.clear();
            let search = engine.search(board, &limits);
            let search = search.expect("the reader takes no square held twice");
            (depth, selectivity) = (search.depth, search.selectivity);
            let mut candidates = search.candidates;
            equalize_symmetric_scores(board, &mut candidates);
            moves.extend(candidates.into_iter().map(|candidate| JudgedMove {
                ply: candidate.ply,
                score: candidate.score,
                line: candidate.line,
                from_book: false,
            }));
            moves.sort_by_key(|judged| -judged.score);
        }
        // A stopped search may have returned a shallow result.
        (!engine.stop_handle().is_stopped()).then_some(JudgedPosition {
            input,
            moves,
            depth,
            selectivity,
        })
    }

    /// Discs that a move loses against the best one.
    fn loss(&self, judged: &JudgedMove) -> i32 {
        self.moves[0].score - judged.score
    }

    fn is_exact(&self) -> bool {
        let empties = self.input.record.game.board().empty_count();
        let is_searched = !self.moves.iter().any(|judged| judged.from_book);
        self.selectivity == Selectivity::Full && self.depth >= empties && is_searched
    }

    /// Table of the moves with a heading.
    pub(super) fn table(&self) -> String {
        let InputGame {
            number,
            location,
            name,
            record,
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
        for (number, judged) in (1..).zip(&self.moves) {
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
                    false => depth(self.depth, self.selectivity),
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
        let moves = self.moves.iter().map(|judged| {
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
            depth: self.depth,
            selectivity: self.selectivity.percent(),
            moves: moves.collect::<Vec<_>>(),
        })
    }
}

/// Heading of the table, two lines.
const HEADER: &str = concat!(
    "  #| move  |score|loss| depth | best play\n",
    "---+-------+-----+----+-------+---------------------\n",
);
