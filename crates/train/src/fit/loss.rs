//! Loss functions.

use std::fmt;
use std::iter::Sum;

/// Loss of an error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Loss {
    /// Half the squared error.
    Squared,
    /// Half the squared error up to this number of discs (more than 0), and its tangent beyond. Large errors weigh less
    /// (Huber, "Robust estimation of a location parameter", 1964).
    Huber(f32),
}

impl Loss {
    /// Error in discs at which the tangent begins.
    fn bend(self) -> f32 {
        match self {
            Loss::Squared => f32::INFINITY,
            Loss::Huber(discs) => discs,
        }
    }

    /// Loss of an error, in squared discs.
    #[inline(always)]
    pub(crate) fn of(self, error: f32) -> f32 {
        let inner = error.abs().min(self.bend());
        inner * (error.abs() - inner / 2.0)
    }

    /// First derivative of the loss.
    #[inline(always)]
    pub(crate) fn slope(self, error: f32) -> f32 {
        error.clamp(-self.bend(), self.bend())
    }

    /// Second derivative of the loss: 1 or 0.
    #[inline(always)]
    pub(super) fn curvature(self, error: f32) -> f32 {
        f32::from(u8::from(error.abs() <= self.bend()))
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Loss::Squared => f.write_str("squared loss"),
            Loss::Huber(discs) => write!(f, "Huber loss bent at {discs} discs"),
        }
    }
}

/// Weighted sums over positions: weight, loss, absolute error in discs, squared error.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct LossSums(pub(crate) [f64; 4]);

impl LossSums {
    /// Sums of a single position.
    #[inline(always)]
    pub(crate) fn of(error: f32, weight: f32, loss: Loss) -> LossSums {
        let costs = [1.0, loss.of(error), error.abs(), error * error];
        LossSums(costs.map(|cost| f64::from(weight) * f64::from(cost)))
    }

    #[inline(always)]
    pub(crate) fn add(self, other: LossSums) -> LossSums {
        LossSums(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl Sum for LossSums {
    fn sum<I: Iterator<Item = LossSums>>(sums: I) -> LossSums {
        sums.fold(LossSums::default(), LossSums::add)
    }
}
