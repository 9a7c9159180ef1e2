//! Names of players and tournaments: files `WTHOR.JOU` and `WTHOR.TRN` of the database.
//!
//! A file has a header of 16 bytes like that of the games, with the number of names at byte 8 (two bytes, little-endian).
//! Then follow 20 bytes a player or 26 bytes a tournament: ISO 8859-1 up to a zero byte. Games refer to names by
//! number, from 0.
//!
//! Source: Fédération Française d'Othello, "Format de la base WTHOR".

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{HEADER_BYTES, number};
use crate::notation::one_line;
use outflank_support::text::plural;

/// Record size of a player.
const PLAYER_BYTES: usize = 20;
/// Record size of a tournament.
const TOURNAMENT_BYTES: usize = 26;

/// Names of players and tournaments by number.
///
/// ```
/// use outflank::notation::wthor::Names;
///
/// let mut file = vec![20, 26, 1, 31, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0];
/// for name in ["Tastet Marc", "Feinstein Jonathan"] {
///     file.extend(name.bytes().chain(std::iter::repeat(0)).take(20));
/// }
/// let mut names = Names::default();
/// names.read_players(&file)?;
/// assert_eq!((names.player(1), names.player(2)), (Some("Feinstein Jonathan"), None));
/// assert_eq!(names.player_number("Tastet Marc"), Some(0));
/// let error = names.read_tournaments(&file).unwrap_err();
/// assert_eq!(error.to_string(), "expected 68 bytes for the 2 names of the header, found 56");
/// # Ok::<(), outflank::notation::wthor::NamesError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Names {
    players: List,
    tournaments: List,
}

/// Names by number, and the first number of each name.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct List {
    names: Vec<String>,
    numbers: HashMap<String, u16>,
}

/// Reason why a file is not a list of names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NamesError {
    /// The header is not complete.
    #[error("expected a header of {HEADER_BYTES} bytes, found {0}")]
    TooShort(usize),
    /// The file is truncated, too long, or of another format.
    #[error(
        "expected {expected} bytes for the {} of the header, found {found}",
        plural(names, "name", "names")
    )]
    Size {
        /// Names according to the header.
        names: u16,
        /// Expected size in bytes.
        expected: usize,
        /// Size in bytes.
        found: usize,
    },
}

impl Names {
    /// Returns an empty set of names.
    pub fn none() -> &'static Names {
        static NONE: LazyLock<Names> = LazyLock::new(Names::default);
        &NONE
    }

    /// Parses the contents of `WTHOR.JOU` and replaces all players. An error changes nothing.
    pub fn read_players(&mut self, file: &[u8]) -> Result<(), NamesError> {
        self.players = List::read(file, PLAYER_BYTES)?;
        Ok(())
    }

    /// Parses the contents of `WTHOR.TRN` and replaces all tournaments. An error changes nothing.
    pub fn read_tournaments(&mut self, file: &[u8]) -> Result<(), NamesError> {
        self.tournaments = List::read(file, TOURNAMENT_BYTES)?;
        Ok(())
    }

    /// Name of a player; `None` if the number has no name.
    pub fn player(&self, number: u16) -> Option<&str> {
        self.players.name(number)
    }

    /// Name of a tournament; `None` if the number has no name.
    pub fn tournament(&self, number: u16) -> Option<&str> {
        self.tournaments.name(number)
    }

    /// Number of a player: 8 for the name `#8`, else the first number with this name.
    pub fn player_number(&self, name: &str) -> Option<u16> {
        number(name).or_else(|| self.players.numbers.get(name).copied())
    }

    /// Number of a tournament: 8 for the name `#8`, else the first number with this name.
    pub fn tournament_number(&self, name: &str) -> Option<u16> {
        number(name).or_else(|| self.tournaments.numbers.get(name).copied())
    }
}

impl List {
    fn read(file: &[u8], name_bytes: usize) -> Result<List, NamesError> {
        let count = count(file).ok_or(NamesError::TooShort(file.len()))?;
        let expected = HEADER_BYTES + usize::from(count) * name_bytes;
        if file.len() != expected {
            return Err(NamesError::Size {
                names: count,
                expected,
                found: file.len(),
            });
        }
        let records = file[HEADER_BYTES..].chunks_exact(name_bytes);
        let names: Vec<String> = records.map(name).collect();
        // Reversed, so that the first of equal names wins.
        let numbered = names.iter().cloned().zip(0..=u16::MAX).rev();
        Ok(List {
            numbers: numbered.filter(|(name, _)| !name.is_empty()).collect(),
            names,
        })
    }

    fn name(&self, number: u16) -> Option<&str> {
        let name = self.names.get(usize::from(number))?;
        (!name.is_empty()).then_some(name)
    }
}

/// Returns `true` if a file is a list of names and not a database of games.
pub(in crate::notation) fn is_list(file: &[u8]) -> bool {
    let games = file.get(4..8);
    games == Some(&[0; 4])
        && count(file).is_some_and(|count| {
            let is_size_for = |bytes| file.len() == HEADER_BYTES + usize::from(count) * bytes;
            count > 0 && (is_size_for(PLAYER_BYTES) || is_size_for(TOURNAMENT_BYTES))
        })
}

/// Number of names in the header; `None` if the header is incomplete.
fn count(file: &[u8]) -> Option<u16> {
    let header = file.first_chunk::<HEADER_BYTES>()?;
    Some(u16::from_le_bytes([header[8], header[9]]))
}

/// Name in a record.
fn name(record: &[u8]) -> String {
    let bytes = record.split(|&byte| byte == 0).next().unwrap_or_default();
    // The first 256 code points of Unicode are those of ISO 8859-1.
    one_line(&bytes.iter().copied().map(char::from).collect::<String>())
}
