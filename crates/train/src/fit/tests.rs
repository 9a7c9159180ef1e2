//! Gradients against finite differences, and the preparation of positions.

use outflank_random::SplitMix64;

use super::*;
use crate::record::{Record, Source};
use outflank::board::Board;
use outflank::square::Square;

/// Records of random games at positions where the mover can move. Labels depend on discs and edges, with noise.
pub(crate) fn records(games: u32, source: impl Fn(u32) -> Source) -> Vec<Record> {
    let mut random = SplitMix64::new(3);
    let mut records = Vec::new();
    for game in 0..games {
        let mut board = Board::START;
        while !board.is_game_over() {
            if board.must_pass() {
                board = board.pass();
            }
            let edges = |discs: u64| (discs & 0xff81_8181_8181_81ff).count_ones() as i32;
            let value = 300 * (edges(board.player) - edges(board.opponent));
            records.push(Record {
                board,
                value: (value + random.below(500) as i32 - 250) as i16,
                source: source(game),
                game,
            });
            let square = random.one_of(board.mobility()).trailing_zeros();
            let square = Square::new(square as u8).expect("there is a move");
            board = board.play(square).expect("it is legal");
        }
    }
    records
}

const SAMPLING: Sampling = Sampling {
    search: 0.5,
    games: 0.0,
    held_out: 0.0,
    seed: 1,
};

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
    fit.sums[0].loss + costs
}

#[test]
fn gradient_matches_finite_differences() {
    let mut examples = Examples::new(SAMPLING);
    for record in records(40, |game| match game % 2 {
        0 => Source::Exact,
        _ => Source::Search { depth: 6 },
    }) {
        examples.add(&record);
    }
    let mut fit = Fit::new(FitData::new(&examples.targets(), 2), settings(), None, 2);
    for _ in 0..3 {
        fit.advance();
    }
    fit.recompute_errors();
    fit.set_gradients();
    let gradients: Vec<Vec<f32>> = fit
        .all_terms()
        .map(|terms| terms.gradient.clone())
        .collect();
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
                    let terms = fit
                        .all_terms_mut()
                        .nth(number)
                        .expect("all fits have equally many terms");
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
    let is_held_out = |game: u32| {
        let mut examples = Examples::new(sampling);
        examples.add(&Record {
            board,
            value: 0,
            source: Source::Exact,
            game,
        });
        FitData::new(&examples.targets(), 1).counts().held_out
    };
    let held_out: Vec<u32> = (0..100).filter(|&game| is_held_out(game) == 1).collect();
    assert!((30..70).contains(&held_out.len()), "{}", held_out.len());
    let trained: Vec<u32> = (0..100).filter(|game| !held_out.contains(game)).collect();

    let mut examples = Examples::new(sampling);
    let mut add = |board, value, source, game| {
        examples.add(&Record {
            board,
            value,
            source,
            game,
        });
    };
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
    let [training, held_out] = fit.sums;
    assert_eq!(training.weight, 0.75);
    assert_eq!(held_out.weight, 2.0);
    assert!((training.absolute - (0.5 * 1.0 + 0.25 * 4.0)).abs() < 1e-6);
    assert!((held_out.absolute - (1.0 + 2.0)).abs() < 1e-6);
}
