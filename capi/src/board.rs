//! Positions and the rules of the game.

use std::ffi::c_char;

use super::failure::{Failure, OutflankStatus, guard, place, text};
use outflank::kernels::levels::portable;
use outflank::{Board, Ply, SearchError, Square};

/// A pass, where a square could stand: squares are 0 (A1), 1 (B1), ... 63 (H8).
pub const OUTFLANK_PASS: u8 = 64;

/// No move and no pass: the game is over, or nothing was searched.
pub const OUTFLANK_NONE: u8 = 255;

/// A position: the discs of the side to move, and those of the other side. A1 is bit 0, B1 bit 1,
/// H8 bit 63.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutflankBoard {
    /// The discs of the side to move.
    pub player: u64,
    /// The discs of the other side.
    pub opponent: u64,
}

impl OutflankBoard {
    /// The board, where no square is held twice.
    pub(super) fn board(self) -> Result<Board, Failure> {
        let OutflankBoard { player, opponent } = self;
        match player & opponent {
            0 if player | opponent == 0 => Err(Failure::NoDiscs),
            0 => Ok(Board { player, opponent }),
            squares => Err(SearchError::Overlap { squares }.into()),
        }
    }
}

impl From<Board> for OutflankBoard {
    fn from(Board { player, opponent }: Board) -> OutflankBoard {
        OutflankBoard { player, opponent }
    }
}

/// How C has a ply.
pub(super) fn number(ply: Ply) -> u8 {
    ply.map_or(OUTFLANK_PASS, |square| square.index() as u8)
}

/// The ply that C has so, if it is one.
fn ply(number: u8) -> Option<Ply> {
    match number {
        OUTFLANK_PASS => Some(None),
        _ => Square::new(number).map(Some),
    }
}

/// The position that every game starts from, black to move.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_board_start() -> OutflankBoard {
    Board::START.into()
}

/// Reads a position: 64 characters A1 to H8 ("X", "*", "b" black; "O", "w" white; "-", "." empty), a
/// blank, and the side to move ("X" or "O"; without it black). A board without discs is an error.
///
/// # Safety
/// squares is null or ends with a zero; board is null or there is room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_board_read(
    squares: *const c_char,
    board: *mut OutflankBoard,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller's, as it is written above.
        let (squares, place) = unsafe { (text(squares, "squares")?, place(board, "board")?) };
        let board: OutflankBoard = squares.parse::<Board>()?.into();
        place.write(board.board()?.into());
        Ok(())
    })
}

/// The squares where the side to move may play, as a bitboard; 0 where it cannot move.
///
/// # Safety
/// moves is null or there is room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_legal_moves(
    board: OutflankBoard,
    moves: *mut u64,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller's, as it is written above.
        let place = unsafe { place(moves, "moves")? };
        place.write(board.board()?.mobility());
        Ok(())
    })
}

/// The discs that a move of the side to move on this square (0 to 63) turns, as a bitboard; 0 where the
/// move is not legal.
///
/// # Safety
/// flipped is null or there is room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_flip(
    board: OutflankBoard,
    square: u8,
    flipped: *mut u64,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller's, as it is written above.
        let place = unsafe { place(flipped, "flipped")? };
        let Board { player, opponent } = board.board()?;
        let square = Square::new(square).ok_or(Failure::NotASquare(square))?;
        let is_taken = (player | opponent) & square.bit() != 0;
        place.write(match is_taken {
            true => 0,
            false => portable::flip::selected(square.index(), player, opponent),
        });
        Ok(())
    })
}

/// The position after the side to move plays on a square (0 to 63), or passes (OUTFLANK_PASS), which is
/// legal where it has no move and the other side has one. The other side is to move then.
///
/// # Safety
/// after is null or there is room for a board.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_board_play(
    board: OutflankBoard,
    played: u8,
    after: *mut OutflankBoard,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller's, as it is written above.
        let place = unsafe { place(after, "after")? };
        let board = board.board()?;
        let next = match ply(played).ok_or(Failure::NotAPly(played))? {
            Some(square) => board
                .play(square)
                .ok_or_else(|| Failure::Illegal(square.to_string()))?,
            None if board.must_pass() => board.pass(),
            None => return Err(Failure::Illegal("a pass".to_owned())),
        };
        place.write(next.into());
        Ok(())
    })
}

/// The name of a ply: "A1" to "H8", "PS" for a pass, "--" for OUTFLANK_NONE and whatever else is none.
/// The text is there for ever.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_ply_name(ply: u8) -> *const c_char {
    /// Two letters and a zero each.
    static NAMES: [[u8; 3]; 64] = {
        let mut names = [[0; 3]; 64];
        let mut square = 0;
        while square < 64 {
            names[square] = [b'A' + square as u8 % 8, b'1' + square as u8 / 8, 0];
            square += 1;
        }
        names
    };
    match (NAMES.get(usize::from(ply)), ply) {
        (Some(name), _) => name.as_ptr().cast(),
        (None, OUTFLANK_PASS) => c"PS".as_ptr(),
        (None, _) => c"--".as_ptr(),
    }
}
