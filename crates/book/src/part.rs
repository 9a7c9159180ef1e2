//! Parts of a book: positions below another one, reached by moves that lose few discs.

use outflank::Selectivity;

use crate::{BookEntry, Graph, GraphLink, SearchEffort};

/// Limits of the discs that the moves of both sides lose against the best ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LossLimits {
    /// Maximum loss of a move.
    pub per_move: u32,
    /// Maximum loss of all moves on the way to a position.
    pub in_sum: u32,
}

impl LossLimits {
    /// No limit.
    pub const NONE: LossLimits = LossLimits {
        per_move: u32::MAX,
        in_sum: u32::MAX,
    };

    /// Sum of losses after another move; `None` beyond the limits.
    pub(crate) fn add(self, sum: u32, loss: u32) -> Option<u32> {
        let sum = sum.saturating_add(loss);
        (loss <= self.per_move && sum <= self.in_sum).then_some(sum)
    }
}

impl Graph {
    /// Returns for each node the smallest sum of discs that the moves on a way from `root` lose. `None` for nodes without
    /// a way within `limits`.
    pub fn losses_from(&self, root: u32, limits: LossLimits) -> Vec<Option<u32>> {
        let mut losses = vec![None; self.len()];
        losses[root as usize] = Some(0);
        // Sources come before the targets of their links.
        for number in self.targets_first().into_iter().rev() {
            let Some(sum) = losses[number as usize] else {
                continue;
            };
            for link in self.links(number) {
                let loss = self.best_move_value(number).abs_diff(link.to_move().value);
                let best = &mut losses[link.to as usize];
                let way = limits.add(sum, loss);
                *best = [*best, way].into_iter().flatten().min();
            }
        }
        losses
    }

    /// Copies the nodes below `root` that moves within `limits` reach. A link out of the part becomes the leaf of its
    /// node if it is better than the leaf. Its effort is then the plies of best play and those of the search at their end.
    pub fn part(&self, root: u32, limits: LossLimits) -> Graph {
        let losses = self.losses_from(root, limits);
        let is_kept = |number: u32| losses[number as usize].is_some();
        let efforts = self.efforts();
        let mut part = Graph::default();
        for number in (0..self.len() as u32).filter(|&number| is_kept(number)) {
            let (kept, cut): (Vec<GraphLink>, Vec<GraphLink>) =
                self.links(number).iter().partition(|link| is_kept(link.to));
            let leaf = self.leaf(number).map(|leaf| (leaf, self.searched(number)));
            let empties = self.board(number).empty_count();
            let cut = cut.iter().map(|link| {
                let effort = efforts[link.to as usize];
                (link.to_move(), one_ply_longer(effort, empties))
            });
            // At equal values the old leaf is the last one, and stays.
            let leaf = cut.chain(leaf).max_by_key(|(leaf, _)| leaf.value);
            let searched = leaf.map_or(self.searched(number), |(_, searched)| searched);
            let links = kept.into_iter().map(GraphLink::to_move).collect();
            let leaf = leaf.map(|(leaf, _)| leaf);
            let entry = BookEntry::new(self.board(number), searched, leaf, links);
            // Nodes of a book are valid entries; others have no value to keep.
            if let Ok(entry) = entry {
                part.add(&entry.with_manual_value(self.manual_value(number).cloned()));
            }
        }
        part.resolve_links();
        part
    }

    /// Plies behind the value of each node, and the selectivity of the search at their end. An effort is exact only if all
    /// values below the node are. Behind a value set by hand there is no search.
    fn efforts(&self) -> Vec<SearchEffort> {
        let over = SearchEffort::new(0, Selectivity::Full);
        let mut efforts = vec![over; self.len()];
        for number in self.targets_first() {
            if self.manual_value(number).is_some() {
                efforts[number as usize] = SearchEffort::new(0, Selectivity::P73);
                continue;
            }
            let empties = self.board(number).empty_count();
            let value = self.best_move_value(number);
            let leaf = self
                .leaf(number)
                .map(|leaf| (leaf.value, self.searched(number)));
            let links = self.links(number).iter().map(|link| {
                let effort = one_ply_longer(efforts[link.to as usize], empties);
                (link.to_move().value, effort)
            });
            let moves: Vec<(i32, SearchEffort)> = leaf.into_iter().chain(links).collect();
            let best = moves.iter().find(|&&(of_move, _)| of_move == value);
            // A game that is over is exact.
            let best = best.map_or(
                SearchEffort::new(empties as u8, Selectivity::Full),
                |&(_, effort)| effort,
            );
            let are_exact = moves.iter().all(|(_, effort)| effort.is_exact(empties));
            efforts[number as usize] = match are_exact {
                true => best,
                false => SearchEffort {
                    selectivity: best.selectivity.min(Selectivity::P99),
                    ..best
                },
            };
        }
        efforts
    }
}

/// Effort behind a move to a position with this effort, at `empties` empty squares.
fn one_ply_longer(effort: SearchEffort, empties: u32) -> SearchEffort {
    SearchEffort {
        depth: u32::from(effort.depth + 1).min(empties) as u8,
        ..effort
    }
}
