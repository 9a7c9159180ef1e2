//! `outflank perft`: number of leaves of the game tree, the usual test of a rules implementation.

use std::time::Instant;

use clap::Args;
use outflank::kernels::IsaError;
use outflank::notation::{check_board, read_position};
use outflank::search::{Passes, perft};
use outflank::{Board, Square};

use super::console::{clock, print_line, speed};
use super::engine::IsaArgument;
use super::error::CommandError;
use super::number_options::whole;
use super::progress::ProgressArgument;

/// Count the leaves of the game tree at depths 1 to DEPTH, from the start of the game or another position
///
/// A pass counts as a ply. A game that ended earlier counts as one leaf. Depth 12 has 1,939,886,636 leaves, and each
/// further ply about ten times as many.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Maximum depth in plies, 1 to 16
    #[arg(value_name = "DEPTH", value_parser = whole::<u32>(1..=16))]
    depth: u32,

    /// Position, in any spelling that `outflank show` writes [default: the start of the game]
    #[arg(value_name = "POSITION", value_parser = position)]
    position: Option<Board>,

    /// Do not count passes as plies
    #[arg(long)]
    no_pass_ply: bool,

    #[command(flatten)]
    isa: IsaArgument,

    #[command(flatten)]
    progress: ProgressArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank perft 9             some milliseconds
  outflank perft 12 --isa v2   at instruction-set level v2
  outflank perft 9 '8/8/8/2XXX3/3XO3/8/8/8 O'";

/// Parses a position, mover first.
fn position(text: &str) -> Result<Board, String> {
    let (board, _) = read_position(text).map_err(|error| error.to_string())?;
    check_board(board).map_err(|fault| fault.to_string())?;
    Ok(board)
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let isa = arguments.isa.isa()?;
    let passes = match arguments.no_pass_ply {
        true => Passes::Free,
        false => Passes::Plies,
    };
    print_line("depth|         leaves    |       time   |   N/s")?;
    print_line("-----+-------------------+--------------+------------")?;
    let start = arguments.position.unwrap_or(Board::START);
    // Only the tree of the start is divided for the progress.
    let parts = match start == Board::START {
        true => parts(),
        false => Vec::new(),
    };
    for depth in 1..=arguments.depth {
        let clock_start = Instant::now();
        let leaves = match depth < MIN_PROGRESS_DEPTH || parts.is_empty() {
            true => perft(isa, start, depth, passes)?,
            false => {
                let progress = arguments.progress.with_eta(parts.len(), 0);
                parts.iter().try_fold(0, |sum, &board| {
                    let leaves = perft(isa, board, depth - SPLIT_DEPTH, passes)?;
                    progress.advance_by(1, || format!("depth {depth}"));
                    Ok::<_, IsaError>(sum + leaves)
                })?
            }
        };
        let time = clock_start.elapsed();
        print_line(format_args!(
            "{depth:>5} {leaves:>19} {:>14} {:>12}",
            clock(time),
            speed(leaves, time),
        ))?;
    }
    Ok(0)
}

/// Minimum depth at which progress is shown.
const MIN_PROGRESS_DEPTH: u32 = 9;

/// Depth at which the tree is split into the steps of the progress. No pass is possible before it.
const SPLIT_DEPTH: u32 = 4;

/// Positions after [`SPLIT_DEPTH`] plies. Transpositions appear several times.
fn parts() -> Vec<Board> {
    (0..SPLIT_DEPTH).fold(vec![Board::START], |boards, _| {
        let next = |board: &Board| {
            let board = *board;
            let after = move |square| board.play(square).expect("a legal move");
            Square::all_in(board.mobility()).map(after)
        };
        boards.iter().flat_map(next).collect()
    })
}
