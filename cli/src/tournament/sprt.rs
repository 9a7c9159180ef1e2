//! The sequential probability ratio test: whether the games so far say enough.
//!
//! Two claims are compared: that A is `elo0` better than B, and that it is `elo1` better. Of all distributions
//! of the five outcomes of a pair that have the mean of a claim, the one is taken that makes what was seen
//! most likely; the logarithm of the ratio of both likelihoods is compared with Wald's two bounds (A. Wald,
//! "Sequential Analysis", 1947). That is the generalized test of X. Li, J. Liu and Z. Ying ("Generalized
//! sequential probability ratio test for separate families of hypotheses", 2014), for pairs as M. Van den
//! Bergh's notes on the chess testing framework fishtest have it. The likeliest distribution with a given
//! mean is that of A. Owen's empirical likelihood ("Empirical Likelihood", 2001): every frequency is divided
//! by 1 + t (outcome - mean), with the t that makes the mean right.

use super::statistics::Pairs;
use super::strength::share_of;

/// A test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// A test that cannot be.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub(crate) enum SprtError {
    /// The claims are in the wrong order, or no numbers.
    #[error("a test has two differences in Elo, the smaller first, unlike {0} and {1}")]
    Claims(f64, f64),
    /// The risks are out of range.
    #[error("the risks of a test are above 0 and below 0.5, unlike {0} and {1}")]
    Risks(f64, f64),
}

/// What a test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    /// The first claim holds: A is not better by more than it says.
    H0,
    /// The second claim holds.
    H1,
}

/// What an outcome that was never seen is taken to have been seen: fishtest's figure. Else one that both
/// claims need would be impossible.
const UNSEEN: f64 = 1e-3;

/// Steps that halve the range of a multiplier: more than a number of 53 bits needs.
const STEPS: u32 = 200;

impl Sprt {
    /// The test of `elo0` against `elo1`. With `alpha` the second claim is accepted though the first one
    /// holds, with `beta` the other way round.
    pub(crate) fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        // Beyond this the shares of the points are all and none.
        let is_elo = |elo: f64| elo.abs() <= 2000.0;
        if !(is_elo(elo0) && is_elo(elo1) && elo0 < elo1) {
            return Err(SprtError::Claims(elo0, elo1));
        }
        let is_risk = |risk: f64| risk > 0.0 && risk < 0.5;
        if !(is_risk(alpha) && is_risk(beta)) {
            return Err(SprtError::Risks(alpha, beta));
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
        })
    }

    /// The two differences in Elo.
    pub(crate) fn claims(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The risks, `alpha` and `beta`.
    pub(crate) fn risks(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// At the first of these, or below, the first claim is accepted; at the second, or above, the other.
    ///
    /// ```
    /// use crate::tournament::Sprt;
    ///
    /// let (lower, upper) = Sprt::new(0.0, 5.0, 0.05, 0.05)?.bounds();
    /// assert_eq!(format!("{lower:.3} {upper:.3}"), "-2.944 2.944");
    /// # Ok::<(), crate::tournament::SprtError>(())
    /// ```
    pub(crate) fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// The logarithm of how much more likely the second claim makes the pairs than the first one does.
    pub(crate) fn ratio(&self, pairs: &Pairs) -> f64 {
        if pairs.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        let seen = pairs.map(|count| (count as f64).max(UNSEEN));
        let [under0, under1] = [self.elo0, self.elo1].map(|elo| likeliest(&seen, share_of(elo)));
        let of_outcome = |outcome: usize| seen[outcome] * (under0[outcome] / under1[outcome]).ln();
        (0..5).map(of_outcome).sum()
    }

    /// What the pairs say; `None` where that is not enough.
    pub(crate) fn decision(&self, pairs: &Pairs) -> Option<Decision> {
        let (lower, upper) = self.bounds();
        match self.ratio(pairs) {
            ratio if ratio >= upper => Some(Decision::H1),
            ratio if ratio <= lower => Some(Decision::H0),
            _ => None,
        }
    }
}

/// What each frequency is divided by in the likeliest distribution with this mean, above 0 and below 1.
fn likeliest(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    let away = [0.0, 0.25, 0.5, 0.75, 1.0].map(|outcome: f64| outcome - mean);
    let divisors = |t: f64| away.map(|away| 1.0 + t * away);
    // All divisors have to be positive, so t lies between these; the mean falls as t grows.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..STEPS {
        let middle = f64::midpoint(low, high);
        let divided = divisors(middle);
        let excess: f64 = (0..5).map(|i| seen[i] * away[i] / divided[i]).sum();
        match excess > 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    divisors(f64::midpoint(low, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn test(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05).unwrap()
    }

    /// Computed apart from this: by a walk uphill over all distributions with the mean of a claim.
    #[test]
    fn ratios_are_the_known_ones() {
        for (pairs, elo0, elo1, ratio, decision) in [
            ([1, 9, 30, 15, 5], 0.0, 5.0, 0.488287, None),
            ([10, 120, 340, 150, 20], 0.0, 5.0, 1.940556, None),
            ([3, 20, 60, 14, 2], -5.0, 5.0, -0.834896, None),
            ([0, 0, 1, 4, 95], 0.0, 50.0, 13.359156, Some(Decision::H1)),
            ([500, 4000, 9000, 4100, 520], 0.0, 2.0, 0.611355, None),
            ([0, 0, 0, 0, 7], 0.0, 10.0, 0.198633, None),
            ([0; 5], 0.0, 10.0, 0.0, None),
        ] {
            let test = test(elo0, elo1);
            let found = test.ratio(&pairs);
            assert!((found - ratio).abs() < 1e-5, "{pairs:?}: {found} {ratio}");
            assert_eq!(test.decision(&pairs), decision, "{pairs:?}");
        }
        let worse = [20, 150, 340, 120, 10].map(|count| 10 * count);
        assert_eq!(test(0.0, 5.0).decision(&worse), Some(Decision::H0));
    }

    #[test]
    fn what_is_no_test_is_refused() {
        for (elo0, elo1, alpha, beta) in [
            (5.0, 0.0, 0.05, 0.05),
            (0.0, 0.0, 0.05, 0.05),
            (f64::NAN, 5.0, 0.05, 0.05),
            (0.0, f64::INFINITY, 0.05, 0.05),
            (0.0, 5.0, 0.0, 0.05),
            (0.0, 5.0, 0.05, 0.5),
            (0.0, 5.0, f64::NAN, 0.05),
        ] {
            assert!(Sprt::new(elo0, elo1, alpha, beta).is_err(), "{elo0} {elo1}");
        }
    }

    proptest! {
        #[test]
        fn sides_changed_the_claims_change_places(
            pairs in prop::array::uniform5(0u64..100_000),
            elo0 in -50.0..50.0f64,
            gap in 0.1..100.0f64,
        ) {
            let mut changed = pairs;
            changed.reverse();
            let (one, other) = (test(elo0, elo0 + gap), test(-elo0 - gap, -elo0));
            let (ratio, mirrored) = (one.ratio(&pairs), other.ratio(&changed));
            prop_assert!(ratio.is_finite());
            prop_assert!((ratio + mirrored).abs() < 1e-6 * ratio.abs().max(1.0), "{ratio} {mirrored}");
        }
    }
}
