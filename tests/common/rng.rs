//! Seeded random numbers, the same on every machine.

use outflank_random::SplitMix;

/// The generator, for indices.
pub(crate) struct Rng(SplitMix);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(SplitMix::new(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0.below(end as u64) as usize
    }
}
