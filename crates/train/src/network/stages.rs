//! Ridge regression of the outputs of single stages. All other parameters stay unchanged.
//!
//! The first plies have too few positions for gradient descent: one with 60 empty squares, 1,773 with 54, up to
//! symmetry. Each fitted stage starts as a copy of the stage with one empty square fewer. The value is linear in the
//! outputs, so a regression on the errors of the copy finds their change.

use std::ops::RangeInclusive;

use outflank_kernels::Features;
use outflank_kernels::levels::portable::network_value;
use outflank_kernels::network::{HIDDEN, MAX_BIAS, Network, STAGES, Stage, WIDTH};

use super::data::features;
use crate::fit::{Target, Targets};
use crate::linear_system::solve;

/// Number of terms of a value: hidden units, their squares, inputs, and 1 for the bias.
const TERMS: usize = 2 * HIDDEN + WIDTH + 1;

/// Index of the bias among the terms.
const BIAS: usize = TERMS - 1;

/// Output of 1 in the kernel's units: see [`outflank_kernels::network`].
const ONE_OUTPUT: f64 = 64.0;
/// Input of 1 in the kernel's units.
const ONE_INPUT: f64 = 128.0;

/// Errors of a stage before and after its fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FittedStage {
    /// Empty squares.
    pub empties: usize,
    /// Number of distinct boards.
    pub positions: usize,
    /// Errors of the original network.
    pub before: Deviation,
    /// Errors of the fitted network.
    pub after: Deviation,
}

/// Mean errors of static values in discs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Deviation {
    /// Mean of value minus target.
    pub bias: f64,
    /// Mean absolute error.
    pub mae: f64,
}

/// Fits the outputs of these stages to the training positions of `targets`, in ascending order.
///
/// Stages without positions become copies. `decay` is the number of positions at which an output moves half way from
/// the copy to its optimum.
///
/// # Panics
///
/// Panics if a stage is 0, which has no stage below it, or above 60.
pub fn fit_stages(
    network: &mut Network,
    targets: &Targets,
    stages: RangeInclusive<usize>,
    decay: f64,
) -> Vec<FittedStage> {
    assert!(*stages.start() > 0 && *stages.end() < STAGES, "{stages:?}");
    stages
        .map(|empties| {
            let of_stage = |target: &&Target| target.board.empty_count() as usize == empties;
            let of_stage = targets.training.iter().filter(of_stage);
            let positions: Vec<Position> = of_stage.map(Position::new).collect();
            let before = deviation(network, &positions);
            network.stages_mut()[empties] = network.stages()[empties - 1].clone();
            if !positions.is_empty() {
                fit_stage(network, empties, &positions, decay);
            }
            FittedStage {
                empties,
                positions: positions.len(),
                before,
                after: deviation(network, &positions),
            }
        })
        .collect()
}

/// Labelled position with the kernel's inputs.
struct Position {
    features: Features,
    empties: u32,
    moves: u32,
    /// Label in discs.
    target: f64,
    weight: f64,
}

impl Position {
    fn new(target: &Target) -> Position {
        let board = target.board;
        Position {
            features: features(board),
            empties: board.empty_count(),
            moves: board.mobility().count_ones(),
            target: target.target.into(),
            weight: target.weight.into(),
        }
    }

    fn value(&self, network: &Network) -> i32 {
        network_value::selected(network, &self.features, self.empties, self.moves)
    }

    /// Value minus label, in discs.
    fn error(&self, network: &Network) -> f64 {
        f64::from(self.value(network)) / ONE_INPUT - self.target
    }
}

fn deviation(network: &Network, positions: &[Position]) -> Deviation {
    let weight: f64 = positions.iter().map(|position| position.weight).sum();
    let mean = |term: fn(f64) -> f64| {
        let weighted = |position: &Position| position.weight * term(position.error(network));
        let sum: f64 = positions.iter().map(weighted).sum();
        sum / weight.max(f64::MIN_POSITIVE)
    };
    Deviation {
        bias: mean(|error| error),
        mae: mean(f64::abs),
    }
}

