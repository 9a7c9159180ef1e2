//! Random choices, the same for a seed on every machine.

/// Steele, Lea and Flood's SplitMix64.
pub(super) struct Random(u64);

impl Random {
    /// A generator that starts from `seed` and the name of what it is for.
    pub(super) fn new(seed: u64, name: &str) -> Self {
        let mut random = Random(seed);
        for byte in name.bytes() {
            random.0 = random.bits() ^ u64::from(byte);
        }
        random
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number from 0 to `end - 1`; `end` is at least 1.
    pub(super) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.bits()) * end as u128) >> 64) as usize
    }

    /// Fisher and Yates's shuffle.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}
