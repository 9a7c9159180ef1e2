//! Gradients against finite differences, and the preparation of positions.

use outflank_random::SplitMix64;
use outflank_testing::data::random_game;

use super::*;
use crate::record::{Record, Source};
use outflank::board::Board;
use outflank::square::Square;

/// Records of random games at positions where the mover can move. Labels depend on discs and edges, with noise.
pub(crate) fn records(games: u32, source: impl Fn(u32) -> Source) -> Vec<Record> {
    let mut random = SplitMix64::new(3);
    let mut records = Vec::new();
    for game in 0..games {
        for board in random_game(&mut random) {
            if board.mobility() == 0 {
                continue;
            }
            let edges = |discs: u64| (discs & 0xff81_8181_8181_81ff).count_ones() as i32;
            let value = 300 * (edges(board.player) - edges(board.opponent));
            records.push(Record {
                board,
                value: (value + random.below(500) as i32 - 250) as i16,
                source: source(game),
                game,
            });
        }
    }
    records
}

pub(crate) const SAMPLING: Sampling = Sampling {
    search: 0.5,
    games: 0.0,
    held_out: 0.0,
    seed: 1,
};

/// Merged and split positions of these records.
pub(crate) fn targets(records: &[Record], sampling: Sampling) -> Targets {
    let mut examples = Examples::new(sampling);
    records.iter().for_each(|record| examples.add(record));
    examples.targets()
}

fn settings() -> FitSettings {
    FitSettings {
        stages: Stages::new(vec![8, 20, 50]).expect("they are in order"),
        decay: 3.0,
        smooth: 40.0,
        windows: vec![1, 2, 3],
        loss: Loss::Huber(2.0),
    }
}

/// Objective: loss plus penalty.
fn objective(fit: &mut Fit) -> f64 {
    fit.recompute_errors();
    let costs: f64 = fit.all_terms().map(Terms::cost).sum();
    fit.take_sums();
    let LossSums([_, loss, ..]) = fit.sums[0];
    loss + costs
}

#[test]
fn gradient_matches_finite_differences() {
    let records = records(40, |game| match game % 2 {
        0 => Source::Exact,
        _ => Source::Search { depth: 6 },
    });
    let data = FitData::new(&targets(&records, SAMPLING), 2);
    let mut fit = Fit::new(data, settings(), None, 2);
    for _ in 0..3 {
        fit.advance();
    }
    fit.recompute_errors();
    fit.set_gradients();
    let gradients = fit.all_terms().map(|terms| terms.gradient.clone());
    let gradients: Vec<Vec<f32>> = gradients.collect();
    let mut random = SplitMix64::new(8);
    for (number, gradient) in gradients.iter().enumerate() {
        // The steepest term, which has many positions, and some others.
        let steepest = (0..gradient.len())
            .max_by(|&a, &b| gradient[a].abs().total_cmp(&gradient[b].abs()))
            .expect("there are terms");
        let others = (0..5).map(|_| random.below(gradient.len() as u64) as usize);
        for index in std::iter::once(steepest).chain(others) {
            const STEP: f32 = 0.01;
            let mut at = |step: f32| {
                let change = |fit: &mut Fit, by: f32| {
                    let class = fit.classes.get_mut(number).map(|class| &mut class.terms);
                    let terms = class.unwrap_or(&mut fit.bias);
                    terms.values[index] += by;
                };
                change(&mut fit, step);
                let objective = objective(&mut fit);
                change(&mut fit, -step);
                objective
            };
            let slope = (at(STEP) - at(-STEP)) / f64::from(2.0 * STEP);
            let expected = f64::from(gradient[index]);
            let difference = (slope - expected).abs();
            assert!(
                difference <= 0.02 + 0.01 * expected.abs(),
                "class {number}, term {index}: {slope}, not {expected}"
            );
        }
        assert!(gradient[steepest].abs() > 1.0, "class {number}");
    }
}

/// Symmetric boards are merged, training boards are not held out, exact labels take precedence, excluded boards vanish.
#[test]
fn equal_positions_are_merged_on_one_side() {
    let mirrored = |board: Board| Board {
        player: board.player.swap_bytes(),
        opponent: board.opponent.swap_bytes(),
    };
    let board = Board::START
        .play(Square::new(37).expect("F5"))
        .expect("legal");
    let second = board.play(Square::new(43).expect("D6")).expect("legal");
    let sampling = Sampling {
        games: 0.25,
        held_out: 0.5,
        ..SAMPLING
    };
    // About half of the games are held out.
    let record = |board, value, source, game| Record {
        board,
        value,
        source,
        game,
    };
    let is_held_out = |&game: &u32| {
        let records = [record(board, 0, Source::Exact, game)];
        targets(&records, sampling).counts().held_out == 1
    };
    let held_out: Vec<u32> = (0..100).filter(is_held_out).collect();
    assert!((30..70).contains(&held_out.len()), "{}", held_out.len());
    let trained: Vec<u32> = (0..100).filter(|game| !held_out.contains(game)).collect();

    let mut examples = Examples::new(sampling);
    let mut add = |board, value, source, game| examples.add(&record(board, value, source, game));
    // Two inexact labels, with weights 0.5 and 0.25.
    add(board, 128, Source::Search { depth: 5 }, trained[0]);
    add(mirrored(board), 512, Source::Game, trained[1]);
    // The board also occurs in a held-out game.
    add(mirrored(board), 0, Source::Exact, held_out[0]);
    // Only the exact labels count, in any order.
    add(second, 9999, Source::Game, held_out[0]);
    add(second, 256, Source::Exact, held_out[1]);
    add(mirrored(second), 128, Source::Exact, held_out[2]);
    // No move for either side.
    let full = Board {
        player: u64::MAX,
        opponent: 0,
    };
    add(full, 64 * 128, Source::Exact, trained[0]);
    let third = second.play(Square::new(34).expect("C5")).expect("legal");
    add(mirrored(third), 1, Source::Exact, trained[0]);
    examples.exclude(third);
    let data = FitData::new(&examples.targets(), 1);
    assert_eq!(
        data.counts(),
        PositionCounts {
            given: 8,
            weightless: 0,
            unplayable: 1,
            excluded: 1,
            shared: 1,
            training: 1,
            held_out: 1,
        }
    );
    // All values are 0 before the first step.
    let fit = Fit::new(data, settings(), None, 1);
    let expected = [(0.75, 0.5 * 1.0 + 0.25 * 4.0), (2.0, 1.0 + 2.0)];
    for (LossSums([weight, _, absolute, _]), expected) in fit.sums.into_iter().zip(expected) {
        assert_eq!(weight, expected.0);
        assert!((absolute - expected.1).abs() < 1e-6, "{absolute}");
    }
}
