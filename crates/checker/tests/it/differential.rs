//! Every algorithm of every kernel at every level that this CPU has, against the reference.

use outflank_checker::check::{SWEEPS, SweptKernels};
use outflank_checker::input::{Case, Input};
use outflank_checker::registry::{CheckerEntry, entries, kernels, runnable};
use outflank_checker::{check, reference};
use outflank_kernels::Isa;

/// Number of random cases. `OUTFLANK_CHECK_CASES` sets fewer for emulators.
fn cases() -> usize {
    match std::env::var("OUTFLANK_CHECK_CASES") {
        Ok(number) => number
            .parse()
            .unwrap_or_else(|_| panic!("OUTFLANK_CHECK_CASES is '{number}', not a number")),
        Err(_) => 40_000,
    }
}

/// Runs all sweeps and random cases. Every algorithm at every level of this CPU takes part, and so does
/// the level that `OUTFLANK_ISA` names.
#[test]
fn all_algorithms_agree_with_their_reference() {
    let cases = cases();
    let all: Vec<&CheckerEntry> = runnable().collect();
    let report = check(&all, 2, cases).unwrap_or_else(|failure| panic!("{failure}"));
    for row in &report.levels {
        println!(
            "{}: {} algorithms, {} comparisons",
            row.isa, row.algorithms, row.comparisons
        );
    }
    let needed = Isa::choose(None).unwrap_or_else(|error| panic!("{error}"));
    assert!(
        report.levels.iter().any(|row| row.isa == needed),
        "nothing was compared at {needed}"
    );
    for &isa in Isa::available() {
        for entry in entries().filter(|entry| entry.isa == isa) {
            let counted = report.counts.iter().filter(|(other, _)| *other == entry);
            let comparisons: u64 = counted.map(|(_, count)| count).sum();
            assert!(
                comparisons >= cases as u64,
                "{}.{} at {isa} was compared {comparisons} times",
                entry.kernel,
                entry.algorithm
            );
        }
    }
    assert_eq!(report.algorithms, all.len());
}

/// Sweeps refer to kernels by name, so a renamed kernel could silently lose its sweep.
#[test]
fn every_sweep_serves_every_level() {
    for sweep in SWEEPS {
        for &isa in Isa::available() {
            let served =
                entries().filter(|entry| entry.isa == isa && sweep.kernels.includes(entry));
            assert!(served.count() > 0, "{} at {isa}", sweep.name);
        }
        if let SweptKernels::Named(names) = sweep.kernels {
            for name in names {
                assert!(
                    kernels().iter().any(|kernel| kernel.name == *name),
                    "{name}"
                );
            }
        }
    }
}

const EMPTY: Case = Case::new(0, 0, 0);

/// Known answers: a wrong reference would let all algorithms agree on nonsense.
#[test]
fn references_give_known_answers() {
    let (player, opponent) = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36);
    assert_eq!(
        reference::mobility(player, opponent),
        1 << 19 | 1 << 26 | 1 << 37 | 1 << 44
    );
    assert_eq!(reference::flip(37, player, opponent), 1 << 36);
    assert_eq!(reference::flip(0, player, opponent), 0);
    // A1 flips a row of six. Without a disc at the row's other end it flips none.
    assert_eq!(reference::flip(0, 1 << 7, 0x7E), 0x7E);
    assert_eq!(reference::flip(0, 1 << 56, 0x7E), 0);
    // The check value of CRC32C: the bytes "12345678" with the usual inversions give 0x6087809A.
    let bytes = u64::from_le_bytes(*b"12345678");
    let inverted = !(reference::board_hash(bytes ^ 0xFFFF_FFFF, 0) >> 32) as u32;
    assert_eq!(inverted, 0x6087_809A);
    // A corner and the run of discs from it are stable. A lone edge disc is not.
    assert_eq!(reference::edge_line_stability(0b0000_0111, 0), 0b0000_0111);
    assert_eq!(reference::edge_line_stability(0b0000_1000, 0), 0);
    assert_eq!(
        reference::edge_line_stability(0b0101_0101, 0b1010_1010),
        0b0101_0101
    );
    assert_eq!(reference::stability(!0, 0), !0);
    assert_eq!(reference::solid_discs(!1, 0).count_ones(), 42);
}

/// Every kernel has one selected algorithm at every level, no name is repeated, and a level that the CPU
/// lacks is an error.
#[test]
fn registry_is_complete() {
    for &isa in Isa::ALL {
        let here: Vec<_> = entries().filter(|entry| entry.isa == isa).collect();
        if here.is_empty() {
            assert!(isa.token().is_err(), "{isa} has a token but no kernels");
            continue;
        }
        for kernel in kernels() {
            let algorithms: Vec<_> = here
                .iter()
                .filter(|entry| entry.kernel == kernel.name)
                .collect();
            let selected = algorithms.iter().filter(|entry| entry.selected).count();
            assert_eq!(selected, 1, "{} at {isa}", kernel.name);
            for entry in &algorithms {
                let same = algorithms
                    .iter()
                    .filter(|other| other.algorithm == entry.algorithm);
                assert_eq!(same.count(), 1, "{} {}", kernel.name, entry.algorithm);
                assert_eq!(entry.kernel().name, kernel.name);
                let named = outflank_checker::registry::entry_named(&entry.name());
                assert_eq!(named, Some(**entry));
                if isa.token().is_err() {
                    assert!(entry.answer(&Input::new(EMPTY)).is_err());
                }
            }
        }
    }
}
