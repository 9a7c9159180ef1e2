//! Selection of games by player, tournament, year and result.

use crate::{GameDatabase, GameSummary};

/// Conditions that a game has to meet. The default selects all games.
///
/// A name is found if it has all words of the text, or parts of words. Case does not matter. If the text is a whole name,
/// only that one is meant.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Filter {
    /// Name of a player of either side.
    pub player: Option<String>,
    /// Name of black's player.
    pub black: Option<String>,
    /// Name of white's player.
    pub white: Option<String>,
    /// Name of the tournament.
    pub tournament: Option<String>,
    /// First and last year.
    pub years: Option<(u16, u16)>,
    /// Winner.
    pub winner: Option<Winner>,
}

/// Winner of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Winner {
    /// Black won.
    Black,
    /// White won.
    White,
    /// A draw.
    Nobody,
}

/// Filter that no game can meet.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FilterError {
    /// No player has such a name.
    #[error("no player is called {0:?}")]
    NoPlayer(String),
    /// No tournament has such a name.
    #[error("no tournament is called {0:?}")]
    NoTournament(String),
    /// The first year is after the last one.
    #[error("the first year, {0}, is after the last one, {1}")]
    NoYears(u16, u16),
}

/// Games that meet a filter.
pub struct Selection<'a> {
    database: &'a GameDatabase,
    player: Option<Vec<bool>>,
    black: Option<Vec<bool>>,
    white: Option<Vec<bool>>,
    tournament: Option<Vec<bool>>,
    years: Option<(u16, u16)>,
    winner: Option<Winner>,
}

impl GameDatabase {
    /// Selects the games that meet a filter.
    pub fn select(&self, filter: &Filter) -> Result<Selection<'_>, FilterError> {
        let player = |text: &Option<String>| matching(text, &self.players, FilterError::NoPlayer);
        if let Some((first, last)) = filter.years.filter(|(first, last)| first > last) {
            return Err(FilterError::NoYears(first, last));
        }
        Ok(Selection {
            database: self,
            player: player(&filter.player)?,
            black: player(&filter.black)?,
            white: player(&filter.white)?,
            tournament: matching(
                &filter.tournament,
                &self.tournaments,
                FilterError::NoTournament,
            )?,
            years: filter.years,
            winner: filter.winner,
        })
    }
}

/// Marks the names that `text` means.
fn matching(
    text: &Option<String>,
    names: &[String],
    error: fn(String) -> FilterError,
) -> Result<Option<Vec<bool>>, FilterError> {
    let Some(text) = text else {
        return Ok(None);
    };
    let wanted = text.trim().to_lowercase();
    let names: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let is_whole_name = names[1..].contains(&wanted);
    let found: Vec<bool> = names
        .iter()
        .map(|name| match is_whole_name {
            true => *name == wanted,
            false => {
                !name.is_empty()
                    && !wanted.is_empty()
                    && wanted.split_whitespace().all(|word| name.contains(word))
            }
        })
        .collect();
    match found.contains(&true) {
        true => Ok(Some(found)),
        false => Err(error(text.clone())),
    }
}

impl Selection<'_> {
    /// Returns `true` if a game meets the filter.
    pub fn contains(&self, game: u32) -> bool {
        let GameSummary {
            black,
            white,
            tournament,
            year,
            score,
            ..
        } = self.database.games[game as usize];
        let is_in = |set: &Option<Vec<bool>>, number: u32| {
            set.as_ref().is_none_or(|set| set[number as usize])
        };
        let winner = |winner| {
            score.is_some_and(|score| match winner {
                Winner::Black => score > 0,
                Winner::White => score < 0,
                Winner::Nobody => score == 0,
            })
        };
        (is_in(&self.player, black) || is_in(&self.player, white))
            && is_in(&self.black, black)
            && is_in(&self.white, white)
            && is_in(&self.tournament, tournament)
            && self
                .years
                .is_none_or(|(first, last)| year.is_some_and(|year| (first..=last).contains(&year)))
            && self.winner.is_none_or(winner)
    }

    /// Numbers of the games, in ascending order.
    pub fn games(&self) -> impl Iterator<Item = u32> {
        (0..self.database.games.len() as u32).filter(|&game| self.contains(game))
    }
}
