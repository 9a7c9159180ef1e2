//! The weights of a linear evaluation as they are trained and exchanged: by stage of the game, without mirror
//! images, in no form that a search could use at once.

use outflank_kernels::Features;
use outflank_kernels::geometry::edax::{CLASSES, GEOMETRY};
use outflank_kernels::levels::portable::feature_set;

use super::packing::{PACKED, Packing};
use super::{DISC, MAX_DISCS};
use crate::board::Board;

/// The most empty squares that a position of a game has.
pub(super) const MAX_EMPTIES: u32 = 60;

/// Weights over the default geometry.
///
/// They are trained for a few numbers of empty squares, the knots; between two knots a weight is
/// interpolated, outside them it is that of the nearest.
#[derive(Clone, PartialEq, Debug)]
pub struct Linear {
    knots: Vec<Knot>,
    /// What every board with a number of empty squares is worth besides, in 1/128 disc.
    pub bias: [i16; 61],
    /// Packed weights are in units of 2^shift / 128 disc, so that every sum of them fits into the 16
    /// bits that a stage has. 0 for trained weights; those of other engines can be larger.
    pub(super) shift: u32,
}

/// The weights for one number of empty squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Knot {
    /// Empty squares, 0..=60.
    pub empties: u8,
    /// The weights in 1/128 disc, [`PACKED`] of them, in the order of [`Packing`].
    pub weights: Vec<i16>,
}

/// Why knots make no linear evaluation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LinearError {
    /// There is none.
    #[error("no weights for any number of empty squares")]
    Empty,
    /// They are not in order, or not numbers of empty squares.
    #[error("expected numbers of empty squares in ascending order, from 0 to 60, found {0:?}")]
    Order(Vec<u8>),
    /// One has too few or too many weights.
    #[error("expected {PACKED} weights for {empties} empty squares, found {found}")]
    Count {
        /// Which.
        empties: u8,
        /// Its weights.
        found: usize,
    },
}

impl Linear {
    /// The evaluation of these knots.
    pub fn new(knots: Vec<Knot>, bias: [i16; 61]) -> Result<Linear, LinearError> {
        let empties: Vec<u8> = knots.iter().map(|knot| knot.empties).collect();
        let Some(&last) = empties.last() else {
            return Err(LinearError::Empty);
        };
        if last > 60 || !empties.is_sorted_by(|a, b| a < b) {
            return Err(LinearError::Order(empties));
        }
        if let Some(knot) = knots.iter().find(|knot| knot.weights.len() != PACKED) {
            return Err(LinearError::Count {
                empties: knot.empties,
                found: knot.weights.len(),
            });
        }
        let sum = knots.iter().map(|knot| largest_sum(&knot.weights)).max();
        let shift = (0..).find(|shift| sum.unwrap_or(0) >> shift < i32::from(i16::MAX) - SLACK);
        Ok(Linear {
            knots,
            bias,
            shift: shift.expect("16 bits are shifted out at last"),
        })
    }

    /// The evaluation that finds every position even.
    pub(super) fn even() -> Linear {
        let weights = vec![0; PACKED];
        let knot = Knot {
            empties: 0,
            weights,
        };
        Linear::new(vec![knot], [0; 61]).expect("there is a knot")
    }

    /// The knots, in ascending order of empty squares.
    pub fn knots(&self) -> &[Knot] {
        &self.knots
    }

    /// The knots of an evaluation that is no longer needed.
    pub(super) fn into_knots(self) -> impl Iterator<Item = Knot> {
        self.knots.into_iter()
    }

    /// What weights are rounded to multiples of where they are packed, in 1/128 disc: 1, unless sums of
    /// 46 of them do not fit into 16 bits.
    pub fn resolution(&self) -> u32 {
        1 << self.shift
    }

    /// Between which knots the weights for `empties` empty squares lie, and how near to each.
    pub(super) fn blend(&self, empties: u32) -> Blend {
        Blend::new(self.knots.len(), |knot| self.knots[knot].empties, empties)
    }

    /// The weights for `empties` empty squares (0..=60), in the order of [`Packing`]: those of a knot, or
    /// interpolated, rounded to whole 1/128 discs.
    pub fn weights(&self, empties: u32) -> Vec<i16> {
        let blend = self.blend(empties);
        let [earlier, later] =
            [blend.earlier, blend.later].map(|knot| self.knots[knot].weights.iter());
        let mixed = earlier.zip(later).map(|(&earlier, &later)| {
            let sum = i32::from(earlier) * blend.share[0] + i32::from(later) * blend.share[1];
            ((sum + WHOLE / 2) >> WHOLE.trailing_zeros()) as i16
        });
        mixed.collect()
    }

