//! Knots of a linear evaluation, and the interpolation between two of them.

use super::evaluator::within_bounds;

/// The maximum number of empty squares of a position of a game.
pub(super) const MAX_GAME_EMPTIES: u32 = 60;

/// The weights for one number of empty squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Knot {
    /// Empty squares, 0..=60.
    pub empties: u8,
    /// The weights in 1/128 disc, [`KNOT_WEIGHTS`](super::KNOT_WEIGHTS) of them, in the order of
    /// [`WeightLayout`](super::WeightLayout).
    pub weights: Vec<i16>,
}

/// The sum of the shares of two knots.
const WHOLE: i32 = 64;

/// The two neighbouring knots whose weights are interpolated for a number of empty squares, and their shares.
///
/// ```
/// use outflank::eval::Blend;
///
/// let knots = [20, 24];
/// let blend = Blend::new(knots.len(), |knot| knots[knot], 21);
/// assert_eq!((blend.earlier, blend.later), (1, 0));
/// assert_eq!(blend.shares(), [0.25, 0.75]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blend {
    /// The index of the knot of the earlier stage of the game, with more empty squares.
    pub earlier: usize,
    /// The index of the knot of the later stage.
    pub later: usize,
    /// The share of each knot in 1/64.
    pub(super) share: [i32; 2],
}

impl Blend {
    /// Creates the blend for `empties` empty squares. `knots` is the number of knots, 1 or more. `at` returns a knot's
    /// number of empty squares; knots are in ascending order. Outside all knots the nearest one has the whole share.
    pub fn new(knots: usize, at: impl Fn(usize) -> u8, empties: u32) -> Blend {
        let at = |knot| u32::from(at(knot));
        let above = (0..knots).find(|&knot| at(knot) >= empties);
        let above = above.unwrap_or(knots);
        let single = |knot| Blend {
            earlier: knot,
            later: knot,
            share: [WHOLE, 0],
        };
        if above == knots {
            return single(above - 1);
        }
        if above == 0 || at(above) == empties {
            return single(above);
        }
        let (low, high) = (at(above - 1), at(above));
        let earlier = (WHOLE as u32 * (empties - low) + (high - low) / 2) / (high - low);
        Blend {
            earlier: above,
            later: above - 1,
            share: [earlier as i32, WHOLE - earlier as i32],
        }
    }

    /// The shares of the earlier and of the later knot; their sum is 1.
    pub fn shares(self) -> [f32; 2] {
        self.share.map(|share| share as f32 / WHOLE as f32)
    }

    /// The factors of the two knots' sums, whose unit is 2^shift / 128 disc.
    pub(super) fn factors(self, shift: u32) -> [i32; 2] {
        self.share.map(|share| share << shift)
    }

    /// Interpolates between the weights of the earlier and the later knot, in 1/128 disc.
    pub(super) fn weight(self, earlier: i16, later: i16) -> i16 {
        let sum = i32::from(earlier) * self.share[0] + i32::from(later) * self.share[1];
        ((sum + WHOLE / 2) >> WHOLE.trailing_zeros()) as i16
    }
}

/// The value in 1/128 disc from the sums of two knots' weights, their factors ([`Blend::factors`]) and the bias.
#[inline(always)]
pub(super) fn blended_value(sums: [i32; 2], factors: [i32; 2], bias: i16) -> i32 {
    let blended = sums[0] * factors[0] + sums[1] * factors[1] + WHOLE / 2;
    within_bounds((blended >> WHOLE.trailing_zeros()) + i32::from(bias))
}

/// Converts a weight from 1/128 disc to units of 2^shift / 128 disc, rounded.
pub(super) const fn rescaled(weight: i16, shift: u32) -> i16 {
    ((weight as i32 + (1 << shift >> 1)) >> shift) as i16
}
