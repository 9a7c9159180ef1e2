//! Perft from the start at every level of this CPU. It measures move generation, making moves, and calls of recursion
//! points. `cargo bench --bench perft`.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use outflank::search::{Passes, perft};
use outflank::{Board, Isa};

const DEPTH: u32 = 8;
const LEAVES: u64 = 390_216;

fn benchmark(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft 8");
    group
        .throughput(Throughput::Elements(LEAVES))
        .sample_size(50);
    for &isa in Isa::available() {
        group.bench_function(BenchmarkId::from_parameter(isa), |bencher| {
            bencher.iter(|| {
                let leaves = perft(isa, Board::START, DEPTH, Passes::Plies);
                assert_eq!(leaves, Ok(LEAVES), "a wrong count cannot be fast");
            });
        });
    }
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
