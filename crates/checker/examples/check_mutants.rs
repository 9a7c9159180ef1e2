//! Checks one mutant with the suite of the checker's own tests. `outflank-codegen mutants` builds this program
//! in a copy of the repository that has mutants beside the original kernels.
//!
//! `levels` prints the levels of this CPU. `suite` checks the original kernels. A mutant's suffix
//! (`_mutant0001`) checks the kernels whose names end in it against the references of the originals. The exit
//! status is 1 after a difference, which is printed, and 3 if a kernel does not return.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use outflank_checker::check::{BATCH, Failure, Source, expected};
use outflank_checker::registry::{kernels, runnable};
use outflank_kernels::Isa;

// Seed and number of cases are those of crates/checker/tests/it/differential.rs.
const SEED: u64 = 2;
const CASES: usize = 40_000;

/// Time limit of a kernel for a batch of inputs: a thousand times the usual time.
const PATIENCE: Duration = Duration::from_secs(5);

/// Exit status if a kernel does not return.
const ENDLESS: i32 = 3;

/// Number of batches begun so far; it stands still if a kernel does not return.
static BEGUN: AtomicU64 = AtomicU64::new(0);

fn main() -> ExitCode {
    thread::spawn(|| {
        loop {
            let before = BEGUN.load(Ordering::Relaxed);
            thread::sleep(PATIENCE);
            if BEGUN.load(Ordering::Relaxed) == before {
                std::process::exit(ENDLESS);
            }
        }
    });
    let argument = std::env::args().nth(1).unwrap_or_default();
    let failure = match argument.as_str() {
        "levels" => {
            for isa in Isa::available() {
                println!("{isa}");
            }
            None
        }
        "suite" => difference("", |name| !name.contains("_mutant")),
        mutant => difference(mutant, |name| name.contains(mutant)),
    };
    match failure {
        None => ExitCode::SUCCESS,
        Some(failure) => {
            println!("{failure}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the first difference of a selected kernel from the reference of the kernel named without `suffix`.
fn difference(suffix: &str, is_selected: impl Fn(&str) -> bool) -> Option<Failure> {
    let mutants: Vec<_> = kernels()
        .iter()
        .filter(|kernel| is_selected(kernel.name))
        .collect();
    assert!(!mutants.is_empty(), "no kernel is named *{suffix}*");
    let random = (0..CASES.div_ceil(BATCH) as u64).map(Source::Random);
    for source in Source::sweeps().chain(random) {
        for mutated in &mutants {
            let name = mutated.name.replace(suffix, "");
            let original = kernels().iter().find(|kernel| kernel.name == name);
            let original = original.expect("every mutant is one of a kernel");
            if !runnable().any(|entry| entry.kernel == name && source.covers(entry)) {
                continue;
            }
            let inputs = source.inputs(SEED);
            let expected = expected(original, &inputs);
            for entry in runnable().filter(|entry| entry.kernel == mutated.name) {
                BEGUN.fetch_add(1, Ordering::Relaxed);
                let difference = entry.first_difference(&inputs, &expected);
                if let Some((index, got)) = difference.expect("only entries that can run") {
                    return Some(Failure {
                        entry,
                        case: inputs[index].case,
                        expected: expected[index],
                        got,
                        seed: SEED,
                        source,
                    });
                }
            }
        }
    }
    None
}
