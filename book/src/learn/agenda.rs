//! Where a book is to grow: drop-out expansion (T. Lincke, "Strategies for the automatic construction of opening
//! books", 2000).
//!
//! A leaf matters as far as its true value could change what is played, and as the position that it belongs to is
//! likely to come up. So it costs the discs that are lost against the best moves on the way to it, and the leaf's
//! own loss less the error that its value may have; every ply on the way costs a little, too, so that a book
//! grows in width while the best line grows in length. The next leaf is the one that costs least.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use outflank::eval::ErrorModel;

use crate::entry::after;
use crate::graph::{Graph, rank};
use crate::{Move, Searched};

/// What a ply costs, in discs.
const PLY: f32 = 0.5;

/// How many standard deviations of a leaf's value count as its error.
const ERRORS: f32 = 1.0;

/// What the cheapest leaf below each position costs from there.
pub(super) struct Agenda {
    costs: Vec<f32>,
    /// Whether the leaf of a position is being looked at.
    busy: Vec<bool>,
    errors: ErrorModel,
    /// The fewest empty squares of a position of the book.
    min_empties: u32,
}

impl Agenda {
    pub(super) fn new(graph: &Graph, errors: ErrorModel, min_empties: u32) -> Agenda {
        let mut agenda = Agenda {
            costs: Vec::new(),
            busy: Vec::new(),
            errors,
            min_empties,
        };
        let mut order: Vec<u32> = (0..graph.len() as u32).collect();
        order.sort_by_key(|&number| rank(graph.board(number)));
        agenda.grow(graph);
        for number in order {
            agenda.costs[number as usize] = agenda.cost(graph, number);
        }
        agenda
    }

    fn grow(&mut self, graph: &Graph) {
        self.costs.resize(graph.len(), f32::INFINITY);
        self.busy.resize(graph.len(), false);
    }

    /// The error that the value of a leaf of `graph` may have, in discs; `None` where it has none.
    pub(super) fn error(&self, graph: &Graph, number: u32) -> Option<f32> {
        let empties = graph.board(number).empty_count();
        let searched = graph.searched(number);
        match searched.is_exact(empties) {
            true => None,
            false => Some(ERRORS * sigma(&self.errors, empties, searched)),
        }
    }

    /// What the leaf of a position costs from there.
    fn leaf_cost(&self, graph: &Graph, number: u32) -> f32 {
        let open = graph.leaf(number).filter(|_| !self.busy[number as usize]);
        match open.zip(self.error(graph, number)) {
            Some((leaf, error)) if self.is_wanted(graph, number, leaf) => {
                (graph.value(number) - leaf.value) as f32 - error
            }
            _ => f32::INFINITY,
        }
    }

    fn is_wanted(&self, graph: &Graph, number: u32, leaf: Move) -> bool {
        let next = after(graph.board(number), leaf.ply);
        let next = next.expect("leaves are legal");
        next.empty_count() >= self.min_empties && !next.is_game_over()
    }

    /// What a link of a position costs, and all that is behind it.
    fn link_cost(&self, graph: &Graph, number: u32, link: &crate::Linked) -> f32 {
        let loss = graph.value(number) - link.one().value;
        loss as f32 + PLY + self.costs[link.to as usize]
    }

    fn cost(&self, graph: &Graph, number: u32) -> f32 {
        let links = graph.links(number).iter();
        let links = links.map(|link| self.link_cost(graph, number, link));
        links.fold(self.leaf_cost(graph, number), f32::min)
    }

    /// Computes again what positions cost that changed, and all that lead to them.
    pub(super) fn update(&mut self, graph: &Graph, changed: &[u32]) {
        self.grow(graph);
        let place = |number: u32| Reverse((rank(graph.board(number)), number));
        let mut waiting: BinaryHeap<_> = changed.iter().copied().map(place).collect();
        while let Some(Reverse((_, number))) = waiting.pop() {
            let cost = self.cost(graph, number);
            if std::mem::replace(&mut self.costs[number as usize], cost) != cost {
                waiting.extend(graph.parents(number).iter().copied().map(place));
            }
        }
    }

    /// The position whose leaf costs least from `root`, and that leaf, which nobody else gets until
    /// [`Agenda::release`].
    pub(super) fn take(&mut self, graph: &Graph, root: u32) -> Option<(u32, Move)> {
        let mut number = root;
        loop {
            let leaf_cost = self.leaf_cost(graph, number);
            let links = graph.links(number).iter();
            let links = links.map(|link| (self.link_cost(graph, number, link), link.to));
            match links.min_by(|a, b| a.0.total_cmp(&b.0)) {
                Some((cost, next)) if cost < leaf_cost => number = next,
                _ if leaf_cost == f32::INFINITY => return None,
                _ => break,
            }
        }
        self.busy[number as usize] = true;
        self.update(graph, &[number]);
        Some((number, graph.leaf(number)?))
    }

    /// The leaf of a position is not looked at any more.
    pub(super) fn release(&mut self, graph: &Graph, number: u32) {
        self.busy[number as usize] = false;
        self.update(graph, &[number]);
    }

    /// Positions that were searched less than `wanted` asks for, or whose leaf leads to a position of the book, which
    /// knows better; those first whose leaf could best change what is played.
    pub(super) fn doubtful(&self, graph: &Graph, wanted: impl Fn(u32) -> Searched) -> Vec<u32> {
        let doubt = |number: u32| {
            let leaf = graph.leaf(number)?;
            let board = graph.board(number);
            let leads_in = after(board, leaf.ply).is_some_and(|next| graph.find(next).is_some());
            let is_less = graph.searched(number).is_less(wanted(board.empty_count()));
            let error = self.error(graph, number).filter(|_| is_less || leads_in);
            let error = error.or(leads_in.then_some(0.0))?;
            Some(((graph.value(number) - leaf.value) as f32 - error, number))
        };
        let mut doubtful: Vec<_> = (0..graph.len() as u32).filter_map(doubt).collect();
        doubtful.sort_by(|a, b| a.0.total_cmp(&b.0));
        doubtful.into_iter().map(|(_, number)| number).collect()
    }
}

/// The standard deviation of the exact score from the value of a search.
fn sigma(errors: &ErrorModel, empties: u32, searched: Searched) -> f32 {
    let depth = u32::from(searched.depth);
    match depth >= empties {
        // What a selective search to the end left out it was this certain of.
        true => 1.0,
        false => errors.sigma(empties, empties, depth),
    }
}
