//! Random choices that depend on the seed alone, not on the machine.

use outflank_random::SplitMix64;

/// Random generator for one of several uses of a seed.
pub(super) struct Random(SplitMix64);

impl Random {
    /// Generator from a seed and the name of its use.
    pub(super) fn new(seed: u64, name: &str) -> Self {
        let start = SplitMix64::new(seed);
        Random(name.bytes().fold(start, |mut random, byte| {
            SplitMix64::new(random.bits() ^ u64::from(byte))
        }))
    }

    /// Random number below `end`, which is at least 1.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0.below(end as u64) as usize
    }

    /// Shuffles `items`.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        self.0.shuffle(items);
    }
}
