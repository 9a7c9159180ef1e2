//! Difference in Elo between two engines by the pairs of a match.

use special::Beta;

/// Numbers of pairs in which A won 0, 1, 2, 3 and 4 half points.
pub type PairCounts = [u64; 5];

/// Share of the points for each outcome of a pair.
pub(crate) const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Difference in strength between A and B.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EloEstimate {
    /// Difference in Elo that corresponds to A's share of the points; infinite if that is 0 or 1.
    pub elo: f64,
    /// Interval that contains the difference with a probability of 95 %. An end is infinite only if A won all points,
    /// or none.
    pub interval: (f64, f64),
    /// Probability that A is stronger.
    pub superiority: f64,
}

/// Prior count of each outcome, in pairs. All five together count as one pair.
const PRIOR: f64 = 0.2;

/// Probability on either side of the interval.
const TAIL: f64 = 0.025;

impl EloEstimate {
    /// Estimates the difference from the pairs. Returns `None` without a pair.
    ///
    /// The frequencies of the outcomes have a Dirichlet distribution with 0.2 as the prior count of each. This is
    /// the overall objective prior of five categories (J. Berger, J. Bernardo and D. Sun, "Overall Objective Priors",
    /// Bayesian Analysis 10, 2015). It gives unseen outcomes a small probability.
    ///
    /// A's share of the points is a weighted sum of the frequencies. Its distribution is approximated by a beta
    /// distribution with equal mean and variance. The approximation is best if one engine won both games of each
    /// pair. The interval is extended to the observed share (L. Brown, T. Cai and A. DasGupta, "Interval Estimation
    /// for a Binomial Proportion", Statistical Science 16, 2001).
    pub fn new(pairs: &PairCounts) -> Option<EloEstimate> {
        if pairs.iter().all(|&count| count == 0) {
            return None;
        }
        let observed = moments(&pairs.map(|count| count as f64)).0;
        let (mean, variance) = posterior(pairs);
        let size = mean * (1.0 - mean) / variance - 1.0;
        let below = |share| beta_cdf(mean * size, (1.0 - mean) * size, share);
        let quantile = |probability| bisect(0.0, 1.0, |share| below(share) < probability);
        let (low, high) = (quantile(TAIL), quantile(1.0 - TAIL));
        Some(EloEstimate {
            elo: elo(observed),
            interval: (elo(low.min(observed)), elo(high.max(observed))),
            superiority: 1.0 - below(0.5),
        })
    }
}

/// Probability of values up to `share` under a beta distribution.
fn beta_cdf(a: f64, b: f64, share: f64) -> f64 {
    share.inc_beta(a, b, a.ln_beta(b))
}

/// Standard error of the mean share of a pair's points, with the prior of [`EloEstimate::new`]. It is above 0 even if
/// all pairs ended alike.
pub fn share_error(pairs: &PairCounts) -> f64 {
    posterior(pairs).1.sqrt()
}

/// Mean and variance of A's share of the points by the Dirichlet distribution of the outcomes.
fn posterior(pairs: &PairCounts) -> (f64, f64) {
    let counts = pairs.map(|count| count as f64 + PRIOR);
    let (mean, variance) = moments(&counts);
    (mean, variance / (counts.iter().sum::<f64>() + 1.0))
}

/// Mean and variance of A's share of a pair's points, for these weights of the outcomes.
fn moments(weights: &[f64; 5]) -> (f64, f64) {
    let all: f64 = weights.iter().sum();
    let weighted = |value: &dyn Fn(f64) -> f64| {
        let values = SHARES.iter().zip(weights);
        let sum: f64 = values.map(|(&share, weight)| value(share) * weight).sum();
        sum / all
    };
    let mean = weighted(&|share| share);
    (mean, weighted(&|share| (share - mean) * (share - mean)))
}

/// Finds by bisection the point up to which `is_below` is `true`.
pub(crate) fn bisect(mut low: f64, mut high: f64, is_below: impl Fn(f64) -> bool) -> f64 {
    /// More than the 53 bits of a number need.
    const STEPS: u32 = 200;
    for _ in 0..STEPS {
        let middle = f64::midpoint(low, high);
        match is_below(middle) {
            true => low = middle,
            false => high = middle,
        }
    }
    f64::midpoint(low, high)
}

/// Difference in Elo for a share of the points, by the logistic curve.
fn elo(share: f64) -> f64 {
    match share {
        ..=0.0 => f64::NEG_INFINITY,
        1.0.. => f64::INFINITY,
        share => 400.0 * (share / (1.0 - share)).log10(),
    }
}

/// Share of the points for a difference in Elo.
pub(crate) fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values come from numerical integration with 40 digits.
    #[test]
    fn beta_distribution_is_exact_for_many_pairs() {
        for (a, b, share, expected) in [
            (50_000.0, 0.5, 0.9999758583, 0.1202403749),
            (50_000.0, 30.0, 0.9992909149, 0.1574690989),
            (50_000.0, 30.0, 0.9995098047, 0.8428855043),
            (50_000.0, 1500.0, 0.9701327909, 0.1586334488),
            (50_000.0, 1500.0, 0.9716147819, 0.8413673775),
            (50_000.0, 50_000.0, 0.4984188691, 0.1586564675),
            (50_000.0, 50_000.0, 0.5015811309, 0.8413435325),
            (0.2, 50_000.0, 1.29441e-05, 0.9071699971),
        ] {
            for found in [beta_cdf(a, b, share), 1.0 - beta_cdf(b, a, 1.0 - share)] {
                assert!((found - expected).abs() < 1e-8, "{a} {b} {share}: {found}");
            }
        }
    }
}
