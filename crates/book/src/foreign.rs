//! Books of other programs that have positions and leaves, but no links.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use outflank::{Board, Ply};

use crate::entry::{BookEntry, SearchEffort, ValuedMove, after, check_board, plies};
use crate::graph::rank;
use crate::{EntryError, Graph};

/// Maximum number of listed faults.
const MAX_FAULTS: usize = 10;

/// Book of another program.
#[derive(Default)]
pub struct ForeignImport {
    /// Valid positions, linked with each other. Negamax values are computed from the leaves.
    pub graph: Graph,
    /// Number of positions in the file.
    pub positions: usize,
    /// Invalid positions, at most ten.
    pub faults: Vec<PositionFault>,
    /// Number of all invalid positions.
    pub fault_count: usize,
    /// Number of repeated positions, up to symmetry. The deepest search is used, of equal ones the last.
    pub repeated: usize,
    /// Number of positions whose value in the file differs from the negamax value of their moves.
    pub changed_values: usize,
    /// Positions that are not connected yet, by their canonical boards, with their numbers.
    unconnected: HashMap<Board, (usize, ForeignPosition)>,
}

/// Invalid position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("position {number}: {error}")]
pub struct PositionFault {
    /// Number of the position in the file, from 1.
    pub number: usize,
    /// Reason.
    pub error: EntryError,
}

/// Position of a file.
#[derive(Clone)]
pub(crate) struct ForeignPosition {
    pub(crate) board: Board,
    /// Value for the mover, if the file has it.
    pub(crate) value: Option<i32>,
    /// Effort of the search of the leaf.
    pub(crate) searched: SearchEffort,
    /// Moves with values, the leaf among them. Those that lead to valid positions of the file become links.
    pub(crate) moves: Vec<ValuedMove>,
}

impl ForeignPosition {
    /// Checks the moves and their values.
    fn checked(self) -> Result<ForeignPosition, EntryError> {
        for known in &self.moves {
            if known.value.abs() > 64 {
                return Err(EntryError::Value(known.value));
            }
            if after(self.board, known.ply).is_none() {
                return Err(EntryError::Illegal(known.ply));
            }
        }
        check_board(self.board).map(|()| self)
    }
}

impl ForeignImport {
    /// Adds the next position of the file, or its fault. [`ForeignImport::connect`] must follow the last one.
    pub(crate) fn add(&mut self, number: usize, position: Result<ForeignPosition, EntryError>) {
        self.positions += 1;
        match position.and_then(ForeignPosition::checked) {
            Err(error) => self.add_fault(number, error),
            Ok(position) => {
                let (board, symmetry) = position.board.canonical();
                let turned =
                    |known: &ValuedMove| ValuedMove::new(symmetry.ply(known.ply), known.value);
                let turned = ForeignPosition {
                    board,
                    moves: position.moves.iter().map(turned).collect(),
                    ..position
                };
                let known = self.unconnected.entry(board);
                self.repeated += usize::from(matches!(known, Entry::Occupied(_)));
                let (known_number, known) = known.or_insert((number, turned.clone()));
                if !turned.searched.is_weaker_than(known.searched) {
                    (*known_number, *known) = (number, turned);
                }
            }
        }
    }

    fn add_fault(&mut self, number: usize, error: EntryError) {
        self.fault_count += 1;
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(PositionFault { number, error });
        }
    }

    /// Links the positions with each other and computes their values.
    pub(crate) fn connect(&mut self) {
        let positions = std::mem::take(&mut self.unconnected);
        let find = |board: Board| {
            let found = positions.get(&board.canonical().0);
            found.map(|(_, position)| position)
        };
        let mut sorted: Vec<&(usize, ForeignPosition)> = positions.values().collect();
        sorted.sort_by_key(|(number, position)| (rank(position.board), *number));
        // Negamax values of valid positions.
        let mut values: HashMap<Board, i32> = HashMap::new();
        let mut faults = Vec::new();
        for (number, position) in sorted {
            let (mut links, mut moves) = (Vec::new(), position.moves.clone());
            for ply in plies(position.board) {
                let next = after(position.board, ply).expect("a ply of the board");
                if let Some(&value) = values.get(&next.canonical().0) {
                    links.push(ValuedMove::new(ply, -value));
                } else if let Some(invalid) = find(next) {
                    moves.extend(invalid.value.map(|value| ValuedMove::new(ply, -value)));
                } else if let Some(&value) = values.get(&next.pass().canonical().0)
                    && next.must_pass()
                {
                    // The file has the position after the pass in place of the one before.
                    let searched =
                        find(next.pass()).map_or(position.searched, |passed| passed.searched);
                    let pass = vec![ValuedMove::new(None, -value)];
                    let entry = BookEntry::new(next, searched, None, pass);
                    self.graph.add(&entry.expect("a pass is the only ply"));
                    links.push(ValuedMove::new(ply, value));
                }
            }
            let is_link = |ply: Ply| links.iter().any(|link| link.ply == ply);
            let outside = moves.iter().filter(|known| !is_link(known.ply));
            let leaf = outside.max_by_key(|known| known.value).copied();
            match BookEntry::new(position.board, position.searched, leaf, links) {
                Ok(entry) => {
                    let value = entry.value();
                    values.insert(position.board, value);
                    self.graph.add(&entry);
                    let is_changed = position.value.is_some_and(|listed| listed != value);
                    self.changed_values += usize::from(is_changed);
                }
                Err(error) => faults.push((*number, error)),
            }
        }
        faults.sort_by_key(|&(number, _)| number);
        for (number, error) in faults {
            self.add_fault(number, error);
        }
        self.graph.resolve_links();
    }
}
