//! WTHOR, the game database of the Fédération Française d'Othello: files `WTH_YYYY.wtb`.
//!
//! A file has a header of 16 bytes, then 68 bytes a game: players, tournament, score and moves. Passes are not stored,
//! since they follow from the rules. Players and tournaments are stored as numbers. Their [`Names`] are in other files.

mod game;
mod names;

pub use game::WthorGame;
pub(super) use names::is_list as is_list_of_names;
pub use names::{Names, NamesError};

use super::{Format, GameRecord, UnsupportedGame};
use crate::IllegalMove;
use outflank_support::text::plural;

const HEADER_BYTES: usize = 16;
const GAME_BYTES: usize = 68;
/// Offset of the moves in the record of a game.
const FIRST_MOVE: usize = 8;

/// Capacity of a record in moves.
const MAX_MOVES: usize = GAME_BYTES - FIRST_MOVE;

/// Contents of a `.wtb` file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Database {
    /// Date of the file.
    pub made: Date,
    /// Year of the games; 0 if unknown or if they differ.
    pub year: u16,
    /// Number of empty squares of the positions that the theoretical scores refer to.
    pub theoretical_empties: u8,
    /// Games in the order of the file.
    pub games: Vec<WthorGame>,
}

/// Date as the file has it. It is not checked.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Date {
    /// Year, 0..=25755.
    pub year: u16,
    /// Month, from 1.
    pub month: u8,
    /// Day of the month, from 1.
    pub day: u8,
}

/// Reason why a file is not a database, or why a database cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WthorError {
    /// The header is not complete.
    #[error("expected a header of {HEADER_BYTES} bytes, found {0}")]
    TooShort(usize),
    /// The file is truncated, too long, or of another format.
    #[error(
        "expected {expected} bytes for the {} of the header, found {found}",
        plural(games, "game", "games")
    )]
    Size {
        /// Games according to the header.
        games: u32,
        /// Expected size in bytes.
        expected: u64,
        /// Size in bytes.
        found: u64,
    },
    /// The games are not on a board of 8x8 squares.
    #[error("expected a board of 8x8 squares, found {0}x{0}")]
    BoardSize(u8),
    /// A disc count is over 64.
    #[error("expected a score of 0 to 64 discs, found {discs} in game {game}")]
    Score {
        /// Game, from 1.
        game: usize,
        /// Byte found.
        discs: u8,
    },
    /// A byte is not a square, or a move follows the end of the moves.
    #[error("expected a move, found byte {byte} as move {number} of game {game}")]
    Move {
        /// Game, from 1.
        game: usize,
        /// Number of the move, from 1, without passes.
        number: usize,
        /// Byte found.
        byte: u8,
    },
    /// A game to write has more moves than a record can hold.
    #[error("expected at most {MAX_MOVES} moves, found {moves} in game {game}")]
    MoveCount {
        /// Game, from 1.
        game: usize,
        /// Number of its moves.
        moves: usize,
    },
    /// A database to write has more games than the header can count.
    #[error("expected at most {most} games, found {0}", most = u32::MAX)]
    GameCount(usize),
}

impl Database {
    /// Parses the contents of a `.wtb` file.
    ///
    /// ```
    /// use outflank::notation::wthor::Database;
    ///
    /// assert_eq!(
    ///     Database::read(b"no database").unwrap_err().to_string(),
    ///     "expected a header of 16 bytes, found 11"
    /// );
    /// ```
    pub fn read(file: &[u8]) -> Result<Database, WthorError> {
        let Some((header, records)) = file.split_first_chunk::<HEADER_BYTES>() else {
            return Err(WthorError::TooShort(file.len()));
        };
        let count = game_count(header);
        let expected = file_bytes(count);
        if file.len() as u64 != expected {
            return Err(WthorError::Size {
                games: count,
                expected,
                found: file.len() as u64,
            });
        }
        // Older files have 0.
        if !matches!(header[12], 0 | 8) {
            return Err(WthorError::BoardSize(header[12]));
        }
        let records = (1..).zip(records.as_chunks().0);
        let games = records.map(|(number, record)| WthorGame::read(number, record));
        let made = Date {
            year: 100 * u16::from(header[0]) + u16::from(header[1]),
            month: header[2],
            day: header[3],
        };
        Ok(Database {
            made,
            year: u16::from_le_bytes([header[10], header[11]]),
            theoretical_empties: header[14],
            games: games.collect::<Result<_, _>>()?,
        })
    }

