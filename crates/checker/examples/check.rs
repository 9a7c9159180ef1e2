//! Checks every algorithm of a kernel in a process of its own, which may fault.
//!
//! `cargo run --release -p outflank-checker --example check -- flip`

use std::error::Error;
use std::io::{stdin, stdout};
use std::process::Command;
use std::time::Duration;

use outflank_checker::registry::runnable;
use outflank_checker::supervise::{Event, Supervisor, WorkerError, work};

fn main() -> Result<(), Box<dyn Error>> {
    let kernel = std::env::args().nth(1).unwrap_or_else(|| "flip".into());
    if kernel == "--worker" {
        return Ok(work(stdin().lock(), stdout().lock())?);
    }
    let entries: Vec<_> = runnable().filter(|entry| entry.kernel == kernel).collect();
    let program = std::env::current_exe()?;
    let supervisor = Supervisor {
        launch: || {
            let mut command = Command::new(&program);
            command.arg("--worker");
            command
        },
        seed: 7,
        limit: Duration::from_secs(1),
        patience: Duration::from_secs(20),
    };
    let outcome = supervisor.run(&entries, |event| {
        match event {
            Event::Compared(_) => {}
            Event::Mismatch(failure) => println!("{failure}"),
            Event::Fault(fault) => println!("{fault}"),
        }
        Ok::<(), WorkerError>(())
    })?;
    for (entry, count) in &outcome.report.counts {
        println!("{:<40} {count:>10} comparisons", entry.name());
    }
    println!("{} of {} failed", outcome.failed.len(), entries.len());
    Ok(())
}
