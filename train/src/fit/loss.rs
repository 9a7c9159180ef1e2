//! What an error costs.

use std::fmt;

/// What is made small.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Loss {
    /// Half the squared error.
    Squared,
    /// The same up to an error of so many discs, more than 0, and from there on as its tangent: then a
    /// few large errors weigh less (Huber, "Robust estimation of a location parameter", 1964).
    Huber(f32),
}

impl Loss {
    /// Where the tangent begins.
    fn bend(self) -> f32 {
        match self {
            Loss::Squared => f32::INFINITY,
            Loss::Huber(discs) => discs,
        }
    }

    /// The loss of an error, in squared discs.
    #[inline(always)]
    pub(crate) fn of(self, error: f32) -> f32 {
        let inner = error.abs().min(self.bend());
        inner * (error.abs() - inner / 2.0)
    }

    /// Its slope.
    #[inline(always)]
    pub(crate) fn slope(self, error: f32) -> f32 {
        error.clamp(-self.bend(), self.bend())
    }

    /// Its curvature: 1 or 0.
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
