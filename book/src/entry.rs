//! A position of a book.

use outflank::notation::ply_name;
use outflank::symmetry::Symmetry;
use outflank::{Board, Limits, Ply, Selectivity, Square};

/// A move, and what it is worth for the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The move; `None` is a pass.
    pub ply: Ply,
    /// Discs, -64..=64.
    pub value: i32,
}

/// How far a position was searched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Searched {
    /// How certain the search was.
    pub selectivity: Selectivity,
    /// Plies; as many as empty squares is to the end of the game.
    pub depth: u8,
}

impl Searched {
    /// As far as `limits` ask for, with `empties` empty squares.
    pub fn by(limits: &Limits, empties: u32) -> Searched {
        Searched {
            selectivity: limits.selectivity,
            depth: limits.depth.min(empties) as u8,
        }
    }

    /// Whether a value so found, with `empties` empty squares, is that of perfect play.
    pub fn is_exact(self, empties: u32) -> bool {
        u32::from(self.depth) >= empties && self.selectivity == Selectivity::Full
    }

    /// Whether this is less than `other`, with `empties` empty squares: fewer plies, or less certain.
    pub fn is_less(self, other: Searched) -> bool {
        (self.depth, self.selectivity) < (other.depth, other.selectivity)
    }
}

/// A position of a book, and what is known of its moves.
///
/// Some of its moves are links: they lead to positions that are in the book, too, and are worth what those are.
/// The best one of the others, the leaf, was searched: it bounds them all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    board: Board,
    searched: Searched,
    leaf: Option<Move>,
    links: Vec<Move>,
}

/// Why something is no position of a book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EntryError {
    /// Both sides hold squares.
    #[error("both sides hold a square")]
    Overlap,
    /// One of D4, E4, D5, E5 is empty, which no game can reach.
    #[error("an empty square in the centre, which no game can reach")]
    EmptyCentre,
    /// A move is not legal there.
    #[error("the move {} is not legal", ply_name(*.0))]
    Illegal(Ply),
    /// A move is there twice.
    #[error("the move {} is there twice", ply_name(*.0))]
    Repeated(Ply),
    /// A value is none of a game.
    #[error("a value of {0:+} discs")]
    Value(i32),
    /// Neither links nor a leaf, though there are moves.
    #[error("no move has a value")]
    NoMoves,
    /// Not all moves have a value, and no leaf bounds the others.
    #[error("moves without a value, and no bound of them")]
    NoBound,
    /// Its bytes are not those that were written.
    #[error("its checksum is not that of its data")]
    Checksum,
    /// It was searched in a way that does not exist.
    #[error("a search of {depth} plies at selectivity {selectivity} with {empties} empty squares")]
    Searched {
        /// Plies.
        depth: u8,
        /// The number of the selectivity.
        selectivity: u8,
        /// Empty squares.
        empties: u32,
    },
}

impl Entry {
    /// A position whose links have these values, and whose other moves are bounded by the leaf's.
    pub fn new(
        board: Board,
        searched: Searched,
        leaf: Option<Move>,
        links: Vec<Move>,
    ) -> Result<Entry, EntryError> {
        check_board(board)?;
        let empties = board.empty_count();
        if u32::from(searched.depth) > empties {
            return Err(EntryError::Searched {
                depth: searched.depth,
                selectivity: searched.selectivity as u8,
                empties,
            });
        }
        let entry = Entry {
            board,
            searched,
            leaf,
            links,
        };
        let mut seen = 0_u128;
        for one in entry.moves() {
            if !(-64..=64).contains(&one.value) {
                return Err(EntryError::Value(one.value));
            }
            if after(board, one.ply).is_none() {
                return Err(EntryError::Illegal(one.ply));
            }
            let bit = 1 << one.ply.map_or(64, Square::index);
            if seen & bit != 0 {
                return Err(EntryError::Repeated(one.ply));
            }
            seen |= bit;
        }
        match (ply_count(board), seen.count_ones()) {
            (0, _) => Ok(entry),
            (_, 0) => Err(EntryError::NoMoves),
            (all, known) if leaf.is_none() && known < all => Err(EntryError::NoBound),
            _ => Ok(entry),
        }
    }

    /// The position.
    pub fn board(&self) -> Board {
        self.board
    }

    /// How the leaf was found.
    pub fn searched(&self) -> Searched {
        self.searched
    }

    /// The best move that leads out of the book. `None` where there is none: all moves are links, or the game
    /// is over.
    pub fn leaf(&self) -> Option<Move> {
        self.leaf
    }

    /// The moves to other positions of the book.
    pub fn links(&self) -> &[Move] {
        &self.links
    }

