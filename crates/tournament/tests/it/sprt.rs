//! Sequential probability ratio test.

use outflank_tournament::Sprt;
use proptest::prelude::*;

fn sprt(elo0: f64, elo1: f64) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05).unwrap()
}

/// Expected values come from another method: hill climbing over all distributions with the mean of a hypothesis.
#[test]
fn ratios_agree_with_hill_climbing() {
    for (pairs, elo0, elo1, llr, accepted) in [
        ([1, 9, 30, 15, 5], 0.0, 5.0, 0.488287, None),
        ([10, 120, 340, 150, 20], 0.0, 5.0, 1.940556, None),
        ([3, 20, 60, 14, 2], -5.0, 5.0, -0.834896, None),
        ([0, 0, 1, 4, 95], 0.0, 50.0, 13.359156, Some(50.0)),
        ([500, 4000, 9000, 4100, 520], 0.0, 2.0, 0.611355, None),
        ([0, 0, 0, 0, 7], 0.0, 10.0, 0.198633, None),
        ([0; 5], 0.0, 10.0, 0.0, None),
    ] {
        let state = sprt(elo0, elo1).state(&pairs);
        assert!((state.llr - llr).abs() < 1e-5, "{pairs:?}: {state:?}");
        assert_eq!(state.accepted, accepted, "{pairs:?}");
    }
    let worse = [200, 1500, 3400, 1200, 100];
    assert_eq!(sprt(0.0, 5.0).state(&worse).accepted, Some(0.0));
}

#[test]
fn parameters_out_of_range_are_refused() {
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
    fn exchanged_engines_exchange_the_hypotheses(
        pairs in prop::array::uniform5(0u64..100_000),
        elo0 in -50.0..50.0f64,
        gap in 0.1..100.0f64,
    ) {
        let mut exchanged = pairs;
        exchanged.reverse();
        let llr = sprt(elo0, elo0 + gap).state(&pairs).llr;
        let mirrored = sprt(-elo0 - gap, -elo0).state(&exchanged).llr;
        prop_assert!(llr.is_finite());
        prop_assert!((llr + mirrored).abs() < 1e-6 * llr.abs().max(1.0), "{llr} {mirrored}");
    }
}
