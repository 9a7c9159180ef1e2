//! WTHOR, the game database of the Fédération Française d'Othello: files `WTH_YYYY.wtb`.
//!
//! A header of 16 bytes, then 68 bytes a game: who played, the score, and the moves. Passes are not
//! written; they follow from the rules.

use super::{IllegalMove, Side, replay};
use crate::{Board, Square};

const HEADER_BYTES: usize = 16;
const GAME_BYTES: usize = 68;
/// Where the moves begin in a game's record.
const FIRST_MOVE: usize = 8;

/// The games of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Database {
    /// The year in which the games were played.
    pub year: u16,
    /// The number of empty squares of the positions that the theoretical scores are for.
    pub theoretical_empties: u8,
    /// The games in the order of the file.
    pub games: Vec<Game>,
}

/// A game. Players and tournaments are numbers in lists of their own, which come in other files.
#[derive(Clone, PartialEq, Eq, Debug)]
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
pub enum WthorError {
    /// The header is not complete.
    #[error("expected a header of {HEADER_BYTES} bytes, found {0}")]
    TooShort(usize),
    /// The file is cut off, has more than its games, or is of another kind.
    #[error("expected {expected} bytes for the {games} games of the header, found {found}")]
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
}

impl Database {
    /// Reads the contents of a `.wtb` file.
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
        Ok(Database {
            year: u16::from_le_bytes([header[10], header[11]]),
            theoretical_empties: header[14],
            games,
        })
    }
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
        replay(&self.moves)
    }
}

/// The square of a move's byte: ten times the row and the column, each from 1 to 8.
fn square(byte: u8) -> Option<Square> {
    match (byte / 10, byte % 10) {
        (row @ 1..=8, column @ 1..=8) => Square::new(8 * (row - 1) + column - 1),
        _ => None,
    }
}
