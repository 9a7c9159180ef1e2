//! Parts that fuzz targets share.
//!
//! `cargo +nightly fuzz run flip -- -max_total_time=30` (once: `rustup toolchain install nightly` and
//! `cargo install cargo-fuzz`).

use std::sync::OnceLock;

use outflank_checker::check::describe;
use outflank_checker::input::{Case, Input};
use outflank_checker::registry::{CheckerEntry, runnable};

/// Checks the algorithms of `kernel`, at all available levels, on the case in `bytes`. Any bytes are a case. The panic
/// of a wrong answer shows the board.
///
/// All calls in a process must have the same `kernel`.
pub fn check(kernel: &str, bytes: &[u8]) {
    static ENTRIES: OnceLock<Vec<&CheckerEntry>> = OnceLock::new();
    let entries =
        ENTRIES.get_or_init(|| runnable().filter(|entry| entry.kernel == kernel).collect());
    let reference = entries
        .first()
        .expect("every kernel has an algorithm")
        .kernel()
        .reference;
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

/// Returns the answers of the module `$protocol` of `outflank::protocol` to the commands in `$bytes`, as text.
#[macro_export]
macro_rules! answers {
    ($protocol:ident, $bytes:ident) => {{
        let settings = outflank::protocol::SessionSettings {
            strength: Some(outflank::search::Strength::Level(2)),
            ponder: $bytes.len() % 2 == 0,
            ..Default::default()
        };
        let build = |stop| {
            outflank::Engine::builder()
                .hash_mib(1)
                .stop_handle(stop)
                .build()
        };
        let commands = std::io::Cursor::new($bytes.to_vec());
        let mut answers = Vec::new();
        outflank::protocol::$protocol::serve(settings, Box::new(()), build, commands, &mut answers)
            .expect("it plays");
        String::from_utf8(answers).expect("answers are text")
    }};
}
