//! Incremental values against reference values, for both kinds of evaluation.

use std::collections::BTreeSet;

use outflank_kernels::levels::portable::symmetries;
use outflank_kernels::{Isa, with_isa};
use outflank_random::SplitMix64;
use outflank_testing::models::random_network;

use super::*;
use crate::{Board, Square};

/// A linear model with random weights and biases in -`most`..=`most`, in 1/128 disc.
pub(super) fn random_linear(empties: &[u8], most: i16) -> Model {
    let mut random = SplitMix64::new(empties.len() as u64);
    let mut weight = || (random.below(2 * most as u64 + 1) as i32 - i32::from(most)) as i16;
    let knots = empties
        .iter()
        .map(|&empties| Knot {
            empties,
            weights: (0..KNOT_WEIGHTS).map(|_| weight()).collect(),
        })
        .collect();
    let bias = std::array::from_fn(|_| weight());
    Model::linear(knots, bias, "Random. Größe: ½".to_owned()).unwrap()
}

/// Checks the value of every position of `games` random games against the reference value, at every level. It checks
/// states updated move by move and states computed from the board. Returns the positions and their values.
fn assert_values_match_the_definition(model: &Model, games: usize) -> Vec<(Board, i32)> {
    let mut rng = SplitMix64::new(2);
    let mut positions = Vec::new();
    let evaluation = Evaluation::new(model.clone());
    for _ in 0..games {
        let mut board = Board::START;
        with_evaluator!(evaluation, evaluator => {
            let set = |&isa: &Isa| with_isa!(isa.token().unwrap(), isa => evaluator.set(isa, board));
            let mut states: Vec<_> = Isa::available().iter().map(set).collect();
            while !board.is_game_over() {
                let moves: Vec<_> = Square::all_in(board.mobility()).collect();
                let played = (!moves.is_empty()).then(|| moves[rng.index(moves.len())]);
                let next = match played {
                    Some(square) => board.play(square).unwrap(),
                    None => board.pass(),
                };
                let expected = model.value(next);
                positions.push((next, expected));
                for (level, state) in Isa::available().iter().zip(&mut states) {
                    with_isa!(level.token().unwrap(), isa => {
                        *state = match played {
                            Some(square) => {
                                let flipped = next.player ^ board.opponent;
                                evaluator.update(isa, state, square, flipped)
                            }
                            None => evaluator.pass(isa, state),
                        };
                        let computed = evaluator.set(isa, next);
                        let both = evaluator.values(isa, [state, &computed], [next; 2]);
                        assert_eq!(both, [expected; 2], "{level}: {next}");
                        assert_eq!(evaluator.value(isa, state, next), expected, "{level}: {next}");
                    });
                }
                board = next;
            }
        });
    }
    positions
}

#[test]
fn linear_values_match_the_definition_for_knots_of_every_spacing() {
    let every: Vec<u8> = (0..=60).collect();
    let fours: Vec<u8> = (0..=60).step_by(4).collect();
    for (knots, most, resolution) in [
        (&every[..], 60, 1),
        (&fours, 700, 1),
        (&fours, 3000, 8),
        (&[0, 7, 8, 9, 31], 300, 1),
        (&[20], 50, 1),
    ] {
        let model = random_linear(knots, most);
        assert_eq!(model.as_linear().unwrap().resolution(), resolution);
        assert_values_match_the_definition(&model, 20);
    }
}

/// The value of a position by two networks is that of the network for its number of empty squares.
#[test]
fn two_networks_have_phases_of_their_own() {
    let [late, early] = [1, 2].map(random_network);
    for above in [0, 20, 59] {
        let both = Networks::of_phases(late.clone(), above, early.clone());
        let phases: Vec<_> = both.phases().map(|(empties, _)| empties).collect();
        assert_eq!(phases, [0..=above, above + 1..=60]);
        let [both, late, early] = [both, late.clone().into(), early.clone().into()]
            .map(|networks: Networks| Model::networks(networks, String::new()));
        let mut positions = assert_values_match_the_definition(&both, 3);
        positions.push((Board::START, both.value(Board::START)));
        for (board, value) in positions {
            let model = if board.empty_count() > above {
                &early
            } else {
                &late
            };
            assert_eq!(value, model.value(board), "{board}");
        }
    }
}

#[test]
fn network_values_match_the_definition_and_are_equal_for_symmetric_boards() {
    let model = Model::networks(random_network(1), String::new());
    let positions = assert_values_match_the_definition(&model, 10);
    for &(board, value) in &positions {
        let images = symmetries::selected(board.player).into_iter();
        for (player, opponent) in images.zip(symmetries::selected(board.opponent)) {
            assert_eq!(model.value(Board { player, opponent }), value, "{board}");
        }
    }
    let different: BTreeSet<i32> = positions.iter().map(|&(_, value)| value).collect();
    assert!(different.len() > 400, "{} values", different.len());
}
