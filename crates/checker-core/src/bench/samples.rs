//! Samples of a cost and their quantiles.

/// Samples of one cost, or quantiles that represent them: at least one number.
#[derive(Clone, PartialEq, Debug)]
pub struct Samples {
    /// Samples or quantiles in ascending order.
    sorted: Vec<f64>,
    /// Number of samples that were measured.
    count: usize,
}

impl Samples {
    /// Sorts the samples of a cost. Panics if there is none.
    pub fn new(samples: impl IntoIterator<Item = f64>) -> Samples {
        let mut samples: Vec<f64> = samples.into_iter().collect();
        assert!(!samples.is_empty(), "a cost has at least one sample");
        samples.sort_by(f64::total_cmp);
        Samples {
            count: samples.len(),
            sorted: samples,
        }
    }

    /// Restores `count` samples from the quantiles that [`thinned`](Self::thinned) made.
    pub fn from_quantiles(quantiles: impl IntoIterator<Item = f64>, count: usize) -> Samples {
        Samples {
            count,
            ..Samples::new(quantiles)
        }
    }

    /// Samples or quantiles in ascending order.
    pub fn sorted(&self) -> &[f64] {
        &self.sorted
    }

    /// Number of samples that were measured.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the quantile of a fraction, 0 to 1, interpolated between two samples.
    pub fn quantile(&self, fraction: f64) -> f64 {
        let position = fraction * (self.sorted.len() - 1) as f64;
        let below = self.sorted[position.floor() as usize];
        let above = self.sorted[position.ceil() as usize];
        below + (above - below) * position.fract()
    }

    /// Least sample.
    pub fn min(&self) -> f64 {
        self.sorted[0]
    }

    /// First quartile, the quantile of 0.25.
    pub fn q1(&self) -> f64 {
        self.quantile(0.25)
    }

    /// Median, the quantile of 0.5.
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// Third quartile, the quantile of 0.75.
    pub fn q3(&self) -> f64 {
        self.quantile(0.75)
    }

    /// Interquartile range: the third quartile minus the first.
    pub fn spread(&self) -> f64 {
        self.q3() - self.q1()
    }

    /// Adds the samples of another measurement.
    pub fn join(&mut self, other: Samples) {
        self.sorted.extend(other.sorted);
        self.sorted.sort_by(f64::total_cmp);
        self.count += other.count;
    }

    /// Returns at most `most` quantiles with equal distances, from the minimum to the maximum. They represent the
    /// samples in a record.
    pub fn thinned(&self, most: usize) -> Samples {
        if self.sorted.len() <= most.max(2) {
            return self.clone();
        }
        let last = most.max(2) - 1;
        let quantiles = (0..=last).map(|index| self.quantile(index as f64 / last as f64));
        Samples::from_quantiles(quantiles, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_interpolated() {
        for (samples, quartiles) in [
            (&[3.0][..], [3.0, 3.0, 3.0, 3.0]),
            (&[2.0, 1.0], [1.0, 1.25, 1.5, 1.75]),
            (&[4.0, 1.0, 2.0, 9.0], [1.0, 1.75, 3.0, 5.25]),
            (&[5.0, 1.0, 100.0, 2.0, 3.0], [1.0, 2.0, 3.0, 5.0]),
        ] {
            let samples = Samples::new(samples.iter().copied());
            let got = [samples.min(), samples.q1(), samples.median(), samples.q3()];
            assert_eq!(got, quartiles, "{samples:?}");
            assert_eq!(samples.spread(), quartiles[3] - quartiles[1]);
        }
    }

    #[test]
    fn thinned_samples_keep_the_quartiles() {
        let samples = Samples::new((0..101).map(f64::from));
        let thinned = samples.thinned(21);
        assert_eq!([thinned.sorted().len(), thinned.count()], [21, 101]);
        let quartiles =
            |samples: &Samples| [0.0, 0.25, 0.5, 0.75, 1.0].map(|q| samples.quantile(q));
        assert_eq!(quartiles(&thinned), quartiles(&samples));
        assert_eq!(samples.thinned(101), samples);
    }
}
