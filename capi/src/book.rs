//! Opening books, as C has them.

use std::ffi::c_char;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::board::{OUTFLANK_NONE, OutflankBoard, number};
use super::failure::{Failure, OutflankStatus, destroy, guard, option, place, read};
use outflank::book::BookMove;
use outflank_book::{Book, BookPlayer, Tolerance};

/// Maximum number of moves of a position or a game: the size of the arrays for outflank_book_moves() and
/// outflank_engine_analyze().
pub const OUTFLANK_MAX_MOVES: usize = 64;

/// Choice among the moves of a book. "OutflankBookOptions options = {0};" chooses among the best ones.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OutflankBookOptions {
    /// Most discs that a move may be worth less than the best one, 0 to 64.
    pub tolerance: u32,
    /// Limit of the discs lost by book moves in one game, 0 to 128.
    pub game_tolerance: u32,
    /// Seed of the random choice: equal seeds make equal choices.
    pub seed: u64,
}

/// A move of a book.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutflankBookMove {
    /// The move: 0 to 63, OUTFLANK_PASS, or OUTFLANK_NONE if the book knows none.
    pub ply: u8,
    /// Score after it in discs, for the side that moves: -64 to 64.
    pub score: i32,
    /// Plies of the search that the score comes from, and of the book's moves that lead there.
    pub depth: u32,
    /// Certainty of that search, in percent.
    pub selectivity: u32,
}

impl From<BookMove> for OutflankBookMove {
    fn from(one: BookMove) -> OutflankBookMove {
        OutflankBookMove {
            ply: number(one.ply),
            score: one.value,
            depth: one.depth,
            selectivity: one.selectivity.percent(),
        }
    }
}

/// An opening book, open for reading. Opaque.
pub struct OutflankBook(Mutex<BookPlayer>);

impl OutflankBook {
    pub(super) fn player(&self) -> MutexGuard<'_, BookPlayer> {
        // Whatever a panic interrupted, it is the file that matters, and that is only read.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Opens a book for reading: the file of this name in UTF-8, or the built-in book if path is null. Another program may write to
/// the book meanwhile. If options is null, the choice is among the best moves. Free the book with outflank_book_destroy().
/// Threads may share it.
///
/// # Safety
/// path is null or a null-terminated string; options is null or points to options; book is null or points to writable memory
/// for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_book_open(
    path: *const c_char,
    options: *const OutflankBookOptions,
    book: *mut *mut OutflankBook,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller's, as it is written above.
        let (place, path) = unsafe { (place(book, "book")?, option(path, "path")?) };
        // SAFETY: the same.
        let options = unsafe { options.as_ref() }.copied().unwrap_or_default();
        let discs = |discs: u32, most: u32| match discs <= most {
            true => Ok(discs as i32),
            false => Err(Failure::Discs(discs, most)),
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
        place.write(Box::into_raw(Box::new(OutflankBook(Mutex::new(player)))));
        Ok(())
    })
}

/// Closes and frees a book. Null is ignored.
///
/// # Safety
/// book is null, or comes from outflank_book_open(), was not destroyed, and no other thread uses it now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_book_destroy(book: *mut OutflankBook) -> OutflankStatus {
    // SAFETY: the caller's; it comes from `Box::into_raw`.
    unsafe { destroy(book) }
}

/// Writes the moves of a position that a book knows, the best first, and their number: 0 if it does not know the position. Of the
/// moves that lead out of the book only the best one is known; the others are worth no more.
///
/// # Safety
/// book is null, or comes from outflank_book_open() and was not destroyed; moves is null or points to writable memory for
/// OUTFLANK_MAX_MOVES moves; count is null or points to writable memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_book_moves(
    book: *mut OutflankBook,
    board: OutflankBoard,
    moves: *mut OutflankBookMove,
    count: *mut usize,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller's, as it is written above; only shared use is made of the book.
        let (book, count) = unsafe { (read(book, "book")?, place(count, "count")?) };
        // SAFETY: the same; an array of memory that may be uninitialized is all that the type asks for.
        let moves = unsafe {
            place(
                moves.cast::<[OutflankBookMove; OUTFLANK_MAX_MOVES]>(),
                "moves",
            )?
        };
        let mut known = book.player().look_up(board.board()?)?;
        known.truncate(OUTFLANK_MAX_MOVES);
        count.write(known.len());
        let first = moves.as_mut_ptr().cast::<OutflankBookMove>();
        for (index, &one) in known.iter().enumerate() {
            // SAFETY: there is room for as many, by the caller, and the index is less.
            unsafe { first.add(index).write(one.into()) };
        }
        Ok(())
    })
}

/// Chooses a move of a book at random, among those that the options allow. Its ply is OUTFLANK_NONE if the book does not know the
/// position. A position with more empty squares than the one before begins a new game, which has lost no discs yet.
///
/// # Safety
/// book is null, or comes from outflank_book_open() and was not destroyed; chosen is null or points to writable memory for a
/// move.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_book_choose(
    book: *mut OutflankBook,
    board: OutflankBoard,
    chosen: *mut OutflankBookMove,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller's, as it is written above; only shared use is made of the book.
        let (book, place) = unsafe { (read(book, "book")?, place(chosen, "chosen")?) };
        let picked = book.player().pick(board.board()?)?;
        place.write(picked.map_or(
            OutflankBookMove {
                ply: OUTFLANK_NONE,
                score: 0,
                depth: 0,
                selectivity: 0,
            },
            OutflankBookMove::from,
        ));
        Ok(())
    })
}
