//! `outflank games find`: list of games.

use std::path::PathBuf;

use clap::Args;
use outflank::notation::transcript;
use outflank::opening_names::opening_of;
use outflank_games::GameDatabase;
use outflank_support::text::{one_line, plural};

use super::filter::{FilterArguments, PositionFilter};
use crate::CommandError;
use crate::console::{print_line, remark, shortened};
use crate::json::{object, to_line};
use crate::number_options::whole;

/// List games by player, tournament, year, result and opening, the newest first
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Database of games
    #[arg(value_name = "DB")]
    database: PathBuf,

    /// Maximum number of games to list
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<usize>(1..=1 << 24))]
    limit: usize,

    /// Write one JSON object per game
    ///
    /// {game, year, black, white, score, tournament, opening, moves}. The score is in discs for black. Unknown values are
    /// null.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    filter: FilterArguments,

    #[command(flatten)]
    position: PositionFilter,
}

const EXAMPLES: &str = "\
Examples:
  outflank games find my.games --player 'tastet marc' --years 1992
  outflank games find my.games --opening tiger --result white --limit 100
  outflank games find my.games --at f5d6c3d3c4f4f6f3 --json

The exit status is 1 if no game is found.";

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let database = GameDatabase::open(&arguments.database)?;
    let selection = arguments.filter.select(&database)?;
    let mut games = arguments.position.games(&database, &selection)?;
    database.sort_newest_first(&mut games);
    for &game in games.iter().take(arguments.limit) {
        print_line(match arguments.json {
            true => json(&database, game)?,
            false => row(&database, game)?,
        })?;
    }
    let found = plural(games.len(), "game", "games");
    match games.len() > arguments.limit {
        true => remark(format_args!(
            "{found}, {} listed; --limit lists more",
            arguments.limit
        )),
        false => remark(found),
    }
    Ok(u8::from(games.is_empty()))
}

/// Text of a game on one line.
fn row(database: &GameDatabase, game: u32) -> Result<String, CommandError> {
    const NAME: usize = 24;
    let summary = &database.games()[game as usize];
    let record = database.game(game)?;
    let year = summary.year.map_or("?".to_owned(), |year| year.to_string());
    let score = summary
        .score
        .map_or("?".to_owned(), |score| format!("{score:+}"));
    let name = |number: u32| match &database.players()[number as usize] {
        name if name.is_empty() => "?".to_owned(),
        name => shortened(&one_line(name), NAME),
    };
    let (black, white) = (name(summary.black), name(summary.white));
    let mut text = format!("{game:>8}  {year:>4}  {black:<NAME$}  {white:<NAME$}  {score:>3}");
    let tournament = one_line(&database.tournaments()[summary.tournament as usize]);
    if !tournament.is_empty() {
        text += &format!("  {}", shortened(&tournament, NAME));
    }
    if let Some(opening) = opening_of(&record.game) {
        text += &format!("  {opening}");
    }
    Ok(text)
}

fn json(database: &GameDatabase, game: u32) -> Result<String, CommandError> {
    let summary = &database.games()[game as usize];
    let record = database.game(game)?;
    let known = |name: &str| Some(name.to_owned()).filter(|name| !name.is_empty());
    let player = |number: u32| known(&database.players()[number as usize]);
    Ok(to_line(&object! {
        game,
        year: summary.year,
        black: player(summary.black),
        white: player(summary.white),
        score: summary.score,
        tournament: known(&database.tournaments()[summary.tournament as usize]),
        opening: opening_of(&record.game).map(|opening| opening.to_string()),
        moves: transcript::write(&record.game).ok(),
    }))
}
