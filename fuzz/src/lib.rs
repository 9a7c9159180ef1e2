//! Body of the fuzz targets of kernels. Any bytes are a case. All algorithms of the kernel, at all available levels,
//! must agree with the reference on it.
//!
//! `cargo +nightly fuzz run flip -- -max_total_time=30` (once: `rustup toolchain install nightly` and
//! `cargo install cargo-fuzz`).

use std::sync::OnceLock;

use outflank_checker::check::describe;
use outflank_checker::input::{Case, Input};
use outflank_checker::registry::{Entry, runnable};

/// Checks the algorithms of `kernel` on the case in `bytes`. The panic of a wrong answer shows the board.
///
/// All calls in a process must have the same `kernel`.
pub fn check(kernel: &str, bytes: &[u8]) {
    static ENTRIES: OnceLock<Vec<&Entry>> = OnceLock::new();
    let entries =
        ENTRIES.get_or_init(|| runnable().filter(|entry| entry.kernel == kernel).collect());
    let reference = entries.first().expect("every kernel has an algorithm").kernel().reference;
    let case = Case::from_bytes(bytes);
    let input = Input::new(case);
    let expected = reference(&input);
    for entry in entries {
        let answer = entry.answer(&input).expect("only runnable entries");
        assert!(
            answer == expected,
            "{} answers {answer:?}, the reference {expected:?}\n{}",
            entry.title(),
            describe(entry, &case)
        );
    }
}
