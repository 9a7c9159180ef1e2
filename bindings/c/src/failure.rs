//! Errors: a status of the call, and a message of the thread.

use std::any::Any;
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::message::Message;
use outflank::eval::LoadError;
use outflank::game::Overlap;
use outflank::kernels::IsaError;
use outflank::notation::{
    FormatError, ParseBoardError, PropertyError, ReadError, ReadOneError, UnsupportedGame,
};
use outflank::{EngineError, IllegalMove, SearchError};
use outflank_book::BookError;

/// Status of a call. outflank_last_error() explains a failure. A failed call changes nothing and writes nothing to the
/// caller's memory, unless its status is OUTFLANK_STATUS_FAULT.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutflankStatus {
    /// The call succeeded.
    Ok = 0,
    /// A required pointer is null.
    Null = 1,
    /// A string, a number or a file name is invalid. The message names it and the reason.
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
    /// The engine is searching. Wait until the search ends.
    Busy = 8,
    /// A defect of the library ended the call. The engine or game of the call can only be destroyed.
    Fault = 9,
    /// The file is no opening book, is damaged, or cannot be read.
    Book = 10,
    /// A game cannot be read, or the output format cannot represent it.
    Game = 11,
}

/// Failure of a call: its status and the message for the caller.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) status: OutflankStatus,
    message: String,
}

impl Failure {
    pub(super) fn new(status: OutflankStatus, message: impl ToString) -> Failure {
        let message = message.to_string();
        Failure { status, message }
    }

    pub(super) fn null(name: &'static str) -> Failure {
        Failure::new(OutflankStatus::Null, format!("{name} is a null pointer"))
    }

    pub(super) fn argument(message: impl ToString) -> Failure {
        Failure::new(OutflankStatus::Argument, message)
    }

    pub(super) fn index(index: usize, count: usize) -> Failure {
        Failure::argument(format!("index {index} is out of range: there are {count}"))
    }

    pub(super) fn illegal(ply: impl std::fmt::Display) -> Failure {
        Failure::new(OutflankStatus::Move, format!("{ply} is not legal here"))
    }
}

/// Converts errors of the library to failures with a status.
macro_rules! failures {
    ($($error:ty => $status:ident,)*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::new(OutflankStatus::$status, error)
            }
        }
    )*};
}

failures! {
    BookError => Book,
    FormatError => Game,
    IllegalMove => Move,
    IsaError => Isa,
    LoadError => Weights,
    ReadOneError => Game,
    Overlap => Board,
    ParseBoardError => Board,
    PropertyError => Argument,
    ReadError => Game,
    UnsupportedGame => Game,
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Failure {
        let status = match error {
            EngineError::Isa(_) => OutflankStatus::Isa,
            EngineError::Memory { .. } => OutflankStatus::Memory,
            _ => OutflankStatus::Argument,
        };
        Failure::new(status, error)
    }
}

impl From<SearchError> for Failure {
    fn from(error: SearchError) -> Failure {
        let status = match error {
            SearchError::Overlap { .. } => OutflankStatus::Board,
            // A stopped search returns a result. No other error is expected.
            _ => OutflankStatus::Fault,
        };
        Failure::new(status, error)
    }
}

thread_local! {
    /// Message of the last failed call of this thread.
    static MESSAGE: Message = Message::new();
}

/// Returns the message of the calling thread's last failed call, one line of UTF-8; empty if none failed.
///
/// The pointer is the same for all calls of a thread. It stays valid until the process ends, also in other threads. The next failed
/// call of the thread replaces the text. After the thread has ended, another thread may reuse the memory. Copy a message that is
/// to be kept.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_last_error() -> *const c_char {
    // The message of an ending thread may be gone.
    MESSAGE.try_with(Message::as_ptr).unwrap_or(c"".as_ptr())
}

fn set_last_message(text: &str) {
    let _ = MESSAGE.try_with(|last| last.set(text));
}

/// Runs a call. Converts its failure, or a panic, to a status, and sets the message of the thread.
pub(super) fn guard(call: impl FnOnce() -> Result<(), Failure>) -> OutflankStatus {
    // A panic may leave an engine half changed. Its lock is then poisoned, so that it is not used again.
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => OutflankStatus::Ok,
        Ok(Err(failure)) => {
            set_last_message(&failure.message);
            failure.status
        }
        Err(panic) => {
            set_last_message(&format!("a fault in outflank: {}", panic_message(&*panic)));
            OutflankStatus::Fault
        }
    }
}

/// Runs a call with one result, which it writes to the caller's memory. `name` is the parameter's name in the header.
pub(super) fn guard_output<T>(
    output: Option<&mut MaybeUninit<T>>,
    name: &'static str,
    call: impl FnOnce() -> Result<T, Failure>,
) -> OutflankStatus {
    guard(|| {
        let output = output.ok_or_else(|| Failure::null(name))?;
        output.write(call()?);
        Ok(())
    })
}

/// Message of a panic.
fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("it says no more")
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::*;

    fn last_message() -> String {
        // SAFETY: the text belongs to this thread, which writes nothing meanwhile.
        let text = unsafe { CStr::from_ptr(outflank_last_error()) };
        text.to_str().unwrap().to_owned()
    }

    #[test]
    fn panics_become_a_status_and_messages_belong_to_their_thread() {
        assert_eq!(last_message(), "");
        assert_eq!(guard(|| panic!("it {}", "broke")), OutflankStatus::Fault);
        assert_eq!(last_message(), "a fault in outflank: it broke");
        assert_eq!(guard(|| panic!("plainly")), OutflankStatus::Fault);
        assert_eq!(last_message(), "a fault in outflank: plainly");
        let without_text = || std::panic::panic_any(7);
        assert_eq!(guard(without_text), OutflankStatus::Fault);
        assert_eq!(last_message(), "a fault in outflank: it says no more");
        let null = || Err(Failure::null("a\0b"));
        assert_eq!(guard(null), OutflankStatus::Null);
        assert_eq!(last_message(), "a?b is a null pointer");
        assert_eq!(guard(|| Ok(())), OutflankStatus::Ok);
        assert_eq!(last_message(), "a?b is a null pointer");
        std::thread::spawn(|| assert_eq!(last_message(), ""))
            .join()
            .unwrap();
    }
}
