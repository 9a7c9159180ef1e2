//! Estimates of the difference in Elo.

use outflank_tournament::{EloEstimate, PairCounts};
use proptest::prelude::*;

const INFINITE: f64 = f64::INFINITY;

/// Expected values (Elo, interval, superiority) come from an independent program in another language.
#[test]
fn estimates_agree_with_an_independent_program() {
    for (pairs, elo, low, high, superiority) in [
        ([1, 9, 30, 15, 5], 40.72, 1.79, 78.80, 0.9799),
        ([10, 120, 340, 150, 20], 13.58, 3.09, 24.04, 0.9944),
        ([3, 20, 60, 14, 2], -14.05, -39.23, 11.34, 0.1401),
        ([0, 0, 1, 4, 95], 726.94, 548.05, 881.45, 1.0),
        ([0, 0, 1, 0, 4], 381.70, 59.04, 658.80, 0.9937),
        ([0, 0, 0, 0, 10], INFINITE, 253.98, INFINITE, 1.0),
        ([10, 0, 0, 0, 0], -INFINITE, -INFINITE, -253.98, 0.0),
        ([0, 0, 9, 0, 0], 0.0, -46.14, 46.14, 0.5),
        ([0, 0, 0, 1, 0], 190.85, -155.19, 383.66, 0.7734),
        ([0, 0, 3, 10, 9000], 1341.05, 1233.26, 1437.72, 1.0),
        ([2, 0, 300, 1000, 9000], 556.56, 546.68, 566.30, 1.0),
        ([1000, 20000, 60000, 21000, 1100], 2.02, 1.29, 2.76, 1.0),
    ] {
        let found = EloEstimate::new(&pairs).unwrap();
        for (found, expected) in [
            (found.elo, elo),
            (found.interval.0, low),
            (found.interval.1, high),
            (found.superiority, superiority),
        ] {
            let is_close = found == expected || (found - expected).abs() < 0.01;
            assert!(is_close, "{pairs:?}: {found} {expected}");
        }
    }
    assert_eq!(EloEstimate::new(&[0; 5]), None);
}

/// Even with few pairs, the true difference lies in the interval about as often as stated. The probabilities of all
/// possible matches are summed up.
#[test]
fn intervals_of_few_pairs_have_their_coverage() {
    // Probabilities of the outcomes: equal engines with many and with few draws, and three stronger engines.
    for truth in [
        [0.05, 0.2, 0.5, 0.2, 0.05],
        [0.25, 0.0, 0.5, 0.0, 0.25],
        [0.04, 0.0, 0.32, 0.0, 0.64],
        [0.0, 0.02, 0.1, 0.13, 0.75],
        [0.0, 0.0, 0.02, 0.08, 0.9],
    ] {
        let points: f64 = (0..5).map(|outcome| truth[outcome] * outcome as f64).sum();
        let true_elo = 400.0 * (points / (4.0 - points)).log10();
        for count in [5, 10] {
            let covering = matches(count).into_iter().filter(|pairs| {
                let (low, high) = EloEstimate::new(pairs).unwrap().interval;
                low <= true_elo && true_elo <= high
            });
            let coverage: f64 = covering.map(|pairs| probability(&pairs, &truth)).sum();
            assert!(coverage > 0.89, "{count} pairs of {truth:?}: {coverage}");
        }
    }
}

/// All possible results of a match with `count` pairs.
fn matches(count: u64) -> Vec<PairCounts> {
    let mut all = Vec::new();
    for code in 0..(count + 1).pow(4) {
        let digit = |index: u32| code / (count + 1).pow(index) % (count + 1);
        let [a, b, c, d] = [0, 1, 2, 3].map(digit);
        if let Some(rest) = count.checked_sub(a + b + c + d) {
            all.push([a, b, c, d, rest]);
        }
    }
    all
}

/// Probability of a match by the multinomial distribution.
fn probability(pairs: &PairCounts, truth: &[f64; 5]) -> f64 {
    let factorial = |count: u64| (1..=count).map(|factor| factor as f64).product::<f64>();
    let orders = factorial(pairs.iter().sum());
    let outcomes = pairs.iter().zip(truth);
    outcomes.fold(orders, |all, (&count, share)| {
        all * share.powi(count as i32) / factorial(count)
    })
}

proptest! {
    #[test]
    fn exchanged_engines_negate_the_difference(
        pairs in prop::array::uniform5(0u64..1000),
    ) {
        prop_assume!(pairs != [0; 5]);
        let mut exchanged = pairs;
        exchanged.reverse();
        let a = EloEstimate::new(&pairs).unwrap();
        let b = EloEstimate::new(&exchanged).unwrap();
        // An end is infinite only if A won all points, or none.
        prop_assert!(a.interval.0.is_finite() || pairs[1..] == [0; 4]);
        prop_assert!(a.interval.1.is_finite() || pairs[..4] == [0; 4]);
        let close = |a: f64, b: f64| a == b || (a - b).abs() < 1e-6;
        prop_assert!(close(a.elo, -b.elo));
        prop_assert!(close(a.interval.0, -b.interval.1));
        prop_assert!(close(a.superiority, 1.0 - b.superiority));
        prop_assert!(a.interval.0 <= a.elo && a.elo <= a.interval.1);
    }
}
