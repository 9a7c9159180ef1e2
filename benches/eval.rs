//! Incremental evaluation: features updated by a move, and the value of the board after it, at every
//! level of this CPU. `cargo bench --bench eval`.
//!
//! The moves are those of two plies below boards of a recorded search, in depth-first order. As in a search, each state
//! is an update of the state one ply before, which is still in the first-level cache. Neighbouring boards read mostly
//! the same weights, too. The weights are random. The linear evaluation has 16 knots, so that boards with different
//! numbers of empty squares read different tables.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use outflank::eval::{Evaluation, Evaluator, Model, with_evaluator};
use outflank::kernels::{Kernels, stamp, with_isa};
use outflank::{Board, Isa, Square};
use outflank_checker::input::{Case, Input};
use outflank_checker::trace::recorded;
use outflank_testing::models::random_linear;

/// A move with the board after it.
struct SearchedMove {
    /// The ply below the root, from 0.
    ply: usize,
    square: Square,
    flipped: u64,
    /// The board after the move.
    board: Board,
}

/// A board with the moves of [`PLIES`] plies below it.
struct Tree {
    root: Board,
    moves: Vec<SearchedMove>,
}

/// Plies below a board of the recorded search.
const PLIES: usize = 2;

/// The trees of some boards of the recorded search, and the boards after all their moves.
fn trees() -> (Vec<Tree>, Vec<Board>) {
    let mut after = Vec::new();
    let inputs = recorded("flip").into_iter().step_by(20).map(Input::new);
    let trees = inputs.map(|input| {
        let mut moves = Vec::new();
        let (player, opponent) = (input.case.player, input.case.opponent);
        let root = Board { player, opponent };
        grow(root, 0, &mut moves, &mut after);
        Tree { root, moves }
    });
    (trees.collect(), after)
}

/// Appends the moves below `board`, which is `ply` plies below the root, and the boards after them.
fn grow(board: Board, ply: usize, moves: &mut Vec<SearchedMove>, after: &mut Vec<Board>) {
    if ply == PLIES {
        return;
    }
    for square in Square::all_in(board.mobility()) {
        let next = board.play(square).expect("a legal move");
        moves.push(SearchedMove {
            ply,
            square,
            flipped: next.player ^ board.opponent,
            board: next,
        });
        after.push(next);
        grow(next, ply + 1, moves, after);
    }
}

/// The sum of the values after all moves. With `in_pairs` the boards of the last ply are evaluated two at a time, as in
/// the search.
#[inline(always)]
fn sum<I: Kernels, E: Evaluator<I>>(isa: I, evaluator: &E, trees: &[Tree], in_pairs: bool) -> i32 {
    let mut sum = 0;
    for tree in trees {
        let mut states = [evaluator.set(isa, tree.root); PLIES + 1];
        let mut pending = None;
        for searched in &tree.moves {
            let SearchedMove {
                square, flipped, ..
            } = *searched;
            let after = evaluator.update(isa, &states[searched.ply], square, flipped);
            if !in_pairs || searched.ply + 1 < PLIES {
                sum += evaluator.value(isa, &after, searched.board);
                states[searched.ply + 1] = after;
            } else if let Some((other, board)) = pending.take() {
                let values = evaluator.values(isa, [&other, &after], [board, searched.board]);
                sum += values[0] + values[1];
            } else {
                pending = Some((after, searched.board));
            }
        }
        if let Some((state, board)) = pending {
            sum += evaluator.value(isa, &state, board);
        }
    }
    sum
}

stamp! {
    /// The recursion point, compiled for every level.
    trait Stamped;
    /// [`sum`], compiled for the level of the token.
    fn stamped_sum[E: Evaluator](evaluator: &E, trees: &[Tree], in_pairs: bool) -> i32 = sum;
}

fn benchmark(criterion: &mut Criterion) {
    let network = Input::new(Case::new(0, 0, 0)).network.clone();
    let network = Model::networks(network, String::new());
    let linear = random_linear(16, (0..=60).step_by(4), 600);
    for (name, model) in [("linear", linear), ("network", network)] {
        for (suffix, in_pairs) in [("", false), (", in pairs", true)] {
            let title = format!("incremental evaluation, {name}{suffix}");
            incremental(criterion, &title, &model, in_pairs);
        }
    }
}

fn incremental(criterion: &mut Criterion, title: &str, model: &Model, in_pairs: bool) {
    let (trees, after) = trees();
    let evaluation = Evaluation::new(model.clone());
    let expected: i32 = after.iter().map(|&board| model.value(board)).sum();
    let mut group = criterion.benchmark_group(title);
    group.throughput(Throughput::Elements(after.len() as u64));
    for &isa in Isa::available() {
        let token = isa.token().expect("the level is available");
        group.bench_function(BenchmarkId::from_parameter(isa), |bencher| {
            bencher.iter(|| {
                let sum = with_evaluator!(evaluation, evaluator => with_isa!(token, isa => {
                    stamped_sum(isa, black_box(evaluator), black_box(&trees), in_pairs)
                }));
                assert_eq!(sum, expected, "a wrong value cannot be fast");
            });
        });
    }
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
