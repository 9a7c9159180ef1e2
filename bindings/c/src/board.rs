//! Positions and the rules of the game.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use super::failure::{Failure, OutflankStatus, guard_output};
use super::pointer::text;
use outflank::kernels::levels::portable;
use outflank::notation::obf::BoardFault;
use outflank::{Board, Ply, SearchError, Square};

/// Ply number of a pass. Squares are 0 (A1), 1 (B1), ... 63 (H8).
pub const OUTFLANK_PASS: u8 = 64;

/// Absence of a ply, such as the best move of a finished game.
pub const OUTFLANK_NONE: u8 = 255;

/// Position as two bitboards: the discs of the side to move, and those of the other side. A1 is bit 0, B1 bit 1, H8 bit 63.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutflankBoard {
    /// Discs of the side to move.
    pub player: u64,
    /// Discs of the other side.
    pub opponent: u64,
}

impl OutflankBoard {
    /// Converts the board. A board without discs, or with a square that both sides hold, is an error.
    pub(super) fn board(self) -> Result<Board, Failure> {
        let OutflankBoard { player, opponent } = self;
        match player & opponent {
            0 if player | opponent == 0 => {
                Err(Failure::new(OutflankStatus::Board, BoardFault::NoDiscs))
            }
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

/// Converts a ply to its number: 0 to 63, or OUTFLANK_PASS.
pub(super) fn ply_number(ply: Ply) -> u8 {
    ply.map_or(OUTFLANK_PASS, |square| square.index() as u8)
}

/// Reads the number of a ply.
pub(super) fn read_ply(number: u8) -> Result<Ply, Failure> {
    match Square::new(number) {
        None if number != OUTFLANK_PASS => Err(Failure::argument(format!(
            "{number} is no ply: A1 to H8 are 0 to 63, and a pass is 64"
        ))),
        ply => Ok(ply),
    }
}

/// Returns the usual starting position of games, black to move.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_board_start() -> OutflankBoard {
    Board::START.into()
}

/// Reads a position: the squares A1 to H8, and the side to move. A square is black ("X", "*", "b"), white ("O", "w") or
/// empty ("-", "."). The side is "X" or "O", black if it is left out. docs/formats/notation.md has more accepted
/// spellings. A board without discs is an error.
///
/// # Safety
/// squares is null or a null-terminated string; board is null or points to writable memory for a board.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_board_read(
    squares: *const c_char,
    board: Option<&mut MaybeUninit<OutflankBoard>>,
) -> OutflankStatus {
    guard_output(board, "board", || {
        // SAFETY: the caller guarantees it.
        let squares = unsafe { text(squares, "squares")? };
        let board = OutflankBoard::from(squares.parse::<Board>()?);
        Ok(board.board()?.into())
    })
}

/// Writes the legal moves of the side to move as a bitboard: 0 if it cannot move.
///
/// # Safety
/// moves is null or points to writable memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_legal_moves(
    board: OutflankBoard,
    moves: Option<&mut MaybeUninit<u64>>,
) -> OutflankStatus {
    guard_output(moves, "moves", || Ok(board.board()?.mobility()))
}

/// Writes the discs that a move on this square (0 to 63) flips, as a bitboard: 0 if the move is not legal.
///
/// # Safety
/// flipped is null or points to writable memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_flip(
    board: OutflankBoard,
    square: u8,
    flipped: Option<&mut MaybeUninit<u64>>,
) -> OutflankStatus {
    guard_output(flipped, "flipped", || {
        let Board { player, opponent } = board.board()?;
        let square = Square::new(square).ok_or_else(|| {
            Failure::argument(format!("{square} is no square: A1 to H8 are 0 to 63"))
        })?;
        let is_taken = (player | opponent) & square.bit() != 0;
        Ok(match is_taken {
            true => 0,
            false => portable::flip::selected(square.index(), player, opponent),
        })
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
    after: Option<&mut MaybeUninit<OutflankBoard>>,
) -> OutflankStatus {
    guard_output(after, "after", || {
        let board = board.board()?;
        let next = match read_ply(played)? {
            Some(square) => board.play(square).ok_or_else(|| Failure::illegal(square))?,
            None if board.must_pass() => board.pass(),
            None => return Err(Failure::illegal("a pass")),
        };
        Ok(next.into())
    })
}

/// Returns the name of a ply: "A1" to "H8", "PS" for a pass, "--" for OUTFLANK_NONE and all other numbers. The string is
/// static: it is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_ply_name(ply: u8) -> *const c_char {
    /// Null-terminated names of the squares.
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
