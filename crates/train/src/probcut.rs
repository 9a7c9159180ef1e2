//! Fit of the [`ErrorModel`] of selective search to differences between deep and shallow searches.
//!
//! Positions are searched to every depth, and each pair of depths gives a difference. Differences are modelled as
//! normal around 0, with a standard deviation that depends on empty squares and both depths. Newton's method
//! maximises the likelihood, a convex problem with few unknowns.

use std::sync::Arc;

use outflank_kernels::Isa;

use outflank::board::Board;
use outflank::eval::{DISC, ErrorModel, Evaluation};
use outflank::search::{EngineError, SearchError, StopHandle};

use crate::linear_system::solve;
use crate::parallel;
use crate::search::{CACHED_MIB, FixedDepthSearcher};

/// Settings of the measurement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbcutSettings {
    /// Maximum depth of searches with evaluations at their leaves, in plies. Depths below 5 do not determine all
    /// coefficients of the model.
    pub depth: u32,
    /// Maximum number of empty squares of exact searches.
    pub exact: u32,
    /// Number of threads, 1 or more, without influence on the result.
    pub threads: usize,
}

/// Value of a deep search minus that of a shallow search of the same position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DepthDifference {
    /// Empty squares.
    pub empties: u32,
    /// Depth of the deep search in plies, equal to `empties` for an exact search.
    pub depth: u32,
    /// Depth of the shallow search in plies.
    pub reduced: u32,
    /// Difference in discs.
    pub discs: f64,
}

/// Measures the differences of all boards, in their order: between depths of equal parity, and between each depth and
/// the static value.
///
/// `done` is called after each board. Returns `None` if `stop` was used.
pub fn measure(
    isa: Isa,
    evaluation: &Arc<Evaluation>,
    boards: &[Board],
    settings: ProbcutSettings,
    stop: &StopHandle,
    done: impl Fn() + Sync,
) -> Result<Option<Vec<DepthDifference>>, EngineError> {
    let new_searcher =
        || FixedDepthSearcher::new(isa, CACHED_MIB, evaluation.clone(), stop.clone());
    let measure_board = |searcher: &mut FixedDepthSearcher, &board: &Board| {
        let differences = match differences(searcher, board, settings) {
            Err(SearchError::Stopped) => return None,
            // A board that cannot be searched is skipped.
            other => other.unwrap_or_default(),
        };
        done();
        Some(differences)
    };
    let measured = parallel::map_with_state(settings.threads, boards, new_searcher, measure_board)?;
    Ok((!stop.is_stopped()).then(|| measured.concat()))
}

fn differences(
    searcher: &mut FixedDepthSearcher,
    board: Board,
    settings: ProbcutSettings,
) -> Result<Vec<DepthDifference>, SearchError> {
    let empties = board.empty_count();
    if board.mobility() == 0 {
        return Ok(Vec::new());
    }
    let mut depths: Vec<u32> = (0..=settings.depth.min(empties.saturating_sub(1))).collect();
    if empties <= settings.exact {
        depths.push(empties);
    }
    let values = depths
        .iter()
        .map(|&depth| searcher.search(board, depth).map(|result| result.value))
        .collect::<Result<Vec<i32>, _>>()?;
    let mut differences = Vec::new();
    for (deep, &depth) in depths.iter().enumerate() {
        for (shallow, &reduced) in depths[..deep].iter().enumerate() {
            // Values of odd and even depths differ, and selective cuts compare equal parity. The static value is
            // compared with all depths.
            if reduced > 0 && (depth - reduced) % 2 == 1 {
                continue;
            }
            differences.push(DepthDifference {
                empties,
                depth,
                reduced,
                discs: f64::from(values[deep] - values[shallow]) / f64::from(DISC),
            });
        }
    }
    Ok(differences)
}

/// Fits the maximum-likelihood model. Returns `None` for too few differences.
pub fn fit(differences: &[DepthDifference]) -> Option<ErrorModel> {
    let (mut midgame, mut endgame) = (Vec::new(), Vec::new());
    for &DepthDifference {
        empties,
        depth,
        reduced,
        discs,
    } in differences
    {
        match depth < empties {
            true => midgame.push((
                ErrorModel::midgame_terms(empties, depth, reduced),
                discs * discs,
            )),
            false => endgame.push((ErrorModel::endgame_terms(empties, reduced), discs * discs)),
        }
    }
    Some(ErrorModel {
        midgame: most_likely(midgame)?,
        endgame: most_likely(endgame)?,
    })
}

