//! In-memory graph of a book.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use outflank::{Board, Ply};

use crate::entry::{BookEntry, ValuedMove, after, number as number_of, plies, read_ply};
use crate::{Book, BookError, ManualValue, SearchEffort, Writer};

/// Numbered nodes of a book with negamax values.
///
/// A node has the value of its best move, unless a value is set by hand. A link has the negated value of its target.
///
/// Transpositions share a node. The graph is acyclic: a move adds a disc, and a pass is followed by a move.
#[derive(Default)]
pub struct Graph {
    numbers: HashMap<Board, u32>,
    nodes: Vec<Node>,
    /// Values set by hand, by the numbers of their nodes.
    manual: HashMap<u32, ManualValue>,
    /// Nodes that differ from the file.
    changed: Vec<u32>,
}

struct Node {
    board: Board,
    searched: SearchEffort,
    leaf: Option<PackedMove>,
    links: Vec<GraphLink>,
    parents: Vec<u32>,
    value: i8,
    /// Value of the best move.
    best: i8,
    /// `true` if the node is in [`Graph::changed`].
    is_changed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PackedMove {
    ply: u8,
    value: i8,
}

/// Edge of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphLink {
    packed: PackedMove,
    /// Number of the target node.
    pub to: u32,
}

impl GraphLink {
    /// Move on the canonical board.
    pub fn to_move(self) -> ValuedMove {
        self.packed.unpack()
    }
}

impl PackedMove {
    fn new(candidate: ValuedMove) -> PackedMove {
        PackedMove {
            ply: number_of(candidate.ply),
            value: candidate.value as i8,
        }
    }

    fn unpack(self) -> ValuedMove {
        let ply = read_ply(self.ply).expect("packed plies are valid");
        ValuedMove::new(ply, self.value.into())
    }
}

impl Node {
    fn best_move_value(&self) -> i8 {
        let links = self.links.iter().map(|link| link.packed);
        let best = links.chain(self.leaf).map(|packed| packed.value).max();
        best.unwrap_or_else(|| self.board.final_score() as i8)
    }
}

impl Graph {
    /// Reads a book and propagates the values of its leaves.
    pub fn read(book: &Book) -> Result<Graph, BookError> {
        let mut graph = Graph::default();
        book.for_each(|entry| {
            graph.add(&entry);
            Ok::<(), BookError>(())
        })?;
        graph.take_changed();
        graph.resolve_links();
        Ok(graph)
    }

    /// Inserts or replaces an entry and returns its number. [`Graph::resolve_links`] or [`Graph::link_all_moves`] must
    /// follow, to find the targets of its links. A value set by hand stays, unless the entry has another.
    pub fn add(&mut self, entry: &BookEntry) -> u32 {
        let entry = entry.canonical();
        let new = self.nodes.len() as u32;
        let number = *self.numbers.entry(entry.board()).or_insert(new);
        if number == new {
            self.nodes.push(Node {
                board: entry.board(),
                searched: entry.searched(),
                leaf: None,
                links: Vec::new(),
                parents: Vec::new(),
                value: entry.value() as i8,
                best: entry.best_move_value() as i8,
                is_changed: false,
            });
        }
        let links = entry.links().iter().map(|&link| GraphLink {
            packed: PackedMove::new(link),
            to: u32::MAX,
        });
        let node = self.node_mut(number);
        node.searched = entry.searched();
        node.leaf = entry.leaf().map(PackedMove::new);
        node.links = links.collect();
        if let Some(manual) = entry.manual_value() {
            self.manual.insert(number, manual.clone());
        }
        self.mark(number);
        number
    }

    /// Sets the value of a node by hand, or removes such a value, and propagates the change. Returns the visited nodes, as
    /// [`Graph::insert`] does.
    pub fn set_manual_value(&mut self, number: u32, manual: Option<ManualValue>) -> Vec<u32> {
        match manual {
            Some(manual) => _ = self.manual.insert(number, manual),
            None => _ = self.manual.remove(&number),
        }
        self.mark(number);
        self.propagate(number)
    }

