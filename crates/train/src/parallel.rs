//! Parallel loops.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
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

/// Maps `work` over the items on at least one and up to `threads` threads, and returns the results in order.
///
/// Each thread has a state of its own. A thread takes no more items once `work` returns `None`.
pub(crate) fn map_with_state<S, T: Sync, R: Send, E: Send>(
    threads: usize,
    items: &[T],
    new_state: impl Fn() -> Result<S, E> + Sync,
    work: impl Fn(&mut S, &T) -> Option<R> + Sync,
) -> Result<Vec<R>, E> {
    let next = AtomicUsize::new(0);
    let work_on_items = || {
        let (mut state, mut results) = (new_state()?, Vec::new());
        loop {
            let index = next.fetch_add(1, Relaxed);
            match items.get(index).and_then(|item| work(&mut state, item)) {
                Some(result) => results.push((index, result)),
                None => return Ok(results),
            }
        }
    };
    let mut indexed = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1))
            .map(|_| scope.spawn(work_on_items))
            .collect();
        let mut indexed = Vec::new();
        for thread in threads {
            indexed.extend(thread.join().expect("no panic")?);
        }
        Ok(indexed)
    })?;
    indexed.sort_unstable_by_key(|&(index, _)| index);
    Ok(indexed.into_iter().map(|(_, result)| result).collect())
}
