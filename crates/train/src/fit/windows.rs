//! Weights as sums of terms, so that rare patterns get values from their parts.
//!
//! A pattern that hardly occurs in the training data has no reliable weight of its own. Its weight is therefore the sum
//! of its own term and a term for each of its windows. A window is a run of neighbouring squares of the feature with
//! given contents. The other squares may have any contents. Short windows occur often and give rare patterns a value.
//! This is the prior of a hierarchical model, w = B θ with a ridge on θ (Gelman and Hill, "Data Analysis Using
//! Regression and Multilevel/Hierarchical Models", 2007).
//!
//! Products with B and its transpose go from each length of windows to the next. They take a few additions for each
//! weight, regardless of the number of lengths.

use outflank_kernels::geometry::edax::CLASSES;

use super::vector;
use outflank::eval::WeightLayout;

/// Composition of the weights of a class from terms.
///
/// The vector of terms begins with the own terms of the weights, in the order of [`WeightLayout`]. The terms of the
/// windows follow by length, by first square and by value in base 3.
#[derive(Debug)]
pub(super) struct Windows {
    /// Index of the weight of each value of the feature, within all classes.
    indices: &'static [u32],
    /// Number of weights.
    pub(super) weights: usize,
    /// Reciprocal of the number of feature values that share each weight. Mirror images share a weight.
    shares: Vec<f32>,
    /// Number of squares of the feature.
    digits: u32,
    /// First term of the windows of each length below `digits`; `None` for lengths without terms.
    begins: Vec<Option<usize>>,
    /// Number of terms.
    pub(super) terms: usize,
}

impl Windows {
    /// Creates the terms of `CLASSES[class]` with windows of these lengths.
    ///
    /// Lengths of all squares and more are ignored, because a window of all squares equals the weight's own term.
    pub(super) fn new(class: usize, lengths: &[u32]) -> Windows {
        let digits = CLASSES[class].digits;
        let indices = WeightLayout::get().class(class);
        let weights = WeightLayout::get().range(class).len();
        let mut values = vec![0_u32; weights];
        for &index in indices {
            values[index as usize - WeightLayout::get().range(class).start] += 1;
        }
        let mut terms = weights;
        let begins = (0..digits).map(|length| {
            lengths.contains(&length).then(|| {
                let begin = terms;
                terms += window_values(digits, length);
                begin
            })
        });
        let begins = begins.collect();
        Windows {
            indices,
            weights,
            shares: values.iter().map(|&values| 1.0 / values as f32).collect(),
            digits,
            begins,
            terms,
        }
    }

    /// Returns `true` if a weight has terms besides its own.
    fn has_windows(&self) -> bool {
        self.terms > self.weights
    }

    /// Index of a value's weight within the class.
    fn index(&self, value: usize) -> usize {
        (self.indices[value] - self.indices[0]) as usize
    }

    /// Computes the weights from the terms, B θ.
    pub(super) fn fold(&self, terms: &[f32], weights: &mut [f32]) {
        weights.copy_from_slice(&terms[..self.weights]);
        if !self.has_windows() {
            return;
        }
        // Sums of terms, one for each window of the present length.
        let mut sums = vec![0.0; window_values(self.digits, 0)];
        for (length, begin) in (0..).zip(&self.begins) {
            if let Some(begin) = *begin {
                vector::add(&mut sums, 1.0, &terms[begin..]);
            }
            sums = self.lengthen(&sums, length);
        }
        for (value, sum) in sums.iter().enumerate() {
            let index = self.index(value);
            weights[index] += self.shares[index] * sum;
        }
    }

    /// Passes the sums of windows of `length` on to windows longer by a square, each to one. A longer window takes the
    /// sum of the window with its first square. The last longer window also takes the sum of the last window.
    fn lengthen(&self, sums: &[f32], length: u32) -> Vec<f32> {
        let values = 3_usize.pow(length);
        let (firsts, last) = sums.split_at(sums.len() - values);
        // The added square is the least significant digit.
        let mut longer: Vec<f32> = firsts.iter().flat_map(|&sum| [sum; 3]).collect();
        let begin = longer.len() - 3 * values;
        for same_first_square in longer[begin..].chunks_exact_mut(values) {
            vector::add(same_first_square, 1.0, last);
        }
        longer
    }

