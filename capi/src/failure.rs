//! Errors: a status of the call, and a message of the thread.

use std::any::Any;
use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::text::Message;
use outflank::eval::LoadError;
use outflank::game::Overlap;
use outflank::kernels::IsaError;
use outflank::notation::obf::BoardFault;
use outflank::notation::{FormatError, OneError, ParseBoardError, PropertyError, ReadError, Unfit};
use outflank::{EngineError, IllegalMove, SearchError};
use outflank_book::BookError;

/// Status of a call. outflank_last_error() explains a failure. A failed call changed nothing and wrote nothing to the caller's
/// memory, except with OUTFLANK_STATUS_FAULT.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutflankStatus {
    /// The call succeeded.
    Ok = 0,
    /// A pointer is null that must not be.
    Null = 1,
    /// A string, a number or a file name is invalid: the message tells which and why.
    Argument = 2,
    /// A board has no discs or a square that both sides hold, or a string is no board.
    Board = 3,
    /// The move is not legal.
    Move = 4,
    /// There is no such instruction-set level, or this CPU lacks it.
    Isa = 5,
    /// The hash table does not fit in memory.
    Memory = 6,
    /// The file of weights cannot be read.
    Weights = 7,
    /// The engine is searching: this search has to end first.
    Busy = 8,
    /// The library has a fault. The engine or game of the call can only be destroyed.
    Fault = 9,
    /// The file is no opening book, is damaged, or cannot be read.
    Book = 10,
    /// A game cannot be read, or the format has no place for it.
    Game = 11,
}

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error("{0} is a null pointer")]
    Null(&'static str),
    #[error("{0} is not UTF-8")]
    NotUtf8(&'static str),
    #[error("{0} is no square: A1 to H8 are 0 to 63")]
    NotASquare(u8),
    #[error("{0} is no ply: A1 to H8 are 0 to 63, and a pass is 64")]
    NotAPly(u8),
    #[error("a window has -64 <= alpha < beta <= 64, unlike {0} and {1}")]
    Window(i32, i32),
    #[error("a selectivity is 73, 87, 95, 98, 99 or 100, unlike {0}")]
    Selectivity(u32),
    #[error("{}", BoardFault::NoDiscs)]
    NoDiscs,
    #[error(transparent)]
    NotABoard(#[from] ParseBoardError),
    #[error("{0} is not legal here")]
    Illegal(String),
    #[error(transparent)]
    Isa(#[from] IsaError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error(transparent)]
    Weights(#[from] LoadError),
    #[error(transparent)]
    Book(#[from] BookError),
    #[error(transparent)]
    Format(#[from] FormatError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    One(#[from] OneError),
    #[error("index {0} is out of range: there are {1}")]
    Index(usize, usize),
    #[error("a side is OUTFLANK_BLACK (0) or OUTFLANK_WHITE (1), unlike {0}")]
    Side(u8),
    #[error(transparent)]
    Overlap(#[from] Overlap),
    #[error(transparent)]
    IllegalMove(#[from] IllegalMove),
    #[error(transparent)]
    Property(#[from] PropertyError),
    #[error(transparent)]
    Unfit(#[from] Unfit),
    #[error("a tolerance is 0 to {1} discs, unlike {0}")]
    Discs(u32, u32),
    #[error("this library was built without weights: name a file")]
    NoWeights,
    #[error("the engine is searching: wait for its end, or make another engine")]
    Busy,
    #[error("the engine had a fault in an earlier search: destroy it and make another")]
    Broken,
}

impl Failure {
    fn status(&self) -> OutflankStatus {
        match self {
            Failure::Null(_) => OutflankStatus::Null,
            Failure::NotUtf8(_)
            | Failure::NotASquare(_)
            | Failure::NotAPly(_)
            | Failure::Window(..)
            | Failure::Discs(..)
            | Failure::Index(..)
            | Failure::Side(_)
            | Failure::Property(_)
            | Failure::Selectivity(_) => OutflankStatus::Argument,
            Failure::NoDiscs
            | Failure::NotABoard(_)
            | Failure::Overlap(_)
            | Failure::Search(SearchError::Overlap { .. }) => OutflankStatus::Board,
            Failure::Illegal(_) | Failure::IllegalMove(_) => OutflankStatus::Move,
            Failure::Format(_) | Failure::Read(_) | Failure::One(_) | Failure::Unfit(_) => {
                OutflankStatus::Game
            }
            Failure::Isa(_) | Failure::Engine(EngineError::Isa(_)) => OutflankStatus::Isa,
            Failure::Engine(EngineError::Memory { .. }) => OutflankStatus::Memory,
            Failure::Engine(_) => OutflankStatus::Argument,
            Failure::Weights(_) | Failure::NoWeights => OutflankStatus::Weights,
            Failure::Book(_) => OutflankStatus::Book,
            Failure::Busy => OutflankStatus::Busy,
            // A search of an engine that was stopped is no error.
            Failure::Search(_) | Failure::Broken => OutflankStatus::Fault,
        }
    }
}

thread_local! {
    /// Message of the last failed call of this thread.
    static LAST: Message = Message::new();
}

/// Returns the message of the calling thread's last failed call, one line of UTF-8; empty if none failed.
///
/// The pointer is the same for all calls of a thread. It stays valid until the process ends, also in other threads. The next failed
/// call of the thread replaces the text. After the thread has ended, another thread may reuse the memory. Copy a message that is
/// to be kept.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_last_error() -> *const c_char {
    // A thread that is ending may have given its message away.
    LAST.try_with(Message::as_ptr).unwrap_or(c"".as_ptr())
}

fn remember(text: &str) {
    let _ = LAST.try_with(|last| last.set(text));
}

/// Carries out a call. Its failure, or a panic, becomes a status and the message of the thread.
pub(super) fn guard(call: impl FnOnce() -> Result<(), Failure>) -> OutflankStatus {
    // What a panic may leave half done is behind an engine's lock, and is not used again.
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => OutflankStatus::Ok,
        Ok(Err(failure)) => {
            remember(&failure.to_string());
            failure.status()
        }
        Err(panic) => {
            remember(&format!("a fault in outflank: {}", said(&*panic)));
            OutflankStatus::Fault
        }
    }
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("it says no more")
}

/// What `pointer` points to; `name` is what the header calls it.
///
/// # Safety
/// It is null, or points to a `T` that nobody writes to for `'a`.
pub(super) unsafe fn read<'a, T>(pointer: *const T, name: &'static str) -> Result<&'a T, Failure> {
    // SAFETY: the caller's.
    unsafe { pointer.as_ref() }.ok_or(Failure::Null(name))
}

/// Exclusive access to the object behind `pointer`; `name` is its name in the header.
///
/// # Safety
/// It is null, or points to a `T` that nobody else uses for `'a`.
pub(super) unsafe fn change<'a, T>(
    pointer: *mut T,
    name: &'static str,
) -> Result<&'a mut T, Failure> {
    // SAFETY: the caller's.
    unsafe { pointer.as_mut() }.ok_or(Failure::Null(name))
}

/// Frees an object, unless `pointer` is null.
///
/// # Safety
/// It is null, or comes from `Box::into_raw`, and nobody uses it now or later.
pub(super) unsafe fn destroy<T>(pointer: *mut T) -> OutflankStatus {
    guard(|| {
        if !pointer.is_null() {
            // SAFETY: the caller's.
            drop(unsafe { Box::from_raw(pointer) });
        }
        Ok(())
    })
}

/// Where an answer goes; nothing need be there yet.
///
/// # Safety
/// It is null, or points to memory for a `T` that nobody else uses for `'a`.
pub(super) unsafe fn place<'a, T>(
    pointer: *mut T,
    name: &'static str,
) -> Result<&'a mut MaybeUninit<T>, Failure> {
    // SAFETY: the caller's; memory that may be uninitialized is all that the type asks for.
    unsafe { pointer.cast::<MaybeUninit<T>>().as_mut() }.ok_or(Failure::Null(name))
}

/// A text.
///
/// # Safety
/// It is null, or points to a text that ends with a zero and that nobody writes to for `'a`.
pub(super) unsafe fn text<'a>(
    pointer: *const c_char,
    name: &'static str,
) -> Result<&'a str, Failure> {
    // SAFETY: the caller's.
    let text = unsafe { option(pointer, name) }?;
    text.ok_or(Failure::Null(name))
}

