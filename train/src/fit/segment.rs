//! Positions with the same number of empty squares, and the passes over them: where the time goes.

use std::ops::Range;
use std::sync::LazyLock;

use outflank_kernels::Features;
use outflank_kernels::geometry::edax::{CLASSES, COUNT, GEOMETRY};
use outflank_kernels::levels::portable::feature_set;

use super::data::Target;
use super::loss::Loss;
use super::vector;
use outflank::eval::{MAX_DISCS, PACKED, Packing};

/// A number for every weight of a stage, in the order of [`Packing`], and behind them for the bias. The
/// length is a power of two, so that any place can be made to lie inside.
pub(super) type Table = [f32; 1 << 17];

/// Where the bias stands in a [`Table`].
pub(super) const BIAS: usize = PACKED;

/// A table of nothing.
pub(super) fn table() -> Box<Table> {
    let table = vec![0.0; size_of::<Table>() / size_of::<f32>()];
    table.try_into().expect("it is as long")
}

/// Positions with the same number of empty squares.
pub(super) struct Segment {
    /// Empty squares.
    pub(super) empties: u32,
    /// For each position, where the weights of its features stand within their class.
    places: Vec<[u16; COUNT]>,
    /// What each is worth, in discs.
    targets: Vec<f32>,
    /// What each counts.
    weights: Vec<f32>,
    /// The value by the weights less the target.
    errors: Vec<f32>,
    /// The value by a change of the weights.
    steps: Vec<f32>,
    /// What was last summed up for each weight over the positions that have it.
    gradient: Option<Box<Table>>,
}

/// Sums over positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Sums {
    /// What they count.
    pub(crate) weight: f64,
    /// Loss.
    pub(crate) loss: f64,
    /// The amount of their errors.
    pub(crate) absolute: f64,
    /// The square of their errors.
    pub(crate) squared: f64,
}

impl Segment {
    /// Of these positions, which have the same number of empty squares.
    pub(super) fn new(targets: &[Target]) -> Segment {
        let zero = vec![0.0; targets.len()];
        Segment {
            empties: targets[0].board.empty_count(),
            places: targets.iter().map(places).collect(),
            targets: targets.iter().map(|one| one.target).collect(),
            weights: targets.iter().map(|one| one.weight).collect(),
            errors: zero.clone(),
            steps: zero,
            gradient: None,
        }
    }

    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Makes the errors those of the weights in `table`.
    pub(super) fn set_errors(&mut self, table: &Table) {
        let targets = self.places.iter().zip(&self.targets);
        for (error, (places, target)) in self.errors.iter_mut().zip(targets) {
            *error = sum(table, places) - target;
        }
    }

    /// Makes the steps those of the change of the weights in `table`.
    pub(super) fn set_steps(&mut self, table: &Table) {
        for (step, places) in self.steps.iter_mut().zip(&self.places) {
            *step = sum(table, places);
        }
    }

    /// The first and second derivative of the loss `length` steps along.
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

    /// Goes `length` steps along.
    pub(super) fn advance(&mut self, length: f32) {
        vector::add(&mut self.errors, length, &self.steps);
    }

    /// The sums over the positions.
    pub(super) fn sums(&self, loss: Loss) -> Sums {
        self.sums_of(&self.errors, loss)
    }

    /// What the sums over the positions would be with the weights in `table`, used as a search does.
    pub(super) fn sums_with(&self, table: &Table, loss: Loss) -> Sums {
        let targets = self.places.iter().zip(&self.targets);
        let error = |(places, target): (&_, &f32)| {
            let most = MAX_DISCS as f32;
            sum(table, places).clamp(-most, most) - target
        };
        let errors: Vec<f32> = targets.map(error).collect();
        self.sums_of(&errors, loss)
    }

    fn sums_of(&self, errors: &[f32], loss: Loss) -> Sums {
        let [weight, loss, absolute, squared] =
            vector::sums([errors, &self.weights], |[error, weight]| {
                let of = |cost: f32| f64::from(weight) * f64::from(cost);
                [
                    f64::from(weight),
                    of(loss.of(error)),
                    of(error.abs()),
                    of(error * error),
                ]
            });
        Sums {
            weight,
            loss,
            absolute,
            squared,
        }
    }

    /// Makes the gradient that of the loss by each weight.
    pub(super) fn set_gradient(&mut self, loss: Loss) {
        self.scatter(|error| loss.slope(error));
    }

    /// Makes the gradient the number of times that each weight is used.
    pub(super) fn count(&mut self) {
        self.scatter(|_| 1.0);
    }

    /// What was last summed up for the weights at these places, nothing before that.
    pub(super) fn gradient(&self, places: Range<usize>) -> &[f32] {
        self.gradient
            .as_ref()
            .map_or(&[], |gradient| &gradient[places])
    }

    /// Adds what `slope` makes of each position's error to all of its weights.
    fn scatter(&mut self, slope: impl Fn(f32) -> f32) {
        let gradient = self.gradient.get_or_insert_with(table);
        gradient.fill(0.0);
        let mut bias = 0.0;
        let positions = self.places.iter().zip(&self.errors).zip(&self.weights);
        for ((places, &error), weight) in positions {
            let slope = weight * slope(error);
            for place in places_in_table(places) {
                gradient[place] += slope;
            }
            bias += f64::from(slope);
        }
        gradient[BIAS] = bias as f32;
    }
}

impl std::ops::Add for Sums {
    type Output = Sums;

    fn add(self, other: Sums) -> Sums {
        Sums {
            weight: self.weight + other.weight,
            loss: self.loss + other.loss,
            absolute: self.absolute + other.absolute,
            squared: self.squared + other.squared,
        }
    }
}

/// Where the weights of a position's features stand within their class.
fn places(one: &Target) -> [u16; COUNT] {
    let mut features = Features::default();
    feature_set::selected(one.board.player, one.board.opponent, &mut features);
    std::array::from_fn(|feature| {
        let class = FEATURE_CLASSES[feature];
        let place = Packing::get().class(class)[usize::from(features.0[feature])];
        (place - BEGINS[feature]) as u16
    })
}

/// The class of each feature.
static FEATURE_CLASSES: LazyLock<[usize; COUNT]> = LazyLock::new(|| {
    let named = |name: &str| CLASSES.iter().position(|class| class.name == name);
    std::array::from_fn(|feature| named(GEOMETRY.features[feature].class).expect("it is listed"))
});

/// For each feature, where the weights of its class begin.
static BEGINS: LazyLock<[u32; COUNT]> = LazyLock::new(|| {
    FEATURE_CLASSES.map(|class| u32::try_from(Packing::get().range(class).start).expect("few"))
});

/// Where the weights of a position stand in a table.
#[inline(always)]
fn places_in_table(places: &[u16; COUNT]) -> impl Iterator<Item = usize> {
    let within = size_of::<Table>() / size_of::<f32>() - 1;
    let pairs = BEGINS.iter().zip(places);
    pairs.map(move |(&begin, &place)| (begin + u32::from(place)) as usize & within)
}

/// The sum of a position's numbers in `table`.
#[inline(always)]
fn sum(table: &Table, places: &[u16; COUNT]) -> f32 {
    // Four sums, so that none waits for the one before it.
    let mut sums = [0.0; 4];
    for (index, place) in places_in_table(places).enumerate() {
        sums[index % sums.len()] += table[place];
    }
    table[BIAS] + (sums[0] + sums[1]) + (sums[2] + sums[3])
}
