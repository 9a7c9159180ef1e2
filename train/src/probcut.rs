//! How far deep searches are from shallow ones, measured and put into an [`ErrorModel`].
//!
//! Positions are searched to every depth, and each two depths give a difference. The differences of a
//! number of empty squares and two depths are taken to be normal around 0; the model is the one under
//! which those that were seen are most likely. That is a convex problem of a few unknowns, for
//! Newton's method.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use outflank_kernels::Isa;

use outflank::board::Board;
use outflank::eval::{DISC, ErrorModel, Evaluation};
use outflank::search::{EngineError, Midgame, SearchError, StopHandle};

use crate::threads::in_order;

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbcutSettings {
    /// The deepest search that ends in evaluations, in plies. With less than 5 there are too few
    /// kinds of differences to tell the coefficients of a model apart.
    pub depth: u32,
    /// The most empty squares that are searched to the end.
    pub exact: u32,
    /// Threads, 1 or more. The result is the same for any number.
    pub threads: usize,
}

/// The value of a deep search less that of a shallow one, from the same position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// Empty squares.
    pub empties: u32,
    /// Plies of the deep search; as many as empty squares where it is exact.
    pub depth: u32,
    /// Plies of the shallow one.
    pub reduced: u32,
    /// Discs.
    pub discs: f64,
}

/// The memory of a thread's tables: as much as the caches have.
const HASH_MIB: usize = 2;

/// The differences of depths of the same parity, and of all from the static value, of all boards in
/// their order. `done` is told after each
/// board; `None` where `stop` was used.
pub fn measure(
    isa: Isa,
    evaluation: &Arc<Evaluation>,
    boards: &[Board],
    settings: ProbcutSettings,
    stop: &StopHandle,
    done: impl Fn() + Sync,
) -> Result<Option<Vec<Difference>>, EngineError> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, Vec<Difference>)>, EngineError> {
        let mut searcher = Midgame::with_stop(isa, HASH_MIB, evaluation.clone(), stop.clone())?;
        let mut found = Vec::new();
        loop {
            let index = next.fetch_add(1, Relaxed);
            let Some(&board) = boards.get(index) else {
                return Ok(found);
            };
            match differences(&mut searcher, board, settings) {
                Ok(differences) => found.push((index, differences)),
                Err(SearchError::Stopped) => return Ok(found),
                // A board that cannot be searched tells nothing.
                Err(_) => {}
            }
            done();
        }
    };
    let found = in_order(settings.threads, work)?;
    Ok((!stop.is_stopped()).then(|| found.concat()))
}

fn differences(
    searcher: &mut Midgame,
    board: Board,
    settings: ProbcutSettings,
) -> Result<Vec<Difference>, SearchError> {
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
        .map(|&depth| searcher.search(board, depth).map(|found| found.value))
        .collect::<Result<Vec<i32>, _>>()?;
    let mut differences = Vec::new();
    for (deep, &depth) in depths.iter().enumerate() {
        for (shallow, &reduced) in depths[..deep].iter().enumerate() {
            // The two sides' values differ, so searches with the same side to move at the leaves are
            // compared: those that selective cuts go by. The static value is what they begin with.
            if reduced > 0 && (depth - reduced) % 2 == 1 {
                continue;
            }
            differences.push(Difference {
                empties,
                depth,
                reduced,
                discs: f64::from(values[deep] - values[shallow]) / f64::from(DISC),
            });
        }
    }
    Ok(differences)
}

/// The model under which `differences` are most likely; `None` where they are too few to say.
pub fn fit(differences: &[Difference]) -> Option<ErrorModel> {
    let of = |exact: bool| {
        let those = differences
            .iter()
            .filter(move |one| (one.depth >= one.empties) == exact);
        those.map(|one| (*one, one.discs * one.discs))
    };
    let midgame = of(false).map(|(one, square)| {
        (
            ErrorModel::midgame_terms(one.empties, one.depth, one.reduced),
            square,
        )
    });
    let endgame =
        of(true).map(|(one, square)| (ErrorModel::endgame_terms(one.empties, one.reduced), square));
    Some(ErrorModel {
        midgame: most_likely(midgame.collect())?,
        endgame: most_likely(endgame.collect())?,
    })
}

