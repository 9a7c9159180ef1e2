//! The weights of a class as sums of terms: what makes rare patterns resemble their parts.
//!
//! A pattern that training data hardly has would be worth nothing on its own. So its weight is a term of
//! its own plus one for every window of it: a run of neighbouring squares of the feature, whatever its
//! other squares hold. Small windows are seen often, and what they say is what a rare pattern is worth
//! until it has been seen itself. This is the prior of a hierarchical model, w = B θ with a ridge on θ
//! (Gelman and Hill, "Data Analysis Using Regression and Multilevel/Hierarchical Models", 2007).
//!
//! B and its transpose are walks through a tree, in which a window lies in one that is longer by a
//! square, and so cost a few additions for each weight, however many windows there are.

use outflank_kernels::geometry::edax::CLASSES;

use outflank::eval::Packing;

/// How the weights of a class are made of terms.
///
/// The terms of a class stand in one row: first each weight's own, in the order of [`Packing`], then
/// those of the windows by length, by place and by the window's value in base 3.
#[derive(Debug)]
pub(super) struct Windows {
    /// For each value of the feature, which weight it has.
    places: &'static [u32],
    /// The number of weights.
    weights: usize,
    /// For each weight, what a value that has it takes part with: mirror images share it.
    shares: Vec<f32>,
    /// Squares.
    digits: u32,
    /// For each length up to `digits`, where the terms of its windows begin, if it has any.
    begins: Vec<Option<usize>>,
    /// The number of terms.
    terms: usize,
}

impl Windows {
    /// The terms of a class, counted in the order of [`CLASSES`], with windows of these lengths. Those
    /// that the class is too short for are none: a window of all its squares is a weight's own term.
    pub(super) fn new(class: usize, lengths: &[u32]) -> Windows {
        let digits = CLASSES[class].digits;
        let places = Packing::get().class(class);
        let weights = Packing::get().range(class).len();
        let mut values = vec![0_u32; weights];
        for &place in places {
            values[place as usize - Packing::get().range(class).start] += 1;
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
            places,
            weights,
            shares: values.iter().map(|&values| 1.0 / values as f32).collect(),
            digits,
            begins,
            terms,
        }
    }

    /// The number of weights.
    pub(super) fn weights(&self) -> usize {
        self.weights
    }

    /// The number of terms.
    pub(super) fn terms(&self) -> usize {
        self.terms
    }

    /// The length of the shortest windows that have terms.
    fn shortest(&self) -> Option<u32> {
        let shortest = self.begins.iter().position(Option::is_some);
        shortest.map(|length| length as u32)
    }

    /// Which weight of the class each value of the feature has.
    fn place(&self, value: usize) -> usize {
        (self.places[value] - self.places[0]) as usize
    }

    /// The weights that `terms` make: B θ.
    pub(super) fn fold(&self, terms: &[f32], weights: &mut [f32]) {
        weights.copy_from_slice(&terms[..self.weights]);
        let Some(shortest) = self.shortest() else {
            return;
        };
        let mut sums = vec![0.0; window_values(self.digits, shortest)];
        for length in shortest..self.digits {
            if let Some(begin) = self.begins[length as usize] {
                for (sum, term) in sums.iter_mut().zip(&terms[begin..]) {
                    *sum += term;
                }
            }
            sums = self.lengthen(&sums, length);
        }
        for (value, sum) in sums.iter().enumerate() {
            let place = self.place(value);
            weights[place] += self.shares[place] * sum;
        }
    }

    /// From the sums of the windows of a length to those of the windows that are longer by a square: each
    /// takes what begins where it does, and the last one what ends with it, too.
    fn lengthen(&self, sums: &[f32], length: u32) -> Vec<f32> {
        let values = 3_usize.pow(length);
        let mut longer = vec![0.0; window_values(self.digits, length + 1)];
        let mut windows = sums.chunks_exact(values);
        for (longer, window) in longer.chunks_exact_mut(3 * values).zip(windows.by_ref()) {
            for (three, sum) in longer.as_chunks_mut::<3>().0.iter_mut().zip(window) {
                *three = [*sum; 3];
            }
        }
        let last = windows
            .next()
            .expect("there is one more than of the longer");
        let begin = longer.len() - 3 * values;
        for longer in longer[begin..].chunks_exact_mut(values) {
            for (longer, sum) in longer.iter_mut().zip(last) {
                *longer += sum;
            }
        }
        longer
    }

