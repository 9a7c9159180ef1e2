//! Workers that take indexed jobs from one list.

/// Runs `work` on at least one and up to `threads` threads.
///
/// Each worker returns its results with their indices in the list. Results are returned in index order.
pub(crate) fn in_order<T: Send, E: Send>(
    threads: usize,
    work: impl Fn() -> Result<Vec<(usize, T)>, E> + Sync,
) -> Result<Vec<T>, E> {
    let indexed = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(&work)).collect();
        let results = threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"));
        results.collect::<Result<Vec<_>, _>>()
    })?;
    let mut indexed: Vec<_> = indexed.into_iter().flatten().collect();
    indexed.sort_unstable_by_key(|&(index, _)| index);
    Ok(indexed.into_iter().map(|(_, result)| result).collect())
}
