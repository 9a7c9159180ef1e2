//! `outflank book show`.

use std::path::PathBuf;

use clap::Args;
use outflank::notation::{Contents, position, read_one};
use outflank::{Game, Side};
use outflank_book::Entry;
use serde::Serialize;

use super::{BookCommandError, open};
use crate::CommandError;
use crate::output::line;
use crate::table::{depth, ply};

/// Show the moves of a position of a book, and what they are worth
///
/// Values are discs for the side to move. Of the moves that lead out of the book only the best one is known;
/// the others are worth no more.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The book, or built-in
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// The moves that lead to the position, as in f5d6c3 [default: none, the start of the game]
    #[arg(value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,

    /// Write one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  outflank book show my.book                  the start of the game
  outflank book show my.book f5d6c3 --json";

#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    ply: String,
    value: i32,
    /// Whether it stays in the book.
    link: bool,
}

#[derive(Serialize)]
struct Shown {
    position: String,
    in_book: bool,
    value: Option<i32>,
    depth: Option<u8>,
    selectivity: Option<u32>,
    moves: Vec<Row>,
}

/// Looks the position up and tells; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let book = open(&arguments.book)?;
    let game = game(&arguments.moves)?;
    let (board, side) = game.position();
    let entry = book.entry(board)?;
    let shown = Shown {
        position: position(board, side),
        in_book: entry.is_some(),
        value: entry.as_ref().map(Entry::value),
        depth: entry.as_ref().map(|entry| entry.searched().depth),
        selectivity: entry
            .as_ref()
            .map(|entry| entry.searched().selectivity.percent()),
        moves: entry
            .as_ref()
            .map_or_else(Vec::new, |entry| rows(entry, side)),
    };
    line(match (arguments.json, &entry) {
        (true, _) => crate::json::text(&shown),
        (false, Some(entry)) => table(&shown, entry),
        (false, None) => format!("{}\nnot in the book", shown.position),
    })?;
    Ok(0)
}

/// The game of these moves.
fn game(moves: &str) -> Result<Game, BookCommandError> {
    if moves.is_empty() {
        return Ok(Game::new());
    }
    let wrong = |error: &dyn std::fmt::Display| BookCommandError::Moves(error.to_string());
    match read_one(moves).map_err(|error| wrong(&error))? {
        Contents::Game(record) => Ok(record.game),
        Contents::Position(_) => Err(wrong(&"expected moves, found a position")),
    }
}

fn rows(entry: &Entry, side: Side) -> Vec<Row> {
    let is_leaf = |ply| entry.leaf().is_some_and(|leaf| leaf.ply == ply);
    let moves = entry.best_first().into_iter();
    let row = |one: outflank_book::Move| Row {
        ply: ply(one.ply, side),
        value: one.value,
        link: !is_leaf(one.ply),
    };
    moves.map(row).collect()
}

fn table(shown: &Shown, entry: &Entry) -> String {
    let searched = entry.searched();
    let searched = depth(searched.depth.into(), searched.selectivity);
    let mut lines = vec![shown.position.clone(), format!("value {:+}", entry.value())];
    lines.extend(shown.moves.iter().map(|row| {
        let what = match row.link {
            true => "book".to_owned(),
            false => format!("searched, {}", searched.trim()),
        };
        format!("  {}  {:>+3}  {what}", row.ply, row.value)
    }));
    lines.join("\n")
}
