//! Random choices, the same for a seed on every machine.

use outflank_random::SplitMix;

/// A generator for one of several uses of a seed.
pub(super) struct Random(SplitMix);

impl Random {
    /// A generator that starts from `seed` and the name of what it is for.
    pub(super) fn new(seed: u64, name: &str) -> Self {
        let start = SplitMix::new(seed);
        Random(name.bytes().fold(start, |mut random, byte| {
            SplitMix::new(random.bits() ^ u64::from(byte))
        }))
    }

    /// A number from 0 to `end - 1`; `end` is at least 1.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0.below(end as u64) as usize
    }

    /// Brings `items` into a random order.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        self.0.shuffle(items);
    }
}
