//! `outflank book set` and `outflank book unset`: values set by hand.

use std::path::{Path, PathBuf};

use clap::Args;
use outflank_book::{Book, EntryError, Graph, ManualValue, Writer};
use outflank_support::text::plural;

use super::part::{missing_position, position_name};
use super::{board_after, game_after, writable_path};
use crate::CommandError;
use crate::console::{print_line, remark};
use crate::error::{FAILURE, USAGE, exit_status};
use crate::number_options::{grouped, whole};

/// Set the value of a position by hand
///
/// The value replaces that of the best move until `outflank book unset` removes it. The positions that are linked to it get
/// new values, too. Learning, correcting and merging keep it. The book's format becomes version 2, which older programs refuse.
#[derive(Args)]
#[command(after_help = SET_EXAMPLES)]
pub(crate) struct SetArguments {
    #[command(flatten)]
    position: PositionArguments,

    /// Value in discs for the side to move, -64 to 64
    #[arg(value_name = "VALUE", value_parser = whole::<i32>(-64..=64), allow_negative_numbers = true)]
    value: i32,

    /// Reason, which `outflank book show` and `outflank book info` repeat: a line of 1 to 1000 bytes
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

const SET_EXAMPLES: &str = "\
Examples:
  outflank book set my.book f5d6c3 -2 --reason 'solved elsewhere'
  outflank book set my.book Tiger 0 --reason 'a draw, as solved in 2023'";

/// Remove a value that was set by hand
///
/// The position gets the value of its best move again, and so do the positions before it.
#[derive(Args)]
#[command(after_help = UNSET_EXAMPLES)]
pub(crate) struct UnsetArguments {
    #[command(flatten)]
    position: PositionArguments,
}

const UNSET_EXAMPLES: &str = "\
Examples:
  outflank book unset my.book f5d6c3";

/// Position of a book that can be changed.
#[derive(Args)]
struct PositionArguments {
    /// Book file
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Moves from the start of the game to the position, such as f5d6c3, or the name of an opening
    #[arg(value_name = "MOVES")]
    moves: String,
}

/// Error in a value set by hand.
#[derive(Debug, thiserror::Error)]
enum ManualValueError {
    #[error("--reason: {0}")]
    Invalid(EntryError),
    #[error("{}: {} has no value set by hand", .0.display(), .1)]
    Missing(PathBuf, String),
}
exit_status!(ManualValueError { Self::Invalid(_) => USAGE, Self::Missing(..) => FAILURE });

/// Sets a value and returns the exit status.
pub(super) fn set(arguments: &SetArguments) -> Result<u8, CommandError> {
    let manual = ManualValue::new(arguments.value, &arguments.reason);
    let manual = manual.map_err(ManualValueError::Invalid)?;
    change(&arguments.position, Some(manual))
}

/// Removes a value and returns the exit status.
pub(super) fn unset(arguments: &UnsetArguments) -> Result<u8, CommandError> {
    change(&arguments.position, None)
}

fn change(position: &PositionArguments, manual: Option<ManualValue>) -> Result<u8, CommandError> {
    let PositionArguments { book: path, moves } = position;
    let root = game_after(moves)?.board();
    // A refused change does not touch the file.
    let entry = Book::open(writable_path(path)?)?.entry(root)?;
    let entry = entry.ok_or_else(|| missing_position(path, moves))?;
    let before = match entry.manual_value() {
        Some(before) => before.to_string(),
        None if manual.is_some() => format!("{:+}", entry.value()),
        None => {
            return Err(ManualValueError::Missing(path.to_owned(), position_name(moves)).into());
        }
    };
    let mut writer = Writer::open(path)?;
    let mut graph = Graph::read(&writer)?;
    let number = graph.find(root);
    let number = number.ok_or_else(|| missing_position(path, moves))?;
    let unlinked = unlinked_positions(&graph, number);
    graph.set_manual_value(number, manual);
    let changed = graph.save(&mut writer)?;
    writer.commit()?;
    print_line(summary(path, moves, &graph, number, &before, changed))?;
    if unlinked > 0 {
        remark(format_args!(
            "{} by the best move that leaves the book: `outflank book correct` makes a link of it",
            plural(
                grouped(unlinked),
                "position reaches it",
                "positions reach it"
            )
        ));
    }
    Ok(0)
}

/// Number of nodes whose leaf leads to a node, so that its value does not reach them.
fn unlinked_positions(graph: &Graph, number: u32) -> u64 {
    let leads_there = |&source: &u32| {
        let leaf = graph.leaf(source);
        let next = leaf.and_then(|leaf| board_after(graph.board(source), leaf.ply));
        next.and_then(|next| graph.find(next)) == Some(number)
    };
    (0..graph.len() as u32).filter(leads_there).count() as u64
}

/// Value of a position before and after the change, and the number of changed positions.
fn summary(
    path: &Path,
    moves: &str,
    graph: &Graph,
    number: u32,
    before: &str,
    changed: usize,
) -> String {
    let value = match graph.manual_value(number) {
        Some(manual) => manual.to_string(),
        None => format!("{:+} by its moves", graph.value(number)),
    };
    let changed = plural(grouped(changed as u64), "position", "positions");
    format!(
        "{}: {} was worth {before} and is worth {value}; {changed} changed",
        path.display(),
        position_name(moves)
    )
}
