//! `outflank book extract` and `outflank book prune`: parts of books.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use outflank_book::check::SETTINGS;
use outflank_book::{Graph, LossLimits, Writer};

use super::exchange::position_summary;
use super::{game_after, open, writable_path};
use crate::CommandError;
use crate::console::print_line;
use crate::error::{FAILURE, USAGE, exit_status};
use crate::number_options::whole;
use crate::output_files::Files;

/// Write a new book with all positions below one
///
/// The new book has the position itself and all that the moves of the book lead to.
#[derive(Args)]
#[command(after_help = EXTRACT_EXAMPLES)]
pub(crate) struct ExtractArguments {
    /// Book file, or built-in
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Moves from the start of the game to the position, such as f5d6c3, or the name of an opening
    #[arg(value_name = "MOVES")]
    moves: String,

    /// New book
    #[arg(long, value_name = "NEW")]
    out: PathBuf,
}

const EXTRACT_EXAMPLES: &str = "\
Examples:
  outflank book extract my.book f5d6c3d3c4 --out tiger.book
  outflank book extract built-in Rose --out rose.book";

/// Write a new book with only the positions that small losses reach
///
/// The new book does not follow moves that lose more. Positions that only they reach are left out.
#[derive(Args)]
#[command(after_help = PRUNE_EXAMPLES)]
pub(crate) struct PruneArguments {
    /// Book file, or built-in
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Moves from the start of the game to the first position, such as f5d6c3, or the name of an opening [default: none]
    #[arg(value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,

    #[command(flatten)]
    limits: LossArguments,

    /// New book
    #[arg(long, value_name = "NEW")]
    out: PathBuf,
}

const PRUNE_EXAMPLES: &str = "\
Examples:
  outflank book prune my.book --per-move 2 --in-sum 6 --out small.book
  outflank book prune my.book --in-sum 0 --out best.book    only lines of best moves";

/// Limits of the discs that moves lose.
#[derive(Args, Clone, Copy)]
pub(crate) struct LossArguments {
    /// Maximum number of discs that a move loses against the best one [default: no limit]
    #[arg(long, value_name = "DISCS", value_parser = whole::<u32>(0..=128))]
    per_move: Option<u32>,

    /// Maximum number of discs that all moves on the way to a position lose, those of both sides together
    #[arg(long, value_name = "DISCS", value_parser = whole::<u32>(0..=10_000))]
    in_sum: u32,
}

impl LossArguments {
    pub(super) fn limits(self) -> LossLimits {
        LossLimits {
            per_move: self.per_move.unwrap_or(u32::MAX),
            in_sum: self.in_sum,
        }
    }
}

/// Error of a new book.
#[derive(Debug, thiserror::Error)]
enum PartError {
    #[error("{} is there already: name a new file", .0.display())]
    Exists(PathBuf),
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, #[source] io::Error),
}
exit_status!(PartError { Self::Exists(_) => USAGE, Self::Io(..) => FAILURE });

/// A book has no position after these moves.
#[derive(Debug, thiserror::Error)]
#[error("{0}: the book lacks {1}")]
pub(super) struct MissingPosition(String, String);
exit_status!(FAILURE; MissingPosition);

pub(super) fn missing_position(book: &Path, moves: &str) -> MissingPosition {
    MissingPosition(book.display().to_string(), position_name(moves))
}

/// Name of the position after moves.
pub(super) fn position_name(moves: &str) -> String {
    match moves {
        "" => "the start of the game".to_owned(),
        moves => format!("the position after {moves}"),
    }
}

/// Extracts a subtree and returns the exit status.
pub(super) fn extract(arguments: &ExtractArguments) -> Result<u8, CommandError> {
    write(
        &arguments.book,
        &arguments.moves,
        LossLimits::NONE,
        &arguments.out,
    )
}

/// Prunes a book and returns the exit status.
pub(super) fn prune(arguments: &PruneArguments) -> Result<u8, CommandError> {
    let limits = arguments.limits.limits();
    write(&arguments.book, &arguments.moves, limits, &arguments.out)
}

/// Writes the part of a book below the position after `moves` to a new book, the whole part or nothing.
fn write(path: &Path, moves: &str, limits: LossLimits, out: &Path) -> Result<u8, CommandError> {
    let out = writable_path(out)?;
    Files::new()
        .reading("BOOK", [path])
        .updating("--out", [out])?;
    if out.try_exists().unwrap_or(true) {
        return Err(PartError::Exists(out.to_owned()).into());
    }
    let root = game_after(moves)?.board();
    let book = open(path)?;
    let graph = Graph::read(&book)?;
    let root = graph
        .find(root)
        .ok_or_else(|| missing_position(path, moves))?;
    let mut part = graph.part(root, limits);
    // A kill leaves a folder with a dot, but no book that looks complete.
    let parent = out.parent().filter(|parent| *parent != Path::new(""));
    let folder = tempfile::Builder::new()
        .prefix(".book")
        .tempdir_in(parent.unwrap_or(Path::new(".")));
    let folder = folder.map_err(|error| PartError::Io(out.to_owned(), error))?;
    let new = folder.path().join("new.book");
    let mut writer = Writer::create(&new)?;
    for (name, _) in SETTINGS {
        if let Some(value) = book.setting(name)? {
            writer.set(name, value)?;
        }
    }
    part.save(&mut writer)?;
    writer.commit()?;
    drop(writer);
    fs::rename(&new, out).map_err(|error| PartError::Io(out.to_owned(), error))?;
    print_line(position_summary(out, part.len()))?;
    Ok(0)
}
