//! `outflank perft`: counting the leaves of the game tree, the check of a rules implementation.

use std::time::Instant;

use clap::Args;
use outflank::kernels::IsaError;
use outflank::search::{Passes, perft};
use outflank::{Board, Isa, Square};

use super::numbers::whole;
use super::output::{clock, line, speed};
use super::progress::{Progress, ProgressArgument};
use super::{CommandError, IsaArgument};

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
    isa: IsaArgument,

    #[command(flatten)]
    progress: ProgressArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank perft 9                   some milliseconds
  outflank perft 12 --isa v2         at another level";

/// Counts and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let isa = arguments.isa.isa()?;
    let passes = match arguments.no_pass_ply {
        true => Passes::Free,
        false => Passes::Plies,
    };
    line("depth|         leaves    |       time   |   N/s")?;
    line("-----+-------------------+--------------+------------")?;
    let parts = parts();
    for depth in 1..=arguments.depth {
        let start = Instant::now();
        let leaves = match depth < MIN_DEPTH {
            true => perft(isa, Board::START, depth, passes)?,
            false => {
                let progress = arguments.progress.rated(parts.len(), 0);
                sum(isa, &parts, depth, passes, &progress)?
            }
        };
        let time = start.elapsed();
        line(format_args!(
            "{depth:>5} {leaves:>19} {:>14} {:>12}",
            clock(time),
            speed(leaves, time),
        ))?;
    }
    Ok(0)
}

/// The depths from which on the progress is shown.
const MIN_DEPTH: u32 = 9;

/// The plies after which the tree is counted in parts. Nobody passes so early.
const SPLIT: u32 = 4;

/// The positions after [`SPLIT`] plies, those that several orders of moves lead to as often.
fn parts() -> Vec<Board> {
    (0..SPLIT).fold(vec![Board::START], |boards, _| {
        let next = |board: &Board| {
            let board = *board;
            let after = move |square| board.play(square).expect("a legal move");
            Square::all_in(board.mobility()).map(after)
        };
        boards.iter().flat_map(next).collect()
    })
}

/// The leaves at `depth`, part by part.
fn sum(
    isa: Isa,
    parts: &[Board],
    depth: u32,
    passes: Passes,
    progress: &Progress,
) -> Result<u64, IsaError> {
    parts.iter().try_fold(0, |sum, &board| {
        let leaves = perft(isa, board, depth - SPLIT, passes)?;
        progress.advance_by(1, || format!("depth {depth}"));
        Ok(sum + leaves)
    })
}
