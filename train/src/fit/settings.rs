//! What a fit is to do.

use std::fmt;

use super::loss::Loss;
use outflank::eval::Blend;

/// The numbers of empty squares that have weights of their own, the model's knots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stages(Vec<u8>);

impl Stages {
    /// The stages with these numbers of empty squares; `None` unless they are in ascending order and
    /// from 0 to 60, and there are some.
    pub fn new(empties: Vec<u8>) -> Option<Stages> {
        let ordered = empties.is_sorted_by(|a, b| a < b);
        let last = *empties.last()?;
        (ordered && last <= 60).then_some(Stages(empties))
    }

    /// Their numbers of empty squares.
    pub fn empties(&self) -> &[u8] {
        &self.0
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Which of them make the weights for a number of empty squares.
    pub(super) fn blend(&self, empties: u32) -> Blend {
        Blend::new(self.0.len(), |stage| self.0[stage], empties)
    }

    /// A stage's share in a blend.
    pub(super) fn share(blend: Blend, stage: usize) -> f32 {
        let [earlier, later] = blend.shares();
        let part = |is_it, share| if is_it { share } else { 0.0 };
        part(stage == blend.earlier, earlier) + part(stage == blend.later, later)
    }
}

impl Default for Stages {
    /// Every four empty squares.
    fn default() -> Stages {
        Stages((0..=60).step_by(4).collect())
    }
}

/// What is fitted, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct FitSettings {
    /// The stages of the game.
    pub stages: Stages,
    /// In how many positions a weight is that is drawn half way to nothing.
    pub decay: f32,
    /// The same for what draws the weights of neighbouring stages to each other, times the number of
    /// empty squares between them.
    pub smooth: f32,
    /// The lengths of the windows that have terms, 1 to 9: runs of neighbouring squares of a feature.
    pub windows: Vec<u32>,
    /// What is made small.
    pub loss: Loss,
}

impl fmt::Display for FitSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |numbers: &mut dyn Iterator<Item = String>| -> String {
            let list: Vec<String> = numbers.collect();
            list.join(",")
        };
        let stages = list(&mut self.stages.0.iter().map(u8::to_string));
        let windows = list(&mut self.windows.iter().map(u32::to_string));
        write!(
            f,
            "knots {stages}; windows {}; decay {}; smooth {}; {}",
            if windows.is_empty() { "none" } else { &windows },
            self.decay,
            self.smooth,
            self.loss,
        )
    }
}
