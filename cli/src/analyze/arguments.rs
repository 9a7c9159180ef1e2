//! The options of `outflank analyze`.

use std::path::PathBuf;

use clap::Args;
use outflank::notation::Format;

use crate::engine::{EngineArguments, StrengthArguments};
use crate::numbers::whole;
use crate::outputs::ForceArgument;
use crate::progress::ProgressArgument;

/// Judge the moves of games: how many discs each one lost, and which one was better
///
/// A FILE has games: transcripts (f5d6c3…, a game a line), GGF, SGF or WTHOR; or positions (OBF), of which every
/// move gets its score. Every position of a game is searched, the last first. A move that is not the best one is
/// searched, too.
///
/// The column black has the score after the move, in discs for black. The column loss has the discs that the move
/// gives away against the best one, for who moves: `?!` marks 3 discs and more, `?` 6, `??` 12. Scores are those
/// of perfect play where the search is to the end of the game and nothing is left out, which the depth
/// shows: `24`, but not `24@98%` or `16@73%`.
///
/// Without --level and --depth positions are searched at level 16: exactly with up to 21 empty squares,
/// and some seconds a game.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files of games or positions; - is standard input; or moves or a position themselves
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// Judge each game from move MOVE on (1 is the first; passes are not counted); or the format of the files
    #[arg(long, value_name = "MOVE|FORMAT", value_parser = from)]
    from: Vec<FromValue>,

    /// Judge only the last N moves of each game
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=60))]
    pub(super) last: Option<u32>,

    /// Analyse only game or position N, counted from 1 through all files
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX.into()))]
    pub(super) game: Option<u64>,

    /// Write one JSON object a game or position instead of tables, and one of the sums
    #[arg(long)]
    pub(super) json: bool,

    /// Draw the score along the game, with the mistakes, as an SVG file; for one game
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,

    /// Write a report for a browser: of each game the picture, boards of the worst mistakes, and the table; one file that
    /// needs no other
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,

    #[command(flatten)]
    pub(super) force: ForceArgument,

    /// Take the values of an opening book, a file or built-in, for the moves that it knows, instead of searching
    #[arg(long, value_name = "BOOK")]
    pub(super) book: Option<PathBuf>,

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
  outflank analyze xot.ggf --from 9               the first eight moves were drawn
  outflank analyze game.ggf --last 20 --html game.html
  outflank analyze WTH_2020.wtb --game 17 --level 21 --svg game.svg
  outflank analyze WTH_2020.wtb --depth 6 --json > losses.json    many games, quickly
  outflank analyze problems/ffo-1-19.obf          every move of every position

The exit status is 1 where a file, line or game could not be read, else 0.";

/// A value of `--from`: other commands take a format there.
#[derive(Clone, Copy)]
enum FromValue {
    Move(u32),
    Format(Format),
}

/// Reads the value of `--from`.
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
    /// The format of the files; `None` where their contents say it.
    pub(super) fn format(&self) -> Option<Format> {
        self.from.iter().rev().find_map(|from| match from {
            FromValue::Format(format) => Some(*format),
            FromValue::Move(_) => None,
        })
    }

    /// The number of the first move that is judged, from 1.
    pub(super) fn first(&self) -> usize {
        let first = self.from.iter().rev().find_map(|from| match from {
            FromValue::Move(number) => Some(*number as usize),
            FromValue::Format(_) => None,
        });
        first.unwrap_or(1)
    }
}
