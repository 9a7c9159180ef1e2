//! Does a build with default flags lose anything to one made for this CPU alone? Builds the program
//! both ways, runs perft with both in turn, and compares the medians. Fails where the default build is
//! more than 3 % slower. `cargo bench --bench native`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

const DEPTH: &str = "11";
const LEAVES: &str = "212258800";
const ROUNDS: usize = 21;
const TOLERANCE: f64 = 1.03;

/// Builds the program with `flags` into its own folder; where it is.
fn build(name: &str, flags: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("target/native-bench").join(name);
    let status = Command::new(env!("CARGO"))
        .current_dir(root)
        .args(["build", "--release", "--bin", "outflank", "--target-dir"])
        .arg(&folder)
        .env("RUSTFLAGS", flags)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the {name} build failed");
    folder.join("release/outflank")
}

/// The time that one run of perft takes, start of the process included.
fn run(program: &Path) -> Duration {
    let start = Instant::now();
    let output = Command::new(program)
        .args(["perft", DEPTH])
        .output()
        .expect("the program runs");
    let time = start.elapsed();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains(LEAVES),
        "a wrong count cannot be fast:\n{text}"
    );
    time
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64()
}

fn main() -> ExitCode {
    // `cargo test --benches` runs benches too, to see that they start; this one has nothing short.
    if !std::env::args().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    let programs = [
        build("default", ""),
        build("native", "-C target-cpu=native"),
    ];
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..ROUNDS {
        // In turn, and each first as often as the other: a shared machine changes its pace.
        for which in [round % 2, 1 - round % 2] {
            times[which].push(run(&programs[which]));
        }
    }
    // The ratio of each round, too: neighbours that slow one round down slow both of its runs down.
    let mut ratios: Vec<f64> = times[0]
        .iter()
        .zip(&times[1])
        .map(|(a, b)| a.as_secs_f64() / b.as_secs_f64())
        .collect();
    ratios.sort_by(f64::total_cmp);
    let ratio = ratios[ROUNDS / 2];
    let [default, native] = times.each_mut().map(|times| median(times));
    println!("perft {DEPTH}, medians of {ROUNDS} runs in turn:");
    println!("  default flags        {default:.3} s");
    println!("  target-cpu=native    {native:.3} s");
    println!("  default / native     {ratio:.3} (median of rounds; at most {TOLERANCE} wanted)");
    if ratio <= TOLERANCE {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
