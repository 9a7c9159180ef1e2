//! The children of a board in lanes, as the kernel `children` lists them.

use std::mem::MaybeUninit;

/// The children of a board, up to [`PLACES`](Self::PLACES), by their places in a list.
///
/// Each has a key: the order score of its move, and in the lowest four bits its place. The greatest key belongs
/// to the move to search first.
#[repr(C, align(64))]
pub struct Children {
    players: [MaybeUninit<u64>; Children::PLACES],
    opponents: [MaybeUninit<u64>; Children::PLACES],
    moves: [MaybeUninit<u64>; Children::PLACES],
    keys: [i32; Children::PLACES],
    /// The lanes that were written.
    written: usize,
    /// The number of children, at most as many.
    len: usize,
}

/// One child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Child {
    /// The discs of the side to move after the move.
    pub player: u64,
    /// The discs of the side that moved.
    pub opponent: u64,
    /// The legal moves of the side to move, as a bitboard.
    pub moves: u64,
}

impl Children {
    /// Room for the moves of a board with as many empty squares.
    pub const PLACES: usize = 16;

    /// The key of a place without a child, or whose child was taken: at most this, and below every other.
    pub const NONE: i32 = i32::MIN + Children::PLACES as i32;

    /// The score of a move after which the opponent has no disc, above that of every other move.
    pub const WINS: i32 = 1 << 28;

    /// No children. What is not read is not written either: a search makes lists in most of its nodes.
    #[inline(always)]
    pub fn new() -> Children {
        Children {
            players: [const { MaybeUninit::uninit() }; Children::PLACES],
            opponents: [const { MaybeUninit::uninit() }; Children::PLACES],
            moves: [const { MaybeUninit::uninit() }; Children::PLACES],
            keys: [i32::MIN; Children::PLACES],
            written: 0,
            len: 0,
        }
    }

    /// How many there are, those included that were taken.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The child at a place below [`len`](Self::len).
    #[inline(always)]
    pub fn get(&self, place: usize) -> Child {
        assert!(place < self.len && self.len <= Children::PLACES);
        // SAFETY: only `push` and `push_lanes` change `written`, never to less, and write all lanes that they add; `len`
        // is at most `written` (`push`, `set_len`). So the lane is initialised.
        unsafe {
            Child {
                player: self.players[place].assume_init(),
                opponent: self.opponents[place].assume_init(),
                moves: self.moves[place].assume_init(),
            }
        }
    }

    /// The keys of all places.
    #[inline(always)]
    pub fn keys(&self) -> &[i32; Children::PLACES] {
        &self.keys
    }

    /// Sets the key of a place.
    #[inline(always)]
    pub fn set_key(&mut self, place: usize, key: i32) {
        self.keys[place] = key;
    }

    /// Appends a child; where all lanes are taken, replaces the last.
    #[inline(always)]
    pub fn push(&mut self, child: Child, key: i32) {
        let place = self.written.min(Children::PLACES - 1);
        self.players[place].write(child.player);
        self.opponents[place].write(child.opponent);
        self.moves[place].write(child.moves);
        self.keys[place] = key;
        self.written = place + 1;
        self.len = self.written;
    }

    /// Appends `N` lanes; where fewer are free, writes the last `N`.
    #[inline(always)]
    pub fn push_lanes<const N: usize>(
        &mut self,
        players: [u64; N],
        opponents: [u64; N],
        moves: [u64; N],
        keys: [i32; N],
    ) {
        const { assert!(N <= Children::PLACES) };
        let start = self.written.min(Children::PLACES - N);
        let lanes = start..start + N;
        self.players[lanes.clone()].copy_from_slice(&players.map(MaybeUninit::new));
        self.opponents[lanes.clone()].copy_from_slice(&opponents.map(MaybeUninit::new));
        self.moves[lanes.clone()].copy_from_slice(&moves.map(MaybeUninit::new));
        self.keys[lanes].copy_from_slice(&keys);
        self.written = start + N;
    }

    /// Says how many of the lanes that were written hold children.
    #[inline(always)]
    pub fn set_len(&mut self, len: usize) {
        self.len = len.min(self.written);
    }
}

impl Default for Children {
    fn default() -> Children {
        Children::new()
    }
}
