//! `outflank-codegen`: writes the kernels, or checks that they are what the templates say; and finds
//! the multiplications that gather bits.

mod gather_command;
mod mutants_command;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Writes kernels/src/generated from codegen/templates.
#[derive(Parser)]
#[command(version, about, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Write nothing; fail with a diff where the committed files are not what the templates say.
    #[arg(long)]
    check: bool,
    /// The folder of templates.
    #[arg(long, value_name = "FOLDER", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/templates"))]
    templates: PathBuf,
    /// The source folder of the kernels crate.
    #[arg(long, value_name = "FOLDER", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../kernels/src"))]
    kernels: PathBuf,
}

#[derive(Subcommand)]
enum Command {
    Gather(gather_command::Arguments),
    Mutants(mutants_command::Arguments),
}

fn run(arguments: &Arguments) -> Result<ExitCode, outflank_codegen::Error> {
    let files = outflank_codegen::generate(&arguments.templates, &arguments.kernels)?;
    let folder = arguments.kernels.join("generated");
    if !arguments.check {
        for name in outflank_codegen::write(&files, &folder)? {
            let done = if files.contains_key(&name) {
                "wrote"
            } else {
                "removed"
            };
            println!("{done} {name}");
        }
        return Ok(ExitCode::SUCCESS);
    }
    match outflank_codegen::difference(&files, &folder)? {
        None => {
            println!("{} files are what the templates say", files.len());
            Ok(ExitCode::SUCCESS)
        }
        Some(diff) => {
            print!("{diff}");
            eprintln!("the generated kernels are stale: run `cargo run -p outflank-codegen`");
            Ok(ExitCode::FAILURE)
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match &arguments.command {
        Some(Command::Gather(gather)) => return gather_command::run(gather),
        Some(Command::Mutants(mutants)) => return mutants_command::run(mutants),
        None => {}
    }
    run(&arguments).unwrap_or_else(|error| {
        eprintln!("outflank-codegen: {error}");
        ExitCode::FAILURE
    })
}