    /// The value of `board` as [`Evaluator::value`](super::Evaluator::value) has it, by the plain
    /// definition: what the fast ones are compared with.
    pub fn value(&self, board: Board) -> i32 {
        let mut features = Features::default();
        feature_set::selected(board.player, board.opponent, &mut features);
        let packing = Packing::get();
        let sum = |knot: usize| -> i32 {
            let weight = |(i, feature): (usize, &outflank_kernels::geometry::Feature)| {
                let class = CLASSES.iter().position(|class| class.name == feature.class);
                let places = packing.class(class.expect("it is listed"));
                let place = places[usize::from(features.0[i])];
                i32::from(packed_unit(
                    self.knots[knot].weights[place as usize],
                    self.shift,
                ))
            };
            GEOMETRY.features.iter().enumerate().map(weight).sum()
        };
        let empties = board.empty_count().min(MAX_EMPTIES);
        let blend = self.blend(empties).of_unit(self.shift);
        let bias = i32::from(self.bias[empties as usize]);
        mixed([sum(blend.earlier), sum(blend.later)], blend.share, bias)
    }
}

/// What rounding can add to a sum of packed weights: half a unit for each feature.
const SLACK: i32 = 24;

/// A bound of the sums of a knot's weights, either way.
fn largest_sum(weights: &[i16]) -> i32 {
    let of_class = |(i, class): (usize, &outflank_kernels::geometry::Class)| {
        let features = GEOMETRY
            .features
            .iter()
            .filter(|one| one.class == class.name);
        let weights = &weights[Packing::get().range(i)];
        let most = weights
            .iter()
            .map(|weight| i32::from(weight.unsigned_abs()))
            .max();
        features.count() as i32 * most.unwrap_or(0)
    };
    CLASSES.iter().enumerate().map(of_class).sum()
}

/// The whole that the shares of two knots make.
const WHOLE: i32 = 64;

/// How the weights for a number of empty squares are made of those of two knots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blend {
    /// The knot of the earlier stage of the game: that with more empty squares.
    pub earlier: usize,
    /// The knot of the later stage.
    pub later: usize,
    /// The share of each in 1/64, or what its sum is to be multiplied by.
    pub(super) share: [i32; 2],
}

impl Blend {
    /// That for `empties` empty squares between `knots` knots, 1 or more, of which `at` says the number
    /// of empty squares, in ascending order.
    pub fn new(knots: usize, at: impl Fn(usize) -> u8, empties: u32) -> Blend {
        let at = |knot| u32::from(at(knot));
        let above = (0..knots)
            .find(|&knot| at(knot) >= empties)
            .unwrap_or(knots);
        let alone = |knot| Blend {
            earlier: knot,
            later: knot,
            share: [WHOLE, 0],
        };
        if above == knots {
            return alone(above - 1);
        }
        if above == 0 || at(above) == empties {
            return alone(above);
        }
        let (low, high) = (at(above - 1), at(above));
        let earlier = (WHOLE as u32 * (empties - low) + (high - low) / 2) / (high - low);
        Blend {
            earlier: above,
            later: above - 1,
            share: [earlier as i32, WHOLE - earlier as i32],
        }
    }

    /// What part of a weight each knot makes: the earlier one and the later one.
    pub fn shares(self) -> [f32; 2] {
        self.share.map(|share| share as f32 / WHOLE as f32)
    }

    /// The same for sums of packed weights.
    pub(super) fn of_unit(self, shift: u32) -> Blend {
        Blend {
            share: self.share.map(|share| share << shift),
            ..self
        }
    }
}

/// The value, from the sums of two knots' packed weights and their shares.
#[inline(always)]
pub(super) const fn mixed(sums: [i32; 2], share: [i32; 2], bias: i32) -> i32 {
    let mixed = sums[0] * share[0] + sums[1] * share[1] + WHOLE / 2;
    let value = (mixed >> WHOLE.trailing_zeros()) + bias;
    let most = MAX_DISCS * DISC;
    // `clamp` is not const.
    if value > most {
        most
    } else if value < -most {
        -most
    } else {
        value
    }
}

/// A weight of 1/128 disc in the unit of packed weights.
pub(super) const fn packed_unit(weight: i16, shift: u32) -> i16 {
    ((weight as i32 + (1 << shift >> 1)) >> shift) as i16
}
