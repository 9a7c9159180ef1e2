//! Whole searches from an empty table. `cargo bench --bench search`.
//!
//! At every level of this CPU it solves an endgame, FFO #23 (18 empties), and searches a midgame position 12 plies
//! deep at 73 %. On 1 and 2 threads it solves a longer endgame, FFO #37 (22 empties).

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use outflank::notation::obf::{self, Problem};
use outflank::problems::{FFO_20_39, MIDGAME};
use outflank::{Engine, Isa, Limits, Selectivity};

fn problem(file: &[u8], index: usize) -> Problem {
    let problem = obf::read(file).nth(index).expect("20 problems");
    problem.expect("well formed")
}

fn measure(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: String,
    mut engine: Engine,
    problem: &Problem,
    limits: &Limits,
) {
    let mut search = || {
        engine.clear();
        let found = engine.search(problem.board, limits);
        let found = found.expect("no overlap");
        if limits.selectivity == Selectivity::Full {
            let expected = problem.best_score();
            assert_eq!(Some(found.score), expected, "a wrong score cannot be fast");
        }
        found.nodes
    };
    group
        .sample_size(20)
        .throughput(Throughput::Elements(search()));
    group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
        bencher.iter(&mut search)
    });
}

fn engine(isa: Isa, threads: usize) -> Engine {
    let builder = Engine::builder().isa(isa).threads(threads).hash_mib(64);
    builder.build().expect("an available level and 64 MiB")
}

fn benchmark(criterion: &mut Criterion) {
    let middle = Limits::depth(12, Selectivity::P73);
    for (name, problem, limits) in [
        ("FFO #23", problem(FFO_20_39, 3), Limits::EXACT),
        ("midgame, 12 plies", problem(MIDGAME, 9), middle),
    ] {
        let mut group = criterion.benchmark_group(name);
        for &isa in Isa::available() {
            let name = isa.to_string();
            measure(&mut group, name, engine(isa, 1), &problem, &limits);
        }
    }
    let mut group = criterion.benchmark_group("FFO #37, threads");
    let long = problem(FFO_20_39, 17);
    for threads in [1, 2] {
        let (name, engine) = (threads.to_string(), engine(Isa::detect(), threads));
        measure(&mut group, name, engine, &long, &Limits::EXACT);
    }
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
