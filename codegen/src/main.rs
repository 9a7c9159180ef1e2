//! `outflank-codegen`: writes the generated files or checks that they match the templates, finds
//! multiplications that gather bits, and tests mutants.

mod gather_command;
mod mutants_command;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use outflank_codegen::{Folders, difference, generate, write};

/// Writes the kernels (kernels/src/generated), the checker's list of them (crates/checker-core/src/generated) and their
/// fuzz targets (fuzz/) from codegen/templates.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
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
    /// The source folder of the checker.
    #[arg(long, value_name = "FOLDER", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/checker-core/src"))]
    checker: PathBuf,
    /// The crate of the fuzz targets.
    #[arg(long, value_name = "FOLDER", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz"))]
    fuzz: PathBuf,
}

#[derive(Subcommand)]
enum Command {
    Gather(gather_command::Arguments),
    Mutants(mutants_command::Arguments),
}

fn run(arguments: Arguments) -> Result<ExitCode, outflank_codegen::Error> {
    let outputs = generate(&Folders {
        templates: arguments.templates,
        kernels: arguments.kernels,
        checker: arguments.checker,
        fuzz: arguments.fuzz,
    })?;
    if !arguments.check {
        for output in outputs {
            for name in write(&output)? {
                let made = output.files.contains_key(&name);
                // Without the `..` of the default folders.
                let folder = output.folder.canonicalize();
                let path = folder.as_ref().unwrap_or(&output.folder).join(&name);
                println!(
                    "{} {}",
                    if made { "wrote" } else { "removed" },
                    path.display()
                );
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut stale = false;
    for output in &outputs {
        if let Some(diff) = difference(output)? {
            print!("{diff}");
            stale = true;
        }
    }
    if stale {
        eprintln!("the generated files are stale: run `cargo run -p outflank-codegen`");
        return Ok(ExitCode::FAILURE);
    }
    let files: usize = outputs.iter().map(|output| output.files.len()).sum();
    println!("{files} files are what the templates say");
    Ok(ExitCode::SUCCESS)
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match &arguments.command {
        Some(Command::Gather(gather)) => return gather_command::run(gather),
        Some(Command::Mutants(mutants)) => return mutants_command::run(mutants),
        None => {}
    }
    run(arguments).unwrap_or_else(|error| {
        eprintln!("outflank-codegen: {error}");
        ExitCode::FAILURE
    })
}
