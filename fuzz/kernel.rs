//! Every algorithm of a kernel, at every level of the CPU, against its reference.
//!
//! Each target in `Cargo.toml` has this source. A target has the name of its kernel.

#![no_main]

use std::sync::LazyLock;

use outflank_checker::check::wrong_answer;
use outflank_checker::input::{Case, Input};
use outflank_checker::registry::{self, CheckerEntry};

const KERNEL: &str = env!("CARGO_BIN_NAME");

static ENTRIES: LazyLock<Vec<&CheckerEntry>> = LazyLock::new(|| {
    let runnable = registry::runnable();
    runnable.filter(|entry| entry.kernel == KERNEL).collect()
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let case = Case::from_bytes(bytes);
    let input = Input::new(case);
    let kernel = registry::kernel(KERNEL).expect("the generator lists kernels");
    let expected = (kernel.reference)(&input);
    for entry in ENTRIES.iter() {
        let got = entry.answer(&input).expect("the CPU has the level");
        let report = wrong_answer(entry, &case, &expected, &got);
        assert!(got == expected, "{report}");
    }
});
