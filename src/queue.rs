//! Numbered pieces of work for several threads, whose results are taken in order.
//!
//! ```
//! use std::convert::Infallible;
//! use outflank::queue::Queue;
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

/// Gives out numbers, and hands the results to a sink in the order of the numbers.
pub struct Queue<T, S> {
    state: Mutex<State<T, S>>,
    changed: Condvar,
    /// The numbers end before this one.
    end: u64,
    /// How far a number may be ahead of the result that the sink waits for: so many results are kept.
    ahead: u64,
}

struct State<T, S> {
    /// The next number to give out.
    next: u64,
    /// The number of the result that the sink takes next.
    wanted: u64,
    results: BTreeMap<u64, T>,
    sink: S,
    /// Whether a result will never come, so that nothing after it can be taken either.
    broken: bool,
}

/// A number that was given out.
pub struct Ticket<'a, T, S> {
    queue: &'a Queue<T, S>,
    number: u64,
    delivered: bool,
}

impl<T, S> Queue<T, S> {
    /// A queue of the numbers from `first` to `end` - 1.
    pub fn new(first: u64, end: u64, ahead: u64, sink: S) -> Queue<T, S> {
        let state = State {
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

    /// The next number, as soon as it is not too far ahead; `None` if there is none, if a result before
    /// it will never come, or if `is_over` says so then.
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

    fn lock(&self) -> MutexGuard<'_, State<T, S>> {
        // A sink that panicked has left the queue broken, which is all that matters.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T, S> Ticket<'_, T, S> {
    /// The number.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Brings the result. All results that are next in order go to the sink; an error is the sink's.
    pub fn deliver<E>(mut self, result: T) -> Result<(), E>
    where
        S: FnMut(T) -> Result<(), E>,
    {
        let mut guard = self.queue.lock();
        let state = &mut *guard;
        state.results.insert(self.number, result);
        // Where the sink fails its result is gone, and so nothing after it is ever taken.
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
    /// Without a result nobody shall wait for it.
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

    /// Carries out the numbers below `end` on 3 threads, the later ones faster.
    fn carry_out(end: u64, fails_at: u64) -> (Vec<u64>, Vec<Result<(), u64>>) {
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
        let (taken, results) = carry_out(60, 99);
        assert!(taken.into_iter().eq(2..60));
        assert_eq!(results, [Ok(()); 3]);
    }

    #[test]
    fn nobody_waits_for_what_failed() {
        let (taken, results) = carry_out(u64::MAX, 20);
        assert!(taken.into_iter().eq(2..20));
        assert_eq!(
            results
                .into_iter()
                .filter(|result| *result == Err(20))
                .count(),
            1
        );
    }
}
