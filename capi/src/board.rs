//! Positions and the rules of the game.

use std::ffi::c_char;

use super::failure::{Failure, OutflankStatus, guard, place, text};
use outflank::kernels::levels::portable;
use outflank::{Board, Ply, SearchError, Square};

/// A pass. Squares are 0 (A1), 1 (B1), ... 63 (H8).
pub const OUTFLANK_PASS: u8 = 64;

/// Neither a move nor a pass: the game is over, or nothing was searched.
pub const OUTFLANK_NONE: u8 = 255;

/// A position as two bitboards: the discs of the side to move, and those of the other side. A1 is bit 0, B1 bit 1, H8 bit 63.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutflankBoard {
    /// The discs of the side to move.
    pub player: u64,
    /// The discs of the other side.
    pub opponent: u64,
}

impl OutflankBoard {
    /// Converts the board; an error if it has no discs, or if both sides hold a square.
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

/// The number that C has for a ply.
pub(super) fn number(ply: Ply) -> u8 {
    ply.map_or(OUTFLANK_PASS, |square| square.index() as u8)
}

/// The ply of a number; `None` if there is none.
pub(super) fn ply(number: u8) -> Option<Ply> {
    match number {
        OUTFLANK_PASS => Some(None),
        _ => Square::new(number).map(Some),
    }
}

/// Returns the usual starting position of games, black to move.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_board_start() -> OutflankBoard {
    Board::START.into()
}

/// Reads a position: the squares A1 to H8 ("X", "*", "b" black; "O", "w" white; "-", "." empty), and the side to move ("X" or "O";
/// black if it is left out). Other spellings of docs/formats/notation.md are read, too. A board without discs is an error.
///
/// # Safety
/// squares is null or a null-terminated string; board is null or points to writable memory for a board.
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

/// Writes the legal moves of the side to move as a bitboard: 0 if it cannot move.
///
/// # Safety
/// moves is null or points to writable memory for a number.
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

/// Writes the discs that a move on this square (0 to 63) flips, as a bitboard: 0 if the move is not legal.
///
/// # Safety
/// flipped is null or points to writable memory for a number.
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

/// Writes the position after a move on a square (0 to 63) or a pass (OUTFLANK_PASS), with the other side to move. A pass is
/// legal if the side to move has no move and the other side has one.
///
/// # Safety
/// after is null or points to writable memory for a board.
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

/// Returns the name of a ply: "A1" to "H8", "PS" for a pass, "--" for OUTFLANK_NONE and all other numbers. The string is
/// static: it is never freed.
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
