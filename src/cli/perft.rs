//! `outflank perft`: counting the leaves of the game tree, the check of a rules implementation.

use std::time::Instant;

use clap::Args;
use outflank::Board;
use outflank::search::{Passes, perft};

use super::numbers::whole;
use super::output::{clock, line, speed};
use super::{CommandError, LevelArgument};

/// Count the positions after 1 to DEPTH plies from the start of the game
///
/// A pass is a ply, and a game that ended earlier counts as one leaf. Depth 12 has 1,939,886,636
/// leaves, and each further ply has about ten times as many.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Plies to count to, 1 to 16
    #[arg(value_name = "DEPTH", value_parser = whole::<u32>(1..=16))]
    depth: u32,

    /// Do not count a pass as a ply
    #[arg(long)]
    no_pass_ply: bool,

    #[command(flatten)]
    level: LevelArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank perft 9                   some milliseconds
  outflank perft 12 --isa v2         at another level";

/// Counts and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let level = arguments.level.level()?;
    let passes = match arguments.no_pass_ply {
        true => Passes::Free,
        false => Passes::Plies,
    };
    line("depth|         leaves    |       time   |   N/s")?;
    line("-----+-------------------+--------------+------------")?;
    for depth in 1..=arguments.depth {
        let start = Instant::now();
        let leaves = perft(level, Board::START, depth, passes)?;
        let time = start.elapsed();
        line(format_args!(
            "{depth:>5} {leaves:>19} {:>14} {:>12}",
            clock(time),
            speed(leaves, time),
        ))?;
    }
    Ok(0)
}
