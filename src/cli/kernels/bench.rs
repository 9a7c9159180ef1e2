//! `outflank kernels bench`.

use clap::Args;
use outflank::Level;

use super::engine;
use crate::cli::CommandError;

/// Measure.
#[derive(Args)]
pub(super) struct Arguments {
    /// Solve FFO #20-39 with every way to score the last move
    #[arg(long)]
    engine: bool,

    /// Rounds, of which the median counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// Only this instruction-set level [default: all that the CPU has]
    #[arg(long, value_name = "LEVEL")]
    isa: Option<String>,

    /// Write one JSON object a line instead of a table
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let level: Option<Level> = arguments.isa.as_deref().map(str::parse).transpose()?;
    if arguments.engine {
        return engine::run(level, arguments.rounds as usize, arguments.json);
    }
    Ok(0)
}
