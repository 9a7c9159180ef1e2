//! Loops that call one algorithm many times, to be timed. Calls are independent in the loop for throughput.
//! In the loop for latency each call waits for the one before.
//!
//! The loops are compiled for the algorithm's level, so the algorithm inlines into them as it does into a
//! search. The inputs come from a [`Trace`], usually of arguments [`recorded`] from a search.

pub(crate) mod recorded;

pub use crate::input::{LENGTH, Trace};
pub use recorded::recorded;

impl Trace {
    /// Runs the loop for latency without a kernel, to measure its own cost.
    pub fn latency_of_nothing(&self, zero: usize) -> u64 {
        let mut carried = 0;
        for i in 0..LENGTH {
            let i = (i ^ (carried as usize & zero)) % LENGTH;
            carried = self.player[i];
        }
        carried
    }
}
