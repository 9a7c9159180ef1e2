//! Digests of the timed machine code, by which records tell changed kernels from moved ones.
#![cfg(all(feature = "program", target_arch = "x86_64", target_os = "linux"))]

use outflank_checker::bench::Measure;
use outflank_checker::registry::entries;
use outflank_checker::shapes::MachineCode;

/// Without a digest, another address of the code looks like another kernel.
#[test]
fn all_timed_code_has_a_digest() {
    let program = MachineCode::of_this_program().expect("a test can be disassembled");
    let digests = program.digests().expect("a test has sections");
    let timed = entries().flat_map(|entry| {
        let costs = Measure::ALL.map(|measure| (measure, measure.timed_address(entry)));
        costs.map(|(measure, address)| (entry, measure, address))
    });
    let without = timed.filter(|(_, _, address)| digests.of(*address).is_none());
    let without = without.map(|(entry, measure, _)| format!("{} {}", entry.name(), measure.name()));
    assert_eq!(without.collect::<Vec<_>>(), Vec::<String>::new());
}