    /// Returns the contents of a `.wtb` file, which [`Database::read`] parses.
    ///
    /// ```
    /// use outflank::{Game, notation::{GameRecord, wthor::Database}};
    ///
    /// let mut record = GameRecord::new(Game::from_moves(&["F5".parse()?])?);
    /// record.set("RE", "+64")?;
    /// let mut database = Database::default();
    /// database.add(&record)?;
    /// let bytes = database.write()?;
    /// assert_eq!(bytes.len(), 16 + 68);
    /// assert_eq!(Database::read(&bytes)?, database);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&self) -> Result<Vec<u8>, WthorError> {
        let count = u32::try_from(self.games.len());
        let count = count.map_err(|_| WthorError::GameCount(self.games.len()))?;
        let century = (self.made.year / 100).min(255);
        let year_of_century = (self.made.year - 100 * century).min(255);
        let mut file = Vec::with_capacity(HEADER_BYTES + self.games.len() * GAME_BYTES);
        file.extend([
            century as u8,
            year_of_century as u8,
            self.made.month,
            self.made.day,
        ]);
        file.extend(count.to_le_bytes());
        file.extend([0, 0]);
        file.extend(self.year.to_le_bytes());
        file.extend([8, 0, self.theoretical_empties, 0]);
        for (index, game) in self.games.iter().enumerate() {
            game.write(index + 1, &mut file)?;
        }
        Ok(file)
    }

    /// Adds a game. Ratings, times and evaluations are lost, and so are names other than numbers such as `#263`.
    ///
    /// A file has one year. It becomes 0 if games differ in it. A file also has one number of empty squares for
    /// theoretical scores. If games differ in that, it becomes 0, and the final scores replace the theoretical ones.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), UnsupportedGame> {
        self.add_named(record, Names::none())
    }

    /// Adds a game as [`Database::add`] does, and looks up the numbers of players and tournaments in `names`.
    pub fn add_named(&mut self, record: &GameRecord, names: &Names) -> Result<(), UnsupportedGame> {
        if !record.game.has_usual_start() {
            return Err(UnsupportedGame::Start(Format::Wthor));
        }
        let score = record.score().filter(|score| score % 2 == 0);
        let score = score.ok_or(UnsupportedGame::NoScore(Format::Wthor))?;
        let (empties, theoretical) = record.theoretical_score().unwrap_or((0, score));
        let player = |name| names.player_number(record.property(name)?);
        let tournament = |name| names.tournament_number(record.property(name)?);
        let year = record.year().unwrap_or(0);
        if self.games.is_empty() {
            (self.year, self.theoretical_empties) = (year, empties);
        }
        if self.year != year {
            self.year = 0;
        }
        if self.theoretical_empties != 0 && self.theoretical_empties != empties {
            self.theoretical_empties = 0;
            for game in &mut self.games {
                game.theoretical_black_discs = game.black_discs;
            }
        }
        let theoretical = match self.theoretical_empties {
            0 => score,
            _ => theoretical,
        };
        self.games.push(WthorGame {
            tournament: tournament("EV").or(tournament("PC")).unwrap_or(0),
            black: player("PB").unwrap_or(0),
            white: player("PW").unwrap_or(0),
            black_discs: black_discs(score),
            theoretical_black_discs: black_discs(theoretical),
            moves: record.game.moves().collect(),
        });
        Ok(())
    }

    /// Returns `true` if a database can store this property of a game, with `names` for players and tournaments.
    ///
    /// ```
    /// use outflank::notation::wthor::{Database, Names};
    ///
    /// let keeps = |value| Database::keeps("PB", value, &Names::default());
    /// assert!(keeps("#8") && !keeps("Lucky Luke"));
    /// ```
    pub fn keeps(name: &str, value: &str, names: &Names) -> bool {
        match name {
            "PB" | "PW" => names.player_number(value).is_some(),
            "EV" | "PC" => names.tournament_number(value).is_some(),
            "DT" => value.len() == 4,
            "RE" | "TY" | "TS" => true,
            _ => false,
        }
    }

    /// Returns a game with its tournament, players, year, result and theoretical score. Names are numbers: `#263`.
    ///
    /// ```
    /// use outflank::notation::wthor::{Database, WthorGame};
    ///
    /// let mut game = WthorGame { tournament: 263, black: 8, white: 9, ..WthorGame::default() };
    /// game.moves = vec!["F5".parse()?];
    /// (game.black_discs, game.theoretical_black_discs) = (40, 41);
    /// let database = Database { year: 2020, theoretical_empties: 24, ..Database::default() };
    /// let record = database.record(&game)?;
    /// let properties: Vec<_> = record.properties().collect();
    /// assert_eq!(properties[..3], [("PC", "#263"), ("DT", "2020"), ("PB", "#8")]);
    /// assert_eq!(properties[4..], [("RE", "+16"), ("TY", "8"), ("TS", "24 +18")]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn record(&self, game: &WthorGame) -> Result<GameRecord, IllegalMove> {
        self.named_record(game, Names::none())
    }

    /// Returns a game as [`Database::record`] does, with names from `names`. The name of a tournament is `EV`; a number
    /// without a name is `PC`.
    ///
    /// ```
    /// use outflank::notation::wthor::{Database, WthorGame, Names};
    ///
    /// let mut tournaments = vec![20, 26, 1, 31, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    /// tournaments.extend(b"Paris Open".iter().chain(&[0; 16]));
    /// let mut names = Names::default();
    /// names.read_tournaments(&tournaments)?;
    /// let record = Database::default().named_record(&WthorGame::default(), &names)?;
    /// assert_eq!((record.property("EV"), record.property("PB")), (Some("Paris Open"), Some("#0")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn named_record(&self, game: &WthorGame, names: &Names) -> Result<GameRecord, IllegalMove> {
        let mut record = GameRecord::new(game.game()?);
        let tournament = match names.tournament(game.tournament) {
            Some(name) => ("EV", name.to_owned()),
            None => ("PC", format!("#{}", game.tournament)),
        };
        let player = |number| match names.player(number) {
            Some(name) => name.to_owned(),
            None => format!("#{number}"),
        };
        let score = |score: i32| format!("{score:+}");
        let theoretical = score(game.theoretical_score());
        let properties = [
            tournament,
            ("DT", format!("{:04}", self.year)),
            ("PB", player(game.black)),
            ("PW", player(game.white)),
            ("RE", score(game.score())),
            ("TY", "8".to_owned()),
            ("TS", format!("{} {theoretical}", self.theoretical_empties)),
        ];
        for (name, value) in properties {
            record.push(name.to_owned(), value);
        }
        Ok(record)
    }
}

