//! Lines of best play in a book: their number, the number that a player has to know, and the certainty of their values.

use std::collections::HashMap;

use outflank::{Board, Ply};

use crate::entry::{after, plies};
use crate::{BookEntry, Graph, GraphLink, SearchEffort};

/// Numbers of lines of best play below a position. A line ends with the move that leaves the book, or with the game.
///
/// Of symmetric moves one counts. Numbers are capped at [`u64::MAX`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineCounts {
    /// All lines in which both sides make best moves.
    pub all: u64,
    /// Fewest lines that the mover has to know to keep the value: a best move of its own for each best move of the
    /// opponent. This is the number of Umigame's Othello.
    pub mover: u64,
    /// Fewest lines that the opponent has to know.
    pub opponent: u64,
}

impl LineCounts {
    /// A line that ends.
    const ONE: LineCounts = LineCounts {
        all: 1,
        mover: 1,
        opponent: 1,
    };

    /// The numbers from the other side.
    fn swapped(self) -> LineCounts {
        LineCounts {
            mover: self.opponent,
            opponent: self.mover,
            ..self
        }
    }
}

/// Source of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueOrigin {
    /// A search.
    Search(SearchEffort),
    /// The end of the game.
    GameEnd,
    /// A person, who has set it by hand.
    Manual,
}

/// Certainty of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Certainty {
    /// Plies of best play up to the position where the value comes from.
    pub plies: usize,
    /// Source of the value there.
    pub origin: ValueOrigin,
    /// Fewest searched values that have to be wrong for the true value to be higher. `None` if all are exact.
    pub to_rise: Option<u64>,
    /// Fewest searched values that have to be wrong for the true value to be lower. `None` if all are exact.
    pub to_fall: Option<u64>,
}

impl Graph {
    /// Entry of `board`, in its orientation. `None` if the book lacks the position.
    pub fn entry_of(&self, board: Board) -> Option<BookEntry> {
        let entry = self.entry(self.find(board)?)?;
        let (_, symmetry) = board.canonical();
        Some(entry.transformed(symmetry.inverse()))
    }

    /// Links of a node. Of symmetric moves, which lead to the same position, only the first is returned.
    fn distinct_links(&self, number: u32) -> impl Iterator<Item = &GraphLink> {
        let links = self.links(number);
        let is_first = |&(index, link): &(usize, &GraphLink)| {
            links[..index].iter().all(|other| other.to != link.to)
        };
        links
            .iter()
            .enumerate()
            .filter(is_first)
            .map(|(_, link)| link)
    }

    /// Best moves of a node on its canonical board, with the target of each. A move that leaves the book has none. Of
    /// symmetric moves only the first is returned.
    pub fn best_moves(&self, number: u32) -> impl Iterator<Item = (Ply, Option<u32>)> {
        let value = self.best_move_value(number);
        let links = self.distinct_links(number);
        let links = links.map(|link| (link.to_move(), Some(link.to)));
        let leaf = self
            .leaf(number)
            .filter(|leaf| !self.is_linked(number, leaf.ply));
        links
            .chain(leaf.map(|leaf| (leaf, None)))
            .filter(move |(candidate, _)| candidate.value == value)
            .map(|(candidate, to)| (candidate.ply, to))
    }

    /// Returns `true` if a link of the node leads to the position after `ply`, or to a symmetric one.
    fn is_linked(&self, number: u32, ply: Ply) -> bool {
        let target = after(self.board(number), ply).and_then(|next| self.find(next));
        let mut links = self.links(number).iter();
        target.is_some_and(|target| links.any(|link| link.to == target))
    }

    /// Counts the lines of best play below each node.
    pub fn line_counts(&self) -> Vec<LineCounts> {
        let mut counts = vec![LineCounts::ONE; self.len()];
        for number in self.targets_first() {
            let after_move =
                |to: Option<u32>| to.map_or(LineCounts::ONE, |to| counts[to as usize].swapped());
            let lines = self.best_moves(number).map(|(_, to)| after_move(to));
            let sum = lines.reduce(|sum, line| LineCounts {
                all: sum.all.saturating_add(line.all),
                mover: sum.mover.min(line.mover),
                opponent: sum.opponent.saturating_add(line.opponent),
            });
            if let Some(sum) = sum {
                counts[number as usize] = sum;
            }
        }
        counts
    }

