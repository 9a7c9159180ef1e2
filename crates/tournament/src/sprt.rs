//! Sequential probability ratio test (SPRT), which ends a match once the games are conclusive.
//!
//! It compares two hypotheses: A is `elo0` stronger than B, or `elo1`. For each hypothesis it takes the most likely
//! distribution of the five outcomes of a pair with the mean of the hypothesis. The logarithm of the ratio of both
//! likelihoods is compared with Wald's bounds (A. Wald, "Sequential Analysis", 1947).
//!
//! This is the generalized test of X. Li, J. Liu and Z. Ying ("Generalized sequential probability ratio test for
//! separate families of hypotheses", 2014). M. Van den Bergh's notes on the chess testing framework fishtest apply it
//! to pairs. The most likely distribution is that of A. Owen's empirical likelihood ("Empirical Likelihood", 2001):
//! every frequency is divided by 1 + t (outcome - mean), with the t that gives the distribution this mean.

use serde::Serialize;

use crate::elo::{PairCounts, SHARES, bisect, share_of};

/// Test of two hypotheses about the difference in Elo.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Sprt {
    /// First hypothesis.
    pub elo0: f64,
    /// Second hypothesis, greater than the first.
    pub elo1: f64,
    /// Probability of accepting `elo1` although `elo0` is true.
    pub alpha: f64,
    /// Probability of accepting `elo0` although `elo1` is true.
    pub beta: f64,
}

/// Reason why the parameters of a test are invalid.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SprtError {
    /// The hypotheses are in the wrong order, or out of range.
    #[error("a test has two differences in Elo, the smaller first, unlike {0} and {1}")]
    Hypotheses(f64, f64),
    /// The risks are out of range.
    #[error("the risks of a test are above 0 and below 0.5, unlike {0} and {1}")]
    Risks(f64, f64),
}

/// State of a test after some pairs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtState {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// Logarithm of the likelihood of the pairs under `elo1` divided by that under `elo0`.
    pub llr: f64,
    /// Greatest `llr` that accepts `elo0`.
    pub lower: f64,
    /// Least `llr` that accepts `elo1`.
    pub upper: f64,
    /// Accepted hypothesis, if the pairs are conclusive.
    pub accepted: Option<f64>,
}

/// Assumed count of an outcome that never occurred, as in fishtest. Without it, an outcome that both hypotheses need
/// would be impossible.
const UNSEEN: f64 = 1e-3;

impl Sprt {
    /// Test of `elo0` against `elo1` with the risks `alpha` and `beta`.
    ///
    /// ```
    /// use outflank_tournament::Sprt;
    ///
    /// let state = Sprt::new(0.0, 5.0, 0.05, 0.05)?.state(&[0; 5]);
    /// assert_eq!(format!("{:.3} {:.3}", state.lower, state.upper), "-2.944 2.944");
    /// # Ok::<(), outflank_tournament::SprtError>(())
    /// ```
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        // Far beyond this range, shares of the points round to 0 and 1.
        let is_elo = |elo: f64| elo.abs() <= 2000.0;
        if !(is_elo(elo0) && is_elo(elo1) && elo0 < elo1) {
            return Err(SprtError::Hypotheses(elo0, elo1));
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

    /// State of the test after these pairs.
    pub fn state(&self, pairs: &PairCounts) -> SprtState {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let llr = self.llr(pairs);
        let accepted = match llr {
            llr if llr >= upper => Some(self.elo1),
            llr if llr <= lower => Some(self.elo0),
            _ => None,
        };
        SprtState {
            test: *self,
            llr,
            lower,
            upper,
            accepted,
        }
    }

    fn llr(&self, pairs: &PairCounts) -> f64 {
        if pairs.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        let counts = pairs.map(|count| (count as f64).max(UNSEEN));
        let [under0, under1] = [self.elo0, self.elo1].map(|elo| divisors(&counts, share_of(elo)));
        (0..5)
            .map(|i| counts[i] * (under0[i] / under1[i]).ln())
            .sum()
    }
}

/// Divisors of the frequencies, 1 + t (outcome - mean). The mean is above 0 and below 1.
fn divisors(counts: &[f64; 5], mean: f64) -> [f64; 5] {
    let away = SHARES.map(|share| share - mean);
    let divisors = |t: f64| away.map(|away| 1.0 + t * away);
    // All divisors are positive for t in this range, and the mean falls as t grows.
    let (low, high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    divisors(bisect(low, high, |t| {
        let divisors = divisors(t);
        let excess: f64 = (0..5).map(|i| counts[i] * away[i] / divisors[i]).sum();
        excess > 0.0
    }))
}
