//! Index of positions: a key for each class of symmetric positions, and the games that reached it.

use outflank::{Board, Game, Side, Square};

/// Maximum number of games: a visit has 24 bits for one.
pub(crate) const MAX_GAMES: usize = 1 << 24;

/// Bits of a visit for the move that followed.
const SQUARE_BITS: u32 = 7;

/// A game in a position, and the move that followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visit {
    /// Number of the game in the database.
    pub game: u32,
    /// Side to move in the game. It differs between games that reach a position with and without a pass.
    pub side: Side,
    /// Move that followed. `None` if the game has no more.
    pub square: Option<Square>,
}

impl Visit {
    /// Bytes of a visit in the file.
    pub(crate) const BYTES: usize = 4;

    pub(crate) fn to_word(self) -> u32 {
        let square = self.square.map_or(64, Square::index) as u32;
        let white = u32::from(self.side == Side::White);
        (self.game << 1 | white) << SQUARE_BITS | square
    }

    pub(crate) fn from_word(word: u32) -> Visit {
        let square = word % (1 << SQUARE_BITS);
        let rest = word >> SQUARE_BITS;
        Visit {
            game: rest >> 1,
            side: match rest & 1 {
                0 => Side::Black,
                _ => Side::White,
            },
            square: Square::new(square as u8),
        }
    }
}

/// Key of a position and of all that are symmetric to it. `board` is canonical.
///
/// The key is a hash. Ten million positions have two of the same key with a probability of about 1 in 400,000.
pub(crate) fn key(board: Board) -> i64 {
    mixed(board.player ^ mixed(board.opponent.wrapping_add(0x9E37_79B9_7F4A_7C15))) as i64
}

/// Mixes all bits, as the last steps of SplitMix64 do. Files depend on this function.
fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

/// Returns the positions of a game as keys with the visit. Moves are in the orientation of the canonical position.
pub(crate) fn visits(number: u32, game: &Game) -> impl Iterator<Item = (i64, Visit)> {
    let moves = game.moves().map(Some).chain([None]);
    game.turns().zip(moves).map(move |((board, side), square)| {
        let (canonical, symmetry) = board.canonical();
        let square = square.map(|square| symmetry.square(square));
        let visit = Visit {
            game: number,
            side,
            square,
        };
        (key(canonical), visit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::symmetry::Symmetry;

    #[test]
    fn words_hold_every_visit() {
        for game in [0, 1, MAX_GAMES as u32 - 1] {
            for side in [Side::Black, Side::White] {
                for square in (0..=64).map(Square::new) {
                    let visit = Visit { game, side, square };
                    assert_eq!(Visit::from_word(visit.to_word()), visit);
                }
            }
        }
    }

    /// Files of earlier versions have these keys.
    #[test]
    fn keys_stay_as_they_are() {
        let game = Game::from_moves(&["F5", "D6", "C3"].map(|name| name.parse().unwrap())).unwrap();
        let keys: Vec<i64> = visits(0, &game).map(|(key, _)| key).collect();
        assert_eq!(
            keys,
            [
                -3250808015087400352,
                4063581490064433351,
                -3340303334199859844,
                -556804594062734279
            ]
        );
        let (board, _) = game.position();
        for symmetry in Symmetry::all() {
            assert_eq!(key(symmetry.board(board).canonical().0), keys[3]);
        }
    }
}
