//! Selection of the next move by its order score.
//!
//! Scores are compared without branches, because branches on them could not be predicted (docs/lab/speed.md).

/// Order scores of a node's moves by their index in a list; the greatest is searched first.
pub(super) struct Ranking<const CAPACITY: usize>([i32; CAPACITY]);

impl<const CAPACITY: usize> Ranking<CAPACITY> {
    /// The key of an empty or consumed slot.
    const NONE: i32 = i32::MIN;

    #[inline(always)]
    pub(super) fn new() -> Ranking<CAPACITY> {
        Ranking([Self::NONE; CAPACITY])
    }

    /// Sets the order score of the move at an index. Returns the key: the index in the lowest bits, the score above
    /// them.
    #[inline(always)]
    pub(super) fn set(&mut self, index: usize, order_score: i32) -> i32 {
        self.0[index] = (order_score * CAPACITY as i32) | index as i32;
        self.0[index]
    }

    /// The key of the move at an index; `None` if it has no score or was consumed.
    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> Option<i32> {
        (self.0[index] != Self::NONE).then_some(self.0[index])
    }

    /// The order score of the move at an index; `None` if it has none or was consumed.
    #[inline(always)]
    pub(super) fn score(&self, index: usize) -> Option<i32> {
        self.get(index).map(|key| key.div_euclid(CAPACITY as i32))
    }

    /// Consumes the move at an index: it is never the best again.
    #[inline(always)]
    pub(super) fn take(&mut self, index: usize) {
        self.0[index] = Self::NONE;
    }

    /// The index of the greatest key among the first `count`.
    #[inline(always)]
    pub(super) fn best(&self, count: usize) -> usize {
        let keys = self.0[..count].iter();
        index_of::<CAPACITY>(keys.fold(Self::NONE, |best, &key| best.max(key)))
    }
}

/// The index in a key, in its lowest bits. The capacity is a power of two.
#[inline(always)]
pub(super) const fn index_of<const CAPACITY: usize>(key: i32) -> usize {
    key as usize % CAPACITY
}