    /// Links and leaf.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.links.iter().copied().chain(self.leaf)
    }

    /// Links and leaf, the best first.
    pub fn best_first(&self) -> Vec<Move> {
        let mut moves: Vec<_> = self.moves().collect();
        moves.sort_by_key(|one| -one.value);
        moves
    }

    /// What the position is worth for the side to move, in discs.
    pub fn value(&self) -> i32 {
        let best = self.moves().map(|one| one.value).max();
        best.unwrap_or_else(|| self.board.final_score())
    }

    /// Whether the value of the leaf, or of the finished game, is that of perfect play.
    pub fn is_exact(&self) -> bool {
        self.searched.is_exact(self.board.empty_count())
    }

    /// The same position as a symmetry of the board shows it.
    pub fn seen(&self, symmetry: Symmetry) -> Entry {
        let seen = |one: Move| Move {
            ply: symmetry.ply(one.ply),
            ..one
        };
        Entry {
            board: symmetry.board(self.board),
            searched: self.searched,
            leaf: self.leaf.map(seen),
            links: self.links.iter().copied().map(seen).collect(),
        }
    }

    /// The position with its canonical board: [`Board::canonical`].
    pub fn canonical(&self) -> Entry {
        self.seen(self.board.canonical().1)
    }
}

/// The plies that a board allows: moves, or the pass that is due; 0 where the game is over.
pub(crate) fn ply_count(board: Board) -> u32 {
    match board.mobility().count_ones() {
        0 => u32::from(board.must_pass()),
        moves => moves,
    }
}

/// The plies that a board allows.
pub(crate) fn plies(board: Board) -> impl Iterator<Item = Ply> {
    let pass = board.must_pass().then_some(None);
    Square::all_in(board.mobility()).map(Some).chain(pass)
}

/// The position after a ply, a pass among them; `None` where it is not legal.
pub(crate) fn after(board: Board, ply: Ply) -> Option<Board> {
    match ply {
        Some(square) => board.play(square),
        None => board.must_pass().then(|| board.pass()),
    }
}

/// Refuses what is no position of a game.
pub(crate) fn check_board(board: Board) -> Result<(), EntryError> {
    let centre = Board::START.player | Board::START.opponent;
    if board.player & board.opponent != 0 {
        return Err(EntryError::Overlap);
    }
    match centre & board.empties() {
        0 => Ok(()),
        _ => Err(EntryError::EmptyCentre),
    }
}

/// What stands for no move in a file.
const NOTHING: u8 = 65;

impl Entry {
    /// What a file has of it besides the board: plies and selectivity of the search, the leaf, and the links,
    /// two bytes each; and a checksum.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.searched.depth, self.searched.selectivity as u8];
        let pair = |one: Move| [number(one.ply), one.value as i8 as u8];
        bytes.extend(self.leaf.map_or([NOTHING, 0], pair));
        bytes.extend(self.links.iter().copied().flat_map(pair));
        bytes.push(checksum(self.board, &bytes));
        bytes
    }

    /// What [`Entry::to_bytes`] wrote; `None` where it is nothing of the kind.
    pub(crate) fn from_bytes(board: Board, bytes: &[u8]) -> Option<Result<Entry, EntryError>> {
        // The first books had no checksums, and an even number of bytes.
        let bytes = match bytes.split_last() {
            Some((&last, bytes)) if bytes.len() % 2 == 0 => {
                if checksum(board, bytes) != last {
                    return Some(Err(EntryError::Checksum));
                }
                bytes
            }
            _ => bytes,
        };
        let (&[depth, selectivity, leaf, value], links) = bytes.split_first_chunk()?;
        let (links, []) = links.as_chunks() else {
            return None;
        };
        let read = |&[ply, value]: &[u8; 2]| {
            Some(Move {
                ply: read_ply(ply)?,
                value: i32::from(value as i8),
            })
        };
        let leaf = match leaf {
            NOTHING => None,
            ply => Some(read(&[ply, value])?),
        };
        let links = links.iter().map(read).collect::<Option<Vec<_>>>()?;
        let Some(&certainty) = Selectivity::ALL.get(usize::from(selectivity)) else {
            let empties = board.empty_count();
            return Some(Err(EntryError::Searched {
                depth,
                selectivity,
                empties,
            }));
        };
        let searched = Searched {
            selectivity: certainty,
            depth,
        };
        Some(Entry::new(board, searched, leaf, links))
    }
}

/// The checksum of what a file has of a position. Whatever changes up to eight bits in a row is found, and of other
/// changes all but one in 256.
fn checksum(board: Board, bytes: &[u8]) -> u8 {
    let board = [board.player, board.opponent].map(u64::to_be_bytes);
    let all = board.as_flattened().iter().chain(bytes);
    all.fold(0xFF, |crc, byte| CRC_8[usize::from(crc ^ byte)])
}

/// The polynomial 0x2F of CRC-8 as AUTOSAR has it ("Specification of CRC Routines"), for each byte.
const CRC_8: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < table.len() {
        let mut crc = byte as u8;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc << 1) ^ ((crc >> 7) * 0x2F);
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

/// A ply as files have it: squares are 0 to 63, a pass is 64.
pub(crate) fn number(ply: Ply) -> u8 {
    ply.map_or(64, |square| square.index() as u8)
}

/// The ply of a number; `None` where it has none.
pub(crate) fn read_ply(number: u8) -> Option<Ply> {
    match number {
        64 => Some(None),
        number => Square::new(number).map(Some),
    }
}
