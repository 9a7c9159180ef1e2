//! `outflank book`: opening books.

mod check;
mod exchange;
mod info;
mod learn;
mod player;
mod show;

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use outflank::notation::ReadOneError;
use outflank_book::edax::EdaxError;
use outflank_book::{Book, BookError};

use super::CommandError;
pub(super) use player::{BookArguments, ChoiceArguments};

/// Build, inspect and exchange opening books
///
/// A book stores positions with the values of their moves. Symmetric positions are stored once. Moves to other
/// positions of the book are links. Of all other moves, only the best one has a value, found by a search.
///
/// A crash or a full disk loses nothing that was committed. Commands that only read a book accept the name built-in:
/// the book that players use without --book.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  outflank book learn my.book --time 600        create a book, or grow an existing one
  outflank book correct my.book --level 24      search doubtful positions again, more deeply
  outflank book info my.book                    number of positions and depths of searches
  outflank book show my.book f5d6c3             values of the moves of a position
  outflank book show built-in f5d6c3            values in the built-in book
  outflank book check my.book                   verification of the whole book
  outflank book import my.book book.dat         add a book of Edax
  outflank book export my.book --out book.dat   write a book for Edax
  outflank book merge my.book other.book        add the positions of another book

See docs/guide/book.md.";

#[derive(Subcommand)]
enum Command {
    Info(info::Arguments),
    Show(show::Arguments),
    Check(check::Arguments),
    Learn(learn::LearnArguments),
    Correct(learn::CorrectArguments),
    Import(exchange::ImportArguments),
    Export(exchange::ExportArguments),
    Merge(exchange::MergeArguments),
}

/// Error of a book command.
#[derive(Debug, thiserror::Error)]
pub(super) enum BookCommandError {
    #[error(transparent)]
    Book(#[from] BookError),
    #[error("{}: {}", .0.display(), .1)]
    Unreadable(PathBuf, io::Error),
    #[error("{}: {}", .0.display(), .1)]
    Edax(PathBuf, #[source] EdaxError),
    #[error("the moves, such as f5d6c3: {0}")]
    Moves(#[from] ReadOneError),
    #[error("the moves, such as f5d6c3: expected moves, found a position")]
    PositionForMoves,
    #[error(
        "the built-in book cannot be changed: name a file; `outflank book merge FILE built-in` makes one of it"
    )]
    BuiltIn,
    #[error("{0} chooses among the moves of a book, and there is none: give one with --book")]
    NoBook(&'static str),
}

impl BookCommandError {
    /// Returns `true` if the command line is at fault.
    pub(super) fn is_usage(&self) -> bool {
        matches!(
            self,
            BookCommandError::Moves(_)
                | BookCommandError::PositionForMoves
                | BookCommandError::BuiltIn
                | BookCommandError::NoBook(_)
        )
    }
}

impl From<BookError> for CommandError {
    fn from(error: BookError) -> CommandError {
        BookCommandError::from(error).into()
    }
}

/// Name of the built-in book.
const BUILT_IN: &str = "built-in";

/// Name for "no book".
const NONE: &str = "none";

fn is_built_in(path: &Path) -> bool {
    path == Path::new(BUILT_IN)
}

/// Opens a book for reading: a file or the built-in one.
fn open(path: &Path) -> Result<Book, BookError> {
    match is_built_in(path) {
        true => Book::built_in(),
        false => Book::open(path),
    }
}

/// Opens a book for reading, or none by the name `none`.
pub(super) fn open_unless_none(path: &Path) -> Result<Option<Book>, BookError> {
    match path == Path::new(NONE) {
        true => Ok(None),
        false => open(path).map(Some),
    }
}

/// Path of a book to be written.
fn writable_path(path: &Path) -> Result<&Path, BookCommandError> {
    match is_built_in(path) {
        true => Err(BookCommandError::BuiltIn),
        false => Ok(path),
    }
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    match &arguments.command {
        Command::Info(arguments) => info::run(arguments),
        Command::Show(arguments) => show::run(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::Learn(arguments) => learn::run_learn(arguments),
        Command::Correct(arguments) => learn::run_correct(arguments),
        Command::Import(arguments) => exchange::import(arguments),
        Command::Export(arguments) => exchange::export(arguments),
        Command::Merge(arguments) => exchange::merge(arguments),
    }
}
