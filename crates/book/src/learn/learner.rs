//! Growth of a book, independent of the searching threads.

use std::collections::VecDeque;

use outflank::eval::ErrorModel;
use outflank::search::Strength;
use outflank::{Board, Limits, Ply, Selectivity};

use super::agenda::Agenda;
use super::{Plan, Progress, Work};
use crate::entry::{BookEntry, EntryError, SearchEffort, ValuedMove, after, check_board, plies};
use crate::graph::put_all;
use crate::{BookError, Graph, LossLimits, ManualValue, Writer};

/// Book in memory that grows by searches of the caller.
///
/// Any number of searches may run at once, and their answers may come in any order.
pub struct Learner {
    strength: Strength,
    /// Maximum number of added positions.
    positions: Option<usize>,
    /// Position below which leaves are expanded. `None` if the queue has all jobs.
    root: Option<Board>,
    /// Limits of the leaves to expand. Without limits the most important leaf is expanded next.
    limits: Option<LossLimits>,
    graph: Graph,
    agenda: Agenda,
    queue: VecDeque<Job>,
    /// Started jobs that wait for their next search.
    begun: VecDeque<Job>,
    /// Number of jobs that were started and are not finished.
    working: usize,
    /// Number of accepted answers.
    searches: usize,
    /// Number of positions at the start.
    before: usize,
}

/// Positions to add one after another.
#[derive(Default)]
struct Job {
    boards: VecDeque<Board>,
    /// `true` if positions of the book are searched again.
    again: bool,
    /// Node whose leaf is the first position.
    leaf_of: Option<u32>,
}

impl Job {
    fn new(boards: impl Into<VecDeque<Board>>) -> Job {
        Job {
            boards: boards.into(),
            ..Job::default()
        }
    }
}

/// Search task from [`Learner::next`], to be answered with [`Learner::answer`].
pub struct SearchRequest {
    /// Position to search.
    pub board: Board,
    /// Limits of the search, with excluded moves.
    pub limits: Limits,
    /// Plies that lead to positions of the book.
    inside: Vec<Ply>,
    job: Job,
}

/// Result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchAnswer {
    /// Best of the searched plies.
    pub ply: Ply,
    /// Its value in discs for the side that makes it.
    pub score: i32,
    /// Depth in plies.
    pub depth: u32,
    /// Confidence of selective cuts.
    pub selectivity: Selectivity,
}

impl Learner {
    /// Loads the book of `writer`. The plan's deadline is ignored. `errors` is the error model of the searching
    /// evaluation.
    ///
    /// Games with invalid positions are refused.
    pub fn new(
        writer: &Writer,
        plan: &Plan,
        work: Work,
        errors: ErrorModel,
    ) -> Result<Learner, BookError> {
        let root = match &work {
            Work::Expand => Some(Board::START),
            Work::ExpandBelow(game) => game.last().map(|board| board.canonical().0),
            Work::Deviate(root, _) => Some(root.canonical().0),
            Work::Games(_) | Work::Correct => None,
        };
        let limits = match &work {
            Work::Deviate(_, limits) => Some(*limits),
            _ => None,
        };
        match &work {
            Work::Deviate(root, _) => check_board(*root)?,
            Work::ExpandBelow(game) => game.iter().copied().try_for_each(check_board)?,
            Work::Games(games) => games.iter().flatten().copied().try_for_each(check_board)?,
            Work::Expand | Work::Correct => {}
        }
        let mut graph = Graph::read(writer)?;
        graph.link_all_moves();
        let agenda = Agenda::new(&graph, errors, plan.min_empties);
        Ok(Learner {
            strength: plan.strength,
            positions: plan.positions,
            root,
            limits,
            queue: queue(&graph, &agenda, plan, work),
            before: graph.len(),
            graph,
            agenda,
            begun: VecDeque::new(),
            working: 0,
            searches: 0,
        })
    }

