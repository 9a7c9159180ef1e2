//! `outflank book show`: moves of a position.

use std::path::PathBuf;

use clap::Args;
use outflank::notation::write_position;
use outflank::opening_names::opening_of;
use outflank::{Ply, Side};
use outflank_book::{BookEntry, ValuedMove};

use super::{game_of_moves, open};
use crate::CommandError;
use crate::console::print_line;
use crate::json::{object, to_line};
use crate::text_format::{depth, ply};

/// Show the values of the moves of a position
///
/// Values are discs for the side to move. Among the moves that leave the book, only the best one has a value. The
/// others are worth no more.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
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

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let book = open(&arguments.book)?;
    let game = game_of_moves(&arguments.moves)?;
    let (board, side) = game.position();
    let entry = book.entry(board)?;
    let position = write_position(board, side);
    let opening = opening_of(&game).map(|opening| opening.to_string());
    let heading = match &opening {
        Some(opening) => format!("{position}, {opening}"),
        None => position.clone(),
    };
    print_line(match (arguments.json, &entry) {
        (true, entry) => json(position, opening, entry.as_ref(), side),
        (false, Some(entry)) => table(&heading, entry, side),
        (false, None) => format!("{heading}\nnot in the book"),
    })?;
    Ok(0)
}

fn json(
    position: String,
    opening: Option<String>,
    entry: Option<&BookEntry>,
    side: Side,
) -> String {
    let moves = |entry: &BookEntry| -> Vec<_> {
        let row = |candidate: ValuedMove| {
            object! {
                #[serde(rename = "move")]
                name: ply(candidate.ply, side),
                value: candidate.value,
                link: is_link(entry, candidate.ply),
            }
        };
        entry.best_first().into_iter().map(row).collect()
    };
    let searched = entry.map(BookEntry::searched);
    to_line(&object! {
        position,
        opening,
        in_book: entry.is_some(),
        value: entry.map(BookEntry::value),
        depth: searched.map(|searched| searched.depth),
        selectivity: searched.map(|searched| searched.selectivity.percent()),
        moves: entry.map_or_else(Vec::new, moves),
    })
}

fn table(heading: &str, entry: &BookEntry, side: Side) -> String {
    let searched = entry.searched();
    let searched = depth(searched.depth.into(), searched.selectivity);
    let mut lines = vec![heading.to_owned(), format!("value {:+}", entry.value())];
    lines.extend(entry.best_first().into_iter().map(|candidate| {
        let origin = match is_link(entry, candidate.ply) {
            true => "book".to_owned(),
            false => format!("searched, {}", searched.trim()),
        };
        let name = ply(candidate.ply, side);
        format!("  {name}  {:>+3}  {origin}", candidate.value)
    }));
    lines.join("\n")
}

/// Returns `true` if a move stays in the book.
fn is_link(entry: &BookEntry, ply: Ply) -> bool {
    entry.leaf().is_none_or(|leaf| leaf.ply != ply)
}