/// The coefficients c with which normal variables of variance exp(2 c·terms) are most likely to have
/// had the squares: the minimum of the sum of c·terms + square / 2 / exp(2 c·terms), which is convex.
fn most_likely<const N: usize>(samples: Vec<([f32; N], f64)>) -> Option<[f32; N]> {
    /// Fewer say nothing about a polynomial.
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
                    // Where the squares are as expected the ratio is 1: its mean, kept from 0, makes
                    // steps that cannot run away.
                    hessian[i][j] += 2.0 * ratio.max(0.1) * terms[i] * terms[j];
                }
            }
        }
        let step = solve(hessian, gradient)?;
        let mut scale = 1.0;
        let improved = loop {
            let tried: [f64; N] = std::array::from_fn(|i| coefficients[i] - scale * step[i]);
            let found = loss(&tried);
            if found < best {
                let gain = best - found;
                (coefficients, best) = (tried, found);
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

/// The solution of a system of linear equations by Gauss's elimination; `None` where it has no single
/// one.
pub(crate) fn solve<const N: usize>(
    mut matrix: [[f64; N]; N],
    mut right: [f64; N],
) -> Option<[f64; N]> {
    for column in 0..N {
        let size = |row: &usize| matrix[*row][column].abs();
        let pivot = (column..N).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        if matrix[pivot][column].abs() < 1e-12 {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let (upper, lower) = matrix.split_at_mut(column + 1);
        for (row, below) in lower.iter_mut().enumerate() {
            let factor = below[column] / upper[column][column];
            for (entry, pivot) in below.iter_mut().zip(&upper[column]).skip(column) {
                *entry -= factor * pivot;
            }
            right[column + 1 + row] -= factor * right[column];
        }
    }
    let mut solution = [0.0; N];
    for row in (0..N).rev() {
        let known: f64 = (row + 1..N).map(|i| matrix[row][i] * solution[i]).sum();
        solution[row] = (right[row] - known) / matrix[row][row];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_random::SplitMix;

    /// Differences drawn from a known model give it back.
    #[test]
    fn a_model_is_found_again() {
        let model = ErrorModel {
            midgame: [1.2, -0.01, 0.5, -0.6, 0.0, -0.03, 0.02, 0.002, 0.0, 0.0],
            endgame: [0.8, 0.02, -0.4, 0.3],
        };
        let mut random = SplitMix::new(1);
        let mut differences = Vec::new();
        for _ in 0..200_000 {
            let empties = 10 + random.below(40) as u32;
            let depth = if random.below(3) == 0 {
                empties
            } else {
                2 + random.below(8) as u32
            };
            let reduced = random.below(u64::from(depth.min(9))) as u32;
            // Twelve uniform variables sum up to one that is nearly normal.
            let uniform: f64 = (0..12)
                .map(|_| random.below(1 << 20) as f64 / f64::from(1 << 20))
                .sum();
            let sigma = f64::from(model.sigma(empties, depth, reduced));
            differences.push(Difference {
                empties,
                depth,
                reduced,
                discs: (uniform - 6.0) * sigma,
            });
        }
        let found = fit(&differences).unwrap();
        for empties in (12..=48).step_by(6) {
            for (depth, reduced) in [(2, 0), (4, 2), (6, 2), (9, 3), (empties, 0), (empties, 4)] {
                let ratio =
                    found.sigma(empties, depth, reduced) / model.sigma(empties, depth, reduced);
                assert!(
                    (0.97..1.03).contains(&ratio),
                    "{empties} {depth} {reduced}: {ratio}"
                );
            }
        }
        assert_eq!(fit(&differences[..100]), None);
    }
}
