//! Numbered work for several threads, whose results are delivered in order.
//!
//! ```
//! use std::convert::Infallible;
//! use outflank_support::queue::Queue;
//!
//! let mut squares = Vec::new();
//! let queue = Queue::new(0, 100, 8, |square: u64| Ok::<(), Infallible>(squares.push(square)));
//! std::thread::scope(|scope| {
//!     for _ in 0..4 {
//!         scope.spawn(|| {
//!             while let Some(ticket) = queue.take(|| false) {
//!                 let square = ticket.number() * ticket.number();
//!                 let Ok(()) = ticket.deliver(square);
//!             }
//!         });
//!     }
//! });
//! drop(queue);
//! assert!(squares.is_sorted() && squares.len() == 100);
//! ```

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Queue that gives numbers to threads and passes their results to a sink in the order of the numbers.
pub struct Queue<T, S> {
    state: Mutex<QueueState<T, S>>,
    changed: Condvar,
    /// End of the numbers, exclusive.
    end: u64,
    /// Capacity. A number is given out once it is less than `ahead` above [`QueueState::wanted`].
    ahead: u64,
}

struct QueueState<T, S> {
    /// Next number to give out.
    next: u64,
    /// Number of the next result for the sink.
    wanted: u64,
    results: BTreeMap<u64, T>,
    sink: S,
    /// `true` if a result was lost. The sink gets no later results either.
    broken: bool,
}

/// A number that was given to a thread.
pub struct Ticket<'a, T, S> {
    queue: &'a Queue<T, S>,
    number: u64,
    delivered: bool,
}

impl<T, S> Queue<T, S> {
    /// Creates a queue of the numbers from `first` to `end` - 1. At most `ahead` numbers are given out beyond the
    /// results that the sink has received.
    pub fn new(first: u64, end: u64, ahead: u64, sink: S) -> Queue<T, S> {
        let state = QueueState {
            next: first,
            wanted: first,
            results: BTreeMap::new(),
            sink,
            broken: false,
        };
        Queue {
            state: Mutex::new(state),
            changed: Condvar::new(),
            end,
            ahead,
        }
    }

    /// Takes the next number. Waits while it is too far ahead of the results.
    ///
    /// Returns `None` if there are no more numbers, a result was lost, or `is_over` returns `true` after the wait.
    pub fn take(&self, is_over: impl Fn() -> bool) -> Option<Ticket<'_, T, S>> {
        let mut state = self
            .changed
            .wait_while(self.lock(), |state| {
                !state.broken && state.next < self.end && state.next >= state.wanted + self.ahead
            })
            .unwrap_or_else(PoisonError::into_inner);
        if state.broken || state.next >= self.end || is_over() {
            return None;
        }
        let number = state.next;
        state.next += 1;
        Some(Ticket {
            queue: self,
            number,
            delivered: false,
        })
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<T, S>> {
        // After a panic of the sink, the ticket marks the queue as broken, so the state is usable.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T, S> Ticket<'_, T, S> {
    /// Number of this ticket.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Delivers the result. The sink receives all results that are next in order. Its error is returned.
    pub fn deliver<E>(mut self, result: T) -> Result<(), E>
    where
        S: FnMut(T) -> Result<(), E>,
    {
        let mut guard = self.queue.lock();
        let state = &mut *guard;
        state.results.insert(self.number, result);
        // If the sink fails, its result is lost and no later one is delivered.
        while let Some(result) = state.results.remove(&state.wanted) {
            (state.sink)(result)?;
            state.wanted += 1;
        }
        drop(guard);
        self.delivered = true;
        self.queue.changed.notify_all();
        Ok(())
    }
}

impl<T, S> Drop for Ticket<'_, T, S> {
    /// Marks the queue as broken if the result was not delivered.
    fn drop(&mut self) {
        if !self.delivered {
            self.queue.lock().broken = true;
            self.queue.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Delivers the numbers from 2 to `end` - 1 on 3 threads, with different delays. Number `fails_at` has no result.
    fn run(end: u64, fails_at: u64) -> (Vec<u64>, Vec<Result<(), u64>>) {
        let mut taken = Vec::new();
        let results = {
            let queue = Queue::new(2, end, 5, |number: u64| {
                taken.push(number);
                Ok::<(), u64>(())
            });
            let work = || {
                while let Some(ticket) = queue.take(|| false) {
                    let number = ticket.number();
                    std::thread::sleep(Duration::from_micros(300 * (number % 4)));
                    if number == fails_at {
                        return Err(number);
                    }
                    ticket.deliver(number)?;
                }
                Ok(())
            };
            std::thread::scope(|scope| {
                let threads: Vec<_> = (0..3).map(|_| scope.spawn(work)).collect();
                threads
                    .into_iter()
                    .map(|thread| thread.join().unwrap())
                    .collect()
            })
        };
        (taken, results)
    }

    #[test]
    fn results_come_in_order() {
        let (taken, results) = run(60, 99);
        assert!(taken.into_iter().eq(2..60));
        assert_eq!(results, [Ok(()); 3]);
    }

    #[test]
    fn a_lost_result_ends_all_threads() {
        let (taken, results) = run(u64::MAX, 20);
        assert!(taken.into_iter().eq(2..20));
        let failed = results.iter().filter(|result| **result == Err(20));
        assert_eq!(failed.count(), 1);
    }
}
