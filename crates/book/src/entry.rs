//! Entries of a book: positions with the values of their moves.

use outflank::notation::ply_name;
use outflank::symmetry::Symmetry;
use outflank::{Board, Limits, Ply, Selectivity, Square};

use crate::{MAX_REASON, ManualValue};

/// Move with its value for the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValuedMove {
    /// Square of the move, or `None` for a pass.
    pub ply: Ply,
    /// Value in discs, -64 to 64.
    pub value: i32,
}

impl ValuedMove {
    /// Creates a move with its value.
    pub fn new(ply: Ply, value: i32) -> ValuedMove {
        ValuedMove { ply, value }
    }
}

/// Depth and selectivity of a search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SearchEffort {
    /// Confidence of selective cuts.
    pub selectivity: Selectivity,
    /// Depth in plies. The number of empty squares means a search to the end of the game.
    pub depth: u8,
}

impl SearchEffort {
    /// Creates the effort of a search to `depth` plies.
    pub fn new(depth: u8, selectivity: Selectivity) -> SearchEffort {
        SearchEffort { selectivity, depth }
    }

    /// Depth and selectivity that `limits` give at `empties` empty squares.
    pub fn of_limits(limits: &Limits, empties: u32) -> SearchEffort {
        SearchEffort::new(limits.depth.min(empties) as u8, limits.selectivity)
    }

    /// Returns `true` if values of this search are exact at `empties` empty squares.
    pub fn is_exact(self, empties: u32) -> bool {
        u32::from(self.depth) >= empties && self.selectivity == Selectivity::Full
    }

    /// Returns `true` if the depth is smaller, or equal with a lower selectivity.
    pub fn is_weaker_than(self, other: SearchEffort) -> bool {
        (self.depth, self.selectivity) < (other.depth, other.selectivity)
    }
}

/// Position of a book with the values of its moves.
///
/// A link is a move to another position of the book and has that position's negamax value. The leaf is the best of the
/// other moves, found by a search. Its value bounds all of them. A value set by hand replaces that of the best move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookEntry {
    board: Board,
    searched: SearchEffort,
    leaf: Option<ValuedMove>,
    links: Vec<ValuedMove>,
    manual: Option<ManualValue>,
}

/// Reason why data is no valid entry.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EntryError {
    /// Both sides hold the same square.
    #[error("both sides hold a square")]
    Overlap,
    /// One of D4, E4, D5, E5 is empty.
    #[error("an empty square in the centre, which no game can reach")]
    EmptyCentre,
    /// A move is illegal.
    #[error("the move {} is not legal", ply_name(*.0))]
    Illegal(Ply),
    /// A move occurs twice.
    #[error("the move {} is there twice", ply_name(*.0))]
    Repeated(Ply),
    /// A value is out of range.
    #[error("a value of {0:+} discs")]
    Value(i32),
    /// The reason of a value set by hand is empty, too long, or more than a line.
    #[error("the reason of a value: expected a line of 1 to {MAX_REASON} bytes")]
    Reason,
    /// Moves exist, but neither links nor a leaf.
    #[error("no move has a value")]
    NoMoves,
    /// Some moves have no value, and no leaf bounds them.
    #[error("moves without a value, and no bound of them")]
    NoBound,
    /// The layout is not that of an entry.
    #[error("its data is no position's")]
    Layout,
    /// The checksum does not match.
    #[error("its checksum is not that of its data")]
    Checksum,
    /// The depth or the selectivity is out of range.
    #[error("a search of {depth} plies at selectivity {selectivity} with {empties} empty squares")]
    Searched {
        /// Depth in plies.
        depth: u8,
        /// Index of the selectivity.
        selectivity: u8,
        /// Number of empty squares.
        empties: u32,
    },
}

