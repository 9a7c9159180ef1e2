//! Packed weights of a linear evaluation over the default geometry. One `i32` has the weights of two
//! neighbouring stages of the game, so that one addition adds both. (Chess engines pack their scores of the
//! middle game and the endgame in the same way.)
//!
//! ```text
//! bit  31 ------------- 16 15 -------------- 0
//!      |   later stage    |   earlier stage  |   = later * 65536 + earlier, both signed
//! ```

use alloc::boxed::Box;
use alloc::vec;

use crate::geometry::FEATURES;
use crate::geometry::edax::{self, CLASSES, LENGTH};

/// Index of each feature's first weight: a table for gathers, which only x86-64 has.
#[cfg(target_arch = "x86_64")]
pub(crate) static OFFSETS: [u32; FEATURES] = edax::OFFSETS;

// No 16-bit value of a feature, valid or not, indexes outside the weights. Gathers rely on it.
const _: () = {
    let mut feature = 0;
    while feature < FEATURES {
        assert!(edax::OFFSETS[feature] as usize + (u16::MAX as usize) < LENGTH);
        feature += 1;
    }
};

/// Packed weights of two neighbouring stages for all features of the default geometry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights(pub(crate) Box<[i32; LENGTH]>);

impl Weights {
    /// All weights 0.
    pub fn zero() -> Weights {
        let zeros = vec![0; LENGTH].into_boxed_slice();
        Weights(zeros.try_into().expect("as many as asked for"))
    }

    /// Weights of a class, indexed by a feature's value; `None` if the geometry lacks the class.
    pub fn class(&self, name: &str) -> Option<&[i32]> {
        let class = CLASSES.iter().find(|class| class.name == name)?;
        Some(&self.0[class.offset..class.offset + class.weights()])
    }

    /// Mutable version of [`class`](Self::class).
    pub fn class_mut(&mut self, name: &str) -> Option<&mut [i32]> {
        let class = CLASSES.iter().find(|class| class.name == name)?;
        Some(&mut self.0[class.offset..class.offset + class.weights()])
    }
}

/// Packs the weights, or the sums, of two stages.
pub const fn pack(earlier: i16, later: i16) -> i32 {
    ((later as i32) << 16).wrapping_add(earlier as i32)
}

/// Unpacks the earlier stage's part of a sum. Exact if the part fits into an `i16`.
pub const fn unpack_earlier(sum: i32) -> i16 {
    sum as i16
}

/// Unpacks the later stage's part of a sum. Exact if both parts fit into an `i16`.
pub const fn unpack_later(sum: i32) -> i16 {
    // A negative earlier part borrowed one from the later part.
    (sum.wrapping_add(0x8000) >> 16) as i16
}

#[cfg(test)]
mod tests {
    use outflank_random::SplitMix64;

    use super::*;
    use crate::geometry::FEATURES;
    use crate::geometry::edax::{COUNT, GEOMETRY, OFFSETS};

    /// Unpacks sums of 48 random weights into the sums of both stages.
    #[test]
    fn packed_sums_are_the_sums_of_both_stages() {
        let mut random = SplitMix64::new(1);
        for most in [1, 10, 600, i64::from(i16::MAX) / FEATURES as i64] {
            for _ in 0..10_000 {
                let mut weight = || (random.below(2 * most as u64 + 1) as i64 - most) as i16;
                let (mut sum, mut earlier, mut later) = (0, 0, 0);
                for _ in 0..FEATURES {
                    let (a, b) = (weight(), weight());
                    assert_eq!(
                        (unpack_earlier(pack(a, b)), unpack_later(pack(a, b))),
                        (a, b)
                    );
                    (sum, earlier, later) = (sum + pack(a, b), earlier + a, later + b);
                }
                assert_eq!((unpack_earlier(sum), unpack_later(sum)), (earlier, later));
            }
        }
        for (a, b) in [i16::MIN, -1, 0, 1, i16::MAX]
            .iter()
            .flat_map(|&a| [i16::MIN, -1, 0, 1, i16::MAX].map(|b| (a, b)))
        {
            let packed = pack(a, b);
            assert_eq!((unpack_earlier(packed), unpack_later(packed)), (a, b));
        }
    }

    /// Fills each class with its own number. Classes must not overlap, and a class must have one weight for each
    /// value of a feature. No 16-bit feature may index outside the weights.
    #[test]
    fn classes_do_not_overlap_and_indices_stay_inside() {
        let mut weights = Weights::zero();
        for (i, class) in CLASSES.iter().enumerate() {
            let of_class = weights.class_mut(class.name).expect("it is listed");
            assert_eq!(of_class.len(), 3_usize.pow(class.digits), "{}", class.name);
            assert!(of_class.iter().all(|&weight| weight == 0), "{}", class.name);
            of_class.fill(i as i32 + 1);
        }
        assert!(weights.class("C99").is_none());
        for (i, &offset) in OFFSETS.iter().enumerate() {
            assert!(offset as usize + usize::from(u16::MAX) < LENGTH);
            let class = weights.0[offset as usize];
            match GEOMETRY.features.get(i) {
                Some(feature) => assert_eq!(CLASSES[class as usize - 1].name, feature.class),
                None => assert!(i >= COUNT && class == 0),
            }
        }
    }
}