    /// Next search. After `None`, answers to running searches may lead to more: see [`Learner::is_exhausted`].
    #[allow(
        clippy::should_implement_trait,
        reason = "after a `None` there may be more"
    )]
    pub fn next(&mut self) -> Option<SearchRequest> {
        loop {
            let job = match self.begun.pop_front() {
                Some(job) => job,
                None if self.is_enough() => return None,
                None => {
                    let job = self.queue.pop_front().or_else(|| self.expansion());
                    self.working += usize::from(job.is_some());
                    job?
                }
            };
            let search = self.resume(job);
            if search.is_some() {
                return search;
            }
        }
    }

    /// Returns `true` if no more searches follow, except continuations of searches under way.
    pub fn is_exhausted(&self) -> bool {
        self.working == 0 || self.root.is_none() || self.is_enough()
    }

    /// Accepts the result of a search. An impossible result is an error: it is not counted, and the book stays unchanged.
    pub fn answer(
        &mut self,
        search: SearchRequest,
        answer: SearchAnswer,
    ) -> Result<(), EntryError> {
        let searched = SearchEffort::new(answer.depth as u8, answer.selectivity);
        let leaf = ValuedMove::new(answer.ply, answer.score);
        let put = self.put(search.board, searched, Some(leaf), &search.inside);
        self.searches += usize::from(put.is_ok());
        self.begun.push_back(search.job);
        put
    }

    /// Sets the value of a position by hand, or removes such a value. Returns `false` if the book lacks the position.
    pub fn set_manual_value(&mut self, board: Board, manual: Option<ManualValue>) -> bool {
        let Some(number) = self.graph.find(board) else {
            return false;
        };
        let changed = self.graph.set_manual_value(number, manual);
        self.agenda.update(&self.graph, &changed);
        true
    }

    /// Progress of the growth.
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

    /// Writes and commits all changes. [`Learner::finish`] must follow the last search.
    pub fn commit(&mut self, writer: &mut Writer) -> Result<(), BookError> {
        write(writer, self.take_changed())
    }

    /// Ends the growth: links all moves to positions of the book, then writes and commits all changes.
    ///
    /// During the growth a new position is linked only with the position that it was searched for, and with its own
    /// moves. Moves of other positions may lead to it, too.
    pub fn finish(mut self, writer: &mut Writer) -> Result<Progress, BookError> {
        self.graph.link_all_moves();
        self.commit(writer)?;
        Ok(self.progress())
    }

    /// Takes the entries that changed since the last call.
    pub(super) fn take_changed(&mut self) -> Vec<BookEntry> {
        self.graph.take_changed()
    }

    fn added(&self) -> usize {
        self.graph.len() - self.before
    }

    fn is_enough(&self) -> bool {
        self.positions.is_some_and(|most| self.added() >= most)
    }

    /// Job for the next leaf below the root.
    fn expansion(&mut self) -> Option<Job> {
        let root = self.root?;
        let Some(root) = self.graph.find(root) else {
            return (self.working == 0).then(|| Job::new([root]));
        };
        match self.limits {
            None => {
                let (number, _) = self.agenda.take(&self.graph, root)?;
                self.expansion_of(number)
            }
            // New positions change values, and so the leaves within the limits. They are looked for in rounds.
            Some(limits) if self.working == 0 => {
                self.graph.link_all_moves();
                let leaves = self.leaves_within(root, limits);
                self.queue = leaves
                    .iter()
                    .filter_map(|&number| self.expansion_of(number))
                    .collect();
                self.queue.pop_front()
            }
            Some(_) => None,
        }
    }

    /// Job that expands the leaf of a node.
    fn expansion_of(&self, number: u32) -> Option<Job> {
        let board = self.graph.board(number);
        let leaf = self.graph.leaf(number)?;
        let next = after(board, leaf.ply).expect("leaves have legal moves");
        Some(Job {
            leaf_of: Some(number),
            ..Job::new([next, board])
        })
    }

    /// Nodes whose leaves can be expanded and are within limits, those with the smallest losses first.
    fn leaves_within(&self, root: u32, limits: LossLimits) -> Vec<u32> {
        let losses = self.graph.losses_from(root, limits);
        let loss = |number: u32| {
            let leaf = self.graph.leaf(number)?;
            let loss = self.graph.best_move_value(number).abs_diff(leaf.value);
            let sum = limits.add(losses[number as usize]?, loss)?;
            self.agenda
                .is_open(&self.graph, number)
                .then_some((sum, number))
        };
        let mut leaves: Vec<_> = (0..self.graph.len() as u32).filter_map(loss).collect();
        leaves.sort_unstable();
        leaves.into_iter().map(|(_, number)| number).collect()
    }

    /// Continues a job up to its next search; `None` if the job is finished.
    fn resume(&mut self, mut job: Job) -> Option<SearchRequest> {
        while let Some(board) = job.boards.pop_front() {
            let board = board.canonical().0;
            if let Some((limits, inside)) = self.refresh(board, job.again) {
                return Some(SearchRequest {
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

    /// Adds a canonical position to the book, or links it again.
    ///
    /// If its leaf must be searched first, changes nothing. Then returns the limits of the search, and the plies that
    /// lead to positions of the book. A leaf is searched if it is unknown, or if `again` is set.
    fn refresh(&mut self, board: Board, again: bool) -> Option<(Limits, Vec<Ply>)> {
        let inside = self.graph.plies_into_book(board);
        let known = self.graph.find(board);
        let known = known.and_then(|number| self.graph.entry(number));
        let has_outside_moves = inside.len() < plies(board).count();
        let leaf = known.as_ref().and_then(BookEntry::leaf);
        let leaf = leaf.filter(|leaf| !inside.contains(&leaf.ply));
        let empties = board.empty_count();
        let limits = limits(self.strength, empties);
        if has_outside_moves && (again || leaf.is_none()) {
            // Moves into the book become links, so the search excludes them.
            let without = inside.iter().flatten().map(|square| square.bit()).sum();
            return Some((Limits { without, ..limits }, inside));
        }
        let is_linked = |entry: &BookEntry| {
            let has = |ply| entry.links().iter().any(|link| link.ply == ply);
            inside.iter().all(|&ply| has(ply))
        };
        if !known.as_ref().is_some_and(is_linked) {
            let searched = known.map(|known| known.searched());
            let searched = searched.unwrap_or_else(|| SearchEffort::of_limits(&limits, empties));
            let put = self.put(board, searched, leaf, &inside);
            put.expect("leaves have legal moves");
        }
        None
    }

    /// Inserts a position into graph and agenda.
    fn put(
        &mut self,
        board: Board,
        searched: SearchEffort,
        leaf: Option<ValuedMove>,
        inside: &[Ply],
    ) -> Result<(), EntryError> {
        let links = inside.iter().filter_map(|&ply| {
            let next = after(board, ply).expect("a ply of the board");
            let number = self.graph.find(next)?;
            Some(ValuedMove::new(ply, -self.graph.value(number)))
        });
        let entry = BookEntry::new(board, searched, leaf, links.collect())?;
        let changed = self.graph.insert(&entry);
        self.agenda.update(&self.graph, &changed);
        Ok(())
    }
}

pub(super) fn write(writer: &mut Writer, changed: Vec<BookEntry>) -> Result<(), BookError> {
    if changed.is_empty() {
        return Ok(());
    }
    put_all(writer, changed)?;
    writer.commit()
}

/// Jobs known in advance.
fn queue(graph: &Graph, agenda: &Agenda, plan: &Plan, work: Work) -> VecDeque<Job> {
    match work {
        Work::Expand | Work::Deviate(..) => VecDeque::new(),
        // From the last position to the first, so that each one is linked with the next.
        Work::ExpandBelow(game) => {
            VecDeque::from([Job::new(game.into_iter().rev().collect::<VecDeque<_>>())])
        }
        Work::Games(games) => {
            let is_wanted = |board: &Board| board.empty_count() >= plan.min_empties;
            let wanted = |game: Vec<Board>| game.into_iter().filter(is_wanted);
            let jobs = games.into_iter().map(wanted);
            jobs.map(|game| Job::new(game.rev().collect::<VecDeque<_>>()))
                .collect()
        }
        Work::Correct => {
            let wanted =
                |empties| SearchEffort::of_limits(&limits(plan.strength, empties), empties);
            let doubtful = agenda.doubtful(graph, wanted).into_iter();
            let job = |number| Job {
                again: true,
                ..Job::new([graph.board(number)])
            };
            doubtful.map(job).collect()
        }
    }
}

/// Limits of a search at `empties` empty squares.
fn limits(strength: Strength, empties: u32) -> Limits {
    let limits = strength.limits(empties);
    Limits {
        depth: limits.depth.max(1),
        ..limits
    }
}
