//! Options that take numbers report the allowed range for any other value.

use crate::common::program::{OutputChecks, outflank};
use outflank_testing::command::run;

const EVERY: &str = "18446744073709551615";

#[test]
fn options_say_which_numbers_are_allowed() {
    // Command, options, the lowest and the highest number.
    let options = [
        ("solve", "--level --depth", "0", "60"),
        ("solve", "--hash", "1", "16777216"),
        ("solve", "--threads --jobs", "1", "512"),
        ("solve", "--empties", "0", "60"),
        ("solve", "--move", "1", "61"),
        ("solve", "--window", "-64", "64"),
        ("solve", "--lines", "1", "4294967295"),
        ("solve", "--nodes", "0", EVERY),
        ("solve", "--time", "0", "1000000000"),
        ("analyze", "--level --depth", "0", "60"),
        ("analyze", "--game", "1", EVERY),
        ("bench", "--depth", "0", "60"),
        ("convert", "--empties", "0", "60"),
        ("gtp", "--hash", "1", "16777216"),
        ("nboard", "--threads", "1", "512"),
        ("play", "--time", "0", "1000000000"),
        ("perft", "", "1", "16"),
        ("match", "--games", "1", "10000000"),
        ("match", "--plies", "0", "60"),
        ("match", "--even", "0", "64"),
        ("match", "--seed", "0", EVERY),
        ("match", "--depth", "1", "60"),
        ("match", "--nodes", "1", EVERY),
        ("match", "--concurrency", "1", "512"),
        ("match", "--margin", "0", "60000"),
        ("match", "--sprt", "-10000", "10000"),
        ("match", "--alpha --beta", "0", "1"),
        (
            "match",
            "--move-time --game-time --increment --patience",
            "0.001",
            "1000000",
        ),
        ("kernels check", "--seed", "0", EVERY),
        ("kernels check", "--cpu", "0", EVERY),
        ("kernels bench", "--repeats", "1", "100000"),
        ("train fit", "--until", "0", "65535"),
        (
            "train fit",
            "--search-weight --games-weight --decay --smooth",
            "0",
            "1000000",
        ),
        ("train fit", "--hold-out", "0", "0.9"),
        ("train fit", "--huber", "0.01", "128"),
        ("train fit", "--iterations --patience", "0", "1000000"),
        ("train generate", "--seed --games --time", "0", EVERY),
        (
            "train generate",
            "--deviations --exact --line --depth --opening-plies --random-plies",
            "0",
            "60",
        ),
        ("train generate", "--per-game --block", "1", "4294967295"),
        ("train generate", "--strays", "0", "100"),
        ("train generate", "--threads", "1", "1024"),
        ("train probcut", "--positions", "1", "4294967295"),
        ("train probcut", "--depth", "5", "60"),
        ("train duel", "--plies", "0", "9"),
        ("train demo", "--games", "32", "1000000"),
    ];
    for (command, options, low, high) in options {
        for option in options.split(' ') {
            for wrong in ["nonsense", "1e99", "99999999999999999999", "-20000"] {
                // clap takes a negative argument for an option.
                if option.is_empty() && wrong.starts_with('-') {
                    continue;
                }
                let mut program = outflank();
                program.args(command.split(' '));
                if !option.is_empty() {
                    program.arg(option);
                }
                let wrong = match option {
                    "--window" | "--sprt" => vec!["0", wrong],
                    _ => vec![wrong],
                };
                let refused = run(program.args(wrong), b"").expect(2);
                let expected = format!("number from {low} to {high}\n");
                refused.stderr_has(&expected);
            }
        }
    }
}