    /// Marks a node as different from the file.
    fn mark(&mut self, number: u32) {
        if !std::mem::replace(&mut self.node_mut(number).is_changed, true) {
            self.changed.push(number);
        }
    }

    /// Merges an entry of another book. Keeps the links of both entries and, where possible, the leaf of the deeper
    /// search. Of two values set by hand that of this book is kept. [`Graph::link_all_moves`] must follow.
    pub fn merge(&mut self, entry: &BookEntry) {
        let entry = entry.canonical();
        let known = self.find(entry.board());
        let Some(known) = known.and_then(|number| self.entry(number)) else {
            self.add(&entry);
            return;
        };
        let (deeper, other) = match known.searched().is_weaker_than(entry.searched()) {
            true => (&entry, &known),
            false => (&known, &entry),
        };
        let mut links = deeper.links().to_vec();
        let is_new = |link: &&ValuedMove| !deeper.links().iter().any(|known| known.ply == link.ply);
        links.extend(other.links().iter().filter(is_new));
        let has_unlinked_moves = links.len() < plies(entry.board()).count();
        // Leaves with their searches.
        let leaves = [deeper, other].map(|entry| Some((entry.leaf()?, entry.searched())));
        let leaves = leaves.into_iter().flatten();
        let is_linked = |leaf: ValuedMove| links.iter().any(|link| link.ply == leaf.ply);
        // A leaf that is also a link is kept only if it must bound moves without a link. Then the link is dropped.
        let unlinked = leaves.clone().find(|&(leaf, _)| !is_linked(leaf));
        let chosen = unlinked.or(leaves.clone().next().filter(|_| has_unlinked_moves));
        let (leaf, searched) = match chosen {
            Some((leaf, searched)) => (Some(leaf), searched),
            None => (None, deeper.searched()),
        };
        links.retain(|link| leaf.is_none_or(|leaf| leaf.ply != link.ply));
        let merged = BookEntry::new(entry.board(), searched, leaf, links);
        let merged = merged.expect("both entries have legal moves of the board");
        let manual = known.manual_value().or(entry.manual_value());
        let merged = merged.with_manual_value(manual.cloned());
        if merged != known {
            self.add(&merged);
        }
    }

    fn node_mut(&mut self, number: u32) -> &mut Node {
        &mut self.nodes[number as usize]
    }

    /// Finds the targets of all links and propagates values to the start. A link without a target becomes the leaf if
    /// its value is better than the leaf's.
    pub fn resolve_links(&mut self) {
        self.connect(false);
    }

    /// Like [`Graph::resolve_links`], but first links all moves that lead to positions of the book.
    ///
    /// A leaf that leads to a position of the book stays a leaf while it bounds other moves. Only a search can find
    /// a new bound.
    pub fn link_all_moves(&mut self) {
        self.connect(true);
    }

    /// Links all nodes as [`Graph::link_node`] does, and computes their values.
    fn connect(&mut self, all: bool) {
        for node in &mut self.nodes {
            node.parents.clear();
        }
        for number in 0..self.nodes.len() as u32 {
            self.link_node(number, all);
        }
        for number in self.targets_first() {
            self.update(number);
        }
    }

