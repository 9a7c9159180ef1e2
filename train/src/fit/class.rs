//! The weights of a class of features, as they are fitted.

use std::ops::Range;

use super::chain::Chain;
use super::segment::{Segment, Table};
use super::settings::{FitSettings, Stages};
use super::terms::{Products, Terms};
use super::vector;
use super::windows::Windows;
use outflank::eval::{Blend, Packing};

/// A class of features.
pub(super) struct Class {
    /// Where its weights stand in a table.
    range: Range<usize>,
    windows: Windows,
    pub(super) terms: Terms,
    /// The weights that the terms make, stage after stage, in discs.
    pub(super) weights: Vec<f32>,
    /// Those that the terms' direction makes.
    steps: Vec<f32>,
}

/// Of what a table is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// The weights.
    Weights,
    /// Their change along the direction.
    Steps,
}

impl Class {
    /// A class, counted in the order of `CLASSES`, with weights of nothing. The gradients of `segments`
    /// are the numbers of times that each weight is used.
    pub(super) fn new(class: usize, settings: &FitSettings, segments: &[Segment]) -> Class {
        let windows = Windows::new(class, &settings.windows);
        let range = Packing::get().range(class);
        let stages = &settings.stages;
        let gather = |count, factor: &dyn Fn(Blend, usize) -> f32| {
            gather(&windows, &range, segments, stages, count, factor)
        };
        let own = gather(stages.count(), &|blend, stage| {
            Stages::share(blend, stage).powi(2)
        });
        let next = gather(stages.count() - 1, &|blend, stage| {
            Stages::share(blend, stage) * Stages::share(blend, stage + 1)
        });
        let chain = Chain::new(
            stages.empties(),
            windows.terms(),
            settings.decay,
            settings.smooth,
        );
        let terms = Terms::new(chain, own, next);
        let zero = vec![0.0; stages.count() * windows.weights()];
        Class {
            range,
            windows,
            terms,
            weights: zero.clone(),
            steps: zero,
        }
    }

    /// Gives each weight of each stage a term of its own that makes it what `weight` says of the stage
    /// and the place in a table, and no other terms.
    pub(super) fn start(&mut self, weight: impl Fn(usize, usize) -> f32) {
        self.terms.values.fill(0.0);
        let stages = self.terms.values.chunks_exact_mut(self.windows.terms());
        for (stage, values) in stages.enumerate() {
            for (value, place) in values.iter_mut().zip(self.range.clone()) {
                *value = weight(stage, place);
            }
        }
    }

    /// Makes the weights those of the terms, or the steps those of the terms' direction.
    pub(super) fn fold(&mut self, of: Of) {
        let (terms, folded) = match of {
            Of::Weights => (&self.terms.values, &mut self.weights),
            Of::Steps => (&self.terms.direction, &mut self.steps),
        };
        let stages = folded.chunks_exact_mut(self.windows.weights());
        for (folded, terms) in stages.zip(terms.chunks_exact(self.windows.terms())) {
            self.windows.fold(terms, folded);
        }
    }

    /// Writes what `blend` makes of the class into `table`.
    pub(super) fn write(&self, of: Of, blend: Blend, table: &mut Table) {
        let folded = match of {
            Of::Weights => &self.weights,
            Of::Steps => &self.steps,
        };
        let table = &mut table[self.range.clone()];
        table.fill(0.0);
        let knots = [blend.earlier, blend.later];
        for (knot, share) in knots.into_iter().zip(blend.shares()) {
            vector::add(table, share, &folded[knot * table.len()..]);
        }
    }

    /// Takes the gradients of the segments.
    pub(super) fn set_gradient(&mut self, segments: &[Segment], stages: &Stages) -> Products {
        let gradient = gather(
            &self.windows,
            &self.range,
            segments,
            stages,
            stages.count(),
            &Stages::share,
        );
        self.terms.set_gradient(gradient)
    }

    /// Goes `length` steps along the direction.
    pub(super) fn advance(&mut self, length: f32) {
        self.terms.advance(length);
        vector::add(&mut self.weights, length, &self.steps);
    }
}

/// The gradients of the segments by the terms of the first `count` stages, where a stage's weights
/// have a part in a segment by a `factor`.
fn gather(
    windows: &Windows,
    range: &Range<usize>,
    segments: &[Segment],
    stages: &Stages,
    count: usize,
    factor: &dyn Fn(Blend, usize) -> f32,
) -> Vec<f32> {
    let mut gathered = vec![0.0; count * windows.terms()];
    let mut weights = vec![0.0; windows.weights()];
    for (stage, terms) in gathered.chunks_exact_mut(windows.terms()).enumerate() {
        weights.fill(0.0);
        for segment in segments {
            let factor = factor(stages.blend(segment.empties), stage);
            if factor != 0.0 {
                vector::add(&mut weights, factor, segment.gradient(range.clone()));
            }
        }
        windows.unfold(&weights, terms);
    }
    gathered
}
