//! Incremental evaluations: features updated by a move, and the value of the board after it, at every
//! level that this CPU has. `cargo bench --bench eval`.
//!
//! The moves are all that two plies can be after boards of a recorded search, in the order of a
//! depth-first search: as there, a state is made from that of the ply before, which is still in the
//! first cache, and neighbouring boards read mostly the same weights. Those
//! of the linear evaluation are random ones at 16 knots, as trained ones are packed, so that boards with other
//! numbers of empty squares read other tables. The network is random, too.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use outflank::eval::{Evaluation, Evaluator, Model, Values};
use outflank::kernels::{Kernels, stamp, with_isa};
use outflank::{Board, Isa, Square};
use outflank_checker::input::{Case, Input};
use outflank_checker::trace::recorded;
use outflank_testing::models::random_linear;

/// A move of the search.
struct Move {
    /// Its ply, counted from 0.
    ply: usize,
    square: usize,
    flipped: u64,
    /// The board after it.
    board: Board,
}

/// A board that is searched [`PLIES`] deep.
struct Tree {
    root: Board,
    moves: Vec<Move>,
}

/// Plies that are searched below a board of the recorded search.
const PLIES: usize = 2;

/// The trees of some boards of the recorded search, and the boards that their moves lead to.
fn trees() -> (Vec<Tree>, Vec<Board>) {
    let mut after = Vec::new();
    let every = recorded("flip").into_iter().step_by(20).map(Input::new);
    let trees = every.map(|input| {
        let mut moves = Vec::new();
        let (player, opponent) = (input.case.player, input.case.opponent);
        let root = Board { player, opponent };
        grow(root, 0, &mut moves, &mut after);
        Tree { root, moves }
    });
    (trees.collect(), after)
}

/// Adds the moves below `board`, `ply` plies under the root, and the boards that they lead to.
fn grow(board: Board, ply: usize, moves: &mut Vec<Move>, after: &mut Vec<Board>) {
    if ply == PLIES {
        return;
    }
    for square in Square::all_in(board.mobility()) {
        let next = board.play(square).expect("it is legal");
        moves.push(Move {
            ply,
            square: square.index(),
            flipped: next.player ^ board.opponent,
            board: next,
        });
        after.push(next);
        grow(next, ply + 1, moves, after);
    }
}

/// The sum of the values after all moves. `in_pairs` takes the boards of the last ply two at a time, as the search
/// evaluates the moves of a node.
#[inline(always)]
fn sum<I: Kernels, E: Evaluator<I>>(isa: I, evaluator: &E, trees: &[Tree], in_pairs: bool) -> i32 {
    let mut sum = 0;
    for tree in trees {
        let mut states = [evaluator.set(isa, tree.root); PLIES + 1];
        let mut waiting = None;
        for one in &tree.moves {
            let after = evaluator.update(isa, &states[one.ply], one.square, one.flipped);
            if !in_pairs || one.ply + 1 < PLIES {
                sum += evaluator.value(isa, &after, one.board);
                states[one.ply + 1] = after;
            } else if let Some((other, board)) = waiting.take() {
                let values = evaluator.values(isa, [&other, &after], [board, one.board]);
                sum += values[0] + values[1];
            } else {
                waiting = Some((after, one.board));
            }
        }
        if let Some((state, board)) = waiting {
            sum += evaluator.value(isa, &state, board);
        }
    }
    sum
}

stamp! {
    /// What is compiled for every level.
    trait Stamped;
    /// [`sum`] compiled for the level of the token.
    fn stamped_sum[E: Evaluator](evaluator: &E, trees: &[Tree], in_pairs: bool) -> i32 = sum;
}

fn benchmark(criterion: &mut Criterion) {
    let network = Input::new(Case::new(0, 0, 0)).network.clone();
    let network = Model::network(network, String::new());
    let linear = random_linear(16, (0..=60).step_by(4), 600);
    for (name, model) in [("linear", linear), ("network", network)] {
        for (how, in_pairs) in [("", false), (", in pairs", true)] {
            let title = format!("incremental evaluation, {name}{how}");
            incremental(criterion, &title, &model, in_pairs);
        }
    }
}

fn incremental(criterion: &mut Criterion, title: &str, model: &Model, in_pairs: bool) {
    let (trees, after) = trees();
    let values = Evaluation::new(model.clone()).values;
    let expected: i32 = after.iter().map(|&board| model.value(board)).sum();
    let mut group = criterion.benchmark_group(title);
    group.throughput(Throughput::Elements(after.len() as u64));
    for &isa in Isa::available() {
        let token = isa.token().expect("the level is available");
        group.bench_function(BenchmarkId::from_parameter(isa), |bencher| {
            bencher.iter(|| {
                let sum = match &values {
                    Values::Patterns(patterns) => with_isa!(token, isa => {
                        stamped_sum(isa, black_box(patterns), black_box(&trees), in_pairs)
                    }),
                    Values::Network(network) => with_isa!(token, isa => {
                        stamped_sum(isa, black_box(network), black_box(&trees), in_pairs)
                    }),
                };
                assert_eq!(sum, expected, "a wrong value cannot be fast");
            });
        });
    }
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
