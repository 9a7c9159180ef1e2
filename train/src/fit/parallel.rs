//! Work in units, over threads.

use std::sync::{Mutex, PoisonError};

/// Does `work` on every unit, on `threads` threads, and returns what it returned, in the order of the
/// units. Which thread takes which is left open, so what the work makes of a unit must depend on nothing
/// else that changes.
pub(crate) fn each<T: Send, R: Send>(
    threads: usize,
    units: &mut [T],
    work: impl Fn(&mut T) -> R + Sync,
) -> Vec<R> {
    let threads = threads.min(units.len());
    let mut results: Vec<Option<R>> = units.iter().map(|_| None).collect();
    let queue = Mutex::new(units.iter_mut().zip(&mut results));
    let take_all = || {
        // The lock is not held while the work is done.
        let take = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some((unit, result)) = take() {
            *result = Some(work(unit));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(take_all);
        }
        take_all();
    });
    let done = results.into_iter().flatten();
    done.collect()
}
