//! A game of a database: its record of 68 bytes.

#[cfg(doc)]
use super::{Database, Names};
use super::{FIRST_MOVE, GAME_BYTES, MAX_MOVES, WthorError};
use crate::{Board, Game as PlayedGame, IllegalMove, Side, Square};

/// A game. Players and tournaments are numbers of [`Names`].
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

impl Game {
    /// Reads the record of game `game`, counted from 1.
    pub(super) fn read(game: usize, record: &[u8; GAME_BYTES]) -> Result<Game, WthorError> {
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
