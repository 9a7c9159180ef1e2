//! WTHOR, the game database of the Fédération Française d'Othello: files `WTH_YYYY.wtb`.
//!
//! A header of 16 bytes, then 68 bytes a game: who played, the score, and the moves. Passes are not
//! written; they follow from the rules.

use super::{Format, GameRecord, Unfit};
use crate::text::counted;
use crate::{Board, Game as PlayedGame, IllegalMove, Side, Square};

const HEADER_BYTES: usize = 16;
const GAME_BYTES: usize = 68;
/// Where the moves begin in a game's record.
const FIRST_MOVE: usize = 8;

/// The most moves that a game's record has place for.
const MOST_MOVES: usize = GAME_BYTES - FIRST_MOVE;

/// The games of a file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Database {
    /// When the file was made.
    pub made: Date,
    /// The year in which the games were played; 0 where they are of several, or it is not known.
    pub year: u16,
    /// The number of empty squares of the positions that the theoretical scores are for.
    pub theoretical_empties: u8,
    /// The games in the order of the file.
    pub games: Vec<Game>,
}

/// A day, as the file has it: whether there is such a day is not checked.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Date {
    /// The year, 0..=25755.
    pub year: u16,
    /// The month.
    pub month: u8,
    /// The day of the month.
    pub day: u8,
}

/// A game. Players and tournaments are numbers in lists of their own, which come in other files.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Game {
    /// The tournament.
    pub tournament: u16,
    /// The player of black.
    pub black: u16,
    /// The player of white.
    pub white: u16,
    /// Black's discs at the end of the game, 0..=64.
    pub black_discs: u8,
    /// Black's discs, 0..=64, had both sides played perfectly from the position with
    /// [`Database::theoretical_empties`] empty squares.
    pub theoretical_black_discs: u8,
    /// The moves, without passes.
    pub moves: Vec<Square>,
}

/// Why a file is no database of games.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WthorError {
    /// The header is not complete.
    #[error("expected a header of {HEADER_BYTES} bytes, found {0}")]
    TooShort(usize),
    /// The file is cut off, has more than its games, or is of another kind.
    #[error(
        "expected {expected} bytes for the {} of the header, found {found}",
        counted(games, "game", "games")
    )]
    Size {
        /// Games by the header.
        games: u32,
        /// Bytes that the file should have.
        expected: u64,
        /// Bytes that it has.
        found: u64,
    },
    /// The games are not on a board of 8x8 squares.
    #[error("expected a board of 8x8 squares, found {0}x{0}")]
    BoardSize(u8),
    /// A disc count is over 64.
    #[error("expected a score of 0 to 64 discs, found {discs} in game {game}")]
    Score {
        /// The game, from 1.
        game: usize,
        /// The byte found.
        discs: u8,
    },
    /// A byte of the moves is no square, or a move follows the end of the moves.
    #[error("expected a move, found byte {byte} as move {ply} of game {game}")]
    Move {
        /// The game, from 1.
        game: usize,
        /// The move, from 1.
        ply: usize,
        /// The byte found.
        byte: u8,
    },
    /// To be written: there are more moves than there is place for.
    #[error("expected at most {MOST_MOVES} moves, found {moves} in game {game}")]
    MoveCount {
        /// The game, from 1.
        game: usize,
        /// Its moves.
        moves: usize,
    },
    /// To be written: there are more games than the header can say.
    #[error("expected at most {most} games, found {0}", most = u32::MAX)]
    GameCount(usize),
}

