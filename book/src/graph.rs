//! A whole book in memory: positions that know each other.

use std::collections::{BinaryHeap, HashMap};

use outflank::{Board, Ply};

use crate::entry::{Entry, Move, after, number as number_of, plies, ply_count, read_ply};
use crate::{Book, BookError, Searched, Writer};

/// The positions of a book by number, each with its moves, so that values go from the leaves to the start
/// (negamax): a position is worth as much as its best move, and a link as much as the position that it leads to.
///
/// Positions can be reached in several ways; each is there once. There are no cycles: a move adds a disc, and
/// after a pass there is a move.
#[derive(Default)]
pub struct Graph {
    numbers: HashMap<Board, u32>,
    nodes: Vec<Node>,
    /// The positions that are not as the store has them.
    changed: Vec<u32>,
}

/// A position.
struct Node {
    /// Canonical.
    board: Board,
    searched: Searched,
    /// The best move that leads out of the book.
    leaf: Option<Stored>,
    links: Vec<Linked>,
    /// The positions that link to it.
    parents: Vec<u32>,
    value: i8,
    /// Whether it is among those that changed.
    is_changed: bool,
}

/// A move in two bytes.
#[derive(Clone, Copy)]
struct Stored {
    ply: u8,
    value: i8,
}

/// A move to another position of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Linked {
    ply: u8,
    value: i8,
    /// The number of the position that it leads to.
    pub to: u32,
}

impl Linked {
    /// The move, on the canonical board.
    pub fn one(self) -> Move {
        Stored {
            ply: self.ply,
            value: self.value,
        }
        .one()
    }
}

impl Stored {
    fn of(one: Move) -> Stored {
        Stored {
            ply: number_of(one.ply),
            value: one.value as i8,
        }
    }

    fn one(self) -> Move {
        Move {
            ply: read_ply(self.ply).expect("it came from a ply"),
            value: self.value.into(),
        }
    }
}

impl Node {
    fn best(&self) -> i8 {
        let links = self.links.iter().map(|link| link.value);
        let best = links.chain(self.leaf.map(|leaf| leaf.value)).max();
        best.unwrap_or_else(|| self.board.final_score() as i8)
    }
}

impl Graph {
    /// The positions of a book, with the values that follow from its leaves.
    pub fn of(book: &Book) -> Result<Graph, BookError> {
        let mut graph = Graph::default();
        book.for_each(|entry| {
            graph.add(&entry);
            Ok::<(), BookError>(())
        })?;
        graph.take_changed();
        graph.resolve();
        Ok(graph)
    }

