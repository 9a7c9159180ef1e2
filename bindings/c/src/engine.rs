//! Engines and their options.

use std::ffi::{CString, c_char, c_void};
use std::mem::MaybeUninit;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use super::board::OutflankBoard;
use super::failure::{Failure, OutflankStatus, guard, guard_output};
use super::pointer::{optional_text, output, shared};
use super::search::{OutflankLimits, OutflankResult, ResultArrays};
use outflank::eval::{Evaluation, Model};
use outflank::{Board, Engine, Isa, StopHandle};

/// Default size of a hash table in MiB.
pub const OUTFLANK_DEFAULT_HASH_MIB: u32 = 256;

/// Checks that the default of the header is that of the library.
const _: () = assert!(OUTFLANK_DEFAULT_HASH_MIB as usize == outflank::search::DEFAULT_HASH_MIB);

/// Options of an engine. A member that is 0 or null takes its default. Begin with "OutflankOptions options = {0};".
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OutflankOptions {
    /// Number of search threads, 1 to 512; 0 means 1. Each takes about a megabyte besides the hash table.
    pub threads: u32,
    /// Maximum size of the hash table in MiB; 0 means OUTFLANK_DEFAULT_HASH_MIB. The table grows during searches.
    pub hash_mib: u32,
    /// Path of a weights file in UTF-8, in Outflank's or Edax's format. Null means the built-in weights. A library that
    /// was built without weights needs a file.
    pub weights: *const c_char,
    /// Instruction-set level of the kernels: "portable", "v2", "v3", "adl", "v4", "icl", "neon". Null means the level in
    /// the environment variable OUTFLANK_ISA or, without the variable, the best one of the CPU.
    pub isa: *const c_char,
}

impl OutflankOptions {
    const DEFAULT: OutflankOptions = OutflankOptions {
        threads: 0,
        hash_mib: 0,
        weights: std::ptr::null(),
        isa: std::ptr::null(),
    };

    /// Builds the engine.
    ///
    /// # Safety
    /// The strings are null or null-terminated.
    unsafe fn build(&self, stop: StopHandle) -> Result<Engine, Failure> {
        // SAFETY: the caller guarantees it.
        let (weights, isa) = unsafe {
            (
                optional_text(self.weights, "weights")?,
                optional_text(self.isa, "isa")?,
            )
        };
        let isa = Isa::choose(isa.map(str::parse).transpose()?)?;
        let hash_mib = match self.hash_mib {
            0 => OUTFLANK_DEFAULT_HASH_MIB,
            mib => mib,
        };
        let builder = Engine::builder().stop_handle(stop).isa(isa);
        let builder = builder.threads(self.threads.max(1) as usize);
        let mut builder = builder.hash_mib(hash_mib as usize);
        if let Some(path) = weights {
            let model = Model::load(Path::new(path))?;
            builder = builder.evaluation(Arc::new(Evaluation::new(model)));
        } else if cfg!(not(feature = "embedded-weights")) {
            let message = "this library was built without weights: name a file";
            return Err(Failure::new(OutflankStatus::Weights, message));
        }
        Ok(builder.build()?)
    }
}

/// Engine, which searches one position at a time. Opaque.
pub struct OutflankEngine {
    /// Name of the instruction-set level.
    isa: CString,
    stop: StopHandle,
    /// Locked during a search. Calls of other threads or of a callback then fail with OUTFLANK_STATUS_BUSY.
    searcher: Mutex<Searcher>,
}

/// State that a search changes.
pub(super) struct Searcher {
    pub(super) engine: Engine,
    board: Board,
    /// Arrays of the last result, which C may read until the next search.
    result_arrays: ResultArrays,
}

/// Checks that threads may share an engine. Any thread may stop it, and a second search is refused.
const _: fn() = || {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<OutflankEngine>();
};

impl OutflankEngine {
    /// Locks the searcher, unless it is in use.
    pub(super) fn searcher(&self) -> Result<MutexGuard<'_, Searcher>, Failure> {
        self.searcher.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => Failure::new(
                OutflankStatus::Busy,
                "the engine is searching: wait for its end, or make another engine",
            ),
            TryLockError::Poisoned(_) => Failure::new(
                OutflankStatus::Fault,
                "the engine had a fault in an earlier search: destroy it and make another",
            ),
        })
    }
}

/// Function that receives intermediate results of a search, and the user pointer of the call. The result and its arrays
/// are valid until the function returns. The function runs on the thread of the search. It must neither throw an
/// exception nor leave by longjmp(). It may call outflank_engine_stop(). Functions that use the engine and return a
/// status, such as outflank_engine_destroy(), return OUTFLANK_STATUS_BUSY.
pub type OutflankProgress =
    Option<unsafe extern "C" fn(so_far: *const OutflankResult, user: *mut c_void)>;

/// Makes an engine with the usual starting position as its board. Null options mean the defaults. Free the engine with
/// outflank_engine_destroy().
///
/// # Safety
/// options is null or points to options, whose strings are null or null-terminated; engine is null or points to writable memory
/// for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_engine_new(
    options: Option<&OutflankOptions>,
    engine: Option<&mut MaybeUninit<Box<OutflankEngine>>>,
) -> OutflankStatus {
    guard_output(engine, "engine", || {
        let options = options.unwrap_or(&OutflankOptions::DEFAULT);
        let stop = StopHandle::default();
        // SAFETY: the caller guarantees it.
        let engine = unsafe { options.build(stop.clone()) }?;
        Ok(Box::new(OutflankEngine {
            isa: CString::new(engine.isa().name()).unwrap_or_default(),
            stop,
            searcher: Mutex::new(Searcher {
                engine,
                board: Board::START,
                result_arrays: ResultArrays::default(),
            }),
        }))
    })
}

