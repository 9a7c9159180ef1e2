//! Records the kernel arguments of a search, so that benches can replay them. Solves FFO #20-39 at the portable level
//! and writes a file, by default `crates/checker-core/traces/search.bin`.
//!
//! `cargo run --release --features record --example record_trace [FILE]`

use std::error::Error;
use std::path::PathBuf;

use outflank::notation::obf;
use outflank::{Engine, Isa, Limits};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let file = std::env::args_os().nth(1).map(PathBuf::from);
    let file = file.unwrap_or_else(|| root.join("crates/checker-core/traces/search.bin"));
    outflank_checker::record::start();
    let mut solver = Engine::builder().isa(Isa::Portable).hash_mib(256).build()?;
    for problem in obf::read(&std::fs::read(root.join("data/problems/ffo-20-39.obf"))?) {
        solver.clear();
        solver.search(problem?.board, &Limits::EXACT)?;
    }
    let trace = outflank_checker::record::trace();
    std::fs::write(&file, &trace)
        .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    println!("{} bytes in {}", trace.len(), file.display());
    Ok(())
}
