//! `outflank book info`: statistics of a book.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;

use clap::Args;
use outflank::Board;
use outflank_book::{Book, BookError};
use serde::Serialize;

use super::open;
use crate::CommandError;
use crate::console::print_line;
use crate::number_options::grouped;
use crate::text_format::depth;

/// Show the size of a book and the depths of its searches
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Book file, or built-in
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Write one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  outflank book info my.book
  outflank book info my.book --json";

/// Statistics of a book.
#[derive(Serialize, Default)]
struct Summary {
    positions: u64,
    links: u64,
    /// Positions with a move that leaves the book.
    leaves: u64,
    bytes: u64,
    /// Value of the starting position for black, if it is in the book.
    start: Option<i32>,
    /// Positions by empty squares.
    empties: BTreeMap<u32, u64>,
    /// Positions by depth and selectivity.
    searched: BTreeMap<String, u64>,
    /// Values set by hand.
    by_hand: Vec<ByHand>,
}

/// Value set by hand.
#[derive(Serialize)]
struct ByHand {
    /// Position as the mover's and the opponent's discs.
    position: String,
    /// Discs for the side to move.
    value: i32,
    /// Value of the best move.
    best_move_value: i32,
    reason: String,
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let book = open(&arguments.book)?;
    let start = book.entry(Board::START)?;
    let mut summary = Summary {
        bytes: book.size()?,
        start: start.map(|entry| entry.value()),
        ..Summary::default()
    };
    book.for_each(|entry| {
        summary.positions += 1;
        summary.links += entry.links().len() as u64;
        summary.leaves += u64::from(entry.leaf().is_some());
        let empties = entry.board().empty_count();
        *summary.empties.entry(empties).or_default() += 1;
        let searched = entry.searched();
        let searched = depth(searched.depth.into(), searched.selectivity);
        let searched = match entry.is_exact() {
            true => "exact".to_owned(),
            false => searched.trim().to_owned(),
        };
        *summary.searched.entry(searched).or_default() += 1;
        summary
            .by_hand
            .extend(entry.manual_value().map(|manual| ByHand {
                position: entry.board().to_string(),
                value: manual.value(),
                best_move_value: entry.best_move_value(),
                reason: manual.reason().to_owned(),
            }));
        Ok::<(), BookError>(())
    })?;
    match arguments.json {
        true => print_line(crate::json::to_line(&summary))?,
        false => print_line(table(&summary, &book))?,
    }
    Ok(0)
}

fn table(summary: &Summary, book: &Book) -> String {
    let per_position = summary.bytes as f64 / summary.positions.max(1) as f64;
    let bytes = grouped(summary.bytes);
    let mut rows = vec![
        format!("book       {}", book.path().display()),
        format!("positions  {}", grouped(summary.positions)),
        format!("links      {}", grouped(summary.links)),
        format!("leaves     {}", grouped(summary.leaves)),
        format!("file       {bytes} bytes, {per_position:.1} a position"),
    ];
    if let Some(start) = summary.start {
        rows.push(format!("start      {start:+} for black"));
    }
    if summary.positions > 0 {
        rows.push("empty squares".to_owned());
        rows.extend(summary.empties.iter().rev().map(count_row));
        rows.push("plies searched".to_owned());
        rows.extend(summary.searched.iter().map(count_row));
    }
    if !summary.by_hand.is_empty() {
        rows.push("values set by hand, values of the best moves, reasons".to_owned());
        rows.extend(summary.by_hand.iter().map(|by_hand| {
            let ByHand {
                position,
                value,
                best_move_value,
                reason,
            } = by_hand;
            format!("  {position}  {value:>+3} {best_move_value:>+3}  {reason}")
        }));
    }
    rows.join("\n")
}

fn count_row((name, &count): (impl Display, &u64)) -> String {
    format!("{:>11}  {}", name.to_string(), grouped(count))
}
