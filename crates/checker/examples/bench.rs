//! Measures every algorithm of a kernel at every level of this CPU.
//!
//! `cargo run --release -p outflank-checker --example bench -- flip`

use outflank_checker::{bench, registry};
use outflank_kernels::IsaError;

fn main() -> Result<(), IsaError> {
    let kernel = std::env::args().nth(1).unwrap_or_else(|| "flip".into());
    let entries: Vec<_> = registry::runnable()
        .filter(|entry| entry.kernel == kernel)
        .collect();
    if entries.is_empty() {
        println!("no kernel is named '{kernel}'");
        return Ok(());
    }
    for row in bench(&entries, 21, || ())?.rows {
        let throughput = row.throughput.cycles.median;
        print!("{:<40} {throughput:>8.1} cycles", row.entry.name());
        match row.latency {
            Some(latency) => println!(", {:.1} until the answer is known", latency.cycles.median),
            None => println!(" per KiB"),
        }
    }
    Ok(())
}
