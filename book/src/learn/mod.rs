//! Books that grow: positions are searched by several threads, and committed every second.

mod agenda;

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use outflank::eval::ErrorModel;
use outflank::search::Strength;
use outflank::{Board, Engine, Limits, StopHandle};

use crate::entry::{Entry, Move, Searched, after, check_board, ply_count};
use crate::graph::put_all;
use crate::{BookError, Graph, Writer};
use agenda::Agenda;

/// The time between two commits: what is lost where the machine loses its power.
const COMMIT: Duration = Duration::from_secs(1);

/// How often the time and the stop handle are looked at.
const TICK: Duration = Duration::from_millis(20);

/// How a book is to grow.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How far positions are searched.
    pub strength: Strength,
    /// The fewest empty squares of positions of the book.
    pub min_empties: u32,
    /// When to end; `None` where nothing but the end of the work, or a stop, ends it.
    pub deadline: Option<Instant>,
    /// How many positions to add; what threads are at, a whole game of each perhaps, is still added.
    pub positions: Option<usize>,
}

/// What a book is to grow by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Work {
    /// Where it matters, from the start of the game on.
    Expand,
    /// The positions of these games, each from its start on.
    Games(Vec<Vec<Board>>),
    /// No new positions: those that were searched less than the plan says are searched again, the doubtful first.
    Correct,
}

/// How it goes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// Positions of the book.
    pub positions: usize,
    /// Those that were added.
    pub added: usize,
    /// Searches.
    pub searches: usize,
    /// Pieces of work that are left, where that is known: games, or positions to correct.
    pub left: usize,
    /// What the start of the game is worth.
    pub start: Option<i32>,
}

/// Lets a book grow until the plan, the end of the work, or the stop handle of the engines ends it; each engine
/// works on a thread of its own. The stop handle is stopped afterwards only if somebody else did it. An error of the store
/// ends it, with all that was committed before still there. Games with positions that cannot be are refused before.
pub fn learn(
    writer: &mut Writer,
    engines: Vec<Engine>,
    stop: &StopHandle,
    plan: &Plan,
    work: Work,
    mut tell: impl FnMut(Progress),
) -> Result<Progress, BookError> {
    if let Work::Games(games) = &work {
        games.iter().flatten().copied().try_for_each(check_board)?;
    }
    let mut graph = Graph::of(writer)?;
    graph.link();
    let before = graph.len();
    let errors = engines.first().map(|engine| engine.evaluation().errors);
    let errors = errors.unwrap_or(ErrorModel::NETWORK);
    let agenda = Agenda::new(&graph, errors, plan.min_empties);
    let queue = queue(&graph, &agenda, plan, &work);
    let learner = Learner {
        plan,
        stop,
        expands: work == Work::Expand,
        state: Mutex::new(State {
            graph,
            agenda,
            queue,
            searches: 0,
            working: 0,
            before,
        }),
        changed: Condvar::new(),
    };
    let progress = || learner.lock().progress();
    let mut ended = Ended {
        stop,
        changed: &learner.changed,
        is_stopped: false,
    };
    thread::scope(|scope| {
        let ended = &mut ended;
        let work = |engine| thread::Builder::new().spawn_scoped(scope, || learner.work(engine));
        let (mut workers, mut written) = (Vec::new(), Ok(()));
        for engine in engines {
            match work(engine) {
                Ok(worker) => workers.push(worker),
                Err(error) => written = Err(BookError::Io(writer.path().to_owned(), error)),
            }
        }
        let mut committed = Instant::now();
        while workers.iter().any(|worker| !worker.is_finished()) {
            thread::sleep(TICK);
            let is_late = |deadline| Instant::now() >= deadline;
            if written.is_err() || plan.deadline.is_some_and(is_late) {
                ended.stop();
            } else if committed.elapsed() >= COMMIT {
                written = learner.commit(writer);
                committed = Instant::now();
                tell(progress());
            }
        }
        written
    })?;
    drop(ended);
    learner.commit(writer)?;
    tell(progress());
    Ok(progress())
}

