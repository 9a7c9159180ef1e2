//! Strength of an engine by the pairs of a match: difference in Elo, its interval, and the probability that one engine
//! is stronger than the other.

use statrs::function::beta::ln_beta;

use super::statistics::Pairs;

/// Difference in strength between A and B, as far as the pairs tell it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Strength {
    /// The difference in Elo that goes with A's share of the points; infinite where that is all or none.
    pub(crate) elo: f64,
    /// The ends of the interval in which the difference lies with 95 %. An end is infinite only where A won all points,
    /// or none.
    pub(crate) interval: (f64, f64),
    /// The probability that A is the stronger one, 0 to 1.
    pub(crate) superiority: f64,
}

/// Prior count of each of the five outcomes, in pairs. All five together count as one pair.
const PRIOR: f64 = 0.2;

/// The probability of a difference below the interval, and that of one above it.
const TAIL: f64 = 0.025;

/// Steps that halve the range of a quantile: more than a number of 53 bits needs.
const STEPS: u32 = 200;

/// Strength of A by the pairs; `None` without a pair.
///
/// The frequencies of the five outcomes have a Dirichlet distribution, which begins with [`PRIOR`] each: the overall
/// objective prior of five categories (J. Berger, J. Bernardo and D. Sun, "Overall Objective Priors", Bayesian
/// Analysis 10, 2015). Therefore few pairs, or pairs that all ended alike, leave room for what was not seen yet.
/// A's share of the points is a weighted sum of the frequencies. A beta distribution with its mean and
/// variance stands for it, which is exact where all pairs were won or lost with all points.
/// The interval is extended to include the observed share (L. Brown, T. Cai and A. DasGupta,
/// "Interval Estimation for a Binomial Proportion", Statistical Science 16, 2001).
pub(crate) fn strength(pairs: &Pairs) -> Option<Strength> {
    if pairs.iter().all(|&count| count == 0) {
        return None;
    }
    let seen = moments(&pairs.map(|count| count as f64)).0;
    let weights = pairs.map(|count| count as f64 + PRIOR);
    let (mean, variance) = share_of_weights(&weights);
    let size = mean * (1.0 - mean) / variance - 1.0;
    let share = Share {
        a: mean * size,
        b: (1.0 - mean) * size,
    };
    let (low, high) = (share.quantile(TAIL), share.quantile(1.0 - TAIL));
    Some(Strength {
        elo: elo(seen),
        interval: (elo(low.min(seen)), elo(high.max(seen))),
        superiority: 1.0 - share.below(0.5),
    })
}

/// Standard error of the mean share of a pair's points, with the prior of [`strength`]. Pairs that all ended alike do
/// not make it zero.
pub(crate) fn share_error(pairs: &Pairs) -> f64 {
    let weights = pairs.map(|count| count as f64 + PRIOR);
    share_of_weights(&weights).1.sqrt()
}

/// Mean and variance of the share of points drawn from the Dirichlet distribution with these weights.
fn share_of_weights(weights: &[f64; 5]) -> (f64, f64) {
    let (mean, variance) = moments(weights);
    (mean, variance / (weights.iter().sum::<f64>() + 1.0))
}

/// Mean and variance of the share of a pair's points, where its outcomes have these weights.
fn moments(weights: &[f64; 5]) -> (f64, f64) {
    let all: f64 = weights.iter().sum();
    let shares = [0.0, 0.25, 0.5, 0.75, 1.0];
    let mean = shares
        .iter()
        .zip(weights)
        .map(|(share, weight)| share * weight);
    let mean = mean.sum::<f64>() / all;
    let squares = shares.iter().zip(weights);
    let squares = squares.map(|(share, weight)| (share - mean) * (share - mean) * weight);
    (mean, squares.sum::<f64>() / all)
}

/// A beta distribution of a share.
struct Share {
    a: f64,
    b: f64,
}