    /// Computes the gradient of the terms from that of the weights, Bᵀ w: the transpose of [`Windows::fold`].
    pub(super) fn unfold(&self, weights: &[f32], terms: &mut [f32]) {
        terms[..self.weights].copy_from_slice(weights);
        if !self.has_windows() {
            return;
        }
        let of_value = |value| {
            let index = self.index(value);
            self.shares[index] * weights[index]
        };
        let mut sums: Vec<f32> = (0..self.indices.len()).map(of_value).collect();
        for (length, begin) in (0..self.digits).zip(&self.begins).rev() {
            sums = self.shorten(&sums, length);
            if let Some(begin) = *begin {
                terms[begin..begin + sums.len()].copy_from_slice(&sums);
            }
        }
    }

    /// Reduces the sums of longer windows to those of `length`: the transpose of [`Windows::lengthen`].
    fn shorten(&self, longer: &[f32], length: u32) -> Vec<f32> {
        let values = 3_usize.pow(length);
        let threes = longer.as_chunks::<3>().0.iter();
        let mut sums: Vec<f32> = threes.map(|[a, b, c]| a + b + c).collect();
        let (first, rest) = longer[longer.len() - 3 * values..].split_at(values);
        let (second, third) = rest.split_at(values);
        let last = first.iter().zip(second).zip(third);
        sums.extend(last.map(|((a, b), c)| a + b + c));
        sums
    }
}

/// Number of values of all windows of a length.
fn window_values(digits: u32, length: u32) -> usize {
    (digits - length + 1) as usize * 3_usize.pow(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_random::SplitMix64;

    /// Base-3 digits of a value, the most significant first.
    fn digits(value: usize, count: u32) -> Vec<usize> {
        let places = (0..count).rev();
        places.map(|place| value / 3_usize.pow(place) % 3).collect()
    }

    fn random(count: usize, random: &mut SplitMix64) -> Vec<f32> {
        let element = |_| random.below(2001) as f32 / 1000.0 - 1.0;
        (0..count).map(element).collect()
    }

    /// Compares with sums over single windows, averaged over mirror images. Unfolding is the transpose:
    /// <w, B t> = <Bᵀ w, t>.
    #[test]
    fn fold_sums_windows_and_unfold_is_its_transpose() {
        let mut seed = SplitMix64::new(5);
        for class in 0..CLASSES.len() {
            for lengths in [
                &[][..],
                &[1],
                &[2, 5],
                &[1, 2, 3, 4, 5, 6, 7, 8],
                &[3, 9, 12],
            ] {
                let windows = Windows::new(class, lengths);
                let terms = random(windows.terms, &mut seed);
                let mut folded = vec![0.0; windows.weights];
                windows.fold(&terms, &mut folded);

                let count = CLASSES[class].digits;
                let mut at = windows.weights;
                let mut begins = Vec::new();
                for length in (1..count).filter(|length| lengths.contains(length)) {
                    for begin in 0..=count - length {
                        begins.push((begin as usize, length as usize, at));
                        at += 3_usize.pow(length);
                    }
                }
                assert_eq!(at, windows.terms, "all terms are covered");
                let sums: Vec<f64> = (0..3_usize.pow(count))
                    .map(|value| {
                        let digits = digits(value, count);
                        let windows = begins.iter().map(|&(begin, length, at)| {
                            let window = &digits[begin..begin + length];
                            let value = window.iter().fold(0, |value, digit| 3 * value + digit);
                            f64::from(terms[at + value])
                        });
                        windows.sum()
                    })
                    .collect();
                let layout = WeightLayout::get();
                let mut weight_sums = vec![Vec::new(); windows.weights];
                for (value, &index) in layout.class(class).iter().enumerate() {
                    weight_sums[index as usize - layout.range(class).start].push(sums[value]);
                }
                for (index, sums) in weight_sums.iter().enumerate() {
                    let mean = sums.iter().sum::<f64>() / sums.len() as f64;
                    let expected = f64::from(terms[index]) + mean;
                    let difference = (f64::from(folded[index]) - expected).abs();
                    assert!(difference < 1e-4, "{class} {lengths:?} {index}");
                }

                let weights = random(windows.weights, &mut seed);
                let mut unfolded = vec![f32::NAN; windows.terms];
                windows.unfold(&weights, &mut unfolded);
                let product = |x: &[f32], y: &[f32]| -> f64 {
                    let pairs = x.iter().zip(y);
                    pairs.map(|(&x, &y)| f64::from(x) * f64::from(y)).sum()
                };
                let difference = product(&weights, &folded) - product(&unfolded, &terms);
                let scale = (windows.terms as f64).sqrt();
                assert!(difference.abs() < 1e-4 * scale, "{class} {lengths:?}");
            }
        }
    }
}