impl Database {
    /// Reads the contents of a `.wtb` file.
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
        let count = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
        let expected = HEADER_BYTES as u64 + u64::from(count) * GAME_BYTES as u64;
        if file.len() as u64 != expected {
            return Err(WthorError::Size {
                games: count,
                expected,
                found: file.len() as u64,
            });
        }
        // 0 is what older files have.
        if !matches!(header[12], 0 | 8) {
            return Err(WthorError::BoardSize(header[12]));
        }
        let games = records
            .as_chunks::<GAME_BYTES>()
            .0
            .iter()
            .enumerate()
            .map(|(index, record)| Game::read(index + 1, record))
            .collect::<Result<_, _>>()?;
        let made = Date {
            year: 100 * u16::from(header[0]) + u16::from(header[1]),
            month: header[2],
            day: header[3],
        };
        Ok(Database {
            made,
            year: u16::from_le_bytes([header[10], header[11]]),
            theoretical_empties: header[14],
            games,
        })
    }

    /// The contents of a `.wtb` file, of which [`Database::read`] makes the same again.
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

    /// Adds a game to those that will be written. What a database has no place for is left out: names,
    /// unless they are numbers as [`Database::record`] writes them, ratings, times and evaluations.
    ///
    /// A file has one year, and one number of empty squares for theoretical scores. Where games differ
    /// in them, they become 0; then the theoretical scores are those of the games.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), Unfit> {
        if !record.game.has_usual_start() {
            return Err(Unfit::Start(Format::Wthor));
        }
        let score = record.score().filter(|score| score % 2 == 0);
        let score = score.ok_or(Unfit::NoScore(Format::Wthor))?;
        let (empties, theoretical) = record.theoretical_score().unwrap_or((0, score));
        let number = |name| record.property(name).and_then(number);
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
        self.games.push(Game {
            tournament: number("PC").unwrap_or(0),
            black: number("PB").unwrap_or(0),
            white: number("PW").unwrap_or(0),
            black_discs: black_discs(score),
            theoretical_black_discs: black_discs(theoretical),
            moves: record.game.moves().collect(),
        });
        Ok(())
    }

    /// Whether a database has a place for this property of a game.
    ///
    /// ```
    /// use outflank::notation::wthor::Database;
    ///
    /// assert!(Database::keeps("PB", "#8") && !Database::keeps("PB", "Lucky Luke"));
    /// ```
    pub fn keeps(name: &str, value: &str) -> bool {
        match name {
            "PC" | "PB" | "PW" => number(value).is_some(),
            "DT" => value.len() == 4,
            "RE" | "TY" | "TS" => true,
            _ => false,
        }
    }

    /// What the file says of a game: its place, players and year (`#263` stands for number 263), result
    /// and theoretical score.
    ///
    /// ```
    /// use outflank::notation::wthor::{Database, Game};
    ///
    /// let mut game = Game { tournament: 263, black: 8, white: 9, ..Game::default() };
    /// game.moves = vec!["F5".parse()?];
    /// (game.black_discs, game.theoretical_black_discs) = (40, 41);
    /// let database = Database { year: 2020, theoretical_empties: 24, ..Database::default() };
    /// let record = database.record(&game)?;
    /// let properties: Vec<_> = record.properties().collect();
    /// assert_eq!(properties[..3], [("PC", "#263"), ("DT", "2020"), ("PB", "#8")]);
    /// assert_eq!(properties[4..], [("RE", "+16"), ("TY", "8"), ("TS", "24 +18")]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn record(&self, game: &Game) -> Result<GameRecord, IllegalMove> {
        let mut record = GameRecord::new(game.game()?);
        let numbers = [
            ("PC", game.tournament),
            ("PB", game.black),
            ("PW", game.white),
        ];
        let [place, black, white] = numbers.map(|(name, number)| (name, format!("#{number}")));
        let score = |score: i32| format!("{score:+}");
        let theoretical = score(game.theoretical_score());
        let properties = [
            place,
            ("DT", format!("{:04}", self.year)),
            black,
            white,
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

/// The number of a player or tournament: `#263`.
fn number(value: &str) -> Option<u16> {
    value.strip_prefix('#')?.parse().ok()
}

/// Black's discs where the score is `score`, from black's side, -64..=64.
fn black_discs(score: i32) -> u8 {
    (32 + score / 2) as u8
}

impl Game {
    /// Reads the record of game `game`, counted from 1.
    fn read(game: usize, record: &[u8; GAME_BYTES]) -> Result<Game, WthorError> {
        let word = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
        let discs = |at: usize| match record[at] {
            discs @ 0..=64 => Ok(discs),
            discs => Err(WthorError::Score { game, discs }),
        };
        let mut moves = Vec::with_capacity(60);
        let mut ended = false;
        for (index, &byte) in record[FIRST_MOVE..].iter().enumerate() {
            ended |= byte == 0;
            match square(byte) {
                _ if ended && byte == 0 => {}
                Some(square) if !ended => moves.push(square),
                _ => {
                    let ply = index + 1;
                    return Err(WthorError::Move { game, ply, byte });
                }
            }
        }
        Ok(Game {
            tournament: word(0),
            black: word(2),
            white: word(4),
            black_discs: discs(6)?,
            theoretical_black_discs: discs(7)?,
            moves,
        })
    }

    /// Writes the record of game `number`, counted from 1, behind what `file` has.
    fn write(&self, number: usize, file: &mut Vec<u8>) -> Result<(), WthorError> {
        let game = number;
        for discs in [self.black_discs, self.theoretical_black_discs] {
            if discs > 64 {
                return Err(WthorError::Score { game, discs });
            }
        }
        let moves = self.moves.len();
        if moves > MOST_MOVES {
            return Err(WthorError::MoveCount { game, moves });
        }
        for word in [self.tournament, self.black, self.white] {
            file.extend(word.to_le_bytes());
        }
        file.extend([self.black_discs, self.theoretical_black_discs]);
        file.extend(self.moves.iter().map(|&square| byte(square)));
        file.resize(file.len() + MOST_MOVES - moves, 0);
        Ok(())
    }

    /// What the game came to, in discs from black's side, -64..=64, empties to the winner.
    pub fn score(&self) -> i32 {
        2 * i32::from(self.black_discs) - 64
    }

    /// The theoretical score in discs from black's side, -64..=64, empties to the winner.
    pub fn theoretical_score(&self) -> i32 {
        2 * i32::from(self.theoretical_black_discs) - 64
    }

    /// The starting position and the position after every move, with the side that is to move:
    /// where a side has to pass, the pass is made. Item `n` has `60 - n` empty squares.
    pub fn positions(&self) -> Result<Vec<(Board, Side)>, IllegalMove> {
        Ok(self.game()?.turns().collect())
    }

    /// The game, if its moves are legal.
    ///
    /// ```
    /// use outflank::notation::wthor::Game;
    ///
    /// let game = Game { moves: vec!["F5".parse()?, "F5".parse()?], ..Game::default() };
    /// assert_eq!(game.game().unwrap_err().number, 2);
    /// # Ok::<(), outflank::square::ParseSquareError>(())
    /// ```
    pub fn game(&self) -> Result<PlayedGame, IllegalMove> {
        PlayedGame::from_moves(&self.moves)
    }
}

/// The square of a move's byte: ten times the row and the column, each from 1 to 8.
fn square(byte: u8) -> Option<Square> {
    match (byte / 10, byte % 10) {
        (row @ 1..=8, column @ 1..=8) => Square::new(8 * (row - 1) + column - 1),
        _ => None,
    }
}

/// The byte of a move.
fn byte(square: Square) -> u8 {
    let (row, column) = (square.index() / 8, square.index() % 8);
    (10 * (row + 1) + column + 1) as u8
}
