//! Opening book in the packed form that `scripts/pack_book.py` writes (docs/formats/book.md).

use std::collections::HashMap;

use outflank::notation::read_position;
use outflank::{Board, Ply, Square};
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::error;
use crate::values::{ply_number, to_js};

/// First bytes of the file.
const MAGIC: &[u8] = b"OfBp\x01";

/// Bytes of a move: its square, 64 for a pass, and its value for the mover.
type PackedMove = [u8; 2];

/// Book in memory. Its positions are in ascending order of their boards.
#[wasm_bindgen(js_name = CoreBook)]
pub struct WebBook {
    boards: Vec<Board>,
    moves: Vec<PackedMove>,
    /// Index of the first move of each position, and at the end the number of all moves.
    first: Vec<usize>,
}

#[wasm_bindgen(js_class = CoreBook)]
impl WebBook {
    /// Reads a packed book. A truncated file, or one of another kind, is an error.
    #[wasm_bindgen(constructor)]
    pub fn new(file: &[u8]) -> Result<WebBook, JsError> {
        WebBook::read(file).map_err(error)
    }

    /// Number of positions.
    pub fn size(&self) -> usize {
        self.boards.len()
    }

    /// Known moves of a position with their values, the best first: `BookMove` of the package. Empty if the book lacks the
    /// position.
    pub fn moves(&self, position: &str) -> Result<JsValue, JsError> {
        let (board, _) = read_position(position).map_err(error)?;
        let moves = self.known_moves(board).into_iter();
        let moves = moves.map(|(ply, score)| json!({ "ply": ply, "score": score }));
        Ok(to_js(&moves.collect()))
    }
}

impl WebBook {
    fn read(file: &[u8]) -> Result<WebBook, String> {
        let rows = file.strip_prefix(MAGIC).ok_or("no packed book")?;
        let mut book = WebBook {
            boards: Vec::new(),
            moves: Vec::new(),
            first: vec![0],
        };
        let mut rest = rows;
        while !rest.is_empty() {
            let row = rest.split_first_chunk::<17>();
            let (&row, after) = row.ok_or("the packed book is cut off")?;
            let moves = after.get(..2 * usize::from(row[16]));
            let moves = moves.ok_or("the packed book is cut off")?;
            rest = &after[moves.len()..];
            let word = |at: usize| u64::from_be_bytes(row[at..at + 8].try_into().expect("8 bytes"));
            book.boards.push(Board {
                player: word(0),
                opponent: word(8),
            });
            book.moves.extend(moves.as_chunks().0);
            book.first.push(book.moves.len());
        }
        Ok(book)
    }

    /// Numbers of plies with their values, the best first.
    fn known_moves(&self, board: Board) -> Vec<(i32, i8)> {
        let (canonical, symmetry) = board.canonical();
        let key = |board: &Board| (board.player, board.opponent);
        let found = self.boards.binary_search_by_key(&key(&canonical), key);
        let Ok(index) = found else {
            return Vec::new();
        };
        let moves = &self.moves[self.first[index]..self.first[index + 1]];
        let known = moves.iter().map(|&[ply, value]| {
            let ply = symmetry.inverse().ply(Square::new(ply));
            (after(board, ply), value as i8)
        });
        let values: HashMap<_, _> = known.collect();
        // Symmetric moves have equal values, and the book lists one of them.
        let moves = Square::all_in(board.mobility()).map(Some);
        let plies = moves.chain(board.must_pass().then_some(None));
        let known =
            plies.filter_map(|ply| Some((ply_number(ply), *values.get(&after(board, ply))?)));
        let mut known: Vec<_> = known.collect();
        known.sort_by_key(|&(ply, value)| (-i32::from(value), ply));
        known
    }
}

/// Canonical board after a ply. `None` for an illegal one.
fn after(board: Board, ply: Ply) -> Option<Board> {
    let next = match ply {
        Some(square) => board.play(square)?,
        None => board.pass(),
    };
    Some(next.canonical().0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetric_moves_have_the_value_of_the_listed_one() {
        let (canonical, symmetry) = Board::START.canonical();
        let square = symmetry.ply("F5".parse().ok()).unwrap().index() as u8;
        let words = [canonical.player, canonical.opponent].map(u64::to_be_bytes);
        let file = [MAGIC, words.as_flattened(), &[1, square, 0]].concat();
        let known = WebBook::read(&file).unwrap().known_moves(Board::START);
        assert_eq!(known.len(), 4);
    }

    #[test]
    fn moves_are_found_in_all_orientations_and_damage_is_refused() {
        let board = Board::START.play("F5".parse().unwrap()).unwrap();
        let (canonical, symmetry) = board.canonical();
        let square = |name: &str| symmetry.ply(name.parse().ok()).unwrap().index() as u8;
        let words = [canonical.player, canonical.opponent].map(u64::to_be_bytes);
        let row = [square("F6"), -3_i8 as u8, square("D6"), 0];
        let file = [MAGIC, words.as_flattened(), &[2], &row].concat();
        let book = WebBook::read(&file).unwrap();
        let number = |name: &str| ply_number(name.parse().ok());
        let known = book.known_moves(board);
        assert_eq!(known, [(number("D6"), 0), (number("F6"), -3)]);
        for symmetry in outflank::symmetry::Symmetry::all() {
            let values = book.known_moves(symmetry.board(board));
            let values: Vec<i8> = values.iter().map(|&(_, value)| value).collect();
            assert_eq!(values, [0, -3]);
        }
        assert_eq!(book.known_moves(Board::START), []);
        for length in 0..file.len() {
            let is_whole = length == MAGIC.len();
            assert_eq!(WebBook::read(&file[..length]).is_ok(), is_whole, "{length}");
        }
    }
}
