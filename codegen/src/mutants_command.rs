//! `outflank-codegen mutants`: mutation testing of the differential suite.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use outflank_codegen::mutants::{self, Judge, Request};

/// Makes several mutants of every template and checks that the differential suite kills each.
///
/// Mutants are built in a copy of the repository under the target folder. A mutation that does not
/// compile is replaced by another. Equivalent mutants are listed with the reason in
/// codegen/equivalent-mutants.txt. The exit status is 0 if all mutants are killed, 1 if not, 2 for an
/// error.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Seed of the choice of mutations.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of mutants of each template.
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u64).range(1..))]
    per_template: u64,
    /// Only the template of this name.
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Let the prover judge: it must refute every mutant or fail to prove it. Needs a solver.
    #[arg(long)]
    prove: bool,
    /// Print one JSON object: totals, templates, and every mutant with its verdict.
    #[arg(long)]
    json: bool,
    /// The folder of the copy and its build.
    #[arg(long, value_name = "FOLDER")]
    work: Option<PathBuf>,
}

/// Prints the report and returns the exit status.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let codegen = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = codegen.parent().unwrap_or(codegen).to_owned();
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let request = Request {
        root,
        work: arguments.work.clone().unwrap_or(target.join("mutants")),
        seed: arguments.seed,
        per_template: arguments.per_template as usize,
        kernel: arguments.kernel.clone(),
        judge: match arguments.prove {
            true => Judge::Prover,
            false => Judge::Suite,
        },
    };
    match mutants::run(&request, &|line| eprintln!("{line}")) {
        Ok(report) => {
            match arguments.json {
                true => println!("{}", report.json()),
                false => println!("{report}"),
            }
            ExitCode::from(u8::from(!report.is_good()))
        }
        Err(error) => {
            eprintln!("outflank-codegen: {error}");
            ExitCode::from(2)
        }
    }
}
