//! An engine, as C has it.

use std::ffi::{CString, c_char, c_void};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use super::board::OutflankBoard;
use super::failure::{Failure, OutflankStatus, guard, option, place, read};
use super::search::{OutflankLimits, OutflankResult, Told};
use outflank::eval::{Evaluation, Model};
use outflank::{Board, Engine, Isa, StopHandle};

/// Default size of a hash table in MiB.
pub const OUTFLANK_DEFAULT_HASH_MIB: u32 = 256;

/// The library has the same default.
const _: () = assert!(OUTFLANK_DEFAULT_HASH_MIB as usize == outflank::search::DEFAULT_HASH_MIB);

/// Options of an engine. Members that are 0 or null have their default, so begin with
/// "OutflankOptions options = {0};".
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OutflankOptions {
    /// Threads that search, 1 to 512; 0 is 1. Each takes half a megabyte besides the hash table.
    pub threads: u32,
    /// Most memory of the hash table in MiB, which grows with a search; 0 is OUTFLANK_DEFAULT_HASH_MIB.
    pub hash_mib: u32,
    /// Name of a file of weights in UTF-8, Outflank's or Edax's; null is the built-in weights. A library that was built
    /// without weights needs a file.
    pub weights: *const c_char,
    /// Instruction-set level of the kernels: "portable", "v2", "v3", "v4", "icl", "neon". Null is the level that the
    /// environment variable OUTFLANK_ISA names, else the best one of the CPU.
    pub isa: *const c_char,
}

impl OutflankOptions {
    const USUAL: OutflankOptions = OutflankOptions {
        threads: 0,
        hash_mib: 0,
        weights: std::ptr::null(),
        isa: std::ptr::null(),
    };

    /// # Safety
    /// The texts are null or end with a zero.
    unsafe fn engine(&self, stop: StopHandle) -> Result<Engine, Failure> {
        // SAFETY: the caller's.
        let (weights, isa) =
            unsafe { (option(self.weights, "weights")?, option(self.isa, "isa")?) };
        let isa = Isa::choose(isa.map(str::parse).transpose()?)?;
        let mut builder = Engine::builder().stop_handle(stop).isa(isa);
        if self.threads > 0 {
            builder = builder.threads(self.threads as usize);
        }
        if self.hash_mib > 0 {
            builder = builder.hash_mib(self.hash_mib as usize);
        }
        if let Some(path) = weights {
            let model = Model::load(Path::new(path))?;
            builder = builder.evaluation(Arc::new(Evaluation::new(model)));
        } else if cfg!(not(feature = "embedded-weights")) {
            return Err(Failure::NoWeights);
        }
        Ok(builder.build()?)
    }
}

/// An engine, which searches one position at a time. Opaque.
pub struct OutflankEngine {
    /// The name of its level.
    isa: CString,
    stop: StopHandle,
    /// Held for as long as a search takes, so that whoever comes meanwhile is told that it is busy, be it
    /// another thread or what the search reports to.
    searcher: Mutex<Searcher>,
}

/// State that a search uses.
pub(super) struct Searcher {
    pub(super) engine: Engine,
    board: Board,
    /// What was found last, which C may look at until the next search.
    found: Told,
}

/// Threads share an engine only to stop it, but nothing else that they do with it may go wrong.
const _: fn() = || {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<OutflankEngine>();
};

impl OutflankEngine {
    /// The searcher, if nobody uses it.
    pub(super) fn searcher(&self) -> Result<MutexGuard<'_, Searcher>, Failure> {
        self.searcher.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => Failure::Busy,
            TryLockError::Poisoned(_) => Failure::Broken,
        })
    }
}

/// Receives intermediate results of a search, and the user pointer of the call. The result and its arrays are valid until the
/// function returns. It is called on the thread that searches, must not throw nor jump out of the search, and may call
/// outflank_engine_stop(). Other calls on the engine, outflank_engine_destroy() included, answer OUTFLANK_STATUS_BUSY.
pub type OutflankProgress =
    Option<unsafe extern "C" fn(so_far: *const OutflankResult, user: *mut c_void)>;

/// Makes an engine, whose board is the usual start of games. If options is null, all options have their defaults. Free the
/// engine with outflank_engine_destroy().
///
/// # Safety
/// options is null or points to options, whose strings are null or null-terminated; engine is null or points to writable memory
/// for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_engine_new(
    options: *const OutflankOptions,
    engine: *mut *mut OutflankEngine,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller's, as it is written above.
        let (place, options) = unsafe { (place(engine, "engine")?, options.as_ref()) };
        let stop = StopHandle::default();
        // SAFETY: the caller's, as it is written above.
        let made = unsafe {
            options
                .unwrap_or(&OutflankOptions::USUAL)
                .engine(stop.clone())
        }?;
        place.write(Box::into_raw(Box::new(OutflankEngine {
            isa: CString::new(made.isa().name()).unwrap_or_default(),
            stop,
            searcher: Mutex::new(Searcher {
                engine: made,
                board: Board::START,
                found: Told::default(),
            }),
        })));
        Ok(())
    })
}

