//! The linear evaluation: a sum of weights, interpolated between stages of the game.

use outflank_kernels::geometry::Feature;
use outflank_kernels::geometry::edax::{CLASSES, GEOMETRY};
use outflank_kernels::levels::portable::feature_set;
use outflank_kernels::{Features, Kernels};

use super::evaluator::{Evaluator, feature_state};
use super::knots::{Blend, Knot, MAX_GAME_EMPTIES, blended_value, rescaled};
use super::packed::PackedTables;
use super::weight_layout::{KNOT_WEIGHTS, WeightLayout};
use crate::board::Board;
use crate::square::Square;

/// A linear evaluation over the default geometry.
///
/// It has weights for a few numbers of empty squares, the knots. Between two knots a weight is interpolated. Outside
/// all knots the weights of the nearest one hold.
#[derive(Clone, Debug)]
pub struct Linear {
    knots: Vec<Knot>,
    /// The constant added to each value, in 1/128 disc, by the number of empty squares.
    pub bias: [i16; 61],
    /// Packed weights are in units of 2^shift / 128 disc, so that every sum of them fits into 16 bits. The shift is 0
    /// for trained weights; the larger weights of other engines may need more.
    shift: u32,
    packed: PackedTables,
}

impl PartialEq for Linear {
    fn eq(&self, other: &Linear) -> bool {
        (&self.knots, self.bias) == (&other.knots, other.bias)
    }
}

/// The reason why knots do not form a linear evaluation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LinearError {
    /// No knots were given.
    #[error("no weights for any number of empty squares")]
    Empty,
    /// The knots are not in ascending order, or one is over 60.
    #[error("expected numbers of empty squares in ascending order, from 0 to 60, found {0:?}")]
    Order(Vec<u8>),
    /// A knot has too few or too many weights.
    #[error("expected {KNOT_WEIGHTS} weights for {empties} empty squares, found {found}")]
    Count {
        /// Empty squares of the knot.
        empties: u8,
        /// Weights of the knot.
        found: usize,
    },
}

impl Linear {
    /// Creates the evaluation with these knots and biases.
    pub fn new(knots: Vec<Knot>, bias: [i16; 61]) -> Result<Linear, LinearError> {
        let empties: Vec<u8> = knots.iter().map(|knot| knot.empties).collect();
        let Some(&last) = empties.last() else {
            return Err(LinearError::Empty);
        };
        if last > 60 || !empties.is_sorted_by(|a, b| a < b) {
            return Err(LinearError::Order(empties));
        }
        if let Some(knot) = knots.iter().find(|knot| knot.weights.len() != KNOT_WEIGHTS) {
            return Err(LinearError::Count {
                empties: knot.empties,
                found: knot.weights.len(),
            });
        }
        let sum = knots.iter().map(|knot| largest_sum(&knot.weights)).max();
        let shift = (0..).find(|shift| sum.unwrap_or(0) >> shift < i32::from(i16::MAX) - SLACK);
        let shift = shift.expect("no sum has more than 32 bits");
        Ok(Linear {
            packed: PackedTables::new(&knots, shift),
            knots,
            bias,
            shift,
        })
    }

    /// The evaluation whose value is 0 for every position.
    pub(super) fn even() -> Linear {
        let weights = vec![0; KNOT_WEIGHTS];
        let knot = Knot {
            empties: 0,
            weights,
        };
        Linear::new(vec![knot], [0; 61]).expect("one knot")
    }

    /// The knots, in ascending order of empty squares.
    pub fn knots(&self) -> &[Knot] {
        &self.knots
    }

    /// The unit of packed weights in 1/128 disc, to which a search rounds all weights. It is 1 unless a sum of 46
    /// weights could exceed 16 bits.
    pub fn resolution(&self) -> u32 {
        1 << self.shift
    }

    fn blend(&self, empties: u32) -> Blend {
        Blend::new(self.knots.len(), |knot| self.knots[knot].empties, empties)
    }

    /// The weights for `empties` empty squares (0..=60) in the order of [`WeightLayout`], rounded to whole 1/128 discs
    /// where they are interpolated.
    pub fn weights(&self, empties: u32) -> Vec<i16> {
        let blend = self.blend(empties);
        let [earlier, later] = [blend.earlier, blend.later].map(|knot| &self.knots[knot].weights);
        let pairs = earlier.iter().zip(later);
        let weights = pairs.map(|(&earlier, &later)| blend.weight(earlier, later));
        weights.collect()
    }

    /// The value of `board`, summed weight by weight as a reference.
    pub(super) fn reference_value(&self, board: Board) -> i32 {
        let mut features = Features::default();
        feature_set::selected(board.player, board.opponent, &mut features);
        let layout = WeightLayout::get();
        let sum = |knot: usize| -> i32 {
            let weight = |(i, feature): (usize, &Feature)| {
                let class = CLASSES.iter().position(|class| class.name == feature.class);
                let indices = layout.class(class.expect("a listed class"));
                let index = indices[usize::from(features.0[i])] as usize;
                i32::from(rescaled(self.knots[knot].weights[index], self.shift))
            };
            GEOMETRY.features.iter().enumerate().map(weight).sum()
        };
        let empties = board.empty_count().min(MAX_GAME_EMPTIES);
        let blend = self.blend(empties);
        let sums = [sum(blend.earlier), sum(blend.later)];
        blended_value(sums, blend.factors(self.shift), self.bias[empties as usize])
    }

    /// The bytes of packed weights in memory once a search has used all stages.
    pub fn resident_bytes(&self) -> usize {
        self.packed.resident_bytes()
    }
}

/// An upper bound of the rounding error of a sum of packed weights: half a unit for each of 46 features.
const SLACK: i32 = 24;

/// An upper bound of the magnitude of a sum of weights: one of `weights` for each feature.
fn largest_sum(weights: &[i16]) -> i32 {
    let class_maximum = |(i, class): (usize, &outflank_kernels::geometry::Class)| {
        let features = GEOMETRY.features.iter();
        let features = features.filter(|feature| feature.class == class.name);
        let weights = weights[WeightLayout::get().range(i)].iter();
        let largest = weights.map(|weight| i32::from(weight.unsigned_abs())).max();
        features.count() as i32 * largest.unwrap_or(0)
    };
    CLASSES.iter().enumerate().map(class_maximum).sum()
}

impl<I: Kernels> Evaluator<I> for Linear {
    feature_state!(feature_set, feature_update, feature_pass);

    #[inline(always)]
    fn value(&self, isa: I, state: &Features, board: Board) -> i32 {
        let empties = board.empty_count().min(MAX_GAME_EMPTIES) as usize;
        let (sums, factors) = self.packed.sums(isa, &self.knots, state, empties);
        blended_value(sums, factors, self.bias[empties])
    }
}