/// Adds the ridge-regression solution to the outputs of a stage.
fn fit_stage(network: &mut Network, empties: usize, positions: &[Position], decay: f64) {
    let terms = terms(network, empties, positions);
    let (mut matrix, mut right) = ([[0.0; TERMS]; TERMS], [0.0; TERMS]);
    for (position, terms) in positions.iter().zip(&terms) {
        let error = position.error(network);
        for i in 0..TERMS {
            right[i] -= position.weight * terms[i] * error;
            for j in 0..TERMS {
                matrix[i][j] += position.weight * terms[i] * terms[j];
            }
        }
    }
    for (i, row) in matrix.iter_mut().enumerate() {
        // The bias has no decay. The small number keeps the matrix regular.
        row[i] += if i == BIAS { 1e-6 } else { decay };
    }
    let changes = solve(matrix, right).expect("the decay makes it regular");
    add(&mut network.stages_mut()[empties], &changes);
}

/// Terms of each position, 0 to 1. A term is the kernel's value with its output at 1 and all others at 0.
fn terms(network: &Network, empties: usize, positions: &[Position]) -> Vec<[f64; TERMS]> {
    let mut probe = network.clone();
    let mut silent = network.stages()[empties].clone();
    silent.hidden_output = [[0; HIDDEN]; 2];
    silent.input_output = [0; WIDTH];
    silent.bias = 0;
    let mut terms = vec![[1.0; TERMS]; positions.len()];
    for term in 0..BIAS {
        let mut stage = silent.clone();
        *output(&mut stage, term) = ONE_OUTPUT as i16;
        probe.stages_mut()[empties] = stage;
        for (position, terms) in positions.iter().zip(&mut terms) {
            terms[term] = f64::from(position.value(&probe)) / ONE_INPUT;
        }
    }
    terms
}

/// Output of a term other than the bias.
fn output(stage: &mut Stage, term: usize) -> &mut i16 {
    match term.checked_sub(2 * HIDDEN) {
        None => &mut stage.hidden_output[term / HIDDEN][term % HIDDEN],
        Some(input) => &mut stage.input_output[input],
    }
}

/// Adds changes of the outputs, in discs.
fn add(stage: &mut Stage, changes: &[f64; TERMS]) {
    for (term, change) in changes[..BIAS].iter().enumerate() {
        let output = output(stage, term);
        // The cast clamps to 16 bits.
        *output = (f64::from(*output) + change * ONE_OUTPUT).round() as i16;
    }
    let bias = f64::from(stage.bias) + changes[BIAS] * ONE_OUTPUT * ONE_INPUT;
    stage.bias = (bias.round() as i32).clamp(-MAX_BIAS, MAX_BIAS);
}

#[cfg(test)]
mod tests {
    use outflank_testing::models::random_network;

    use super::*;
    use crate::fit::tests::{self, SAMPLING, records};
    use crate::record::Source;

    /// Positions of random games with 54 to 56 empty squares, labelled by `teacher`.
    fn targets(teacher: &Network) -> Targets {
        let mut records = records(200, |_| Source::Exact);
        records.retain_mut(|record| {
            let position = Position::new(&Target {
                board: record.board,
                target: 0.0,
                weight: 1.0,
            });
            let value = i16::try_from(position.value(teacher));
            value.is_ok_and(|value| {
                record.value = value;
                (54..=56).contains(&position.empties)
            })
        });
        tests::targets(&records, SAMPLING)
    }

    #[test]
    fn fit_recovers_a_teacher_and_changes_nothing_else() {
        let network = random_network(1);
        let mut teacher = network.clone();
        for empties in 54..=56 {
            let mut stage = network.stages()[53].clone();
            stage.bias += 1_000 * empties as i32;
            for term in 0..BIAS {
                *output(&mut stage, term) += (term as i16 * 37 + empties as i16) % 100;
            }
            teacher.stages_mut()[empties] = stage;
        }
        let mut fitted = network.clone();
        let errors = fit_stages(&mut fitted, &targets(&teacher), 54..=57, 0.001);
        let numbers: Vec<usize> = errors.iter().map(|stage| stage.empties).collect();
        assert_eq!(numbers, [54, 55, 56, 57]);
        for stage in &errors[..3] {
            assert!(stage.positions > 30, "{stage:?}");
            assert!(stage.before.mae > 5.0, "{stage:?}");
            assert!(stage.after.mae < 0.2, "{stage:?}");
        }
        // A stage without positions is a copy.
        assert_eq!(errors[3].positions, 0);
        assert_eq!(fitted.stages()[57], fitted.stages()[56]);
        fitted.stages_mut()[54..=57].clone_from_slice(&network.stages()[54..=57]);
        assert!(fitted == network);
    }
}
