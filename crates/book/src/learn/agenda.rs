//! Priorities of a growing book: drop-out expansion (T. Lincke, "Strategies for the automatic construction of opening
//! books", 2000).
//!
//! A leaf is important if its true value could change the choice of moves, and if its position is likely to occur. Its
//! priority is a cost: the discs lost against the best moves on the path to it, plus its own loss, minus the error of
//! its value. Each ply of the path adds a small cost, so that the book grows in width as well as in length. The leaf
//! with the lowest cost is expanded next.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use outflank::eval::ErrorModel;

use crate::entry::after;
use crate::graph::{Graph, rank};
use crate::{SearchEffort, ValuedMove};

/// Cost of a ply in discs.
const PLY_COST: f32 = 0.5;

/// Assumed error of a leaf's value, as a multiple of its standard deviation.
const ERROR_SIGMAS: f32 = 1.0;

/// Priorities of all leaves, as the cost of the cheapest leaf below each node.
pub(super) struct Agenda {
    costs: Vec<f32>,
    /// `true` for nodes whose leaf is being searched.
    busy: Vec<bool>,
    errors: ErrorModel,
    /// Minimum number of empty squares of a position in the book.
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
        agenda.grow(graph);
        for number in graph.targets_first() {
            agenda.costs[number as usize] = agenda.cost(graph, number);
        }
        agenda
    }

    fn grow(&mut self, graph: &Graph) {
        self.costs.resize(graph.len(), f32::INFINITY);
        self.busy.resize(graph.len(), false);
    }

    /// Error of a leaf's value in discs; `None` for an exact value.
    pub(super) fn error(&self, graph: &Graph, number: u32) -> Option<f32> {
        let empties = graph.board(number).empty_count();
        let searched = graph.searched(number);
        match searched.is_exact(empties) {
            true => None,
            false => Some(ERROR_SIGMAS * sigma(&self.errors, empties, searched)),
        }
    }

    /// Cost of a node's own leaf, measured from that node. Infinite if the leaf cannot be expanded.
    fn leaf_cost(&self, graph: &Graph, number: u32) -> f32 {
        let open = graph.leaf(number).filter(|_| !self.busy[number as usize]);
        match open.zip(self.error(graph, number)) {
            Some((leaf, error)) if self.is_wanted(graph, number, leaf) => {
                (graph.best_move_value(number) - leaf.value) as f32 - error
            }
            _ => f32::INFINITY,
        }
    }

    /// Returns `true` if a node has a leaf that can be expanded.
    pub(super) fn is_open(&self, graph: &Graph, number: u32) -> bool {
        self.leaf_cost(graph, number) < f32::INFINITY
    }

    fn is_wanted(&self, graph: &Graph, number: u32, leaf: ValuedMove) -> bool {
        let next = after(graph.board(number), leaf.ply);
        let next = next.expect("leaves have legal moves");
        next.empty_count() >= self.min_empties && !next.is_game_over()
    }

    /// Cost of the cheapest leaf below a link's target, measured from the source.
    fn link_cost(&self, graph: &Graph, number: u32, link: &crate::GraphLink) -> f32 {
        let loss = graph.best_move_value(number) - link.to_move().value;
        loss as f32 + PLY_COST + self.costs[link.to as usize]
    }

    fn cost(&self, graph: &Graph, number: u32) -> f32 {
        let links = graph.links(number).iter();
        let links = links.map(|link| self.link_cost(graph, number, link));
        links.fold(self.leaf_cost(graph, number), f32::min)
    }

    /// Recomputes the costs of changed nodes and of their ancestors.
    pub(super) fn update(&mut self, graph: &Graph, changed: &[u32]) {
        self.grow(graph);
        let job = |number: u32| Reverse((rank(graph.board(number)), number));
        let mut waiting: BinaryHeap<_> = changed.iter().copied().map(job).collect();
        while let Some(Reverse((_, number))) = waiting.pop() {
            let cost = self.cost(graph, number);
            if std::mem::replace(&mut self.costs[number as usize], cost) != cost {
                waiting.extend(graph.parents(number).iter().copied().map(job));
            }
        }
    }

    /// Reserves the cheapest leaf below `root` until [`Agenda::release`]. Returns its node and move.
    pub(super) fn take(&mut self, graph: &Graph, root: u32) -> Option<(u32, ValuedMove)> {
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

    /// Returns the leaf of a node to the agenda.
    pub(super) fn release(&mut self, graph: &Graph, number: u32) {
        self.busy[number as usize] = false;
        self.update(graph, &[number]);
    }

    /// Nodes that were searched less deeply than `wanted`, or whose leaf leads to a position of the book.
    ///
    /// They are sorted by the cost of the leaf, because a cheap leaf is most likely to change the choice of moves.
    pub(super) fn doubtful(&self, graph: &Graph, wanted: impl Fn(u32) -> SearchEffort) -> Vec<u32> {
        let doubt = |number: u32| {
            let leaf = graph.leaf(number)?;
            let board = graph.board(number);
            let leads_in = after(board, leaf.ply).is_some_and(|next| graph.find(next).is_some());
            let is_weaker = graph
                .searched(number)
                .is_weaker_than(wanted(board.empty_count()));
            let error = self.error(graph, number).filter(|_| is_weaker || leads_in);
            let error = error.or(leads_in.then_some(0.0))?;
            let loss = graph.best_move_value(number) - leaf.value;
            Some((loss as f32 - error, number))
        };
        let mut doubtful: Vec<_> = (0..graph.len() as u32).filter_map(doubt).collect();
        doubtful.sort_by(|a, b| a.0.total_cmp(&b.0));
        doubtful.into_iter().map(|(_, number)| number).collect()
    }
}

/// Standard deviation of the exact score from the value of a search.
fn sigma(errors: &ErrorModel, empties: u32, searched: SearchEffort) -> f32 {
    let depth = u32::from(searched.depth);
    match depth >= empties {
        // Estimate for a selective search to the end.
        true => 1.0,
        false => errors.sigma(empties, empties, depth),
    }
}
