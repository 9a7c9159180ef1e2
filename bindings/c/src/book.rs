//! C interface of opening books.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::board::{OUTFLANK_NONE, OutflankBoard, ply_number};
use super::failure::{Failure, OutflankStatus, guard, guard_output};
use super::pointer::{optional_text, output, required, shared, write_items};
use outflank::book::BookMove;
use outflank_book::{Book, BookPlayer, Tolerance};

/// Maximum number of moves of a position or a game: the size of the arrays for outflank_book_moves() and
/// outflank_engine_analyze().
pub const OUTFLANK_MAX_MOVES: usize = 64;

/// Options of the choice among book moves. "OutflankBookOptions options = {0};" allows only best moves.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OutflankBookOptions {
    /// Maximum loss of a move against the best one in discs, 0 to 64.
    pub tolerance: u32,
    /// Maximum loss of all book moves of a game in discs, 0 to 128.
    pub game_tolerance: u32,
    /// Seed of the random choice: equal seeds make equal choices.
    pub seed: u64,
}

/// Move of a book.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutflankBookMove {
    /// Move: 0 to 63, OUTFLANK_PASS, or OUTFLANK_NONE if the book has none.
    pub ply: u8,
    /// Score after the move in discs for the side that moves, -64 to 64.
    pub score: i32,
    /// Depth of the score in plies: book moves from here, then the search that the score comes from.
    pub depth: u32,
    /// Confidence of the selective cuts of that search, in percent.
    pub selectivity: u32,
}

impl From<BookMove> for OutflankBookMove {
    fn from(known: BookMove) -> OutflankBookMove {
        OutflankBookMove {
            ply: ply_number(known.ply),
            score: known.score,
            depth: known.depth,
            selectivity: known.selectivity.percent(),
        }
    }
}

/// Opening book, open for reading. Opaque.
pub struct OutflankBook(Mutex<BookPlayer>);

impl OutflankBook {
    pub(super) fn player(&self) -> MutexGuard<'_, BookPlayer> {
        // A panic cannot damage the file, which is only read.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Opens the book at path (UTF-8) for reading, or the built-in book if path is null. Another program may write to the
/// file meanwhile. Null options allow only best moves. Free the book with outflank_book_destroy(). Threads may share
/// it.
///
/// # Safety
/// path is null or a null-terminated string; options is null or points to options; book is null or points to writable memory
/// for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_book_open(
    path: *const c_char,
    options: Option<&OutflankBookOptions>,
    book: Option<&mut MaybeUninit<Box<OutflankBook>>>,
) -> OutflankStatus {
    guard_output(book, "book", || {
        // SAFETY: the caller guarantees it.
        let path = unsafe { optional_text(path, "path")? };
        let options = options.copied().unwrap_or_default();
        let discs = |discs: u32, most: u32| match discs <= most {
            true => Ok(discs as i32),
            false => Err(Failure::argument(format!(
                "a tolerance is 0 to {most} discs, unlike {discs}"
            ))),
        };
        let tolerance = Tolerance {
            of_move: discs(options.tolerance, 64)?,
            of_game: discs(options.game_tolerance, 128)?,
        };
        let opened = match path {
            Some(path) => Book::open(Path::new(path)),
            None => Book::built_in(),
        };
        let player = BookPlayer::new(opened?, tolerance, options.seed);
        Ok(Box::new(OutflankBook(Mutex::new(player))))
    })
}

/// Closes and frees a book. Null is ignored.
///
/// # Safety
/// book is null, or comes from outflank_book_open() and was not destroyed. No other thread uses it now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_book_destroy(book: Option<Box<OutflankBook>>) -> OutflankStatus {
    guard(|| {
        drop(book);
        Ok(())
    })
}

/// Writes the book moves of a position, the best first, and their number, which is 0 for an unknown position. Of the
/// moves that lead out of the book only the best one is listed. The others score no more.
///
/// # Safety
/// book is null, or comes from outflank_book_open() and was not destroyed; moves is null or points to writable memory for
/// OUTFLANK_MAX_MOVES moves; count is null or points to writable memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_book_moves(
    book: *mut OutflankBook,
    board: OutflankBoard,
    moves: *mut OutflankBookMove,
    count: Option<&mut MaybeUninit<usize>>,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it; the book is only borrowed.
        let book = unsafe { shared(book, "book")? };
        let count = required(count, "count")?;
        // SAFETY: the caller guarantees it; the type allows uninitialized memory.
        let moves = unsafe {
            output(
                moves.cast::<[OutflankBookMove; OUTFLANK_MAX_MOVES]>(),
                "moves",
            )?
        };
        let known = book.player().look_up(board.board()?)?;
        count.write(write_items(moves, known.into_iter().map(Into::into)));
        Ok(())
    })
}

/// Chooses a book move at random, within the tolerance of the options. The ply is OUTFLANK_NONE if the book does not
/// know the position. A position with more empty squares than that of the previous call begins a new game, without lost
/// discs.
///
/// # Safety
/// book is null, or comes from outflank_book_open() and was not destroyed; chosen is null or points to writable memory for a
/// move.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_book_choose(
    book: *mut OutflankBook,
    board: OutflankBoard,
    chosen: Option<&mut MaybeUninit<OutflankBookMove>>,
) -> OutflankStatus {
    guard_output(chosen, "chosen", || {
        // SAFETY: the caller guarantees it; the book is only borrowed.
        let book = unsafe { shared(book, "book")? };
        let picked = book.player().pick(board.board()?)?;
        let none = OutflankBookMove {
            ply: OUTFLANK_NONE,
            score: 0,
            depth: 0,
            selectivity: 0,
        };
        Ok(picked.map_or(none, OutflankBookMove::from))
    })
}