    /// All nodes, the targets of links before their sources.
    pub(crate) fn targets_first(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.nodes.len() as u32).collect();
        order.sort_by_key(|&number| rank(self.board(number)));
        order
    }

    /// Finds the targets of a node's links, or of all its moves. The best of the leaf and the links without a target
    /// becomes the leaf.
    fn link_node(&mut self, number: u32, all: bool) {
        let board = self.board(number);
        let target = |ply| {
            let next = after(board, ply).expect("a ply of the board").canonical().0;
            self.numbers.get(&next).copied()
        };
        let is_linked = |ply| {
            let mut links = self.nodes[number as usize].links.iter();
            links.any(|link| link.packed.ply == number_of(ply))
        };
        let mut targets: Vec<(u8, u32)> = plies(board)
            .filter(|&ply| all || is_linked(ply))
            .filter_map(|ply| Some((number_of(ply), target(ply)?)))
            .collect();
        // While some moves have no target, the leaf bounds them and is no link.
        if targets.len() < plies(board).count() {
            let leaf = self.nodes[number as usize].leaf;
            targets.retain(|&(ply, _)| leaf.is_none_or(|leaf| leaf.ply != ply));
        }
        for &(_, to) in &targets {
            self.node_mut(to).parents.push(number);
        }
        let node = self.node_mut(number);
        let old_links = std::mem::take(&mut node.links);
        let old_links: Vec<PackedMove> = old_links.iter().map(|link| link.packed).collect();
        let links = targets.iter().map(|&(ply, to)| {
            let value = i8::MIN;
            let known = old_links.iter().find(|link| link.ply == ply).copied();
            let packed = known.unwrap_or(PackedMove { ply, value });
            GraphLink { packed, to }
        });
        node.links = links.collect();
        let is_outside = |packed: &PackedMove| targets.iter().all(|&(ply, _)| ply != packed.ply);
        let outside = old_links.iter().copied().filter(is_outside);
        let leaf = node.leaf.filter(is_outside).into_iter().chain(outside);
        let leaf = leaf.max_by_key(|leaf| leaf.value);
        let ply = |leaf: Option<PackedMove>| leaf.map(|leaf| leaf.ply);
        let is_changed = old_links.len() != node.links.len() || ply(leaf) != ply(node.leaf);
        node.leaf = leaf;
        if is_changed {
            self.mark(number);
        }
    }

    /// Recomputes the value of a node from its targets. Returns `true` if the value changed.
    fn update(&mut self, number: u32) -> bool {
        let mut links = std::mem::take(&mut self.node_mut(number).links);
        let mut changed = false;
        for link in &mut links {
            let value = -self.nodes[link.to as usize].value;
            changed |= link.packed.value != value;
            link.packed.value = value;
        }
        if changed {
            self.mark(number);
        }
        let node = self.node_mut(number);
        node.links = links;
        node.best = node.best_move_value();
        let best = node.best;
        let manual = self.manual_value(number).map(|manual| manual.value() as i8);
        let value = manual.unwrap_or(best);
        std::mem::replace(&mut self.node_mut(number).value, value) != value
    }

    /// Propagates the value of a new or changed node to its ancestors. Returns the visited nodes.
    fn propagate(&mut self, number: u32) -> Vec<u32> {
        let mut seen = Vec::new();
        let mut waiting = BinaryHeap::from([Reverse((rank(self.board(number)), number))]);
        while let Some(Reverse((_, number))) = waiting.pop() {
            // A node is queued once for each changed child.
            if seen.last() == Some(&number) {
                continue;
            }
            seen.push(number);
            if self.update(number) || seen.len() == 1 {
                for &parent in &self.nodes[number as usize].parents {
                    waiting.push(Reverse((rank(self.board(parent)), parent)));
                }
            }
        }
        seen
    }

    /// Inserts an entry, links it with all positions that its moves lead to, and propagates its value. Returns the
    /// visited nodes: the new one first, and each node before its parents.
    pub fn insert(&mut self, entry: &BookEntry) -> Vec<u32> {
        if let Some(known) = self.find(entry.board()) {
            self.unlink(known);
        }
        let number = self.add(entry);
        self.link_node(number, true);
        self.propagate(number)
    }

    /// Plies of a board that lead to positions of the book.
    pub fn plies_into_book(&self, board: Board) -> Vec<Ply> {
        let leads_in = |&ply: &Ply| after(board, ply).is_some_and(|next| self.find(next).is_some());
        plies(board).filter(leads_in).collect()
    }

    fn unlink(&mut self, number: u32) {
        let links = self.nodes[number as usize].links.clone();
        for link in links.iter().filter(|link| link.to != u32::MAX) {
            self.node_mut(link.to)
                .parents
                .retain(|&other| other != number);
        }
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns `true` if there are no positions.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Number of a position; `None` if the book lacks it.
    pub fn find(&self, board: Board) -> Option<u32> {
        self.numbers.get(&board.canonical().0).copied()
    }

    /// Canonical board of a node.
    pub fn board(&self, number: u32) -> Board {
        self.nodes[number as usize].board
    }

    /// Value of a node for its side to move: the one set by hand, or that of its best move.
    pub fn value(&self, number: u32) -> i32 {
        self.nodes[number as usize].value.into()
    }

    /// Value of the best move of a node. The score if the game is over.
    pub fn best_move_value(&self, number: u32) -> i32 {
        self.nodes[number as usize].best.into()
    }

    /// Value of a node set by hand.
    pub fn manual_value(&self, number: u32) -> Option<&ManualValue> {
        self.manual.get(&number)
    }

    /// Nodes with values set by hand, in no order.
    pub fn manual_values(&self) -> impl Iterator<Item = (u32, &ManualValue)> {
        self.manual.iter().map(|(&number, manual)| (number, manual))
    }

    /// Depth and selectivity of the search that found the leaf of a node.
    pub fn searched(&self, number: u32) -> SearchEffort {
        self.nodes[number as usize].searched
    }

    /// Best move of a node that leaves the book.
    pub fn leaf(&self, number: u32) -> Option<ValuedMove> {
        self.nodes[number as usize].leaf.map(PackedMove::unpack)
    }

    /// Links of a node.
    pub fn links(&self, number: u32) -> &[GraphLink] {
        &self.nodes[number as usize].links
    }

    /// Nodes with a link to this node.
    pub fn parents(&self, number: u32) -> &[u32] {
        &self.nodes[number as usize].parents
    }

    /// Entry of a node; `None` if some moves have neither a link nor a bound.
    pub fn entry(&self, number: u32) -> Option<BookEntry> {
        let node = &self.nodes[number as usize];
        let links = node.links.iter().map(|link| link.to_move());
        let leaf = node.leaf.map(PackedMove::unpack);
        let entry = BookEntry::new(node.board, node.searched, leaf, links.collect()).ok()?;
        Some(entry.with_manual_value(self.manual_value(number).cloned()))
    }

    /// All valid entries.
    pub fn entries(&self) -> impl Iterator<Item = BookEntry> {
        (0..self.nodes.len() as u32).filter_map(|number| self.entry(number))
    }

    /// Takes the entries that changed since the last call.
    pub fn take_changed(&mut self) -> Vec<BookEntry> {
        let changed = std::mem::take(&mut self.changed);
        let entry = |number| {
            self.node_mut(number).is_changed = false;
            self.entry(number)
        };
        changed.into_iter().filter_map(entry).collect()
    }

    /// Writes all changed entries, and returns their number.
    pub fn save(&mut self, writer: &mut Writer) -> Result<usize, BookError> {
        let changed = self.take_changed();
        let count = changed.len();
        put_all(writer, changed)?;
        Ok(count)
    }
}

/// Writes entries in the order of their boards, which is fastest for many.
pub(crate) fn put_all(writer: &mut Writer, mut entries: Vec<BookEntry>) -> Result<(), BookError> {
    entries.sort_unstable_by_key(|entry| (entry.board().player, entry.board().opponent));
    entries.iter().try_for_each(|entry| writer.put(entry))
}

/// Sort key by which the targets of links precede their sources: fewer empty squares first. At equal numbers,
/// positions with a move come first, because a pass leads to one of them.
pub(crate) fn rank(board: Board) -> (u32, bool) {
    (board.empty_count(), board.mobility() == 0)
}
