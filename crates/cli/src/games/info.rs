//! `outflank games info`: size of a database.

use std::path::PathBuf;

use clap::Args;
use outflank_games::GameDatabase;

use crate::CommandError;
use crate::console::print_line;
use crate::json::{object, to_line};
use crate::number_options::grouped;

/// Show the number of games, players, tournaments and positions of a database
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Database of games
    #[arg(value_name = "DB")]
    database: PathBuf,

    /// Write one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  outflank games info my.games
  outflank games info my.games --json";

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let database = GameDatabase::open(&arguments.database)?;
    let positions = database.position_count()?;
    let bytes = database.size()?;
    let games = database.games().len() as u64;
    // Number 0 stands for an unknown name.
    let [players, tournaments] =
        [database.players(), database.tournaments()].map(|names| names.len() as u64 - 1);
    let years = || database.games().iter().filter_map(|game| game.year);
    let (first_year, last_year) = (years().min(), years().max());
    if arguments.json {
        print_line(to_line(
            &object! { games, players, tournaments, first_year, last_year, positions, bytes },
        ))?;
        return Ok(0);
    }
    let per_position = bytes as f64 / positions.max(1) as f64;
    let mut rows = vec![
        format!("database     {}", arguments.database.display()),
        format!("games        {}", grouped(games)),
        format!("players      {}", grouped(players)),
        format!("tournaments  {}", grouped(tournaments)),
    ];
    if let Some((first, last)) = first_year.zip(last_year) {
        rows.push(format!("years        {first} to {last}"));
    }
    rows.push(format!("positions    {}", grouped(positions)));
    rows.push(format!(
        "file         {} bytes, {per_position:.1} a position",
        grouped(bytes)
    ));
    print_line(rows.join("\n"))?;
    Ok(0)
}