/// Returns `true` if a file has the size that its header states. This identifies WTHOR, since files of other formats
/// hardly ever do.
pub(super) fn is_whole(file: &[u8]) -> bool {
    let header = file.first_chunk::<HEADER_BYTES>();
    header.is_some_and(|header| file.len() as u64 == file_bytes(game_count(header)))
}

/// Number of games in a header.
fn game_count(header: &[u8; HEADER_BYTES]) -> u32 {
    u32::from_le_bytes([header[4], header[5], header[6], header[7]])
}

/// Returns `true` if a file begins with a plausible header, even if it is truncated.
pub(super) fn has_header(file: &[u8]) -> bool {
    let Some(header) = file.first_chunk::<HEADER_BYTES>() else {
        return false;
    };
    let [century, year_of_century, month, day] = [0, 1, 2, 3].map(|at| header[at]);
    let year = u16::from_le_bytes([header[10], header[11]]);
    matches!(century, 19 | 20)
        && year_of_century < 100
        && month <= 12
        && day <= 31
        && (year == 0 || (1900..2100).contains(&year))
        && matches!(header[12], 0 | 8 | 10)
}

/// Size in bytes of a file with `games` games.
fn file_bytes(games: u32) -> u64 {
    HEADER_BYTES as u64 + u64::from(games) * GAME_BYTES as u64
}

/// Parses the number of a player or tournament: `#263`.
fn number(value: &str) -> Option<u16> {
    value.strip_prefix('#')?.parse().ok()
}

/// Black's disc count at a score of -64..=64 for black.
fn black_discs(score: i32) -> u8 {
    (32 + score / 2) as u8
}
