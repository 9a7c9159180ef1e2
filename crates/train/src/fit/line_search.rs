//! Line search.

/// Minimises a convex function along a direction, given its first and second derivative at any length.
///
/// Returns 0 unless the function falls at 0. The search is Newton's method, safeguarded by a bracket. The slope of a
/// Huber loss is piecewise linear, so the second step usually meets the minimum.
pub(super) fn minimum(mut slopes: impl FnMut(f32) -> [f64; 2]) -> f32 {
    const STEPS: usize = 30;
    /// Remaining share of the initial slope at which the search ends.
    const ENOUGH: f64 = 1e-4;
    // Ends of the bracket. The function falls at the first and rises at the second.
    let (mut falling, mut rising) = (0.0, f32::INFINITY);
    let [first, curvature] = slopes(0.0);
    if first.is_nan() || first >= 0.0 {
        return 0.0;
    }
    let mut next = (-first / curvature) as f32;
    for _ in 0..STEPS {
        let between = next > falling && next < rising && next.is_finite();
        if !between {
            next = match rising.is_finite() {
                true => falling + (rising - falling) / 2.0,
                // Without a bracket, extrapolate: all errors may be in the linear part of the loss.
                false if falling > 0.0 => 4.0 * falling,
                false => 1.0,
            };
        }
        let [slope, curvature] = slopes(next);
        if slope.abs() <= ENOUGH * -first {
            return next;
        }
        match slope < 0.0 {
            true => falling = next,
            false => rising = next,
        }
        next -= (slope / curvature) as f32;
    }
    falling
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Minimum of a sum of Huber losses and a parabola.
    #[test]
    fn minimum_has_a_small_slope() {
        let slopes = |bend: f64, parabola: f64| {
            move |length: f32| {
                let length = f64::from(length);
                let mut sums = [parabola * (length - 7.0), parabola];
                for index in 0..20 {
                    let error = length - 0.37 * f64::from(index * index);
                    sums[0] += error.clamp(-bend, bend);
                    sums[1] += f64::from(u8::from(error.abs() < bend));
                }
                sums
            }
        };
        for bend in [0.01, 0.3, 5.0, 1e9] {
            for parabola in [0.0, 0.01, 3.0] {
                let mut slopes = slopes(bend, parabola);
                let [first, _] = slopes(0.0);
                let least = minimum(&mut slopes);
                let [last, _] = slopes(least);
                assert!(
                    last.abs() <= 1e-3 * first.abs(),
                    "{bend} {parabola}: {last}"
                );
            }
        }
        assert_eq!(minimum(|length| [f64::from(length) + 1.0, 1.0]), 0.0);
    }
}
