//! Which of a node's moves is searched next.
//!
//! Scores are compared without branches, because nothing could predict them: the loop that found the greatest of a
//! list of moves was a quarter of the mispredictions of midgame searches (docs/lab/network.md).

/// The moves of a node by their places in a list, each with an order score: the greatest is searched first.
pub(super) struct Ranking<const PLACES: usize>([i32; PLACES]);

impl<const PLACES: usize> Ranking<PLACES> {
    /// The key of a move that was taken, or that there is not.
    const NONE: i32 = i32::MIN;

    /// No moves.
    #[inline(always)]
    pub(super) fn new() -> Ranking<PLACES> {
        Ranking([Self::NONE; PLACES])
    }

    /// Sets an order score, and returns the key: the lowest bits are the place, the others the score.
    #[inline(always)]
    pub(super) fn set(&mut self, place: usize, order_score: i32) -> i32 {
        self.0[place] = (order_score * PLACES as i32) | place as i32;
        self.0[place]
    }

    /// The key of the move at a place, unless it was taken.
    #[inline(always)]
    pub(super) fn get(&self, place: usize) -> Option<i32> {
        (self.0[place] != Self::NONE).then_some(self.0[place])
    }

    /// The order score of the move at a place, unless it was taken.
    #[inline(always)]
    pub(super) fn score(&self, place: usize) -> Option<i32> {
        self.get(place).map(|key| key.div_euclid(PLACES as i32))
    }

    /// Takes the move at a place: it is not the best again.
    #[inline(always)]
    pub(super) fn take(&mut self, place: usize) {
        self.0[place] = Self::NONE;
    }

    /// The place of the greatest key among the first `places`.
    #[inline(always)]
    pub(super) fn best(&self, places: usize) -> usize {
        let keys = self.0[..places].iter();
        Self::place_of(keys.fold(Self::NONE, |best, &key| best.max(key)))
    }

    /// The place of the move that a key belongs to.
    #[inline(always)]
    pub(super) const fn place_of(key: i32) -> usize {
        key as usize % PLACES
    }
}
