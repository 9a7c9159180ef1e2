//! One fixed endgame, FFO #23 (18 empties), solved from an empty table at every level that this CPU
//! has. `cargo bench --bench solve`.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use outflank::notation::obf;
use outflank::{Engine, Level, Limits};

fn benchmark(criterion: &mut Criterion) {
    let text = include_bytes!("../problems/ffo-20-39.obf");
    let problem = obf::read(text)
        .nth(3)
        .expect("the file has 20 problems")
        .expect("and all are well formed");
    let expected = problem.moves.iter().map(|&(_, score)| score).max();
    let mut group = criterion.benchmark_group("FFO #23");
    group.sample_size(20);
    for &level in Level::available() {
        let mut solver = Engine::builder()
            .isa(level)
            .hash_mib(64)
            .build()
            .expect("the level is there, and so are 64 MiB");
        let mut solve = || {
            solver.clear();
            let solution = solver
                .search(problem.board, &Limits::EXACT)
                .expect("nothing stops it");
            assert_eq!(
                Some(solution.score),
                expected,
                "a wrong score cannot be fast"
            );
            solution.nodes
        };
        group.throughput(Throughput::Elements(solve()));
        group.bench_function(BenchmarkId::from_parameter(level), |bencher| {
            bencher.iter(&mut solve)
        });
    }
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
