//! Opening books, as C has them.

use std::ffi::c_char;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::board::{OUTFLANK_NONE, OutflankBoard, number};
use super::failure::{Failure, OutflankStatus, guard, option, place, read};
use outflank::book::BookMove;
use outflank_book::{Book, BookPlayer, Tolerance};

/// The most moves that a position has; no more than these are written by outflank_book_moves().
pub const OUTFLANK_MAX_MOVES: usize = 64;

/// How a book's moves are chosen. "OutflankBookOptions options = {0};" chooses among the best ones.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OutflankBookOptions {
    /// How many discs a move may be worth less than the best one, 0 to 64.
    pub tolerance: u32,
    /// How many discs all moves of a game may give away so, 0 to 128.
    pub game_tolerance: u32,
    /// What chance begins with: the same seed makes the same choices.
    pub seed: u64,
}

/// A move of a book.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutflankBookMove {
    /// The move: 0 to 63, OUTFLANK_PASS, or OUTFLANK_NONE where the book knows none.
    pub ply: u8,
    /// What it is worth, in discs for who makes it: -64 to 64.
    pub score: i32,
    /// Plies of the search that the score comes from, with those that lead there by moves of the book.
    pub depth: u32,
    /// How certain that search was, in percent.
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

/// A book that is read. What is inside is the library's.
pub struct OutflankBook(Mutex<BookPlayer>);

impl OutflankBook {
    fn player(&self) -> MutexGuard<'_, BookPlayer> {
        // Whatever a panic interrupted, it is the file that matters, and that is only read.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Opens a book to read it: the file of this name, in UTF-8, or where path is null the one that the library comes with.
/// Another program may write to it meanwhile. Where options is null, chance decides among the best moves. The book takes
/// memory until outflank_book_destroy(). Threads may share it.
///
/// # Safety
/// path is null or ends with a zero; options is null or points to options; book is null or there is room for a pointer.
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

/// Closes a book. Null is nothing to close.
///
/// # Safety
/// book is null, or comes from outflank_book_open(), was not destroyed, and no other thread uses it now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_book_destroy(book: *mut OutflankBook) -> OutflankStatus {
    guard(|| {
        if !book.is_null() {
            // SAFETY: it comes from `Box::into_raw`, nobody else uses it, and nobody will.
            drop(unsafe { Box::from_raw(book) });
        }
        Ok(())
    })
}

/// The moves of a position that a book knows, the best first: how many goes to count, 0 where it does not know the
/// position. Of the moves that lead out of the book only the best one is known; the others are worth no more.
///
/// # Safety
/// book is null, or comes from outflank_book_open() and was not destroyed; moves is null or there is room for
/// OUTFLANK_MAX_MOVES of them; count is null or there is room for a number.
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
        let known = book.player().look_up(board.board()?)?;
        count.write(known.len());
        let first = moves.as_mut_ptr().cast::<OutflankBookMove>();
        for (index, &one) in known.iter().enumerate().take(OUTFLANK_MAX_MOVES) {
            // SAFETY: there is room for as many, by the caller, and the index is less.
            unsafe { first.add(index).write(one.into()) };
        }
        Ok(())
    })
}

/// The move of a book to play in a position, chosen by chance among those that the options allow; its ply is OUTFLANK_NONE
/// where the book does not know the position. What was given away counts until a position with more empty squares than
/// the one before, which begins a new game.
///
/// # Safety
/// book is null, or comes from outflank_book_open() and was not destroyed; chosen is null or there is room for a move.
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
