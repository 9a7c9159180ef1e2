//! Kernels over arrays of boards: a million positions after eight plies in one call, at every level of the CPU.
//! `bindings/python/benches/measure.py` measures the same calls through Python.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput};
use outflank::batch::{self, Discs, FeatureSet};
use outflank::eval::Evaluation;
use outflank::openings::openings;
use outflank::{Isa, kernels::Token};

/// Boards in one call.
const BOARDS: usize = 1_000_000;

fn batch_benches(criterion: &mut Criterion) {
    let positions = openings(8).into_iter().cycle().take(BOARDS);
    let boards: Vec<Discs> = positions
        .map(|board| [board.player, board.opponent])
        .collect();
    let (mut words, mut pairs) = (vec![0; BOARDS], vec![[0; 2]; BOARDS]);
    let mut values = vec![0; BOARDS];
    let mut numbers = vec![0; BOARDS * FeatureSet::Corner.count()];
    let token = Isa::detect().token().expect("the CPU has the level");
    batch::mobility(token, &boards, &mut words).expect("valid positions");
    let first_moves = words.iter().map(|moves| moves.trailing_zeros() as u8);
    let squares: Vec<u8> = first_moves.collect();
    let evaluation = Evaluation::embedded();

    let mut measure = |name: &str, call: &mut dyn FnMut(Token)| {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(BOARDS as u64));
        for isa in Isa::available() {
            let token = isa.token().expect("the CPU has the level");
            group.bench_function(BenchmarkId::from_parameter(isa), |bencher| {
                bencher.iter(|| call(token));
            });
        }
        group.finish();
    };
    measure("mobility", &mut |token| {
        batch::mobility(token, black_box(&boards), &mut words).expect("valid positions");
    });
    measure("flip", &mut |token| {
        batch::flip(token, black_box(&boards), &squares, &mut words).expect("valid positions");
    });
    measure("apply", &mut |token| {
        batch::apply(token, black_box(&boards), &squares, &mut pairs).expect("legal moves");
    });
    measure("canonical", &mut |token| {
        batch::canonical(token, black_box(&boards), &mut pairs).expect("valid positions");
    });
    measure("hash", &mut |token| {
        batch::hash(token, black_box(&boards), &mut words).expect("valid positions");
    });
    measure("features", &mut |token| {
        batch::features(token, FeatureSet::Corner, black_box(&boards), &mut numbers)
            .expect("valid positions");
    });
    measure("evaluate", &mut |token| {
        batch::evaluate(token, &evaluation, black_box(&boards), &mut values)
            .expect("valid positions");
    });
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(500))
        .configure_from_args();
    batch_benches(&mut criterion);
    criterion.final_summary();
}