    /// Lines of best play from `board`, in its orientation, in the order of the squares. Of symmetric moves only the first
    /// is made. A line ends after `plies` plies.
    pub fn best_lines(&self, board: Board, plies: usize) -> impl Iterator<Item = Vec<Ply>> {
        // Positions with the plies that lead to them, the next one last.
        let mut waiting = vec![(Some(board), Vec::new())];
        std::iter::from_fn(move || {
            loop {
                let (board, line) = waiting.pop()?;
                let next = match board {
                    Some(board) if line.len() < plies => self.best_replies(board),
                    _ => Vec::new(),
                };
                if next.is_empty() {
                    return Some(line);
                }
                waiting.extend(next.into_iter().rev().map(|(ply, board)| {
                    let mut line = line.clone();
                    line.push(ply);
                    (board, line)
                }));
            }
        })
    }

    /// Best moves in a position, with the position after each. Behind a move that leaves the book there is none. The
    /// list is empty for a position that the book lacks.
    fn best_replies(&self, board: Board) -> Vec<(Ply, Option<Board>)> {
        let (canonical, symmetry) = board.canonical();
        let Some(number) = self.find(canonical) else {
            return Vec::new();
        };
        let mut best: Vec<_> = self
            .best_moves(number)
            .map(|(ply, to)| (symmetry.inverse().ply(ply), to))
            .collect();
        // Of symmetric moves the lowest square is made.
        for (ply, _) in &mut best {
            let key = |ply| after(board, ply).map(|next| next.canonical().0);
            let same = plies(board).filter(|&other| key(other) == key(*ply));
            *ply = same.min().unwrap_or(*ply);
        }
        best.sort_by_key(|&(ply, _)| ply);
        let next = |(ply, to): (Ply, Option<u32>)| (ply, to.and_then(|_| after(board, ply)));
        best.into_iter().map(next).collect()
    }

    /// Tells how sure the value of a node is.
    pub fn certainty(&self, root: u32) -> Certainty {
        let (mut plies, mut number) = (0, root);
        let origin = loop {
            if self.manual_value(number).is_some() {
                break ValueOrigin::Manual;
            }
            let best: Vec<_> = self.best_moves(number).collect();
            match best.iter().find_map(|&(_, to)| to) {
                _ if best.iter().any(|(_, to)| to.is_none()) => {
                    break ValueOrigin::Search(self.searched(number));
                }
                Some(to) => (plies, number) = (plies + 1, to),
                None => break ValueOrigin::GameEnd,
            }
        };
        let value = self.value(root);
        let mut known = HashMap::new();
        Certainty {
            plies,
            origin,
            to_rise: self.wrong_values(root, Change::Rise(value + 1), &mut known),
            to_fall: self.wrong_values(root, Change::Fall(value - 1), &mut known),
        }
    }

    /// Fewest values of searches that have to be wrong for a change of a node. `None` if it is impossible. A value set by
    /// hand counts like one of a search.
    ///
    /// If two lines lead to the same position, its values are counted twice.
    fn wrong_values(
        &self,
        number: u32,
        change: Change,
        known: &mut HashMap<(u32, Change), Option<u64>>,
    ) -> Option<u64> {
        if matches!(change, Change::Rise(65..) | Change::Fall(..=-65)) {
            return None;
        }
        if let Some(&count) = known.get(&(number, change)) {
            return count;
        }
        let leaf = self.leaf(number).map(|leaf| {
            let is_exact = self
                .searched(number)
                .is_exact(self.board(number).empty_count());
            (leaf.value, (!is_exact).then_some(1))
        });
        let count = match change {
            Change::Rise(least) if self.value(number) >= least => Some(0),
            Change::Fall(most) if self.value(number) <= most => Some(0),
            _ if self.manual_value(number).is_some() => Some(1),
            // One of the moves has to rise.
            Change::Rise(least) => {
                let mut fewest = leaf.and_then(|(_, count)| count);
                for link in self.links(number) {
                    let count = self.wrong_values(link.to, Change::Fall(-least), known);
                    fewest = [fewest, count].into_iter().flatten().min();
                }
                fewest
            }
            // All better moves have to fall. A game that is over has none, and cannot.
            Change::Fall(_) if leaf.is_none() && self.links(number).is_empty() => None,
            Change::Fall(most) => {
                let mut sum = match leaf {
                    Some((value, count)) if value > most => count,
                    _ => Some(0),
                };
                let links = self.distinct_links(number);
                for link in links.filter(|link| link.to_move().value > most) {
                    let count = self.wrong_values(link.to, Change::Rise(-most), known);
                    sum = sum.zip(count).map(|(sum, count)| sum.saturating_add(count));
                }
                sum
            }
        };
        known.insert((number, change), count);
        count
    }
}

/// Change of a node's value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Change {
    /// To this value or more.
    Rise(i32),
    /// To this value or less.
    Fall(i32),
}
