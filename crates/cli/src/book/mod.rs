//! `outflank book`: opening books.

mod check;
mod exchange;
mod info;
mod learn;
mod lines;
mod part;
mod player;
mod set;
mod show;
mod tree;

use std::path::Path;

use outflank::drawn_openings::{OpeningChoiceError, opening_game};
use outflank::notation::{Contents, read_one};
use outflank::{Board, Game, Ply};
use outflank_book::{Book, BookError};

use super::error::{FAILURE, USAGE, exit_status};
pub(super) use player::{BookArguments, ChoiceArguments, LearnArgument};

crate::subcommands! {
    /// Build, inspect and exchange opening books
    ///
    /// A book stores positions with the values of their moves. Symmetric positions are stored once. Moves to other
    /// positions of the book are links. Of all other moves, only the best one has a value, found by a search.
    ///
    /// A crash or a full disk loses nothing that was committed. Commands that only read a book accept the name
    /// built-in: the book that players use without --book.
    #[command(after_help = EXAMPLES)]
    pub(super) enum Arguments {
        Info(info::Arguments) => info::run,
        Show(show::Arguments) => show::run,
        Check(check::Arguments) => check::run,
        Learn(learn::LearnArguments) => learn::run_learn,
        /// Search doubtful positions of a book again
        ///
        /// No positions are added. Two kinds of leaves are searched again: leaves that were searched less deeply than
        /// --level asks for, and leaves that now lead to a position of the book. Leaves that could change the choice of
        /// moves most come first.
        #[command(after_help = learn::CORRECT_EXAMPLES)]
        Correct(learn::CommonArguments) => learn::run_correct,
        /// Expand all leaves after moves that lose few discs
        ///
        /// The book then knows answers to all deviations from best play within the limits. Leaves are expanded, those
        /// with the smallest losses first, until none is left within the limits, or --time is over.
        #[command(after_help = learn::DEVIATE_EXAMPLES)]
        Deviate(learn::DeviateArguments) => learn::run_deviate,
        Lines(lines::Arguments) => lines::run,
        Extract(part::ExtractArguments) => part::extract,
        Prune(part::PruneArguments) => part::prune,
        Set(set::SetArguments) => set::set,
        Unset(set::UnsetArguments) => set::unset,
        Import(exchange::ImportArguments) => exchange::import,
        Export(exchange::ExportArguments) => exchange::export,
        Merge(exchange::MergeArguments) => exchange::merge,
    }
}

const EXAMPLES: &str = "\
Examples:
  outflank book learn my.book --time 600        create a book, or grow an existing one
  outflank book correct my.book --level 24      search doubtful positions again, more deeply
  outflank book deviate my.book --in-sum 4      answers to all moves that lose 4 discs or less in sum
  outflank book extract my.book Tiger --out tiger.book
                                                the positions after an opening, as a new book
  outflank book prune my.book --in-sum 6 --out small.book
                                                only positions after small losses, as a new book
  outflank book info my.book                    number of positions and depths of searches
  outflank book show my.book f5d6c3             values of the moves of a position
  outflank book show built-in f5d6c3            values in the built-in book
  outflank book set my.book f5d6c3 -2 --reason 'solved elsewhere'
                                                a value by hand, which searches do not change
  outflank book lines my.book f5d6c3            lines that each side has to know
  outflank book check my.book                   verification of the whole book
  outflank book import my.book book.dat         add a book of Edax or Egaroucid
  outflank book export my.book --out book.dat   write a book for Edax
  outflank book merge my.book other.book        add the positions of another book

See docs/guide/book.md.";

/// Error in the use of a book.
#[derive(Debug, thiserror::Error)]
pub(super) enum BookCommandError {
    #[error(
        "the built-in book cannot be changed: name a file; `outflank book merge FILE built-in` makes one of it"
    )]
    BuiltIn,
    #[error("{0} chooses among the moves of a book, and there is none: give one with --book")]
    NoBook(&'static str),
    #[error("--learn adds games to a book, and there is none: give a file with --book")]
    NothingToLearn,
}
exit_status!(USAGE; BookCommandError);
exit_status!(FAILURE; BookError);

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

/// A text is no game.
#[derive(Debug, thiserror::Error)]
pub(super) enum GameTextError {
    #[error("{0}")]
    Opening(#[from] OpeningChoiceError),
    #[error("expected moves or the name of an opening, found a position")]
    Position,
}
exit_status!(GameTextError {
    Self::Opening(error) => error.status(),
    Self::Position => USAGE
});

/// Game of a text: moves, a record, or the name of an opening. An empty text is the start.
pub(super) fn game_after(text: &str) -> Result<Game, GameTextError> {
    if text.is_empty() {
        return Ok(Game::new());
    }
    match read_one(text) {
        Ok(Contents::Game(record)) => Ok(record.game),
        Ok(Contents::Position(_)) => Err(GameTextError::Position),
        Err(_) => Ok(opening_game(text)?),
    }
}

/// Board after a legal ply.
fn board_after(board: Board, ply: Ply) -> Option<Board> {
    match ply {
        Some(square) => board.play(square),
        None => Some(board.pass()),
    }
}

/// Path of a book to be written.
fn writable_path(path: &Path) -> Result<&Path, BookCommandError> {
    match is_built_in(path) {
        true => Err(BookCommandError::BuiltIn),
        false => Ok(path),
    }
}
