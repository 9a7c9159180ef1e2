//! A build of the program with default flags against a build for this CPU only. `cargo bench --bench native`.
//!
//! The benchmark builds the program both ways and runs perft and the fixed searches of `outflank bench` with both in
//! turn. It fails if the default build is more than 3 % slower, by the median over rounds.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// The arguments of each run, and a text that its output must contain: a wrong answer cannot be fast.
const RUNS: [(&[&str], &str); 2] = [
    (&["perft", "11"], "212258800"),
    (&["bench", "--depth", "12"], "endgame: 20 positions"),
];
const ROUNDS: usize = 21;
const MAX_RATIO: f64 = 1.03;

/// Builds the program with `flags` into its own folder, and returns its path.
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

/// The wall time of one run, process start included.
fn run(program: &Path, arguments: &[&str], answer: &str) -> Duration {
    let start = Instant::now();
    let output = Command::new(program)
        .args(arguments)
        .output()
        .expect("the program runs");
    let time = start.elapsed();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains(answer), "{text}");
    time
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The median over rounds of the first program's time divided by the second's. Other load on the machine mostly slows
/// both runs of a round.
fn ratio(programs: &[PathBuf; 2], arguments: &[&str], answer: &str) -> f64 {
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..ROUNDS {
        // The programs take turns to run first, since the speed of a shared machine drifts.
        for program in [round % 2, 1 - round % 2] {
            let time = run(&programs[program], arguments, answer);
            times[program].push(time.as_secs_f64());
        }
    }
    let ratio = median(times[0].iter().zip(&times[1]).map(|(a, b)| a / b).collect());
    let [default, native] = times.map(median);
    let arguments = arguments.join(" ");
    println!("outflank {arguments}, medians of {ROUNDS} runs in turn:");
    println!("  default flags        {default:.3} s");
    println!("  target-cpu=native    {native:.3} s");
    println!("  default / native     {ratio:.3} (median of rounds; at most {MAX_RATIO} wanted)");
    ratio
}

fn main() -> ExitCode {
    // `cargo test --benches` runs benchmarks briefly, but this one cannot be brief.
    if !std::env::args().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    let native = "-C target-cpu=native";
    let programs = [build("default", ""), build("native", native)];
    let ratios = RUNS.map(|(arguments, answer)| ratio(&programs, arguments, answer));
    match ratios.iter().all(|&ratio| ratio <= MAX_RATIO) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
