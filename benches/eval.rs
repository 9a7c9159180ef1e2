//! Incremental evaluations: features updated by a move, and the value of the board after it, at every
//! level that this CPU has. `cargo bench --bench eval`.
//!
//! The moves are those that a search was recorded to make, in its order; the weights are random ones at
//! 16 knots, as trained ones are packed, so that positions with other numbers of empty squares read
//! other tables.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use outflank::eval::{Evaluator, Knot, Model, PACKED, Patterns};
use outflank::kernels::cases::SplitMix;
use outflank::kernels::input::Input;
use outflank::kernels::trace::recorded;
use outflank::kernels::{Features, Isa, for_each_level, reference, tokens, with_isa};
use outflank::{Board, Level};

/// A move of the recorded search.
struct Move {
    before: Features,
    square: usize,
    flipped: u64,
    /// Empty squares after it.
    empties: u32,
}

/// The moves that the search made, and the boards that they lead to; it also asked what some squares
/// turn that turn nothing.
fn moves() -> (Vec<Move>, Vec<Board>) {
    let inputs = recorded("flip").into_iter().map(Input::new);
    let legal = inputs.filter(|input| input.flipped != 0);
    legal
        .map(|input| {
            let (square, flipped) = (input.case.square, input.flipped);
            let (player, opponent) =
                reference::play(square, input.case.player, input.case.opponent, flipped);
            let after = Board { player, opponent };
            let before = input.features;
            let empties = after.empty_count();
            let played = Move {
                before,
                square,
                flipped,
                empties,
            };
            (played, after)
        })
        .unzip()
}

/// The sum of the values after all moves.
#[inline(always)]
fn sum<I: Isa>(isa: I, patterns: &Patterns, moves: &[Move]) -> i32 {
    let mut sum = 0;
    for one in moves {
        let state = patterns.update(isa, &one.before, one.square, one.flipped);
        sum += patterns.value(isa, &state, one.empties);
    }
    sum
}

/// [`sum`] compiled for a level.
trait Stamped: Isa {
    /// # Safety
    /// The CPU has the level of `self`, which holding it proves.
    unsafe fn sum(self, patterns: &Patterns, moves: &[Move]) -> i32;
}

macro_rules! stamp {
    ({} $({ $module:ident $Name:ident [$($cfg:tt)*] [$($features:literal)?] $doc:literal })*) => {
        $(
            #[cfg($($cfg)*)]
            impl Stamped for tokens::$Name {
                $(#[target_feature(enable = $features)])?
                unsafe fn sum(self, patterns: &Patterns, moves: &[Move]) -> i32 {
                    sum(self, patterns, moves)
                }
            }
        )*
    };
}
for_each_level!(stamp);

/// Sixteen knots of random weights.
fn model() -> Model {
    let mut random = SplitMix::new(16);
    let mut weight = || random.below(1201) as i16 - 600;
    let knots = (0..=60).step_by(4).map(|empties| Knot {
        empties,
        weights: (0..PACKED).map(|_| weight()).collect(),
    });
    Model::new(knots.collect(), [0; 61], String::new()).expect("the knots are right")
}

fn benchmark(criterion: &mut Criterion) {
    let (model, (moves, after)) = (model(), moves());
    let patterns = Patterns::new(&model);
    let expected: i32 = after.iter().map(|&board| model.value(board)).sum();
    let mut group = criterion.benchmark_group("incremental evaluation");
    group.throughput(Throughput::Elements(moves.len() as u64));
    for &level in Level::available() {
        let token = level.token().expect("the level is available");
        group.bench_function(BenchmarkId::from_parameter(level), |bencher| {
            bencher.iter(|| {
                let sum = with_isa!(token, isa => {
                    // SAFETY: the token proves that the CPU has the level.
                    unsafe { isa.sum(black_box(&patterns), black_box(&moves)) }
                });
                assert_eq!(sum, expected, "a wrong value cannot be fast");
            });
        });
    }
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