impl BookEntry {
    /// Validates and creates an entry. The leaf bounds all moves without a link.
    pub fn new(
        board: Board,
        searched: SearchEffort,
        leaf: Option<ValuedMove>,
        links: Vec<ValuedMove>,
    ) -> Result<BookEntry, EntryError> {
        check_board(board)?;
        let empties = board.empty_count();
        if u32::from(searched.depth) > empties {
            return Err(EntryError::Searched {
                depth: searched.depth,
                selectivity: searched.selectivity as u8,
                empties,
            });
        }
        let entry = BookEntry {
            board,
            searched,
            leaf,
            links,
            manual: None,
        };
        let mut seen = 0_u128;
        for candidate in entry.moves() {
            if !(-64..=64).contains(&candidate.value) {
                return Err(EntryError::Value(candidate.value));
            }
            if after(board, candidate.ply).is_none() {
                return Err(EntryError::Illegal(candidate.ply));
            }
            let bit = 1 << candidate.ply.map_or(64, Square::index);
            if seen & bit != 0 {
                return Err(EntryError::Repeated(candidate.ply));
            }
            seen |= bit;
        }
        match (plies(board).count(), seen.count_ones() as usize) {
            (0, _) => Ok(entry),
            (_, 0) => Err(EntryError::NoMoves),
            (all, known) if leaf.is_none() && known < all => Err(EntryError::NoBound),
            _ => Ok(entry),
        }
    }

    /// Sets the value by hand, or removes such a value.
    pub fn with_manual_value(self, manual: Option<ManualValue>) -> BookEntry {
        BookEntry { manual, ..self }
    }

    /// Position, mover first.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Depth and selectivity of the search that found the leaf.
    pub fn searched(&self) -> SearchEffort {
        self.searched
    }

    /// Best move that leaves the book. `None` if all moves are links or the game is over.
    pub fn leaf(&self) -> Option<ValuedMove> {
        self.leaf
    }

    /// Moves to other positions of the book.
    pub fn links(&self) -> &[ValuedMove] {
        &self.links
    }

    /// Links and leaf, unsorted.
    pub fn moves(&self) -> impl Iterator<Item = ValuedMove> {
        self.links.iter().copied().chain(self.leaf)
    }

    /// Links and leaf, best first.
    pub fn best_first(&self) -> Vec<ValuedMove> {
        let mut moves: Vec<_> = self.moves().collect();
        moves.sort_by_key(|candidate| -candidate.value);
        moves
    }

    /// Value set by hand.
    pub fn manual_value(&self) -> Option<&ManualValue> {
        self.manual.as_ref()
    }

    /// Value in discs for the side to move: the one set by hand, or that of the best move.
    pub fn value(&self) -> i32 {
        let manual = self.manual_value().map(ManualValue::value);
        manual.unwrap_or_else(|| self.best_move_value())
    }

    /// Value of the best move in discs for the side to move. The score if the game is over.
    pub fn best_move_value(&self) -> i32 {
        let best = self.moves().map(|candidate| candidate.value).max();
        best.unwrap_or_else(|| self.board.final_score())
    }

    /// Returns `true` if the leaf or the finished game has an exact value.
    pub fn is_exact(&self) -> bool {
        self.searched.is_exact(self.board.empty_count())
    }

    /// Applies a symmetry of the board.
    pub fn transformed(&self, symmetry: Symmetry) -> BookEntry {
        let transform = |ValuedMove { ply, value }| ValuedMove::new(symmetry.ply(ply), value);
        BookEntry {
            board: symmetry.board(self.board),
            searched: self.searched,
            leaf: self.leaf.map(transform),
            links: self.links.iter().copied().map(transform).collect(),
            manual: self.manual.clone(),
        }
    }

    /// Entry of the canonical board: [`Board::canonical`].
    pub fn canonical(&self) -> BookEntry {
        self.transformed(self.board.canonical().1)
    }
}

/// Legal plies, including a forced pass.
pub(crate) fn plies(board: Board) -> impl Iterator<Item = Ply> {
    let pass = board.must_pass().then_some(None);
    Square::all_in(board.mobility()).map(Some).chain(pass)
}

/// Board after a ply, which may be a forced pass. Returns `None` for an illegal ply.
pub(crate) fn after(board: Board, ply: Ply) -> Option<Board> {
    match ply {
        Some(square) => board.play(square),
        None => board.must_pass().then(|| board.pass()),
    }
}

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

