//! Parallel loops.

use std::sync::{Mutex, PoisonError};

/// Maps `work` over the units on `threads` threads and returns the results in order.
///
/// Any thread may take any unit, so the result must depend on the unit only.
pub(crate) fn each<T: Send, R: Send>(
    threads: usize,
    units: &mut [T],
    work: impl Fn(&mut T) -> R + Sync,
) -> Vec<R> {
    let threads = threads.min(units.len());
    let mut results: Vec<Option<R>> = units.iter().map(|_| None).collect();
    let queue = Mutex::new(units.iter_mut().zip(&mut results));
    let take_all = || {
        // The lock is released before the work.
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
    results.into_iter().flatten().collect()
}
