//! Seeded random numbers, the same on every machine.

use outflank::kernels::cases::SplitMix;

/// The kernels' generator, for indices.
pub struct Rng(SplitMix);

impl Rng {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(SplitMix::new(seed))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0.below(end as u64) as usize
    }
}
