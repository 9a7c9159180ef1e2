//! Segments: positions with equal numbers of empty squares. The passes over them take most of the time of a fit.

use std::ops::Range;
use std::sync::LazyLock;

use outflank_kernels::Features;
use outflank_kernels::geometry::edax::{CLASSES, COUNT, GEOMETRY};
use outflank_kernels::levels::portable::feature_set;

use super::loss::{Loss, LossSums};
use super::vector;
use outflank::Board;
use outflank::eval::{KNOT_WEIGHTS, MAX_DISCS, WeightLayout};

/// Number for each weight of a stage, in the order of [`WeightLayout`], and for the bias.
///
/// The length is a power of two, so that a mask bounds any index.
pub(super) type Table = [f32; 1 << 17];

/// Index of the bias in a [`Table`].
pub(super) const BIAS: usize = KNOT_WEIGHTS;

/// Creates a table of zeros.
pub(super) fn table() -> Box<Table> {
    let table = vec![0.0; size_of::<Table>() / size_of::<f32>()];
    table.try_into().expect("the lengths are equal")
}

/// Merged training example.
pub struct Target {
    pub(crate) board: Board,
    /// Label in discs.
    pub(crate) target: f32,
    pub(crate) weight: f32,
}

/// Positions with equal numbers of empty squares.
pub struct Segment {
    pub(super) empties: u32,
    /// Indices of each position's weights, relative to the range of their class.
    indices: Vec<[u16; COUNT]>,
    /// Labels in discs.
    targets: Vec<f32>,
    weights: Vec<f32>,
    /// Residuals: value minus label, in discs.
    errors: Vec<f32>,
    /// Changes of the values along the search direction.
    steps: Vec<f32>,
    /// Last gradient of the loss with respect to each entry of a table.
    gradient: Option<Box<Table>>,
}

impl Segment {
    pub(super) fn new(targets: &[Target]) -> Segment {
        let zero = vec![0.0; targets.len()];
        Segment {
            empties: targets[0].board.empty_count(),
            indices: targets.iter().map(indices).collect(),
            targets: targets.iter().map(|target| target.target).collect(),
            weights: targets.iter().map(|target| target.weight).collect(),
            errors: zero.clone(),
            steps: zero,
            gradient: None,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.indices.len()
    }

    /// Computes the errors with the weights in `table`.
    pub(super) fn set_errors(&mut self, table: &Table) {
        let targets = self.indices.iter().zip(&self.targets);
        for (error, (indices, target)) in self.errors.iter_mut().zip(targets) {
            *error = sum(table, indices) - target;
        }
    }

    /// Computes the changes of the values from the changes of the weights in `table`.
    pub(super) fn set_steps(&mut self, table: &Table) {
        for (step, indices) in self.steps.iter_mut().zip(&self.indices) {
            *step = sum(table, indices);
        }
    }

    /// First and second derivative of the loss, `length` along the search direction.
    pub(super) fn slopes(&self, length: f32, loss: Loss) -> [f64; 2] {
        vector::sums(
            [&self.errors, &self.steps, &self.weights],
            |[error, step, weight]| {
                let error = error + length * step;
                let weighted = weight * step;
                [
                    f64::from(weighted * loss.slope(error)),
                    f64::from(weighted * step * loss.curvature(error)),
                ]
            },
        )
    }

    /// Moves the errors `length` along the search direction.
    pub(super) fn advance(&mut self, length: f32) {
        vector::add(&mut self.errors, length, &self.steps);
    }

    pub(super) fn sums(&self, loss: Loss) -> LossSums {
        self.sums_of(&self.errors, loss)
    }

    /// Weighted error sums with the weights in `table`. Values are clamped as in a search.
    pub(super) fn sums_with(&self, table: &Table, loss: Loss) -> LossSums {
        let targets = self.indices.iter().zip(&self.targets);
        let error = |(indices, target): (&_, &f32)| {
            let most = MAX_DISCS as f32;
            sum(table, indices).clamp(-most, most) - target
        };
        let errors: Vec<f32> = targets.map(error).collect();
        self.sums_of(&errors, loss)
    }

    fn sums_of(&self, errors: &[f32], loss: Loss) -> LossSums {
        LossSums(vector::sums([errors, &self.weights], |[error, weight]| {
            LossSums::of(error, weight, loss).0
        }))
    }

    /// Computes the gradient of the loss with respect to each weight.
    pub(super) fn set_gradient(&mut self, loss: Loss) {
        self.scatter(|error| loss.slope(error));
    }

    /// Sets each entry of the gradient to its number of occurrences, each times the weight of its position.
    pub(super) fn count(&mut self) {
        self.scatter(|_| 1.0);
    }

    /// Part of the last gradient; empty before there is one.
    pub(super) fn gradient(&self, range: Range<usize>) -> &[f32] {
        self.gradient
            .as_ref()
            .map_or(&[], |gradient| &gradient[range])
    }

    /// Sets the gradient. Each position adds `slope(error)` times its weight to its entries.
    fn scatter(&mut self, slope: impl Fn(f32) -> f32) {
        let gradient = self.gradient.get_or_insert_with(table);
        gradient.fill(0.0);
        let mut bias = 0.0;
        let positions = self.indices.iter().zip(&self.errors).zip(&self.weights);
        for ((indices, &error), weight) in positions {
            let slope = weight * slope(error);
            for index in table_indices(indices) {
                gradient[index] += slope;
            }
            bias += f64::from(slope);
        }
        gradient[BIAS] = bias as f32;
    }
}

/// Indices of a position's weights, relative to the range of their class.
fn indices(target: &Target) -> [u16; COUNT] {
    let mut features = Features::default();
    feature_set::selected(target.board.player, target.board.opponent, &mut features);
    std::array::from_fn(|feature| {
        let class = FEATURE_CLASSES[feature];
        let index = WeightLayout::get().class(class)[usize::from(features.0[feature])];
        (index - BEGINS[feature]) as u16
    })
}

static FEATURE_CLASSES: LazyLock<[usize; COUNT]> = LazyLock::new(|| {
    let named = |name: &str| CLASSES.iter().position(|class| class.name == name);
    std::array::from_fn(|feature| named(GEOMETRY.features[feature].class).expect("it is listed"))
});

/// First table index of the class of each feature.
static BEGINS: LazyLock<[u32; COUNT]> = LazyLock::new(|| {
    FEATURE_CLASSES.map(|class| {
        u32::try_from(WeightLayout::get().range(class).start)
            .expect("table indices fit into 32 bits")
    })
});

#[inline(always)]
fn table_indices(indices: &[u16; COUNT]) -> impl Iterator<Item = usize> {
    let mask = size_of::<Table>() / size_of::<f32>() - 1;
    let pairs = BEGINS.iter().zip(indices);
    pairs.map(move |(&begin, &index)| (begin + u32::from(index)) as usize & mask)
}

/// Sum of a position's entries in `table`.
#[inline(always)]
fn sum(table: &Table, indices: &[u16; COUNT]) -> f32 {
    // Four independent sums shorten the dependency chain.
    let mut sums = [0.0; 4];
    for (lane, index) in table_indices(indices).enumerate() {
        sums[lane % sums.len()] += table[index];
    }
    table[BIAS] + (sums[0] + sums[1]) + (sums[2] + sums[3])
}
