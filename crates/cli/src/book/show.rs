//! `outflank book show`: moves of a position.

use std::path::PathBuf;

use clap::Args;
use outflank::notation::{Contents, read_one, write_position};
use outflank::{Game, Side};
use outflank_book::BookEntry;
use serde::Serialize;

use super::{BookCommandError, open};
use crate::CommandError;
use crate::console::print_line;
use crate::text_format::{depth, ply};

/// Show the values of the moves of a position
///
/// Values are discs for the side to move. Among the moves that leave the book, only the best one has a value. The
/// others are worth no more.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Book file, or built-in
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Moves from the start of the game to the position, such as f5d6c3 [default: none]
    #[arg(value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,

    /// Write one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  outflank book show my.book                  the starting position
  outflank book show my.book f5d6c3 --json";

#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    ply: String,
    value: i32,
    /// `true` for a move that stays in the book.
    link: bool,
}

#[derive(Serialize)]
struct PositionObject {
    position: String,
    in_book: bool,
    value: Option<i32>,
    depth: Option<u8>,
    selectivity: Option<u32>,
    moves: Vec<Row>,
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let book = open(&arguments.book)?;
    let game = game(&arguments.moves)?;
    let (board, side) = game.position();
    let entry = book.entry(board)?;
    let object = PositionObject {
        position: write_position(board, side),
        in_book: entry.is_some(),
        value: entry.as_ref().map(BookEntry::value),
        depth: entry.as_ref().map(|entry| entry.searched().depth),
        selectivity: entry
            .as_ref()
            .map(|entry| entry.searched().selectivity.percent()),
        moves: entry
            .as_ref()
            .map_or_else(Vec::new, |entry| rows(entry, side)),
    };
    print_line(match (arguments.json, &entry) {
        (true, _) => crate::json::to_line(&object),
        (false, Some(entry)) => table(&object, entry),
        (false, None) => format!("{}\nnot in the book", object.position),
    })?;
    Ok(0)
}

/// Reads a game from its moves.
fn game(moves: &str) -> Result<Game, BookCommandError> {
    if moves.is_empty() {
        return Ok(Game::new());
    }
    match read_one(moves)? {
        Contents::Game(record) => Ok(record.game),
        Contents::Position(_) => Err(BookCommandError::PositionForMoves),
    }
}

fn rows(entry: &BookEntry, side: Side) -> Vec<Row> {
    let is_leaf = |ply| entry.leaf().is_some_and(|leaf| leaf.ply == ply);
    let moves = entry.best_first().into_iter();
    let row = |candidate: outflank_book::ValuedMove| Row {
        ply: ply(candidate.ply, side),
        value: candidate.value,
        link: !is_leaf(candidate.ply),
    };
    moves.map(row).collect()
}

fn table(object: &PositionObject, entry: &BookEntry) -> String {
    let searched = entry.searched();
    let searched = depth(searched.depth.into(), searched.selectivity);
    let mut lines = vec![
        object.position.clone(),
        format!("value {:+}", entry.value()),
    ];
    lines.extend(object.moves.iter().map(|row| {
        let origin = match row.link {
            true => "book".to_owned(),
            false => format!("searched, {}", searched.trim()),
        };
        format!("  {}  {:>+3}  {origin}", row.ply, row.value)
    }));
    lines.join("\n")
}
