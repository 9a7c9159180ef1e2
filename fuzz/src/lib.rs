//! What all fuzz targets do: any bytes are a case, on which every algorithm of a kernel, at every level
//! that the CPU has, must answer what the reference answers.
//!
//! `cargo +nightly fuzz run flip -- -max_total_time=30` (once: `rustup toolchain install nightly` and
//! `cargo install cargo-fuzz`).

use std::sync::OnceLock;

use outflank_checker::check::describe;
use outflank_checker::input::{Case, Input};
use outflank_checker::registry::{Entry, runnable};

/// Panics where an algorithm of `kernel` is wrong, and shows the case as a board to paste. Always of
/// the same kernel in one process.
pub fn check(kernel: &str, bytes: &[u8]) {
    static ENTRIES: OnceLock<Vec<&Entry>> = OnceLock::new();
    let entries =
        ENTRIES.get_or_init(|| runnable().filter(|entry| entry.kernel == kernel).collect());
    let reference = entries.first().expect("every kernel has an algorithm").kernel().reference;
    let case = Case::from_bytes(bytes);
    let input = Input::new(case);
    let expected = reference(&input);
    for entry in entries {
        let got = entry.answer(&input).expect("only runnable entries");
        assert!(
            got == expected,
            "{} answers {got:?}, the reference {expected:?}\n{}",
            entry.title(),
            describe(entry, &case)
        );
    }
}
