//! The table of the trainer's search, of one thread.

use crate::board::Board;
use crate::table::NO_MOVE;

/// Bounds of the value of a board at a depth, and the best move.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    board: Board,
    /// Entries of other generations are not valid.
    generation: u32,
    pub(super) lower: i16,
    pub(super) upper: i16,
    pub(super) depth: u8,
    pub(super) best: u8,
}

/// The table. A search of a board replaces any entry in its place.
pub(crate) struct Memory {
    entries: Vec<Entry>,
    generation: u32,
}

impl Memory {
    pub(super) fn new(mib: usize) -> Memory {
        let none = Entry {
            board: Board {
                player: 0,
                opponent: 0,
            },
            generation: 0,
            lower: 0,
            upper: 0,
            depth: 0,
            best: NO_MOVE,
        };
        let count = (mib << 20) / size_of::<Entry>();
        Memory {
            entries: vec![none; count],
            generation: 1,
        }
    }

    pub(super) fn clear(&mut self) {
        self.generation += 1;
    }

    #[inline(always)]
    fn place(&self, hash: u64) -> usize {
        let place = u128::from(hash.rotate_left(32)) * self.entries.len() as u128;
        (place >> 64) as usize
    }

    #[inline(always)]
    pub(super) fn probe(&self, hash: u64, board: Board) -> Option<&Entry> {
        let entry = &self.entries[self.place(hash)];
        (entry.board == board && entry.generation == self.generation).then_some(entry)
    }

    #[inline(always)]
    pub(super) fn store(
        &mut self,
        hash: u64,
        board: Board,
        depth: u32,
        (lower, upper): (i32, i32),
        best: u8,
    ) {
        let place = self.place(hash);
        self.entries[place] = Entry {
            board,
            generation: self.generation,
            lower: lower as i16,
            upper: upper as i16,
            depth: depth as u8,
            best,
        };
    }
}
