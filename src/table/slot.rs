//! One slot of the table: four words that are written one by one. A checksum rejects slots that were half written.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::entry::{Generation, TableEntry};
use crate::board::Board;

/// The words of a slot: mover, opponent, packed entry, checksum.
#[repr(C, align(32))]
pub(super) struct Slot(pub(super) [AtomicU64; 4]);

impl Slot {
    /// The checksum of a slot with `board` and the packed entry `data`. Without the multiplications, differences
    /// between similar boards and entries would cancel out.
    fn checksum(board: Board, data: u64) -> u64 {
        board.player
            ^ board.opponent.wrapping_mul(0xD6E8_FEB8_6659_FD93)
            ^ data.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// The board of the slot, in any generation.
    #[inline(always)]
    pub(super) fn board(&self) -> Board {
        Board {
            player: self.0[0].load(Relaxed),
            opponent: self.0[1].load(Relaxed),
        }
    }

    /// The packed entry of `board`, if the slot has one in `generation`.
    #[inline(always)]
    pub(super) fn read(&self, board: Board, generation: Generation) -> Option<u64> {
        if self.board() != board {
            return None;
        }
        let data = self.0[2].load(Relaxed);
        let is_whole = self.0[3].load(Relaxed) == Slot::checksum(board, data);
        (is_whole && Generation::unpack(data) == generation).then_some(data)
    }

    /// The board and the packed entry of the slot, if it has one in `generation`. Most slots have none, and then only
    /// one word is loaded.
    #[inline(always)]
    pub(super) fn contents(&self, generation: Generation) -> Option<(Board, u64)> {
        let data = self.0[2].load(Relaxed);
        if Generation::unpack(data) != generation {
            return None;
        }
        let board = self.board();
        self.read(board, generation).map(|data| (board, data))
    }

    pub(super) fn write(&self, board: Board, data: u64) {
        let checksum = Slot::checksum(board, data);
        let words = [board.player, board.opponent, data, checksum];
        for (word, value) in self.0.iter().zip(words) {
            word.store(value, Relaxed);
        }
    }

    pub(super) fn vacate(&self) {
        self.0[2].store(0, Relaxed);
    }

    /// The cost of the slot's entry; `None` if it has none in `generation`.
    pub(super) fn cost(&self, generation: Generation) -> Option<u8> {
        let data = self.0[2].load(Relaxed);
        (Generation::unpack(data) == generation).then(|| TableEntry::unpack(data).cost)
    }
}
