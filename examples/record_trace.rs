//! Records what a search gives to the kernels, for benches to replay: solves FFO #20-39 at the portable
//! level and writes `checker/traces/search.bin`, or the file named.
//!
//! `cargo run --release --features record --example record_trace [FILE]`

use std::error::Error;
use std::path::PathBuf;

use outflank::notation::obf;
use outflank::{Engine, Isa, Limits};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let file = std::env::args_os().nth(1).map(PathBuf::from);
    let file = file.unwrap_or_else(|| root.join("checker/traces/search.bin"));
    outflank_checker::record::start();
    let mut solver = Engine::builder().isa(Isa::Portable).hash_mib(256).build()?;
    for problem in obf::read(&std::fs::read(root.join("problems/ffo-20-39.obf"))?) {
        solver.clear();
        solver.search(problem?.board, &Limits::EXACT)?;
    }
    let trace = outflank_checker::record::trace();
    std::fs::write(&file, &trace)
        .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    println!("{} bytes in {}", trace.len(), file.display());
    Ok(())
}
