//! Several threads that take the same work from one list.

/// Runs `work` on `threads` threads, at least one. Each returns what it did, with the places in the list;
/// the result is in the order of the places.
pub(crate) fn in_order<T: Send, E: Send>(
    threads: usize,
    work: impl Fn() -> Result<Vec<(usize, T)>, E> + Sync,
) -> Result<Vec<T>, E> {
    let done = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(&work)).collect();
        let results = threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"));
        results.collect::<Result<Vec<_>, _>>()
    })?;
    let mut done: Vec<_> = done.into_iter().flatten().collect();
    done.sort_unstable_by_key(|&(place, _)| place);
    Ok(done.into_iter().map(|(_, one)| one).collect())
}