/// A text that may be left out, by a null pointer.
///
/// # Safety
/// As [`text`].
pub(super) unsafe fn option<'a>(
    pointer: *const c_char,
    name: &'static str,
) -> Result<Option<&'a str>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the pointer is not null; the rest is the caller's.
    let text = unsafe { CStr::from_ptr(pointer) };
    let text = text.to_str().map_err(|_| Failure::NotUtf8(name))?;
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last() -> String {
        // SAFETY: the text is this thread's, which writes nothing meanwhile.
        let text = unsafe { CStr::from_ptr(outflank_last_error()) };
        text.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_panic_is_a_status_and_the_text_is_the_threads_own() {
        assert_eq!(last(), "");
        assert_eq!(guard(|| panic!("it {}", "broke")), OutflankStatus::Fault);
        assert_eq!(last(), "a fault in outflank: it broke");
        assert_eq!(guard(|| panic!("plainly")), OutflankStatus::Fault);
        assert_eq!(last(), "a fault in outflank: plainly");
        let odd = || std::panic::panic_any(7);
        assert_eq!(guard(odd), OutflankStatus::Fault);
        assert_eq!(last(), "a fault in outflank: it says no more");
        let null = || Err(Failure::Null("a\0b"));
        assert_eq!(guard(null), OutflankStatus::Null);
        assert_eq!(last(), "a?b is a null pointer");
        assert_eq!(guard(|| Ok(())), OutflankStatus::Ok);
        assert_eq!(last(), "a?b is a null pointer");
        std::thread::spawn(|| assert_eq!(last(), ""))
            .join()
            .unwrap();
    }
}
