//! Throughput of every algorithm of every kernel at every level of the CPU, one group a kernel.
//!
//! This benchmark is quick and shows regressions. `outflank kernels bench` measures more carefully, and also
//! latency. `cargo bench --bench kernels -- flip/` runs one group.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput};
use outflank::kernels::Block;
use outflank_checker::input::Input;
use outflank_checker::registry::runnable;
use outflank_checker::registry::{OutputKind, kernels};
use outflank_checker::trace::{LENGTH, Trace, recorded};

/// The number of blocks that filling kernels fill: 1 MiB.
const BLOCKS: usize = (1 << 20) / size_of::<Block>();

fn kernel_benches(criterion: &mut Criterion) {
    for kernel in kernels() {
        let inputs: Vec<Input> = recorded(kernel.name).into_iter().map(Input::new).collect();
        let mut trace = Trace::new(&inputs, BLOCKS).expect("there are inputs");
        let mut group = criterion.benchmark_group(kernel.name);
        for entry in runnable().filter(|entry| entry.kernel == kernel.name) {
            group.throughput(match entry.kind {
                OutputKind::Fills => Throughput::Bytes((BLOCKS * size_of::<Block>()) as u64),
                OutputKind::Returns | OutputKind::Writes | OutputKind::Lists => {
                    Throughput::Elements(LENGTH as u64)
                }
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
