//! Output of the kernel `children`: the children of a board, one per lane.

use core::mem::MaybeUninit;

/// Up to [`CAPACITY`](Self::CAPACITY) children of a board, each with a key.
///
/// The key is the order score of the child's move, with the child's index in the lowest four bits. The move
/// with the greatest key is searched first.
#[repr(C, align(64))]
pub struct KeyedChildren {
    players: [MaybeUninit<u64>; KeyedChildren::CAPACITY],
    opponents: [MaybeUninit<u64>; KeyedChildren::CAPACITY],
    moves: [MaybeUninit<u64>; KeyedChildren::CAPACITY],
    keys: [i32; KeyedChildren::CAPACITY],
    /// Number of written lanes.
    written: usize,
    /// Number of children, at most `written`.
    len: usize,
}

/// Board after a move, with the legal replies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Child {
    /// The discs of the side to move after the move.
    pub player: u64,
    /// The discs of the side that moved.
    pub opponent: u64,
    /// The legal moves of the side to move, as a bitboard.
    pub moves: u64,
}

impl KeyedChildren {
    /// Maximum number of children.
    pub const CAPACITY: usize = 16;

    /// Upper bound on the keys of empty slots and taken children. The keys of all other children are greater.
    pub const NONE: i32 = i32::MIN + KeyedChildren::CAPACITY as i32;

    /// Score of a move that leaves the opponent no disc, above the scores of all other moves.
    pub const WINS: i32 = 1 << 28;

    /// Makes an empty list. Lanes stay uninitialised until they are used, because a search makes lists in most
    /// of its nodes.
    #[inline(always)]
    pub fn new() -> KeyedChildren {
        KeyedChildren {
            players: [const { MaybeUninit::uninit() }; KeyedChildren::CAPACITY],
            opponents: [const { MaybeUninit::uninit() }; KeyedChildren::CAPACITY],
            moves: [const { MaybeUninit::uninit() }; KeyedChildren::CAPACITY],
            keys: [i32::MIN; KeyedChildren::CAPACITY],
            written: 0,
            len: 0,
        }
    }

    /// The number of children, taken ones included.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if the list has no children.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the child at an index below [`len`](Self::len).
    #[inline(always)]
    pub fn get(&self, index: usize) -> Child {
        assert!(index < self.len && self.len <= KeyedChildren::CAPACITY);
        // SAFETY: only `push` and `push_lanes` change `written`, never to less, and write all lanes that they add; `len`
        // is at most `written` (`push`, `set_len`). So the lane is initialised.
        unsafe {
            Child {
                player: self.players[index].assume_init(),
                opponent: self.opponents[index].assume_init(),
                moves: self.moves[index].assume_init(),
            }
        }
    }

    /// The keys of all slots.
    #[inline(always)]
    pub fn keys(&self) -> &[i32; KeyedChildren::CAPACITY] {
        &self.keys
    }

    /// Sets the key of a slot.
    #[inline(always)]
    pub fn set_key(&mut self, index: usize, key: i32) {
        self.keys[index] = key;
    }

    /// Appends a child. In a full list the new child replaces the last one.
    #[inline(always)]
    pub fn push(&mut self, child: Child, key: i32) {
        let index = self.written.min(KeyedChildren::CAPACITY - 1);
        self.players[index].write(child.player);
        self.opponents[index].write(child.opponent);
        self.moves[index].write(child.moves);
        self.keys[index] = key;
        self.written = index + 1;
        self.len = self.written;
    }

    /// Appends `N` lanes. If fewer lanes are free, the last `N` are overwritten.
    #[inline(always)]
    pub fn push_lanes<const N: usize>(
        &mut self,
        players: [u64; N],
        opponents: [u64; N],
        moves: [u64; N],
        keys: [i32; N],
    ) {
        const { assert!(N <= KeyedChildren::CAPACITY) };
        let start = self.written.min(KeyedChildren::CAPACITY - N);
        let lanes = start..start + N;
        self.players[lanes.clone()].write_copy_of_slice(&players);
        self.opponents[lanes.clone()].write_copy_of_slice(&opponents);
        self.moves[lanes.clone()].write_copy_of_slice(&moves);
        self.keys[lanes].copy_from_slice(&keys);
        self.written = start + N;
    }

    /// Sets the number of children, capped at the number of written lanes.
    #[inline(always)]
    pub fn set_len(&mut self, len: usize) {
        self.len = len.min(self.written);
    }
}

impl Default for KeyedChildren {
    fn default() -> KeyedChildren {
        KeyedChildren::new()
    }
}
