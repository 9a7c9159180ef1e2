//! What a book is to grow by, search by search, whoever searches.

use std::collections::VecDeque;

use outflank::eval::ErrorModel;
use outflank::search::Strength;
use outflank::{Board, Limits, Ply, Selectivity};

use super::agenda::Agenda;
use super::{Plan, Progress, Work};
use crate::entry::{Entry, EntryError, Move, Searched, after, check_board, ply_count};
use crate::graph::put_all;
use crate::{BookError, Graph, Writer};

/// A book in memory that grows by searches which others carry out: any number at once, answered in any order.
pub struct Learner {
    strength: Strength,
    positions: Option<usize>,
    expands: bool,
    graph: Graph,
    agenda: Agenda,
    queue: VecDeque<Job>,
    /// Jobs between two searches.
    begun: VecDeque<Job>,
    /// Jobs that were begun and have not come to their end.
    working: usize,
    searches: usize,
    /// The positions that were there at the beginning.
    before: usize,
}

/// Positions to be in the book, one after another.
struct Job {
    boards: VecDeque<Board>,
    /// Whether they are searched though they are in it.
    again: bool,
    /// The position whose leaf is the first of them.
    leaf_of: Option<u32>,
}

/// What is to be searched: [`Learner::next`] gives it, [`Learner::found`] wants it back.
pub struct Search {
    /// The position.
    pub board: Board,
    /// How far, and without which moves.
    pub limits: Limits,
    /// The plies that lead to positions of the book.
    inside: Vec<Ply>,
    job: Job,
}

/// What was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The best ply of those that were searched.
    pub ply: Ply,
    /// What it is worth, in discs for who makes it.
    pub score: i32,
    /// The plies searched.
    pub depth: u32,
    /// How certain the search was.
    pub selectivity: Selectivity,
}

impl Learner {
    /// Goes on with the book of `writer`, by `work` and `plan`, but for its deadline; `errors` are those of the evaluation
    /// that searches. Games with positions that cannot be are refused.
    pub fn new(
        writer: &Writer,
        plan: &Plan,
        work: Work,
        errors: ErrorModel,
    ) -> Result<Learner, BookError> {
        if let Work::Games(games) = &work {
            games.iter().flatten().copied().try_for_each(check_board)?;
        }
        let mut graph = Graph::of(writer)?;
        graph.link();
        let agenda = Agenda::new(&graph, errors, plan.min_empties);
        Ok(Learner {
            strength: plan.strength,
            positions: plan.positions,
            expands: work == Work::Expand,
            queue: queue(&graph, &agenda, plan, work),
            before: graph.len(),
            graph,
            agenda,
            begun: VecDeque::new(),
            working: 0,
            searches: 0,
        })
    }

