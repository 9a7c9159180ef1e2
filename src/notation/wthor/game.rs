//! Game of a database: a record of 68 bytes.

#[cfg(doc)]
use super::{Database, Names};
use super::{FIRST_MOVE, GAME_BYTES, MAX_MOVES, WthorError};
use crate::{Board, Game, IllegalMove, Side, Square};

/// Game of a database. Players and tournaments are numbers that [`Names`] translates.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct WthorGame {
    /// Number of the tournament.
    pub tournament: u16,
    /// Number of black's player.
    pub black: u16,
    /// Number of white's player.
    pub white: u16,
    /// Black's discs at the end of the game, 0..=64.
    pub black_discs: u8,
    /// Black's discs after perfect play from the position with [`Database::theoretical_empties`] empty squares,
    /// 0..=64.
    pub theoretical_black_discs: u8,
    /// Moves without passes. They may be illegal.
    pub moves: Vec<Square>,
}

impl WthorGame {
    /// Parses the record of game number `game`, from 1.
    pub(super) fn read(game: usize, record: &[u8; GAME_BYTES]) -> Result<WthorGame, WthorError> {
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
                    let number = index + 1;
                    return Err(WthorError::Move { game, number, byte });
                }
            }
        }
        Ok(WthorGame {
            tournament: word(0),
            black: word(2),
            white: word(4),
            black_discs: discs(6)?,
            theoretical_black_discs: discs(7)?,
            moves,
        })
    }

    /// Appends the record of game `number`, from 1, to `file`.
    pub(super) fn write(&self, number: usize, file: &mut Vec<u8>) -> Result<(), WthorError> {
        let game = number;
        for discs in [self.black_discs, self.theoretical_black_discs] {
            if discs > 64 {
                return Err(WthorError::Score { game, discs });
            }
        }
        let moves = self.moves.len();
        if moves > MAX_MOVES {
            return Err(WthorError::MoveCount { game, moves });
        }
        for word in [self.tournament, self.black, self.white] {
            file.extend(word.to_le_bytes());
        }
        file.extend([self.black_discs, self.theoretical_black_discs]);
        file.extend(self.moves.iter().map(|&square| byte(square)));
        file.resize(file.len() + MAX_MOVES - moves, 0);
        Ok(())
    }

    /// Score in discs for black, -64..=64; empty squares count for the winner.
    pub fn score(&self) -> i32 {
        2 * i32::from(self.black_discs) - 64
    }

    /// Theoretical score in discs for black, -64..=64; empty squares count for the winner.
    pub fn theoretical_score(&self) -> i32 {
        2 * i32::from(self.theoretical_black_discs) - 64
    }

    /// Starting position and the position after each move, each with the side to move, as in [`Game::turns`]. Item `n`
    /// has `60 - n` empty squares.
    pub fn positions(&self) -> Result<Vec<(Board, Side)>, IllegalMove> {
        Ok(self.game()?.turns().collect())
    }

    /// Plays the moves from the usual start.
    ///
    /// ```
    /// use outflank::notation::wthor::WthorGame;
    ///
    /// let game = WthorGame { moves: vec!["F5".parse()?, "F5".parse()?], ..WthorGame::default() };
    /// assert_eq!(game.game().unwrap_err().number, 2);
    /// # Ok::<(), outflank::square::ParseSquareError>(())
    /// ```
    pub fn game(&self) -> Result<Game, IllegalMove> {
        Game::from_moves(&self.moves)
    }
}

/// Square of a byte: ten times the row plus the column, each from 1 to 8.
fn square(byte: u8) -> Option<Square> {
    match (byte / 10, byte % 10) {
        (row @ 1..=8, column @ 1..=8) => Square::new(8 * (row - 1) + column - 1),
        _ => None,
    }
}

/// Byte of a square.
fn byte(square: Square) -> u8 {
    let (row, column) = (square.index() / 8, square.index() % 8);
    (10 * (row + 1) + column + 1) as u8
}
