//! Work that several workers do at once, with results in order.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use outflank::StopHandle;
use outflank_support::queue::Queue;

/// Maximum number of finished results that wait for an earlier one. They take some megabytes.
const MAX_WAITING: u64 = 4096;

/// Does the work of the numbers from 0 to `count` - 1, one at a time on each worker, and passes the results to `sink` in
/// order.
///
/// Each result is passed on as soon as all earlier ones are. After `stop` no work begins; the results of running work
/// are still passed on. An error uses `stop`. Returns the first error in time.
///
/// # Panics
///
/// Panics without workers.
pub(crate) fn work_in_order<W: Send, T: Send, E: Send>(
    workers: &mut [W],
    count: usize,
    stop: &StopHandle,
    work: impl Fn(&mut W, usize) -> Result<T, E> + Sync,
    sink: impl FnMut(T) -> Result<(), E> + Send,
) -> Result<(), E> {
    let queue = Queue::new(0, count as u64, MAX_WAITING, sink);
    let first_error = Mutex::new(None);
    let run = |worker: &mut W| {
        while let Some(ticket) = queue.take(|| stop.is_stopped()) {
            let result = work(worker, ticket.number() as usize);
            if let Err(error) = result.and_then(|result| ticket.deliver(result)) {
                // The stop lets others fail, too.
                lock(&first_error).get_or_insert(error);
                return stop.stop();
            }
        }
    };
    let (first, others) = workers.split_first_mut().expect("one worker or more");
    thread::scope(|scope| {
        for worker in others {
            let thread = thread::Builder::new().stack_size(outflank::search::STACK_BYTES);
            // If no thread can be started, the existing ones do its work.
            let _ = thread.spawn_scoped(scope, || run(worker));
        }
        run(first);
    });
    lock(&first_error).take().map_or(Ok(()), Err)
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
