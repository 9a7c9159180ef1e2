//! Weights in discs to weights of whole 1/128 discs, such that no sum of them leaves 16 bits.

use outflank_kernels::geometry::edax::{CLASSES, GEOMETRY};

use crate::eval::{DISC, MOST_SUM, Packing};

/// What had to be taken from weights that were too large.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Clamped {
    /// How many weights, over all stages.
    pub weights: usize,
    /// The most that was taken from one, in discs.
    pub most: f32,
}

/// The weights of a stage, given class by class, in 1/128 disc in the order of [`Packing`].
///
/// Where the largest weights of all classes, each as often as the class has features, would be more than
/// a sum can hold, they are clamped, in all classes to the same amount.
pub(super) fn quantise<'a>(
    classes: impl Iterator<Item = &'a [f32]>,
    clamped: &mut Clamped,
) -> Vec<i16> {
    let in_units = |&weight: &f32| (weight * DISC as f32).round();
    let exact: Vec<f32> = classes.flatten().map(in_units).collect();
    let largest: Vec<(i32, i32)> = CLASSES
        .iter()
        .enumerate()
        .map(|(number, class)| {
            let features = GEOMETRY.features.iter();
            let features = features.filter(|one| one.class == class.name).count();
            let weights = exact[Packing::get().range(number)].iter();
            let largest = weights.fold(0.0, |most, weight| weight.abs().max(most));
            (features as i32, largest as i32)
        })
        .collect();
    let fits = |&most: &i32| {
        let sum =
            |&(features, largest): &(i32, i32)| i64::from(features) * i64::from(largest.min(most));
        largest.iter().map(sum).sum::<i64>() <= i64::from(MOST_SUM)
    };
    let most = (0..=i32::from(i16::MAX)).collect::<Vec<_>>();
    let most = most.partition_point(fits) as i32 - 1;
    let clamp = |weight: f32| {
        let kept = weight.clamp(-most as f32, most as f32);
        if kept != weight {
            clamped.weights += 1;
            clamped.most = clamped.most.max((weight - kept).abs() / DISC as f32);
        }
        kept as i16
    };
    exact.into_iter().map(clamp).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Knot, Model, PACKED};

    /// Weights that fit are rounded, and nothing else; those that do not are clamped to just fit.
    #[test]
    fn weights_are_rounded_and_clamped_to_fit() {
        for (scale, clamps) in [(0.01, false), (2.0, false), (50.0, true), (1e6, true)] {
            let exact: Vec<f32> = (0..PACKED).map(|i| (i as f32).sin() * scale).collect();
            let classes = (0..CLASSES.len()).map(|class| &exact[Packing::get().range(class)]);
            let mut clamped = Clamped::default();
            let weights = quantise(classes, &mut clamped);
            assert_eq!(clamped.weights > 0, clamps, "{scale}");
            let most = weights
                .iter()
                .map(|weight| weight.unsigned_abs())
                .max()
                .unwrap();
            for (weight, exact) in weights.iter().zip(&exact) {
                let error = (f32::from(*weight) - exact * DISC as f32).abs();
                assert!(error <= 0.5 || weight.unsigned_abs() == most, "{scale}");
                assert!(error <= clamped.most * DISC as f32 + 0.5, "{scale}");
            }
            // The largest of a class is nearly that of another here, and there are 46 features.
            assert!(
                !clamps || i32::from(most) == MOST_SUM / 46,
                "{scale}: {most}"
            );
            let knot = Knot {
                empties: 20,
                weights,
            };
            let model = Model::new(vec![knot], [0; 61], String::new()).unwrap();
            assert_eq!(model.shift, 0, "{scale}");
        }
    }
}