/// Frees an engine and the arrays of its results. Null is ignored. An engine that is searching is not freed, and the
/// status is OUTFLANK_STATUS_BUSY.
///
/// # Safety
/// engine is null, or comes from outflank_engine_new() and was not destroyed. No other thread uses it now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_engine_destroy(engine: *mut OutflankEngine) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it.
        let Some(borrowed) = (unsafe { engine.as_ref() }) else {
            return Ok(());
        };
        // An engine that had a fault can be destroyed.
        match borrowed.searcher() {
            Err(failure) if failure.status == OutflankStatus::Busy => return Err(failure),
            _ => {}
        }
        // SAFETY: the pointer is the box of `outflank_engine_new`, and nobody uses it now or later.
        drop(unsafe { Box::from_raw(engine) });
        Ok(())
    })
}

/// Returns the instruction-set level of an engine's kernels; null if engine is null. The string belongs to the engine.
///
/// # Safety
/// engine is null, or comes from outflank_engine_new() and was not destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_engine_isa(engine: Option<&OutflankEngine>) -> *const c_char {
    engine.map_or(std::ptr::null(), |engine| engine.isa.as_ptr())
}

/// Sets the board to search. A board without discs, or with a square that both sides hold, is an error. Boards that no
/// game leads to are accepted.
///
/// # Safety
/// engine is null, or comes from outflank_engine_new() and was not destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_engine_set_board(
    engine: *mut OutflankEngine,
    board: OutflankBoard,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it; the engine is only borrowed.
        let engine = unsafe { shared(engine, "engine")? };
        engine.searcher()?.board = board.board()?;
        Ok(())
    })
}

/// Searches the engine's board. Each intermediate result is passed to progress together with user, unless progress is
/// null. The final result is written to result. Its arrays are valid until the next search or the destruction of the
/// engine. Null limits are an error; outflank_limits_exact() returns the limits of a search to the end of the game.
///
/// A stop is no error. The result then has complete = false. The calling thread needs a stack of 2 MiB.
///
/// # Safety
/// engine is null, or comes from outflank_engine_new() and was not destroyed. The pointer limits is null or points to limits. The
/// function progress is null or can be called with user. The pointer result is null or points to writable memory for a
/// result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_engine_search(
    engine: *mut OutflankEngine,
    limits: *const OutflankLimits,
    progress: OutflankProgress,
    user: *mut c_void,
    result: *mut OutflankResult,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it; the engine is only borrowed.
        let (engine, limits) = unsafe { (shared(engine, "engine")?, shared(limits, "limits")?) };
        // SAFETY: the caller guarantees it.
        let out = unsafe { output(result, "result")? };
        let limits = limits.limits()?;
        let mut searcher = engine.searcher()?;
        let searcher = &mut *searcher;
        let mut arrays = ResultArrays::default();
        let report = |so_far: &_| {
            if let Some(progress) = progress {
                let so_far = arrays.fill(so_far);
                // SAFETY: the caller guarantees it; the result is valid until the function returns.
                unsafe { progress(&so_far, user) };
            }
        };
        let result = searcher
            .engine
            .search_and_report(searcher.board, &limits, report)?;
        out.write(searcher.result_arrays.fill(&result));
        Ok(())
    })
}

/// Ends the running search within milliseconds. Every later search ends at its beginning until outflank_engine_resume(), so a stop
/// just before a search is not lost. Any thread, callback or signal handler may call this. Null is ignored.
///
/// # Safety
/// engine is null, or comes from outflank_engine_new() and is not destroyed before this returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_engine_stop(engine: Option<&OutflankEngine>) {
    if let Some(engine) = engine {
        engine.stop.stop();
    }
}

/// Lets later searches run again, after outflank_engine_stop(). Null is ignored.
///
/// # Safety
/// engine is null, or comes from outflank_engine_new() and is not destroyed before this returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_engine_resume(engine: Option<&OutflankEngine>) {
    if let Some(engine) = engine {
        engine.stop.reset();
    }
}

/// Clears the hash table, so that the next search counts the same nodes as a new engine's.
///
/// # Safety
/// engine is null, or comes from outflank_engine_new() and was not destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_engine_clear(engine: *mut OutflankEngine) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it; the engine is only borrowed.
        let engine = unsafe { shared(engine, "engine")? };
        engine.searcher()?.engine.clear();
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::super::board::outflank_board_start;
    use super::super::pointer::made;
    use super::*;

    #[test]
    fn engine_with_a_fault_can_only_be_destroyed() {
        let options = OutflankOptions {
            hash_mib: 1,
            ..OutflankOptions::DEFAULT
        };
        // SAFETY: the options have no strings.
        let engine = made(|engine| unsafe { outflank_engine_new(Some(&options), engine) });
        let broken = guard(|| {
            let _searcher = engine.searcher()?;
            panic!("in the middle of a search")
        });
        assert_eq!(broken, OutflankStatus::Fault);
        let engine = Box::into_raw(engine);
        // SAFETY: the engine is not destroyed yet.
        let set = unsafe { outflank_engine_set_board(engine, outflank_board_start()) };
        assert_eq!(set, OutflankStatus::Fault);
        // SAFETY: the engine is not used later.
        let destroyed = unsafe { outflank_engine_destroy(engine) };
        assert_eq!(destroyed, OutflankStatus::Ok);
    }
}
