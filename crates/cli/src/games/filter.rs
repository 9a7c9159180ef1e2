//! Options that select games.

use clap::Args;
use outflank::Game;
use outflank::opening_names::opening_called;
use outflank_games::{Filter, GameDatabase, Selection, Winner};

use crate::CommandError;
use crate::book::game_after;

/// Conditions on players, tournament, year and result.
#[derive(Args)]
#[command(next_help_heading = "Selection of games")]
pub(super) struct FilterArguments {
    /// Only games of this player, on either side. Words or parts of a name are enough; capitals do not matter
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// Only games with this player of black
    #[arg(long, value_name = "NAME")]
    black: Option<String>,

    /// Only games with this player of white
    #[arg(long, value_name = "NAME")]
    white: Option<String>,

    /// Only games of this tournament
    #[arg(long, value_name = "NAME")]
    tournament: Option<String>,

    /// Only games of these years: 1995, 1995-2001, 1995- or -2001
    #[arg(long, value_name = "YEARS", value_parser = years, allow_hyphen_values = true)]
    years: Option<(u16, u16)>,

    /// Only games that black or white won, or draws
    #[arg(long, value_name = "WINNER", value_parser = crate::number_options::names(&WINNERS, winner_name))]
    result: Option<Winner>,
}

const WINNERS: [Winner; 3] = [Winner::Black, Winner::White, Winner::Nobody];

fn winner_name(winner: Winner) -> &'static str {
    match winner {
        Winner::Black => "black",
        Winner::White => "white",
        Winner::Nobody => "draw",
    }
}

/// Parses a range of years. An end that is left out is open.
fn years(text: &str) -> Result<(u16, u16), String> {
    let year = |text: &str, open: u16| match text {
        "" => Some(open),
        text => text.parse().ok().filter(|year| (1..=9999).contains(year)),
    };
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let years = year(first, 1)
        .zip(year(last, 9999))
        .filter(|_| text.contains(|c: char| c.is_ascii_digit()));
    years.ok_or_else(|| {
        "expected a year or a range of years, such as 1995, 1995-2001, 1995- or -2001".to_owned()
    })
}

impl FilterArguments {
    pub(super) fn select<'a>(
        &self,
        database: &'a GameDatabase,
    ) -> Result<Selection<'a>, CommandError> {
        Ok(database.select(&Filter {
            player: self.player.clone(),
            black: self.black.clone(),
            white: self.white.clone(),
            tournament: self.tournament.clone(),
            years: self.years,
            winner: self.result,
        })?)
    }
}

/// Position that games have to reach.
#[derive(Args)]
#[command(next_help_heading = "Selection of games")]
pub(super) struct PositionFilter {
    /// Only games that reach the position after these moves or this opening, or one that is symmetric to it
    #[arg(long, value_name = "MOVES", conflicts_with = "opening")]
    at: Option<String>,

    /// Only games with this opening: an English or Japanese name of `outflank openings list`
    #[arg(long, value_name = "NAME")]
    opening: Option<String>,
}

impl PositionFilter {
    /// Position of the options as the game that leads to it. `None` without options.
    fn game(&self) -> Result<Option<Game>, CommandError> {
        match (&self.at, &self.opening) {
            (Some(moves), _) => Ok(Some(game_after(moves)?)),
            (None, Some(name)) => Ok(Some(opening_called(name)?.game())),
            (None, None) => Ok(None),
        }
    }

    /// Numbers of the games that meet all conditions, in ascending order.
    pub(super) fn games(
        &self,
        database: &GameDatabase,
        selection: &Selection,
    ) -> Result<Vec<u32>, CommandError> {
        let Some(game) = self.game()? else {
            return Ok(selection.games().collect());
        };
        let visits = database.visits(game.board())?.into_iter();
        Ok(visits
            .map(|visit| visit.game)
            .filter(|&game| selection.contains(game))
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::years;

    #[test]
    fn years_are_ranges_with_open_ends() {
        for (text, expected) in [
            ("1995", Some((1995, 1995))),
            ("1995-2001", Some((1995, 2001))),
            ("1995-", Some((1995, 9999))),
            ("-2001", Some((1, 2001))),
            ("-", None),
            ("", None),
            ("0", None),
            ("19x5", None),
            ("1995-2001-", None),
        ] {
            assert_eq!(years(text).ok(), expected, "{text}");
        }
    }
}
