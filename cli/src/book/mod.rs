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
use outflank_book::edax::EdaxError;
use outflank_book::{Book, BookError};

use super::CommandError;
pub(super) use player::{BookArguments, ChoiceArguments};

/// Opening books: build them, look into them, exchange them with Edax
///
/// A book has positions, one for all that are the same but for symmetry, with the values of their moves: those
/// that lead to other positions of the book, and the best one of the others, which was searched. It is a file in
/// which nothing is ever half written: whatever ends a command, what was committed is there. The book that players use
/// without --book has the name built-in in the commands that read.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  outflank book learn my.book --time 600          from nothing, or from what it has
  outflank book correct my.book --level 24        what is doubtful in it, more deeply
  outflank book info my.book                      how many positions it has, and how deeply searched
  outflank book show my.book f5d6c3               the moves of a position, and what they are worth
  outflank book show built-in f5d6c3              the same of the book that comes with the program
  outflank book check my.book                     whether all that it claims is so
  outflank book import my.book book.dat           a book of Edax's
  outflank book export my.book --out book.dat     for Edax
  outflank book merge my.book other.book          what another book knows

docs/guide/book.md says more.";

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

/// Why a command about a book cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub(super) enum BookCommandError {
    #[error(transparent)]
    Book(#[from] BookError),
    #[error("{}: {}", .0.display(), .1)]
    Unreadable(PathBuf, io::Error),
    #[error("{}: {}", .0.display(), .1)]
    Edax(PathBuf, EdaxError),
    #[error("the moves, such as f5d6c3: {0}")]
    Moves(String),
    #[error(
        "the built-in book cannot be changed: name a file; `outflank book merge FILE built-in` makes one of it"
    )]
    BuiltIn,
    #[error("{0} chooses among the moves of a book, and there is none: give one with --book")]
    NoBook(&'static str),
}

impl BookCommandError {
    /// Whether the command asked for what cannot be.
    pub(super) fn is_usage(&self) -> bool {
        matches!(
            self,
            BookCommandError::Moves(_) | BookCommandError::BuiltIn | BookCommandError::NoBook(_)
        )
    }
}

impl From<BookError> for CommandError {
    fn from(error: BookError) -> CommandError {
        CommandError::Book(error.into())
    }
}

/// What the book that comes with the program is called, and what stands for no book.
const BUILT_IN: &str = "built-in";
const NONE: &str = "none";

fn is_built_in(path: &Path) -> bool {
    path == Path::new(BUILT_IN)
}

/// Opens a book to read it: a file, or the one that comes with the program.
fn open(path: &Path) -> Result<Book, BookError> {
    match is_built_in(path) {
        true => Book::built_in(),
        false => Book::open(path),
    }
}

/// The same, where `none` is no book.
pub(super) fn open_unless_none(path: &Path) -> Result<Option<Book>, BookError> {
    match path == Path::new(NONE) {
        true => Ok(None),
        false => open(path).map(Some),
    }
}

/// The file of a book that is to be written to.
fn to_be_written(path: &Path) -> Result<&Path, BookCommandError> {
    match is_built_in(path) {
        true => Err(BookCommandError::BuiltIn),
        false => Ok(path),
    }
}

/// Carries out the command; the result is the exit status.
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
