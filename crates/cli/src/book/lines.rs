//! `outflank book lines`: lines of best play.

use std::path::PathBuf;

use clap::Args;
use outflank::{Board, Ply, Side};
use outflank_book::{Graph, LineCounts};
use outflank_support::text::plural;

use super::part::missing_position;
use super::tree::tree;
use super::{board_after, game_after, open};
use crate::CommandError;
use crate::console::{print_line, remark};
use crate::json::{is_nothing, object, to_line};
use crate::number_options::whole;
use crate::output_files::{Files, ForceArgument, kind};
use crate::text_format::{ply, ply_names, variation};

/// Count the lines of best play that a player has to know
///
/// A side that knows the opening has an answer of its own to each best move of the other side. The columns black and white
/// have the fewest lines that each side must know to keep the value: the number of Umigame's Othello. The column all
/// counts the lines in which both sides make best moves. Of symmetric moves one counts. A line ends where its last move leaves the book, or with the
/// game. Lines that meet are counted separately.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Book file, or built-in
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Moves from the start of the game to the position, such as f5d6c3, or the name of an opening [default: none]
    #[arg(value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,

    /// Write this number of lines below the table
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<usize>(0..=1_000_000))]
    list: usize,

    /// Draw the tree of the lines as an SVG picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Maximum number of plies of the lines that are written and drawn
    #[arg(long, value_name = "P", default_value_t = 20, value_parser = whole::<usize>(1..=120))]
    plies: usize,

    #[command(flatten)]
    force: ForceArgument,

    /// Write one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  outflank book lines my.book                    all first moves
  outflank book lines my.book f5d6 --list 100 --plies 12
  outflank book lines built-in Tiger --svg tiger.svg";

/// Numbers of lines for a move.
struct Row {
    ply: Ply,
    value: i32,
    black: u64,
    white: u64,
    all: u64,
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let files = Files::new().reading("BOOK", [&arguments.book]);
    let game = game_after(&arguments.moves)?;
    let (board, side) = game.position();
    let graph = Graph::read(&open(&arguments.book)?)?;
    let Some(number) = graph.find(board) else {
        return Err(missing_position(&arguments.book, &arguments.moves).into());
    };
    let [picture] = files.writing(
        [("--svg", arguments.svg.as_ref(), kind::SVG)],
        arguments.force,
    )?;
    let counts = graph.line_counts();
    let rows = rows(&graph, &counts, board, side);
    let (black, white) = by_side(counts[number as usize], side);
    let all = counts[number as usize].all;
    let value = graph.value(number);
    let lines: Vec<Vec<Ply>> = graph
        .best_lines(board, arguments.plies)
        .take(arguments.list)
        .collect();
    if arguments.json {
        let moves = rows.iter().map(|row| {
            object! {
                #[serde(rename = "move")]
                name: outflank::notation::ply_name(row.ply),
                value: row.value,
                black: row.black,
                white: row.white,
                all: row.all,
            }
        });
        let moves: Vec<_> = moves.collect();
        let lines: Vec<_> = lines.iter().map(|line| ply_names(line)).collect();
        print_line(to_line(&object! {
            value,
            black,
            white,
            all,
            moves,
            #[serde(skip_serializing_if = "is_nothing")]
            lines,
        }))?;
    } else {
        print_line(
            "move | value |   black |   white |       all\n-----+-------+---------+---------+----------",
        )?;
        for row in &rows {
            print_line(format_args!(
                "{:<4} | {:>+5} | {:>7} | {:>7} | {:>9}",
                ply(row.ply, side),
                row.value,
                row.black,
                row.white,
                row.all
            ))?;
        }
        print_line(format_args!(
            "\nvalue {value:+} for {side}: black has to know {}, white {}, of {}",
            plural(black, "line", "lines"),
            plural(white, "line", "lines"),
            plural(all, "line of best play", "lines of best play"),
        ))?;
        for line in &lines {
            print_line(format_args!("  {}", variation(line, side)))?;
        }
    }
    if let Some(mut picture) = picture {
        let lines = graph.best_lines(board, arguments.plies);
        let (svg, is_whole) = tree(lines, side);
        picture.write(svg.as_bytes())?;
        if !is_whole {
            remark(
                "the picture has the first lines only: choose a later position, or fewer --plies",
            );
        }
    }
    Ok(0)
}

/// Numbers for all moves that stay in the book, and for the move that leaves it, the best first.
fn rows(graph: &Graph, counts: &[LineCounts], board: Board, side: Side) -> Vec<Row> {
    let entry = graph.entry_of(board);
    let best_first = entry.map_or_else(Vec::new, |entry| entry.best_first());
    let row = |known: outflank_book::ValuedMove| {
        let to = board_after(board, known.ply).and_then(|next| graph.find(next));
        let (black, white, all) = to.map_or((1, 1, 1), |to| {
            let counts = counts[to as usize];
            let (black, white) = by_side(counts, side.other());
            (black, white, counts.all)
        });
        Row {
            ply: known.ply,
            value: known.value,
            black,
            white,
            all,
        }
    };
    best_first.into_iter().map(row).collect()
}

/// Numbers of black and of white in a position with `side` to move.
fn by_side(counts: LineCounts, side: Side) -> (u64, u64) {
    match side {
        Side::Black => (counts.mover, counts.opponent),
        Side::White => (counts.opponent, counts.mover),
    }
}
