//! The moves of a position of which nothing was played, each with its score.

use std::fmt::Write as _;

use outflank::analysis::equal_by_symmetry;
use outflank::book::{BookMove, OpeningBook};
use outflank::notation::ply_name;
use outflank::search::{Candidate, Strength};
use outflank::text::counted;
use outflank::{Engine, Limits, Ply, Selectivity};
use serde::Serialize;

use super::Source;
use crate::json::text;
use crate::moves;
use crate::table::{depth, line, ply};

/// A position and its moves, the best first; none where the game is over.
pub(super) struct Position<'a> {
    source: &'a Source,
    moves: Vec<Move>,
    /// Plies of the search, or of the best move's by a book where nothing was left to search.
    depth: u32,
    selectivity: Selectivity,
}

/// A move and what it is worth.
struct Move {
    ply: Ply,
    score: i32,
    line: Vec<Ply>,
    /// Whether the score is a book's.
    from_book: bool,
}

impl Move {
    fn of_book(known: &BookMove) -> Move {
        Move {
            ply: known.ply,
            score: known.value,
            line: vec![known.ply],
            from_book: true,
        }
    }

    fn searched(candidate: Candidate) -> Move {
        Move {
            ply: candidate.ply,
            score: candidate.score,
            line: candidate.line,
            from_book: false,
        }
    }
}

impl Position<'_> {
    /// Tells of every move of a position what `book` says, and searches the others; `None` where the engine was stopped.
    pub(super) fn judge<'a>(
        book: &mut dyn OpeningBook,
        engine: &mut Engine,
        source: &'a Source,
        strength: Strength,
    ) -> Option<Position<'a>> {
        let board = source.record.game.board();
        let known = book.moves(board);
        let (mut depth, mut selectivity) = known.first().map_or((0, Selectivity::Full), |best| {
            (best.depth, best.selectivity)
        });
        let known = moves::with_symmetric_moves(board, &known);
        let mut moves: Vec<Move> = known.iter().map(Move::of_book).collect();
        let squares = moves.iter().filter_map(|one| one.ply);
        let without: u64 = squares.map(|square| square.bit()).sum();
        if moves.is_empty() || board.mobility() & !without != 0 {
            let limits = strength.limits(board.empty_count());
            let limits = Limits {
                depth: limits.depth.max(1),
                lines: 64,
                without,
                ..limits
            };
            engine.clear();
            let found = engine.search(board, &limits);
            let found = found.expect("the reader takes no square held twice");
            (depth, selectivity) = (found.depth, found.selectivity);
            let mut candidates = found.candidates;
            equal_by_symmetry(board, &mut candidates);
            moves.extend(candidates.into_iter().map(Move::searched));
            moves.sort_by_key(|one| -one.score);
        }
        // Little is searched before a search looks whether it is to end.
        (!engine.stop_handle().is_stopped()).then_some(Position {
            source,
            moves,
            depth,
            selectivity,
        })
    }

    /// What the move gives away to the best one, in discs.
    fn loss(&self, one: &Move) -> i32 {
        self.moves[0].score - one.score
    }

    fn is_exact(&self) -> bool {
        let empties = self.source.record.game.board().empty_count();
        let is_searched = !self.moves.iter().any(|one| one.from_book);
        self.selectivity == Selectivity::Full && self.depth >= empties && is_searched
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
                match one.from_book {
                    true => "book ".to_owned(),
                    false => depth(self.depth, self.selectivity),
                },
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
                    book: one.from_book,
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
    /// Whether the score is that of a book.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    book: bool,
    pv: Vec<String>,
}