/// Frees an engine and the arrays of its results. Null is ignored. An engine that is searching is not freed:
/// OUTFLANK_STATUS_BUSY.
///
/// # Safety
/// engine is null, or comes from outflank_engine_new(), was not destroyed, and no other thread uses it now
/// or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_engine_destroy(engine: *mut OutflankEngine) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller's, as it is written above.
        let Some(shared) = (unsafe { engine.as_ref() }) else {
            return Ok(());
        };
        // One that had a fault can be ended.
        if let Err(Failure::Busy) = shared.searcher() {
            return Err(Failure::Busy);
        }
        // SAFETY: it comes from `Box::into_raw`, nobody else uses it, and nobody will.
        drop(unsafe { Box::from_raw(engine) });
        Ok(())
    })
}

/// Returns the instruction-set level of an engine's kernels; null if engine is null. The string belongs to the engine.
///
/// # Safety
/// engine is null, or comes from outflank_engine_new() and was not destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_engine_isa(engine: *const OutflankEngine) -> *const c_char {
    // SAFETY: the caller's, as it is written above.
    let engine = unsafe { engine.as_ref() };
    engine.map_or(std::ptr::null(), |engine| engine.isa.as_ptr())
}

/// Sets the board to search. A board without discs, or with a square that both sides hold, is an error. Boards that no game
/// leads to can be searched.
///
/// # Safety
/// engine is null, or comes from outflank_engine_new() and was not destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_engine_set_board(
    engine: *mut OutflankEngine,
    board: OutflankBoard,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller's, as it is written above; only shared use is made of it.
        let engine = unsafe { read(engine, "engine")? };
        engine.searcher()?.board = board.board()?;
        Ok(())
    })
}

/// Searches the engine's board. Each intermediate result is passed to progress, if not null, together with user. The last one goes
/// to result; its arrays are valid until the next search of the engine, or until it is destroyed. Null limits are an
/// error: outflank_limits_exact() returns those of a search to the end of the game.
///
/// A stop is no error: the result has complete = false. The calling thread needs a stack of 2 MiB.
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
        // SAFETY: the caller's, as it is written above; only shared use is made of the engine.
        let (engine, limits) = unsafe { (read(engine, "engine")?, read(limits, "limits")?) };
        // SAFETY: the same.
        let place = unsafe { place(result, "result")? };
        let limits = limits.limits()?;
        let mut searcher = engine.searcher()?;
        let searcher = &mut *searcher;
        let mut told = Told::default();
        let report = |so_far: &_| {
            if let Some(progress) = progress {
                let so_far = told.tell(so_far);
                // SAFETY: the caller's; what it is given is there until it returns.
                unsafe { progress(&so_far, user) };
            }
        };
        let found = searcher
            .engine
            .search_and_report(searcher.board, &limits, report)?;
        place.write(searcher.found.tell(&found));
        Ok(())
    })
}

/// Ends the running search within milliseconds. Every later search ends at its beginning until outflank_engine_resume(), so a stop
/// just before a search is not lost. Any thread, callback or signal handler may call this. Null is ignored.
///
/// # Safety
/// engine is null, or comes from outflank_engine_new() and is not destroyed before this returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_engine_stop(engine: *const OutflankEngine) {
    // SAFETY: the caller's, as it is written above.
    if let Some(engine) = unsafe { engine.as_ref() } {
        engine.stop.stop();
    }
}

/// Lets later searches run again, after outflank_engine_stop(). Null is ignored.
///
/// # Safety
/// engine is null, or comes from outflank_engine_new() and is not destroyed before this returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_engine_resume(engine: *const OutflankEngine) {
    // SAFETY: the caller's, as it is written above.
    if let Some(engine) = unsafe { engine.as_ref() } {
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
        // SAFETY: the caller's, as it is written above; only shared use is made of it.
        let engine = unsafe { read(engine, "engine")? };
        engine.searcher()?.engine.clear();
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::super::board::outflank_board_start;
    use super::*;

    #[test]
    fn an_engine_that_had_a_fault_can_only_be_destroyed() {
        let mut engine = std::ptr::null_mut();
        let options = OutflankOptions {
            hash_mib: 1,
            ..OutflankOptions::USUAL
        };
        // SAFETY: the options have no texts, and there is room for the engine.
        let made = unsafe { outflank_engine_new(&options, &mut engine) };
        assert_eq!(made, OutflankStatus::Ok);
        // SAFETY: it was just made.
        let shared = unsafe { &*engine };
        let broken = guard(|| {
            let _searcher = shared.searcher()?;
            panic!("in the middle of a search")
        });
        assert_eq!(broken, OutflankStatus::Fault);
        // SAFETY: the engine is there until it is destroyed.
        let set = unsafe { outflank_engine_set_board(engine, outflank_board_start()) };
        assert_eq!(set, OutflankStatus::Fault);
        // SAFETY: nobody uses it any more.
        let destroyed = unsafe { outflank_engine_destroy(engine) };
        assert_eq!(destroyed, OutflankStatus::Ok);
    }
}
