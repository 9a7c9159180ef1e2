//! Transposition table of the trainer's search, for one thread.

use outflank::{Board, Ply};

/// Bounds of a board's value at one depth, and the best move.
#[derive(Clone, Copy)]
pub(super) struct FixedDepthEntry {
    board: Board,
    /// Entries of other generations are invalid.
    generation: u32,
    pub(super) lower: i16,
    pub(super) upper: i16,
    pub(super) depth: u8,
    pub(super) best: Ply,
}

/// Table that always replaces.
pub(crate) struct FixedDepthTable {
    entries: Vec<FixedDepthEntry>,
    generation: u32,
}

impl FixedDepthTable {
    pub(super) fn new(mib: usize) -> FixedDepthTable {
        let none = FixedDepthEntry {
            board: Board {
                player: 0,
                opponent: 0,
            },
            generation: 0,
            lower: 0,
            upper: 0,
            depth: 0,
            best: None,
        };
        let count = (mib << 20) / size_of::<FixedDepthEntry>();
        FixedDepthTable {
            entries: vec![none; count],
            generation: 1,
        }
    }

    pub(super) fn clear(&mut self) {
        self.generation += 1;
    }

    #[inline(always)]
    fn index(&self, hash: u64) -> usize {
        let scaled = u128::from(hash.rotate_left(32)) * self.entries.len() as u128;
        (scaled >> 64) as usize
    }

    #[inline(always)]
    pub(super) fn probe(&self, hash: u64, board: Board) -> Option<&FixedDepthEntry> {
        let entry = &self.entries[self.index(hash)];
        (entry.board == board && entry.generation == self.generation).then_some(entry)
    }

    #[inline(always)]
    pub(super) fn store(
        &mut self,
        hash: u64,
        board: Board,
        depth: u32,
        (lower, upper): (i32, i32),
        best: Ply,
    ) {
        let index = self.index(hash);
        self.entries[index] = FixedDepthEntry {
            board,
            generation: self.generation,
            lower: lower as i16,
            upper: upper as i16,
            depth: depth as u8,
            best,
        };
    }
}
