//! `outflank games export`: games of a database as a file.

use std::path::PathBuf;

use clap::Args;
use outflank::notation::Contents;
use outflank_games::GameDatabase;

use super::filter::{FilterArguments, PositionFilter};
use crate::CommandError;
use crate::convert::{Conversion, OutputArguments};
use crate::input::Remarks;
use crate::output_files::Files;

/// Write games of a database in another format
///
/// GGF keeps all that the database has. WTHOR stores players and tournaments as numbers, which are taken from WTHOR.JOU
/// and WTHOR.TRN beside the new file, if they exist.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Database of games
    #[arg(value_name = "DB")]
    database: PathBuf,

    #[command(flatten)]
    output: OutputArguments,

    #[command(flatten)]
    filter: FilterArguments,

    #[command(flatten)]
    position: PositionFilter,
}

const EXAMPLES: &str = "\
Examples:
  outflank games export my.games --to ggf --out all.ggf
  outflank games export my.games --to transcript --player tastet --result black
  outflank games export my.games --to obf --opening tiger --empties 20 | outflank solve -

The exit status is 1 if a game was left out, else 0.";

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let out = arguments
        .output
        .open(Files::new().reading("DB", [&arguments.database]))?;
    let database = GameDatabase::open(&arguments.database)?;
    let selection = arguments.filter.select(&database)?;
    let games = arguments.position.games(&database, &selection)?;
    let mut conversion = Conversion::new(&arguments.output);
    let name = arguments.database.display().to_string();
    let mut left_out = Remarks::of(&name);
    for game in games {
        let contents = Contents::Game(database.game(game)?);
        conversion.add(
            game as usize,
            contents,
            &format!("{name}: game {game}"),
            &mut left_out,
        )?;
    }
    conversion.end(&left_out);
    conversion.finish(out, 0)
}
