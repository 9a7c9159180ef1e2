//! Checks one mutant with the suite of the checker's own tests: `outflank-codegen mutants` builds this in a copy of
//! the repository that has broken kernels beside the whole ones.
//!
//! `levels` prints the levels of this CPU; `suite` checks the whole kernels; a mutant's suffix (`_mutant0001`)
//! checks the kernels that end in it against the references of those without. The exit status is 1 at
//! the first difference, which is printed, and 3 where a kernel does not come back.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use outflank_checker::check::{BATCH, Failure, Source, expected};
use outflank_checker::registry::{kernels, runnable};
use outflank_kernels::Isa;

// As in checker/tests/it/differential.rs.
const SEED: u64 = 2;
const CASES: usize = 40_000;

/// How long a kernel may take for a batch of inputs: a thousand times what it does.
const PATIENCE: Duration = Duration::from_secs(5);

const ENDLESS: i32 = 3;

/// The batches that came back.
static DONE: AtomicU64 = AtomicU64::new(0);

fn main() -> ExitCode {
    thread::spawn(|| {
        loop {
            let before = DONE.load(Ordering::Relaxed);
            thread::sleep(PATIENCE);
            if DONE.load(Ordering::Relaxed) == before {
                std::process::exit(ENDLESS);
            }
        }
    });
    let what = std::env::args().nth(1).unwrap_or_default();
    let failure = match what.as_str() {
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

/// The first difference of the kernels that are meant from the kernels of the same name without
/// `suffix`.
fn difference(suffix: &str, is_meant: impl Fn(&str) -> bool) -> Option<Failure> {
    let mutants: Vec<_> = kernels()
        .iter()
        .filter(|kernel| is_meant(kernel.name))
        .collect();
    assert!(!mutants.is_empty(), "no kernel is named *{suffix}*");
    let random = (0..CASES.div_ceil(BATCH) as u64).map(Source::Random);
    for source in Source::sweeps().chain(random) {
        for mutated in &mutants {
            let name = mutated.name.replace(suffix, "");
            let original = kernels().iter().find(|kernel| kernel.name == name);
            let original = original.expect("every mutant is one of a kernel");
            if !runnable().any(|entry| entry.kernel == name && source.serves(entry)) {
                continue;
            }
            let inputs = source.inputs(SEED);
            let expected = expected(original, &inputs);
            for entry in runnable().filter(|entry| entry.kernel == mutated.name) {
                DONE.fetch_add(1, Ordering::Relaxed);
                let found = entry.first_difference(&inputs, &expected);
                if let Some((index, got)) = found.expect("only entries that can run") {
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
