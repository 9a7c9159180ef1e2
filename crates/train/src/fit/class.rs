//! Weights of a class of features during a fit.

use std::ops::Range;

use super::penalty::Penalty;
use super::segment::{Segment, Table};
use super::settings::{FitSettings, Stages};
use super::terms::{Products, Terms};
use super::vector;
use super::windows::Windows;
use outflank::eval::{Blend, WeightLayout};

pub(super) struct Class {
    shape: Shape,
    pub(super) terms: Terms,
    /// Weights in discs, stage after stage: sums of the terms.
    pub(super) weights: Vec<f32>,
    /// Change of the weights along the search direction.
    steps: Vec<f32>,
}

/// Layout of the weights of a class and of their terms.
struct Shape {
    /// Range of the weights in a table.
    range: Range<usize>,
    windows: Windows,
}

/// Contents of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TableKind {
    /// Current weights.
    Weights,
    /// Changes of the weights along the search direction.
    Steps,
}

impl Class {
    /// Creates a class with zero weights. `class` is its index in `CLASSES`.
    ///
    /// [`Segment::count`] must have set the gradients of `segments`, which give the Hessian of a squared loss.
    pub(super) fn new(class: usize, settings: &FitSettings, segments: &[Segment]) -> Class {
        let shape = Shape {
            range: WeightLayout::get().range(class),
            windows: Windows::new(class, &settings.windows),
        };
        let stages = &settings.stages;
        let square = |blend, stage| Stages::share(blend, stage).powi(2);
        let diagonal = shape.gather(segments, stages, stages.empties().len(), square);
        let product = |blend, stage| Stages::share(blend, stage) * Stages::share(blend, stage + 1);
        let off_diagonal = shape.gather(segments, stages, stages.empties().len() - 1, product);
        let (width, FitSettings { decay, smooth, .. }) = (shape.windows.terms, settings);
        let penalty = Penalty::new(stages.empties(), width, *decay, *smooth);
        let terms = Terms::new(penalty, diagonal, off_diagonal);
        let zero = vec![0.0; stages.empties().len() * shape.windows.weights];
        Class {
            shape,
            terms,
            weights: zero.clone(),
            steps: zero,
        }
    }

    /// Sets the term of each weight to `weight(stage, index in a table)` and all other terms to 0.
    pub(super) fn start(&mut self, weight: impl Fn(usize, usize) -> f32) {
        self.terms.values.fill(0.0);
        let stages = self.terms.values.chunks_exact_mut(self.shape.windows.terms);
        for (stage, values) in stages.enumerate() {
            for (value, index) in values.iter_mut().zip(self.shape.range.clone()) {
                *value = weight(stage, index);
            }
        }
    }

    /// Computes the weights from the terms, or the steps from the search direction.
    pub(super) fn fold(&mut self, kind: TableKind) {
        let (terms, folded) = match kind {
            TableKind::Weights => (&self.terms.values, &mut self.weights),
            TableKind::Steps => (&self.terms.direction, &mut self.steps),
        };
        let windows = &self.shape.windows;
        let stages = folded.chunks_exact_mut(windows.weights);
        for (folded, terms) in stages.zip(terms.chunks_exact(windows.terms)) {
            windows.fold(terms, folded);
        }
    }

    /// Writes the interpolated weights or steps into `table`.
    pub(super) fn write(&self, kind: TableKind, blend: Blend, table: &mut Table) {
        let folded = match kind {
            TableKind::Weights => &self.weights,
            TableKind::Steps => &self.steps,
        };
        let table = &mut table[self.shape.range.clone()];
        table.fill(0.0);
        let knots = [blend.earlier, blend.later];
        for (knot, share) in knots.into_iter().zip(blend.shares()) {
            vector::add(table, share, &folded[knot * table.len()..]);
        }
    }

    /// Sets the gradient of the terms from the gradients of the segments.
    pub(super) fn set_gradient(&mut self, segments: &[Segment], stages: &Stages) -> Products {
        let gradient = self
            .shape
            .gather(segments, stages, stages.empties().len(), Stages::share);
        self.terms.set_gradient(gradient)
    }

    /// Moves `length` along the search direction.
    pub(super) fn advance(&mut self, length: f32) {
        self.terms.advance(length);
        vector::add(&mut self.weights, length, &self.steps);
    }
}

impl Shape {
    /// Sums the gradients of the segments with respect to the terms of the first `count` stages. `factor(blend, stage)`
    /// weights a segment with this blend.
    fn gather(
        &self,
        segments: &[Segment],
        stages: &Stages,
        count: usize,
        factor: impl Fn(Blend, usize) -> f32,
    ) -> Vec<f32> {
        let mut gathered = vec![0.0; count * self.windows.terms];
        let mut weights = vec![0.0; self.windows.weights];
        for (stage, terms) in gathered.chunks_exact_mut(self.windows.terms).enumerate() {
            weights.fill(0.0);
            for segment in segments {
                let factor = factor(stages.blend(segment.empties), stage);
                if factor != 0.0 {
                    vector::add(&mut weights, factor, segment.gradient(self.range.clone()));
                }
            }
            self.windows.unfold(&weights, terms);
        }
        gathered
    }
}
