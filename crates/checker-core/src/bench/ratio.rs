//! Comparison of two costs by ranks: the ratio with an interval, without an assumption about the noise.
//!
//! The estimate is the median of all ratios of a sample of one cost to a sample of the other (Hodges and Lehmann). The
//! interval inverts the rank test of Mann and Whitney: it has all ratios that the test does not reject. So an interval
//! above a limit and a rejected test at this limit are one statement. A burst of noise in a tenth of the samples moves
//! neither end far. With a hundred samples even a burst in a third of them does not.

use super::Samples;

/// Ratio of two costs with its interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ratio {
    /// Median of the ratios of all pairs of samples.
    pub estimate: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval; infinite if the samples are too few.
    pub high: f64,
}

impl Ratio {
    /// Compares the cost `after` with the cost `before`. Each end of the interval is wrong with the probability
    /// `error`, below one half.
    pub fn new(before: &Samples, after: &Samples, error: f64) -> Ratio {
        /// Least cost in nanoseconds or cycles. Lower costs are zero with noise, so they are raised to this one.
        const LEAST: f64 = 1e-3;
        let pairs = before.sorted().iter().flat_map(|&before| {
            let ratio = move |after: &f64| after.max(LEAST) / before.max(LEAST);
            after.sorted().iter().map(ratio)
        });
        let ratios = Samples::new(pairs);
        let count = ratios.sorted().len();
        // Standard deviation of the rank of 1 among all ratios if the costs are equal, as a fraction of the number of
        // ratios.
        let [n, m] = [before, after].map(|samples| samples.count() as f64);
        let deviation = ((n + m + 1.0) / (12.0 * n * m)).sqrt();
        let rank = (count as f64 * (0.5 - normal_quantile(error) * deviation)).floor();
        let (low, high) = match rank as usize {
            0 => (0.0, f64::INFINITY),
            rank => (ratios.sorted()[rank - 1], ratios.sorted()[count - rank]),
        };
        Ratio {
            estimate: ratios.median(),
            low,
            high,
        }
    }
}

/// Returns the number of standard deviations that a normal variable exceeds with the probability `tail`, below one
/// half. The absolute error is at most 0.00045 (Abramowitz and Stegun, 26.2.23).
fn normal_quantile(tail: f64) -> f64 {
    let t = (-2.0 * tail.ln()).sqrt();
    let numerator = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let denominator = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    t - numerator / denominator
}

#[cfg(test)]
mod tests {
    use outflank_random::SplitMix64;

    use super::*;

    /// Error of each of 700 intervals, such that one run in a hundred has any error.
    const ERROR: f64 = 0.01 / 700.0;

    /// Samples around `cost`: deviations of some permille, and a tenth disturbed by up to one half of the cost.
    fn noisy(random: &mut SplitMix64, cost: f64) -> Samples {
        let mut fraction = || random.below(1000) as f64 / 1000.0;
        Samples::new((0..63).map(|_| {
            let burst = if fraction() < 0.1 {
                fraction() / 2.0
            } else {
                0.0
            };
            cost * (1.0 + 0.005 * fraction() + burst)
        }))
    }

    #[test]
    fn slowdowns_of_five_percent_are_found_and_of_two_percent_are_not() {
        let mut random = SplitMix64::new(5);
        for (planted, slower) in [(1.05, true), (1.0, false), (1.02, false), (0.95, false)] {
            for _ in 0..1000 {
                let before = noisy(&mut random, 40.0);
                let after = noisy(&mut random, 40.0 * planted);
                let ratio = Ratio::new(&before, &after, ERROR);
                assert_eq!(ratio.low > 1.03, slower, "{planted}: {ratio:?}");
                assert!(ratio.low <= ratio.estimate && ratio.estimate <= ratio.high);
            }
        }
    }

    #[test]
    fn the_interval_covers_the_ratio_as_often_as_stated() {
        let mut random = SplitMix64::new(7);
        let mut missed = 0;
        for _ in 0..2000 {
            let [before, after] = [10.0, 12.0].map(|cost| noisy(&mut random, cost));
            let ratio = Ratio::new(&before, &after, 0.025);
            missed += u32::from(!(ratio.low..=ratio.high).contains(&1.2));
        }
        // 5 % of 2000 are 100.
        assert!((60..=140).contains(&missed), "{missed}");
    }

    #[test]
    fn few_samples_give_no_interval() {
        let few = Samples::new([1.0, 1.1, 1.2]);
        let ratio = Ratio::new(&few, &few, ERROR);
        assert_eq!((ratio.low, ratio.high), (0.0, f64::INFINITY));
    }

    #[test]
    fn quantiles_of_the_normal_distribution() {
        for (tail, deviation) in [(0.025, 1.95996), (0.001, 3.09023), (1e-5, 4.26489)] {
            assert!((normal_quantile(tail) - deviation).abs() < 5e-4, "{tail}");
        }
    }
}