impl Share {
    /// Probability of a smaller share, by the continued fraction of the incomplete beta function (NIST Digital Library
    /// of Mathematical Functions, 8.17.22).
    ///
    /// The number of steps grows with the square root of the parameters. `beta_reg` of `statrs` has a fixed number,
    /// which is too few for tens of thousands of pairs.
    fn below(&self, share: f64) -> f64 {
        let Share { a, b } = *self;
        if share > (a + 1.0) / (a + b + 2.0) {
            return 1.0 - Share { a: b, b: a }.below(1.0 - share);
        }
        let factor = a * share.ln() + b * (-share).ln_1p() - ln_beta(a, b);
        factor.exp() / a / fraction(a, b, share)
    }

    /// Quantile of the distribution.
    fn quantile(&self, probability: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..STEPS {
            let middle = f64::midpoint(low, high);
            match self.below(middle) < probability {
                true => low = middle,
                false => high = middle,
            }
        }
        f64::midpoint(low, high)
    }
}

/// Continued fraction of the incomplete beta function, by the algorithm of Lentz (I. Thompson and A. Barnett, "Coulomb
/// and Bessel Functions of Complex Arguments and Order", Journal of Computational Physics 64, 1986).
fn fraction(a: f64, b: f64, share: f64) -> f64 {
    const MAX_STEPS: u32 = 1_000_000;
    let or_tiny = |value: f64| if value == 0.0 { 1e-300 } else { value };
    let (mut value, mut c, mut d) = (1.0, 1.0, 0.0);
    for step in 1..=MAX_STEPS {
        let m = f64::from(step / 2);
        let above = match step % 2 {
            0 => m * (b - m) / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
            _ => -(a + m) * (a + b + m) / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
        };
        let above = above * share;
        d = 1.0 / or_tiny(1.0 + above * d);
        c = or_tiny(1.0 + above / c);
        value *= c * d;
        if (c * d - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    value
}

/// The difference in Elo that goes with a share of the points, by the logistic curve; infinite from 0 and 1
/// on.
pub(crate) fn elo(share: f64) -> f64 {
    match share.clamp(0.0, 1.0) {
        0.0 => f64::NEG_INFINITY,
        1.0 => f64::INFINITY,
        share => 400.0 * (share / (1.0 - share)).log10(),
    }
}

/// The share of the points that goes with a difference in Elo.
pub(super) fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Expected values come from an independent program in another language.
    #[test]
    fn strengths_are_the_known_ones() {
        for (pairs, expected) in [
            (
                [1, 9, 30, 15, 5],
                [40.719573, 1.788112, 78.800200, 0.979894],
            ),
            (
                [10, 120, 340, 150, 20],
                [13.578612, 3.089021, 24.038278, 0.994431],
            ),
            (
                [3, 20, 60, 14, 2],
                [-14.045448, -39.227245, 11.342958, 0.140132],
            ),
            (
                [0, 0, 1, 4, 95],
                [726.937989, 548.052443, 881.445924, 1.000000],
            ),
            (
                [0, 0, 1, 0, 4],
                [381.697004, 59.042910, 658.803062, 0.993689],
            ),
            (
                [0, 0, 0, 0, 10],
                [f64::INFINITY, 253.982376, f64::INFINITY, 0.999983],
            ),
            (
                [10, 0, 0, 0, 0],
                [f64::NEG_INFINITY, f64::NEG_INFINITY, -253.982376, 0.000017],
            ),
            (
                [0, 0, 9, 0, 0],
                [-0.000000, -46.135099, 46.135099, 0.500000],
            ),
            (
                [0, 0, 0, 1, 0],
                [190.848502, -155.189210, 383.658668, 0.773438],
            ),
            (
                [0, 0, 3, 10, 9000],
                [1341.046638, 1233.264143, 1437.716050, 1.000000],
            ),
            (
                [2, 0, 300, 1000, 9000],
                [556.563657, 546.675739, 566.296078, 1.000000],
            ),
            (
                [1000, 20000, 60000, 21000, 1100],
                [2.021956, 1.288013, 2.755869, 1.000000],
            ),
        ] {
            let found = strength(&pairs).unwrap();
            let (low, high) = found.interval;
            for (found, expected) in [found.elo, low, high, found.superiority]
                .iter()
                .zip(expected)
            {
                let is_close = *found == expected || (found - expected).abs() < 0.02;
                assert!(is_close, "{pairs:?}: {found} {expected}");
            }
        }
        assert_eq!(strength(&[0; 5]), None);
        let [none, half, all] = [0.0, 0.5, 1.0].map(elo);
        assert_eq!((none, half, all), (f64::NEG_INFINITY, 0.0, f64::INFINITY));
    }

    /// Expected values come from numerical integration with 40 digits.
    #[test]
    fn a_share_of_many_pairs_has_the_known_distribution() {
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
            let found = Share { a, b }.below(share);
            assert!((found - expected).abs() < 1e-8, "{a} {b} {share}: {found}");
            let mirrored = Share { a: b, b: a }.below(1.0 - share);
            assert!(
                (mirrored - (1.0 - expected)).abs() < 1e-8,
                "{a} {b} {share}"
            );
        }
    }

    /// A true share lies in the interval about as often as it says, however few pairs there are: the sum over all
    /// matches that can be.
    #[test]
    fn intervals_of_few_pairs_cover_what_they_say() {
        // How often the five outcomes come: even and drawn, even and sharp, better, much better.
        for truth in [
            [0.05, 0.2, 0.5, 0.2, 0.05],
            [0.25, 0.0, 0.5, 0.0, 0.25],
            [0.04, 0.0, 0.32, 0.0, 0.64],
            [0.0, 0.02, 0.1, 0.13, 0.75],
            [0.0, 0.0, 0.02, 0.08, 0.9],
        ] {
            let true_elo = elo(moments(&truth).0);
            for count in [5, 10] {
                let mut covered = 0.0;
                for pairs in matches(count) {
                    let (low, high) = strength(&pairs).unwrap().interval;
                    if low <= true_elo && true_elo <= high {
                        covered += probability(&pairs, &truth);
                    }
                }
                assert!(covered > 0.89, "{count} pairs of {truth:?}: {covered}");
            }
        }
    }

    /// All ways in which so many pairs can end.
    fn matches(count: u64) -> Vec<Pairs> {
        let mut all = Vec::new();
        for code in 0..(count + 1).pow(4) {
            let digit = |place: u32| code / (count + 1).pow(place) % (count + 1);
            let [a, b, c, d] = [0, 1, 2, 3].map(digit);
            if let Some(rest) = count.checked_sub(a + b + c + d) {
                all.push([a, b, c, d, rest]);
            }
        }
        all
    }

    /// The probability of a match by the multinomial distribution.
    fn probability(pairs: &Pairs, truth: &[f64; 5]) -> f64 {
        let factorial = |count: u64| (1..=count).map(|one| one as f64).product::<f64>();
        let orders = factorial(pairs.iter().sum());
        let outcomes = pairs.iter().zip(truth);
        outcomes.fold(orders, |all, (&count, share)| {
            all * share.powi(count as i32) / factorial(count)
        })
    }

    proptest! {
        #[test]
        fn sides_changed_the_difference_is_the_other_way_round(
            pairs in prop::array::uniform5(0u64..1000),
        ) {
            let mut changed = pairs;
            changed.reverse();
            prop_assume!(pairs != [0; 5]);
            let (one, other) = (strength(&pairs).unwrap(), strength(&changed).unwrap());
            // Only an end that was reached by every game is open.
            prop_assert!(one.interval.0.is_finite() || pairs[1..] == [0; 4]);
            prop_assert!(one.interval.1.is_finite() || pairs[..4] == [0; 4]);
            let close = |a: f64, b: f64| a == b || (a - b).abs() < 1e-6;
            prop_assert!(close(one.elo, -other.elo));
            prop_assert!(close(one.interval.0, -other.interval.1));
            prop_assert!(close(one.superiority, 1.0 - other.superiority));
            prop_assert!(one.interval.0 <= one.elo && one.elo <= one.interval.1);
        }
    }
}