    /// What a change of each term changes, from what a change of each weight does: the transpose of
    /// [`Windows::fold`].
    pub(super) fn unfold(&self, weights: &[f32], terms: &mut [f32]) {
        terms[..self.weights].copy_from_slice(weights);
        let Some(shortest) = self.shortest() else {
            return;
        };
        let of_value = |value| {
            let place = self.place(value);
            self.shares[place] * weights[place]
        };
        let mut sums: Vec<f32> = (0..self.places.len()).map(of_value).collect();
        for length in (shortest..self.digits).rev() {
            sums = self.shorten(&sums, length);
            if let Some(begin) = self.begins[length as usize] {
                terms[begin..begin + sums.len()].copy_from_slice(&sums);
            }
        }
    }

    /// From the windows that are longer by a square to those of `length`: the transpose of
    /// [`Windows::lengthen`].
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

/// The number of values of all the windows of a length.
fn window_values(digits: u32, length: u32) -> usize {
    (digits - length + 1) as usize * 3_usize.pow(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_random::SplitMix;

    /// The digits of a value, the first the most significant.
    fn digits(mut value: usize, count: u32) -> Vec<usize> {
        let mut digits: Vec<usize> = (0..count)
            .map(|_| {
                let digit = value % 3;
                value /= 3;
                digit
            })
            .collect();
        digits.reverse();
        digits
    }

    fn random(count: usize, random: &mut SplitMix) -> Vec<f32> {
        let one = |_| random.below(2001) as f32 / 1000.0 - 1.0;
        (0..count).map(one).collect()
    }

    /// A weight is its own term and the sum over its windows, taken one by one; where it belongs to two
    /// values, which are mirror images, their mean. And unfolding is the transpose: <w, B t> = <Bᵀ w, t>.
    #[test]
    fn weights_are_the_sums_of_their_windows() {
        let mut seed = SplitMix::new(5);
        for class in 0..CLASSES.len() {
            for lengths in [
                &[][..],
                &[1],
                &[2, 5],
                &[1, 2, 3, 4, 5, 6, 7, 8],
                &[3, 9, 12],
            ] {
                let windows = Windows::new(class, lengths);
                let terms = random(windows.terms(), &mut seed);
                let mut folded = vec![0.0; windows.weights()];
                windows.fold(&terms, &mut folded);

                let count = CLASSES[class].digits;
                let mut at = windows.weights();
                let mut begins = Vec::new();
                for length in (1..count).filter(|length| lengths.contains(length)) {
                    for begin in 0..=count - length {
                        begins.push((begin as usize, length as usize, at));
                        at += 3_usize.pow(length);
                    }
                }
                assert_eq!(at, windows.terms(), "every term has a place");
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
                let packing = Packing::get();
                let mut of_weight = vec![Vec::new(); windows.weights()];
                for (value, &place) in packing.class(class).iter().enumerate() {
                    of_weight[place as usize - packing.range(class).start].push(sums[value]);
                }
                for (place, sums) in of_weight.iter().enumerate() {
                    let mean = sums.iter().sum::<f64>() / sums.len() as f64;
                    let expected = f64::from(terms[place]) + mean;
                    let difference = (f64::from(folded[place]) - expected).abs();
                    assert!(difference < 1e-4, "{class} {lengths:?} {place}");
                }

                let weights = random(windows.weights(), &mut seed);
                let mut unfolded = vec![f32::NAN; windows.terms()];
                windows.unfold(&weights, &mut unfolded);
                let product = |x: &[f32], y: &[f32]| -> f64 {
                    let pairs = x.iter().zip(y);
                    pairs.map(|(&x, &y)| f64::from(x) * f64::from(y)).sum()
                };
                let difference = product(&weights, &folded) - product(&unfolded, &terms);
                let scale = (windows.terms() as f64).sqrt();
                assert!(difference.abs() < 1e-4 * scale, "{class} {lengths:?}");
            }
        }
    }
}
