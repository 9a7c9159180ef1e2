//! `outflank games`: databases of games.

mod at;
mod export;
mod filter;
mod find;
mod import;
mod info;

use super::error::{FAILURE, USAGE, exit_status};
use outflank::opening_names::OpeningNameError;
use outflank_games::{DatabaseError, FilterError};

crate::subcommands! {
    /// Collect games in a database, and look up what was played in a position
    ///
    /// A database is one file with all games, players and tournaments, and an index of every position. Symmetric positions
    /// and transpositions are the same position. A crash or a full disk loses nothing that was committed.
    #[command(after_help = EXAMPLES)]
    pub(super) enum Arguments {
        Import(import::Arguments) => import::run,
        At(at::Arguments) => at::run,
        Find(find::Arguments) => find::run,
        Export(export::Arguments) => export::run,
        Info(info::Arguments) => info::run,
    }
}

const EXAMPLES: &str = "\
Examples:
  outflank games import my.games WTH_*.wtb                    add games; a new file becomes a database
  outflank games at my.games f5d6c3d3c4                       moves of the Tiger: how often, with which results
  outflank games find my.games --player tastet --years 1990-  games of a player
  outflank games export my.games --opening tiger --to ggf     games with an opening
  outflank games info my.games                                number of games, players and tournaments

See docs/guide/games.md.";

exit_status!(FAILURE; DatabaseError);
exit_status!(FilterError { FilterError::NoYears(..) => USAGE, _ => FAILURE });
exit_status!(OpeningNameError { OpeningNameError::Several { .. } => USAGE, _ => FAILURE });