/// Maximum-likelihood coefficients c of normal variables with variance exp(2 c·terms) and the given squares.
///
/// They minimise the convex sum of c·terms + square / 2 / exp(2 c·terms).
fn most_likely<const N: usize>(samples: Vec<([f32; N], f64)>) -> Option<[f32; N]> {
    /// Samples per coefficient below which no fit is attempted.
    const MIN: usize = 20;
    if samples.len() < MIN * N {
        return None;
    }
    let samples: Vec<([f64; N], f64)> = samples
        .into_iter()
        .map(|(terms, square)| (terms.map(f64::from), square))
        .collect();
    let mean = samples.iter().map(|sample| sample.1).sum::<f64>() / samples.len() as f64;
    let mut coefficients = [0.0; N];
    coefficients[0] = mean.max(1e-6).ln() / 2.0;
    let loss = |coefficients: &[f64; N]| -> f64 {
        let of = |(terms, square): &([f64; N], f64)| {
            let exponent = dot(coefficients, terms);
            exponent + square / 2.0 * (-2.0 * exponent).exp()
        };
        samples.iter().map(of).sum()
    };
    let mut best = loss(&coefficients);
    for _ in 0..100 {
        let (mut gradient, mut hessian) = ([0.0; N], [[0.0; N]; N]);
        for (terms, square) in &samples {
            let ratio = square * (-2.0 * dot(&coefficients, terms)).exp();
            for i in 0..N {
                gradient[i] += (1.0 - ratio) * terms[i];
                for j in 0..N {
                    // The expected ratio is 1. A lower bound keeps the Hessian regular and the steps short.
                    hessian[i][j] += 2.0 * ratio.max(0.1) * terms[i] * terms[j];
                }
            }
        }
        let step = solve(hessian, gradient)?;
        let mut scale = 1.0;
        let improved = loop {
            let tried: [f64; N] = std::array::from_fn(|i| coefficients[i] - scale * step[i]);
            let new_loss = loss(&tried);
            if new_loss < best {
                let gain = best - new_loss;
                (coefficients, best) = (tried, new_loss);
                break gain > 1e-9 * samples.len() as f64;
            }
            scale /= 2.0;
            if scale < 1e-6 {
                break false;
            }
        };
        if !improved {
            break;
        }
    }
    Some(coefficients.map(|coefficient| coefficient as f32))
}

fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_random::SplitMix64;

    /// Differences drawn from a known model.
    #[test]
    fn fit_recovers_a_known_model() {
        let model = ErrorModel {
            midgame: [1.2, -0.01, 0.5, -0.6, 0.0, -0.03, 0.02, 0.002, 0.0, 0.0],
            endgame: [0.8, 0.02, -0.4, 0.3],
        };
        let mut random = SplitMix64::new(1);
        let mut differences = Vec::new();
        for _ in 0..200_000 {
            let empties = 10 + random.below(40) as u32;
            let depth = if random.below(3) == 0 {
                empties
            } else {
                2 + random.below(8) as u32
            };
            let reduced = random.below(u64::from(depth.min(9))) as u32;
            // The sum of twelve uniform variables is nearly normal.
            let uniform: f64 = (0..12)
                .map(|_| random.below(1 << 20) as f64 / f64::from(1 << 20))
                .sum();
            let sigma = f64::from(model.sigma(empties, depth, reduced));
            differences.push(DepthDifference {
                empties,
                depth,
                reduced,
                discs: (uniform - 6.0) * sigma,
            });
        }
        let fitted = fit(&differences).unwrap();
        for empties in (12..=48).step_by(6) {
            for (depth, reduced) in [(2, 0), (4, 2), (6, 2), (9, 3), (empties, 0), (empties, 4)] {
                let ratio =
                    fitted.sigma(empties, depth, reduced) / model.sigma(empties, depth, reduced);
                assert!(
                    (0.97..1.03).contains(&ratio),
                    "{empties} {depth} {reduced}: {ratio}"
                );
            }
        }
        assert_eq!(fit(&differences[..100]), None);
    }
}
