//! SplitMix64, a small seeded generator of random numbers.
//!
//! A seed gives the same numbers on every machine and in every release. Training data, matches and checks depend on
//! that. General-purpose crates do not promise it.
//!
//! ```
//! let mut random = outflank_random::SplitMix64::new(7);
//! let die = 1 + random.below(6);
//! assert!((1..=6).contains(&die));
//! assert_eq!(outflank_random::SplitMix64::new(7).below(6) + 1, die);
//! ```

/// Generator with 64 bits of state. Its numbers are predictable, so it must not generate secrets.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Creates a generator that starts from `seed`.
    pub fn new(seed: u64) -> Self {
        SplitMix64(seed)
    }

    /// Returns the next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// Returns a number from 0 to `end - 1`; `end` is at least 1.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(end)) >> 64) as u64
    }

    /// Returns an index from 0 to `len - 1`; `len` is at least 1.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// Returns a mask with a single bit, drawn from the set bits of `bits`; 0 if `bits` is 0.
    pub fn one_of(&mut self, bits: u64) -> u64 {
        let mut rest = bits;
        for _ in 0..self.below(u64::from(bits.count_ones()).max(1)) {
            rest &= rest - 1;
        }
        rest & rest.wrapping_neg()
    }

    /// Returns a random item of `items`.
    ///
    /// # Panics
    ///
    /// Panics if `items` is empty.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.index(items.len())]
    }

    /// Shuffles `items` (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.index(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First outputs of Vigna's splitmix64.c for the seed 1234567.
    #[test]
    fn bits_equal_the_published_algorithm() {
        let mut random = SplitMix64::new(1234567);
        let numbers = [0; 5].map(|_: u64| random.bits());
        assert_eq!(
            numbers,
            [
                6457827717110365317,
                3203168211198807973,
                9817491932198370423,
                4593380528125082431,
                16408922859458223821
            ]
        );
    }

    #[test]
    fn choices_stay_in_range_and_reach_every_item() {
        let mut random = SplitMix64::new(1);
        let (mut below, mut ones, mut picked) = ([0; 6], 0, [false; 3]);
        for _ in 0..1000 {
            below[random.below(6) as usize] += 1;
            let mask = random.one_of(0x8000_0000_0000_0101);
            assert_eq!(mask.count_ones(), 1);
            ones |= mask;
            picked[random.pick(&[0, 1, 2])] = true;
        }
        assert!(below.iter().all(|&count| count > 100), "{below:?}");
        assert_eq!(ones, 0x8000_0000_0000_0101);
        assert_eq!(picked, [true; 3]);
        assert_eq!(random.one_of(0), 0);
        let mut items = [0, 1, 2, 3, 4, 5, 6, 7];
        random.shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort();
        assert_eq!(items, [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
