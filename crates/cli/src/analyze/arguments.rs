//! The options of `outflank analyze`.

use std::path::PathBuf;

use clap::Args;
use outflank::notation::Format;

use super::mistakes::PlayerFilter;
use crate::engine::{EngineArguments, StrengthArguments};
use crate::number_options::whole;
use crate::output_files::ForceArgument;
use crate::progress::ProgressArgument;

/// Judge the moves of games: the discs that each move lost, and the best move
///
/// Games can be transcripts (f5d6c3…, one per line), GGF, SGF, WTHOR or Othello Quest. All positions of a game are
/// searched, from the last to the first. If the played move is not the best one, it is searched, too. In a file of
/// positions (OBF), every move of each position gets a score.
///
/// The column black is the score after the move, in discs for black. The column loss is the number of discs that the
/// mover loses against the best move. Losses of 3 discs and more are marked `?!`, of 6 and more `?`, of 12 and more
/// `??`. A score is exact if the search reached the end of the game without selectivity. The depth shows it: `24`, but
/// not `24@98%` or `16@73%`.
///
/// Without --level, --depth and --selectivity, positions are searched at level 16. This level is exact with up to 21
/// empty squares, and takes some seconds per game.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files of games or positions; - is standard input. Moves or a position are accepted in place of a file
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// First move to judge in each game, counted from 1 without passes. A format in its place is the format of the
    /// files
    #[arg(long, value_name = "MOVE|FORMAT", value_parser = from)]
    from: Vec<FromValue>,

    /// Number of moves to judge at the end of each game [default: all]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=60))]
    pub(super) last: Option<u32>,

    /// Number of the only game or position to analyse, counted from 1 through all files
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX.into()))]
    pub(super) game: Option<u64>,

    /// Write JSON: one object per game or position, then one with the totals
    #[arg(long)]
    pub(super) json: bool,

    /// Draw the scores and mistakes of a single game as an SVG picture
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,

    /// Write a self-contained HTML page: for each game a picture, boards of its worst mistakes, and its table
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,

    /// Add the positions before mistakes (losses of 3 discs and more) to a file of positions, for `outflank puzzle`. A
    /// position that is there already is not added again
    #[arg(long, value_name = "FILE")]
    pub(super) save_mistakes: Option<PathBuf>,

    /// Save only the mistakes of this player: black, white, or a part of the name
    #[arg(long, value_name = "PLAYER", requires = "save_mistakes")]
    pub(super) mistakes_of: Option<PlayerFilter>,

    #[command(flatten)]
    pub(super) force: ForceArgument,

    /// Opening book, a file or built-in. Moves that it knows get its values and are not searched
    #[arg(long, value_name = "BOOK")]
    pub(super) book: Option<PathBuf>,

    /// Database of games. Shows where each game left the games that were known
    #[arg(long, value_name = "DB")]
    pub(super) games: Option<PathBuf>,

    #[command(flatten)]
    pub(super) strength: StrengthArguments,

    #[command(flatten)]
    pub(super) engine: EngineArguments,

    #[command(flatten)]
    pub(super) progress: ProgressArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank analyze game.ggf
  outflank analyze f5d6c3d3c4f4f6
  outflank analyze xot.ggf --from 9             without the eight random opening moves
  outflank analyze game.ggf --last 20 --html game.html
  outflank analyze game.ggf --save-mistakes mistakes.obf --mistakes-of black
  outflank analyze WTH_2020.wtb --game 17 --level 21 --svg game.svg
  outflank analyze data/problems/ffo-1-19.obf   scores of all moves of every position
  outflank analyze game.ggf --games my.games    with the first move that no known game has
  outflank analyze WTH_2020.wtb --depth 6 --json > losses.json
                                                many games, fast

The exit status is 1 if a file, line or game could not be read, else 0.";

/// Value of `--from`. Other commands take only a format.
#[derive(Clone, Copy)]
enum FromValue {
    Move(u32),
    Format(Format),
}

/// Parses the value of `--from`.
fn from(text: &str) -> Result<FromValue, String> {
    if let Ok(format) = text.parse() {
        return Ok(FromValue::Format(format));
    }
    let number = whole::<u32>(1..=60)(text);
    number.map(FromValue::Move).map_err(|_| {
        let formats = Format::ALL.map(Format::name).join(", ");
        format!("expected a move from 1 to 60, or a format: {formats}")
    })
}

impl Arguments {
    /// Format of the files; `None` to detect it.
    pub(super) fn format(&self) -> Option<Format> {
        self.from.iter().rev().find_map(|from| match from {
            FromValue::Format(format) => Some(*format),
            FromValue::Move(_) => None,
        })
    }

    /// Number of the first judged move, from 1.
    pub(super) fn first(&self) -> usize {
        let first = self.from.iter().rev().find_map(|from| match from {
            FromValue::Move(number) => Some(*number as usize),
            FromValue::Format(_) => None,
        });
        first.unwrap_or(1)
    }
}
