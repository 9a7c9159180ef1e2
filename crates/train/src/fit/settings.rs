//! Settings of a fit.

use std::fmt;

use super::loss::Loss;
use outflank::eval::Blend;

/// Knots of the model: numbers of empty squares with their own weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stages(Vec<u8>);

impl Stages {
    /// Creates stages from ascending numbers of empty squares, 0 to 60. Returns `None` for any other list.
    pub fn new(empties: Vec<u8>) -> Option<Stages> {
        let ordered = empties.is_sorted_by(|a, b| a < b);
        let last = *empties.last()?;
        (ordered && last <= 60).then_some(Stages(empties))
    }

    /// Numbers of empty squares, ascending.
    pub fn empties(&self) -> &[u8] {
        &self.0
    }

    /// Interpolation between stages for a number of empty squares.
    pub(super) fn blend(&self, empties: u32) -> Blend {
        Blend::new(self.0.len(), |stage| self.0[stage], empties)
    }

    /// Share of a stage in an interpolation.
    pub(super) fn share(blend: Blend, stage: usize) -> f32 {
        let [earlier, later] = blend.shares();
        let share_if = |applies, share| if applies { share } else { 0.0 };
        share_if(stage == blend.earlier, earlier) + share_if(stage == blend.later, later)
    }
}

/// Settings of a fit.
#[derive(Clone, PartialEq, Debug)]
pub struct FitSettings {
    /// Knots of the model.
    pub stages: Stages,
    /// Weight decay: number of positions at which it halves a weight.
    pub decay: f32,
    /// Smoothing: number of positions at which a weight moves half way to that of the next knot. For knots that are
    /// n empty squares apart it is divided by n.
    pub smooth: f32,
    /// Lengths of the windows with terms, 1 to 9 neighbouring squares of a feature.
    pub windows: Vec<u32>,
    /// Loss of an error.
    pub loss: Loss,
}

impl fmt::Display for FitSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FitSettings {
            decay,
            smooth,
            loss,
            ..
        } = self;
        let stages: Vec<String> = self.stages.0.iter().map(u8::to_string).collect();
        let windows: Vec<String> = self.windows.iter().map(u32::to_string).collect();
        let (stages, windows) = (stages.join(","), windows.join(","));
        let windows = if windows.is_empty() { "none" } else { &windows };
        write!(
            f,
            "knots {stages}; windows {windows}; decay {decay}; smooth {smooth}; {loss}"
        )
    }
}
