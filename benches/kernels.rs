//! Throughput of every algorithm of every kernel at every level that the CPU has: one group a kernel.
//!
//! Quick by default, to see that nothing fell behind; `outflank kernels bench` measures with more
//! care, latency too. `cargo bench --bench kernels -- flip/` runs one group.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput};
use outflank::kernels::Block;
use outflank_checker::input::Input;
use outflank_checker::registry::runnable;
use outflank_checker::registry::{Kind, kernels};
use outflank_checker::trace::{LENGTH, Trace, recorded};

/// Memory for the kernels that fill some: 1 MiB.
const BLOCKS: usize = (1 << 20) / size_of::<Block>();

fn kernel_benches(criterion: &mut Criterion) {
    for kernel in kernels() {
        let inputs: Vec<Input> = recorded(kernel.name).into_iter().map(Input::new).collect();
        let mut trace = Trace::new(&inputs, BLOCKS).expect("there are inputs");
        let mut group = criterion.benchmark_group(kernel.name);
        for entry in runnable().filter(|entry| entry.kernel == kernel.name) {
            group.throughput(match entry.kind {
                Kind::Fills => Throughput::Bytes((BLOCKS * size_of::<Block>()) as u64),
                Kind::Returns | Kind::Writes | Kind::Lists => Throughput::Elements(LENGTH as u64),
            });
            let id = BenchmarkId::new(entry.algorithm, entry.isa);
            group.bench_function(id, |bencher| {
                bencher.iter(|| black_box(entry.repeat(&mut trace)));
            });
        }
        group.finish();
    }
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(20))
        .measurement_time(Duration::from_millis(50))
        .configure_from_args();
    kernel_benches(&mut criterion);
    criterion.final_summary();
}