    /// Puts a position into it, or replaces what is known of it, and returns its number. Where its links lead,
    /// [`Graph::resolve`] and [`Graph::link`] find out.
    pub fn add(&mut self, entry: &Entry) -> u32 {
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
                is_changed: false,
            });
        }
        let links = entry.links().iter().map(|&one| Linked {
            ply: Stored::of(one).ply,
            value: one.value as i8,
            to: u32::MAX,
        });
        let node = &mut self.nodes[number as usize];
        node.searched = entry.searched();
        node.leaf = entry.leaf().map(Stored::of);
        node.links = links.collect();
        self.mark(number);
        number
    }

    /// Notes that a position is not as the store has it.
    fn mark(&mut self, number: u32) {
        if !std::mem::replace(&mut self.node(number).is_changed, true) {
            self.changed.push(number);
        }
    }

    /// Puts what another book knows of a position into it: of two leaves the one that was searched further counts,
    /// and there are the links of both. [`Graph::link`] is to follow.
    pub fn merge(&mut self, entry: &Entry) {
        let entry = entry.canonical();
        let known = self.find(entry.board());
        let Some(known) = known.and_then(|number| self.entry(number)) else {
            self.add(&entry);
            return;
        };
        let (further, other) = match known.searched().is_less(entry.searched()) {
            true => (&entry, &known),
            false => (&known, &entry),
        };
        let mut links = further.links().to_vec();
        let is_new = |link: &&Move| !further.links().iter().any(|one| one.ply == link.ply);
        links.extend(other.links().iter().filter(is_new));
        let is_open = (links.len() as u32) < ply_count(entry.board());
        let leaves = || {
            [further, other]
                .into_iter()
                .filter(|one| one.leaf().is_some())
        };
        let is_linked = |leaf: Option<Move>| {
            let mut links = links.iter();
            leaf.is_some_and(|leaf| links.any(|link| link.ply == leaf.ply))
        };
        let unlinked = leaves().find(|one| !is_linked(one.leaf()));
        let chosen = unlinked.or_else(|| leaves().next().filter(|_| is_open));
        let leaf = chosen.and_then(Entry::leaf);
        links.retain(|link| leaf.is_none_or(|leaf| leaf.ply != link.ply));
        let searched = chosen.unwrap_or(further).searched();
        let merged = Entry::new(entry.board(), searched, leaf, links);
        let merged = merged.expect("moves of two positions are moves of one");
        if merged != known {
            self.add(&merged);
        }
    }

    fn node(&mut self, number: u32) -> &mut Node {
        &mut self.nodes[number as usize]
    }

    /// Finds the positions that the links lead to, and brings the values from the leaves to the start. A link that
    /// leads nowhere becomes the leaf where it is better than that.
    pub fn resolve(&mut self) {
        self.connect(false);
    }

    /// The same, with links for all moves that lead to positions of the book. A leaf that leads to a position of the book stays a leaf as long as it bounds other moves: only a
    /// search can tell what those are worth.
    pub fn link(&mut self) {
        self.connect(true);
    }

    fn connect(&mut self, all: bool) {
        for node in &mut self.nodes {
            node.parents.clear();
        }
        for number in 0..self.nodes.len() as u32 {
            self.link_one(number, all);
        }
        let mut order: Vec<u32> = (0..self.nodes.len() as u32).collect();
        order.sort_by_key(|&number| rank(self.board(number)));
        for number in order {
            self.update(number);
        }
    }

    /// Links a position to `all` that its moves lead to, or to those that it claims to.
    fn link_one(&mut self, number: u32, all: bool) {
        let board = self.board(number);
        let reached = |ply| {
            let next = after(board, ply).expect("a ply of the board").canonical().0;
            self.numbers.get(&next).copied()
        };
        let is_claimed = |ply| {
            let mut links = self.nodes[number as usize].links.iter();
            links.any(|link| link.ply == number_of(ply))
        };
        let mut found: Vec<(u8, u32)> = plies(board)
            .filter(|&ply| all || is_claimed(ply))
            .filter_map(|ply| Some((number_of(ply), reached(ply)?)))
            .collect();
        if found.len() < ply_count(board) as usize {
            let leaf = self.nodes[number as usize].leaf;
            found.retain(|&(ply, _)| leaf.is_none_or(|leaf| leaf.ply != ply));
        }
        for &(_, to) in &found {
            self.node(to).parents.push(number);
        }
        let node = self.node(number);
        let claimed = std::mem::take(&mut node.links);
        let stays = |ply| found.iter().any(|&(linked, _)| linked == ply);
        let value = |ply| {
            let known = claimed.iter().find(|link| link.ply == ply);
            known.map_or(i8::MIN, |link| link.value)
        };
        let links = found.iter().map(|&(ply, to)| Linked {
            ply,
            value: value(ply),
            to,
        });
        node.links = links.collect();
        let lost = claimed.iter().filter(|link| !stays(link.ply));
        let lost = lost.map(|&Linked { ply, value, .. }| Stored { ply, value });
        let leaf = node.leaf.filter(|leaf| !stays(leaf.ply));
        let leaf = leaf.into_iter().chain(lost);
        let leaf = leaf.max_by_key(|leaf| leaf.value);
        let ply = |leaf: Option<Stored>| leaf.map(|leaf| leaf.ply);
        let is_changed = claimed.len() != node.links.len() || ply(leaf) != ply(node.leaf);
        node.leaf = leaf;
        if is_changed {
            self.mark(number);
        }
    }

    /// The value of a position from those that it leads to; whether it is another one than before.
    fn update(&mut self, number: u32) -> bool {
        let mut links = std::mem::take(&mut self.node(number).links);
        let mut changed = false;
        for link in &mut links {
            let value = -self.nodes[link.to as usize].value;
            changed |= link.value != value;
            link.value = value;
        }
        if changed {
            self.mark(number);
        }
        let node = self.node(number);
        node.links = links;
        let value = node.best();
        std::mem::replace(&mut node.value, value) != value
    }

    /// Brings the value of a position that is new, or otherwise searched, to all that lead to it. Returns the
    /// positions that were looked at.
    fn raise(&mut self, number: u32) -> Vec<u32> {
        let mut seen = Vec::new();
        let mut waiting = BinaryHeap::from([std::cmp::Reverse((rank(self.board(number)), number))]);
        while let Some(std::cmp::Reverse((_, number))) = waiting.pop() {
            // One that several positions lead to waits as often.
            if seen.last() == Some(&number) {
                continue;
            }
            seen.push(number);
            if self.update(number) || seen.len() == 1 {
                for &parent in &self.nodes[number as usize].parents {
                    waiting.push(std::cmp::Reverse((rank(self.board(parent)), parent)));
                }
            }
        }
        seen
    }

    /// Puts a position into it, linked with all that its moves lead to, and brings its value to those that lead to
    /// it. Returns the positions that were looked at, the new one first and each before those that link to it.
    pub fn insert(&mut self, entry: &Entry) -> Vec<u32> {
        if let Some(known) = self.find(entry.board()) {
            self.unlink(known);
        }
        let number = self.add(entry);
        self.link_one(number, true);
        self.raise(number)
    }

    /// The plies of a board that lead to positions of the book.
    pub fn leading_in(&self, board: Board) -> Vec<Ply> {
        let leads_in = |&ply: &Ply| after(board, ply).is_some_and(|next| self.find(next).is_some());
        plies(board).filter(leads_in).collect()
    }

    fn unlink(&mut self, number: u32) {
        let links = self.nodes[number as usize].links.clone();
        for link in links.iter().filter(|link| link.to != u32::MAX) {
            self.node(link.to).parents.retain(|&other| other != number);
        }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of a position; `None` where it is not in it.
    pub fn find(&self, board: Board) -> Option<u32> {
        self.numbers.get(&board.canonical().0).copied()
    }

    /// The canonical board of a position.
    pub fn board(&self, number: u32) -> Board {
        self.nodes[number as usize].board
    }

    /// What a position is worth for its side to move.
    pub fn value(&self, number: u32) -> i32 {
        self.nodes[number as usize].value.into()
    }

    /// How the leaf of a position was found.
    pub fn searched(&self, number: u32) -> Searched {
        self.nodes[number as usize].searched
    }

    /// The best move of a position that leads out of the book.
    pub fn leaf(&self, number: u32) -> Option<Move> {
        self.nodes[number as usize].leaf.map(Stored::one)
    }

    /// The moves of a position that stay in the book.
    pub fn links(&self, number: u32) -> &[Linked] {
        &self.nodes[number as usize].links
    }

    /// The positions that link to one.
    pub fn parents(&self, number: u32) -> &[u32] {
        &self.nodes[number as usize].parents
    }

    /// A position with what is known of it; `None` where moves lead out of the book and no leaf bounds them.
    pub fn entry(&self, number: u32) -> Option<Entry> {
        let node = &self.nodes[number as usize];
        let links = node.links.iter().map(|link| link.one());
        let leaf = node.leaf.map(Stored::one);
        Entry::new(node.board, node.searched, leaf, links.collect()).ok()
    }

    /// All positions, with what is known of them.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        (0..self.nodes.len() as u32).filter_map(|number| self.entry(number))
    }

    /// The positions that changed since the last call.
    pub fn take_changed(&mut self) -> Vec<Entry> {
        let changed = std::mem::take(&mut self.changed);
        let entry = |number| {
            self.node(number).is_changed = false;
            self.entry(number)
        };
        changed.into_iter().filter_map(entry).collect()
    }

    /// Writes all positions that changed.
    pub fn save(&mut self, writer: &mut Writer) -> Result<(), BookError> {
        put_all(writer, self.take_changed())
    }
}

/// Writes positions in the order of their boards, which is the fastest for many.
pub(crate) fn put_all(writer: &mut Writer, mut entries: Vec<Entry>) -> Result<(), BookError> {
    entries.sort_unstable_by_key(|entry| (entry.board().player, entry.board().opponent));
    entries.iter().try_for_each(|entry| writer.put(entry))
}

/// The order in which values are known: fewer empty squares first, and of the positions of as many those behind
/// a pass before it.
pub(crate) fn rank(board: Board) -> (u32, bool) {
    (board.empty_count(), board.mobility() == 0)
}