    /// The next search; `None` where there is none, or none before others are answered.
    #[allow(
        clippy::should_implement_trait,
        reason = "after a `None` there may be more"
    )]
    pub fn next(&mut self) -> Option<Search> {
        loop {
            let job = match self.begun.pop_front() {
                Some(job) => job,
                None if self.is_enough() => return None,
                None => {
                    let job = match self.expands {
                        true => self.expansion(),
                        false => self.queue.pop_front(),
                    };
                    self.working += usize::from(job.is_some());
                    job?
                }
            };
            let search = self.go_on(job);
            if search.is_some() {
                return search;
            }
        }
    }

    /// Whether there will be no more searches but those that follow on searches under way.
    pub fn has_no_more(&self) -> bool {
        self.working == 0 || !self.expands || self.is_enough()
    }

    /// Takes the answer to a search that [`Learner::next`] of this learner gave. An answer that cannot be is refused, and the
    /// search given up.
    pub fn found(&mut self, search: Search, found: Found) -> Result<(), EntryError> {
        let searched = Searched {
            selectivity: found.selectivity,
            depth: found.depth as u8,
        };
        let leaf = Move {
            ply: found.ply,
            value: found.score,
        };
        self.searches += 1;
        let put = self.put(search.board, searched, Some(leaf), &search.inside);
        self.begun.push_back(search.job);
        put
    }

    /// How it goes.
    pub fn progress(&self) -> Progress {
        let start = self.graph.find(Board::START);
        Progress {
            positions: self.graph.len(),
            added: self.added(),
            searches: self.searches,
            left: self.queue.len(),
            start: start.map(|start| self.graph.value(start)),
        }
    }

    /// Writes and commits what has changed.
    pub fn commit(&mut self, writer: &mut Writer) -> Result<(), BookError> {
        write(writer, self.take_changed())
    }

    /// What was not written yet, which counts as written from now on.
    pub(super) fn take_changed(&mut self) -> Vec<Entry> {
        self.graph.take_changed()
    }

    fn added(&self) -> usize {
        self.graph.len() - self.before
    }

    fn is_enough(&self) -> bool {
        self.positions.is_some_and(|most| self.added() >= most)
    }

    /// The leaf that matters most, as a job.
    fn expansion(&mut self) -> Option<Job> {
        let Some(root) = self.graph.find(Board::START) else {
            return (self.working == 0).then(|| Job {
                boards: [Board::START].into(),
                again: false,
                leaf_of: None,
            });
        };
        let (number, leaf) = self.agenda.take(&self.graph, root)?;
        let board = self.graph.board(number);
        let next = after(board, leaf.ply).expect("leaves are legal");
        Some(Job {
            boards: [next, board].into(),
            again: false,
            leaf_of: Some(number),
        })
    }

    /// Goes on with a job as far as its next search; `None` where the job came to its end.
    fn go_on(&mut self, mut job: Job) -> Option<Search> {
        while let Some(board) = job.boards.pop_front() {
            if let Some((board, limits, inside)) = self.refresh(board, job.again) {
                return Some(Search {
                    board,
                    limits,
                    inside,
                    job,
                });
            }
        }
        if let Some(number) = job.leaf_of {
            self.agenda.release(&self.graph, number);
        }
        self.working -= 1;
        None
    }

    /// Puts a position into the book, or links it anew where it is in it, with the best ply that leads out of the
    /// book. Where that is not known, nothing is changed, and what to search is returned: the position, how, and the plies
    /// that lead to positions of the book.
    fn refresh(&mut self, board: Board, again: bool) -> Option<(Board, Limits, Vec<Ply>)> {
        let board = board.canonical().0;
        let inside = self.graph.leading_in(board);
        let known = self.graph.find(board);
        let known = known.and_then(|number| self.graph.entry(number));
        let is_open = inside.len() < ply_count(board) as usize;
        let leaf = known.as_ref().and_then(Entry::leaf);
        let leaf = leaf.filter(|leaf| !inside.contains(&leaf.ply));
        let empties = board.empty_count();
        let limits = limits(self.strength, empties);
        if is_open && (again || leaf.is_none()) {
            let without = inside.iter().flatten().map(|square| square.bit()).sum();
            return Some((board, Limits { without, ..limits }, inside));
        }
        let is_linked = |entry: &Entry| {
            let has = |ply| entry.links().iter().any(|link| link.ply == ply);
            inside.iter().all(|&ply| has(ply))
        };
        if !known.as_ref().is_some_and(is_linked) {
            let searched = known.map(|known| known.searched());
            let searched = searched.unwrap_or_else(|| Searched::by(&limits, empties));
            let put = self.put(board, searched, leaf, &inside);
            put.expect("a leaf of the book is legal");
        }
        None
    }

    /// Puts a position into the book.
    fn put(
        &mut self,
        board: Board,
        searched: Searched,
        leaf: Option<Move>,
        inside: &[Ply],
    ) -> Result<(), EntryError> {
        let value = |ply| {
            let next = after(board, ply).expect("a ply of the board");
            let number = self.graph.find(next);
            number.map(|number| -self.graph.value(number))
        };
        let links = inside.iter().filter_map(|&ply| {
            let value = value(ply)?;
            Some(Move { ply, value })
        });
        let entry = Entry::new(board, searched, leaf, links.collect())?;
        let changed = self.graph.insert(&entry);
        self.agenda.update(&self.graph, &changed);
        Ok(())
    }
}

/// Writes positions and commits them.
pub(super) fn write(writer: &mut Writer, changed: Vec<Entry>) -> Result<(), BookError> {
    if changed.is_empty() {
        return Ok(());
    }
    put_all(writer, changed)?;
    writer.commit()
}

/// The jobs that are known before.
fn queue(graph: &Graph, agenda: &Agenda, plan: &Plan, work: Work) -> VecDeque<Job> {
    match work {
        Work::Expand => VecDeque::new(),
        Work::Games(games) => {
            let is_wanted = |board: &Board| board.empty_count() >= plan.min_empties;
            let job = |game: Vec<Board>| Job {
                boards: game.into_iter().filter(is_wanted).rev().collect(),
                again: false,
                leaf_of: None,
            };
            games.into_iter().map(job).collect()
        }
        Work::Correct => {
            let wanted = |empties| Searched::by(&limits(plan.strength, empties), empties);
            let doubtful = agenda.doubtful(graph, wanted).into_iter();
            let job = |number| Job {
                boards: [graph.board(number)].into(),
                again: true,
                leaf_of: None,
            };
            doubtful.map(job).collect()
        }
    }
}

/// How far a position with `empties` empty squares is searched.
fn limits(strength: Strength, empties: u32) -> Limits {
    let limits = strength.limits(empties);
    Limits {
        depth: limits.depth.max(1),
        ..limits
    }
}