/// Byte for "no move" in books, Edax's included.
pub(crate) const NO_MOVE: u8 = 65;

/// Marks a value set by hand. It stands where a link has its square.
const MANUAL: u8 = 66;

impl BookEntry {
    /// Encodes the entry without its board: depth, selectivity, leaf and links (two bytes each), a value set by hand and
    /// its reason, checksum.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.searched.depth, self.searched.selectivity as u8];
        let pair = |candidate: ValuedMove| [number(candidate.ply), candidate.value as i8 as u8];
        bytes.extend(self.leaf.map_or([NO_MOVE, 0], pair));
        bytes.extend(self.links.iter().copied().flat_map(pair));
        if let Some(manual) = &self.manual {
            bytes.extend([MANUAL, manual.value() as i8 as u8]);
            bytes.extend(manual.reason().bytes());
            // Together with its checksum, an entry has an odd number of bytes.
            bytes.resize(bytes.len().next_multiple_of(2), 0);
        }
        bytes.push(checksum(self.board, &bytes));
        bytes
    }

    pub(crate) fn from_bytes(board: Board, bytes: &[u8]) -> Result<BookEntry, EntryError> {
        // Early books have no checksum, and an even number of bytes.
        let bytes = match bytes.split_last() {
            Some((&last, bytes)) if bytes.len() % 2 == 0 => {
                if checksum(board, bytes) != last {
                    return Err(EntryError::Checksum);
                }
                bytes
            }
            _ => bytes,
        };
        let head = bytes.split_first_chunk().ok_or(EntryError::Layout)?;
        let (&[depth, selectivity, leaf, value], links) = head;
        let (links, []) = links.as_chunks() else {
            return Err(EntryError::Layout);
        };
        let mark = links.iter().position(|&[ply, _]| ply == MANUAL);
        let (links, manual) = links.split_at(mark.unwrap_or(links.len()));
        let manual = manual.split_first().map(read_manual).transpose()?;
        let read = |&[ply, value]: &[u8; 2]| {
            let ply = read_ply(ply).ok_or(EntryError::Layout)?;
            Ok(ValuedMove::new(ply, i32::from(value as i8)))
        };
        let leaf = match leaf {
            NO_MOVE => None,
            ply => Some(read(&[ply, value])?),
        };
        let links = links.iter().map(read).collect::<Result<_, _>>()?;
        let level = Selectivity::ALL.get(usize::from(selectivity));
        let &level = level.ok_or_else(|| EntryError::Searched {
            depth,
            selectivity,
            empties: board.empty_count(),
        })?;
        let entry = BookEntry::new(board, SearchEffort::new(depth, level), leaf, links)?;
        Ok(entry.with_manual_value(manual))
    }
}

/// Reads a value set by hand: the mark and the value, then the reason, which a zero byte may follow.
fn read_manual((&[_, value], reason): (&[u8; 2], &[[u8; 2]])) -> Result<ManualValue, EntryError> {
    let reason = reason.as_flattened();
    let reason = reason.strip_suffix(&[0]).unwrap_or(reason);
    let reason = std::str::from_utf8(reason).map_err(|_| EntryError::Reason)?;
    ManualValue::new((value as i8).into(), reason)
}

/// Checksum of an entry. It detects any burst of up to eight bits, and 255 of 256 other changes.
fn checksum(board: Board, bytes: &[u8]) -> u8 {
    let board = [board.player, board.opponent].map(u64::to_be_bytes);
    let all = board.as_flattened().iter().chain(bytes);
    all.fold(0xFF, |crc, byte| CRC_8[usize::from(crc ^ byte)])
}

/// Table of the CRC-8 polynomial 0x2F (AUTOSAR, "Specification of CRC Routines").
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

/// Encodes a ply: squares are 0 to 63, a pass is 64.
pub(crate) fn number(ply: Ply) -> u8 {
    ply.map_or(64, |square| square.index() as u8)
}

/// Decodes a ply. Returns `None` for an unassigned number.
pub(crate) fn read_ply(number: u8) -> Option<Ply> {
    match number {
        64 => Some(None),
        number => Square::new(number).map(Some),
    }
}