/// Ends the searches before somebody else stops them. Their handle is then as it was.
struct Ended<'a> {
    stop: &'a StopHandle,
    changed: &'a Condvar,
    is_stopped: bool,
}

impl Ended<'_> {
    fn stop(&mut self) {
        if !self.stop.is_stopped() {
            self.is_stopped = true;
            self.stop.stop();
        }
        self.changed.notify_all();
    }
}

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        if self.is_stopped {
            self.stop.reset();
        }
    }
}

/// The jobs that are known before.
fn queue(graph: &Graph, agenda: &Agenda, plan: &Plan, work: &Work) -> VecDeque<Job> {
    match work {
        Work::Expand => VecDeque::new(),
        Work::Games(games) => {
            let is_wanted = |board: &&Board| board.empty_count() >= plan.min_empties;
            let job = |game: &Vec<Board>| Job {
                boards: game.iter().filter(is_wanted).rev().copied().collect(),
                again: false,
                leaf_of: None,
            };
            games.iter().map(job).collect()
        }
        Work::Correct => {
            let wanted = |empties| Searched::by(&limits(plan.strength, empties), empties);
            let doubtful = agenda.doubtful(graph, wanted).into_iter();
            let job = |number| Job {
                boards: vec![graph.board(number)],
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

/// Positions to be in the book, one after another.
struct Job {
    boards: Vec<Board>,
    /// Whether they are searched though they are in it.
    again: bool,
    /// The position whose leaf is the first of them.
    leaf_of: Option<u32>,
}

struct State {
    graph: Graph,
    agenda: Agenda,
    queue: VecDeque<Job>,
    searches: usize,
    /// Threads that carry out a job.
    working: usize,
    /// The positions that were there at the beginning.
    before: usize,
}

impl State {
    fn progress(&self) -> Progress {
        let start = self.graph.find(Board::START);
        Progress {
            positions: self.graph.len(),
            added: self.graph.len() - self.before,
            searches: self.searches,
            left: self.queue.len(),
            start: start.map(|start| self.graph.value(start)),
        }
    }

    /// The leaf that matters most, as a job.
    fn expansion(&mut self) -> Option<Job> {
        let Some(root) = self.graph.find(Board::START) else {
            return (self.working == 0).then(|| Job {
                boards: vec![Board::START],
                again: false,
                leaf_of: None,
            });
        };
        let (number, leaf) = self.agenda.take(&self.graph, root)?;
        let board = self.graph.board(number);
        let next = after(board, leaf.ply).expect("leaves are legal");
        Some(Job {
            boards: vec![next, board],
            again: false,
            leaf_of: Some(number),
        })
    }
}

struct Learner<'a> {
    plan: &'a Plan,
    stop: &'a StopHandle,
    expands: bool,
    state: Mutex<State>,
    changed: Condvar,
}

/// A thread that carries out a job. Where it panics, the others end, too, instead of waiting for what it was to find.
struct Working<'a>(&'a Learner<'a>);

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.0.lock().working -= 1;
        if thread::panicking() {
            self.0.stop.stop();
        }
        self.0.changed.notify_all();
    }
}

impl Learner<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked ends the program in the end.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what has changed.
    fn commit(&self, writer: &mut Writer) -> Result<(), BookError> {
        let changed = self.lock().graph.take_changed();
        if changed.is_empty() {
            return Ok(());
        }
        put_all(writer, changed)?;
        writer.commit()
    }

    /// Carries out one job after another.
    fn work(&self, mut engine: Engine) {
        while let Some(job) = self.next() {
            let working = Working(self);
            for &board in &job.boards {
                self.refresh(&mut engine, board, job.again);
            }
            if let Some(number) = job.leaf_of {
                let State { graph, agenda, .. } = &mut *self.lock();
                agenda.release(graph, number);
            }
            drop(working);
        }
    }

    /// The next job; `None` where there is none any more.
    fn next(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            let added = state.graph.len() - state.before;
            let is_enough = self.plan.positions.is_some_and(|most| added >= most);
            if is_enough || self.stop.is_stopped() {
                return None;
            }
            let job = match self.expands {
                true => state.expansion(),
                false => state.queue.pop_front(),
            };
            if job.is_some() {
                state.working += 1;
                return job;
            }
            // Others may find something to do.
            if state.working == 0 || !self.expands {
                self.changed.notify_all();
                return None;
            }
            let waited = self.changed.wait_timeout(state, TICK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Puts a position into the book, or links it anew where it is in it, with the best move that leads out of the
    /// book: where that is not known, by a search. Nothing is changed where the search is stopped.
    fn refresh(&self, engine: &mut Engine, board: Board, again: bool) {
        let board = board.canonical().0;
        let state = self.lock();
        let inside = state.graph.leading_in(board);
        let known = state.graph.find(board);
        let known = known.and_then(|number| state.graph.entry(number));
        drop(state);
        let is_open = inside.len() < ply_count(board) as usize;
        let leaf = known.as_ref().and_then(Entry::leaf);
        let mut leaf = leaf.filter(|leaf| !inside.contains(&leaf.ply));
        let searches = is_open && (again || leaf.is_none());
        let is_linked = |entry: &Entry| {
            let has = |ply| entry.links().iter().any(|link| link.ply == ply);
            inside.iter().all(|&ply| has(ply))
        };
        if !searches && known.as_ref().is_some_and(is_linked) {
            return;
        }
        let empties = board.empty_count();
        let limits = limits(self.plan.strength, empties);
        let mut searched = Searched::by(&limits, empties);
        if let Some(known) = known {
            searched = known.searched();
        }
        if searches {
            let without = inside.iter().flatten().map(|square| square.bit()).sum();
            let found = engine.search(board, &Limits { without, ..limits });
            let found = found.expect("no square of it is held twice");
            if !found.complete || self.stop.is_stopped() {
                return;
            }
            searched = Searched {
                selectivity: found.selectivity,
                depth: found.depth as u8,
            };
            leaf = found.line.first().map(|&ply| Move {
                ply,
                value: found.score,
            });
        }
        let mut state = self.lock();
        let State { graph, agenda, .. } = &mut *state;
        let value = |ply| {
            let next = after(board, ply).expect("a ply of the board");
            graph.find(next).map(|number| -graph.value(number))
        };
        let links = inside.iter().filter_map(|&ply| {
            let value = value(ply)?;
            Some(Move { ply, value })
        });
        let links = links.collect();
        let entry = Entry::new(board, searched, leaf, links);
        let entry = entry.expect("a search finds a legal move");
        let changed = graph.insert(&entry);
        agenda.update(graph, &changed);
        state.searches += usize::from(searches);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread that panics counts as working no more, and ends the others.
    #[test]
    fn nobody_waits_for_a_thread_that_panicked() {
        let stop = StopHandle::default();
        let plan = Plan {
            strength: Strength::Level(1),
            min_empties: 30,
            deadline: None,
            positions: None,
        };
        let graph = Graph::default();
        let learner = Learner {
            plan: &plan,
            stop: &stop,
            expands: true,
            state: Mutex::new(State {
                agenda: Agenda::new(&graph, ErrorModel::NETWORK, 30),
                graph,
                queue: VecDeque::new(),
                searches: 0,
                working: 0,
                before: 0,
            }),
            changed: Condvar::new(),
        };
        assert!(learner.next().is_some(), "the start of the game");
        let panics = || {
            let _working = Working(&learner);
            panic!("this panic is part of the test");
        };
        thread::scope(|scope| {
            let other = scope.spawn(|| learner.next().is_none());
            assert!(scope.spawn(panics).join().is_err());
            assert!(other.join().unwrap(), "there is nothing to wait for");
        });
        assert_eq!((learner.lock().working, stop.is_stopped()), (0, true));
    }
}
