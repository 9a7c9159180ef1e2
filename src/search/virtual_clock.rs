//! Virtual time, to test more threads than there are cores. The threads of a search run one at a time, always the one
//! that is furthest behind. Nodes, locks and wake-ups cost fixed times.
//!
//! The model leaves out what threads of a real machine share: caches, memory bandwidth and clock frequency.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::time::Instant;

/// The cost of a node in nanoseconds.
const NODE: u64 = 27;

/// The additional cost of a midgame node, which evaluates and orders moves and uses the table.
const MIDGAME_NODE: u64 = 160;

/// The cost of a lock.
const LOCK: u64 = 40;

/// The cost of an attempt to find work, without the reads.
const ATTEMPT: u64 = 500;

/// The additional cost of an attempt for each thread, whose cache line is read.
const READ: u64 = 50;

/// The number of attempts before a thread sleeps.
const MAX_ATTEMPTS: u32 = 400;

/// The time from a wake-up until the sleeper runs.
const WAKE: u64 = 20_000;

/// The time until a helper runs, for each level of the tree in which helpers start. Thread 0 takes it once.
const START: u64 = 20_000;

/// The time by which the running thread may be ahead of the others.
const QUANTUM: u64 = 1_000;

/// The clock of a search.
pub(super) struct Clock {
    times: Box<[ThreadTime]>,
    /// The time up to which the running thread runs without a look at the others.
    horizon: AtomicU64,
    state: Mutex<State>,
}

/// The virtual time of a thread.
#[derive(Default)]
struct ThreadTime {
    nanoseconds: AtomicU64,
    /// Nodes that are already counted in `nanoseconds`.
    nodes: AtomicU64,
    turn: Condvar,
}

#[derive(Clone, Copy, PartialEq)]
enum Status {
    /// The thread has not been started, or has ended.
    Absent,
    /// The thread has been started, but has not begun.
    New,
    Ready,
    Asleep,
}

struct State {
    threads: Vec<Status>,
    /// `true` for threads that were woken before they slept.
    are_woken: Vec<bool>,
    running: usize,
}

impl Clock {
    /// The clock of a search with `threads` threads, each on a core of its own. Once helpers are started, all of them
    /// have to begin.
    pub(super) fn new(_start: Instant, threads: usize, _cores: usize) -> Clock {
        Clock {
            times: (0..threads).map(|_| ThreadTime::default()).collect(),
            horizon: AtomicU64::new(0),
            state: Mutex::new(State {
                threads: vec![Status::Absent; threads],
                are_woken: vec![false; threads],
                running: usize::MAX,
            }),
        }
    }

    pub(super) fn max_attempts(&self) -> u32 {
        MAX_ATTEMPTS
    }

    pub(super) fn elapsed(&self, thread: usize) -> Duration {
        Duration::from_nanos(self.time(thread))
    }

    pub(super) fn start_helpers(&self, start: &dyn Fn()) {
        let now = self.time(0);
        let mut state = self.state();
        for (thread, time) in self.times.iter().enumerate().skip(1) {
            let starts = u64::from(thread.ilog2()) + 1;
            time.nanoseconds.store(now + starts * START, Relaxed);
            state.threads[thread] = Status::New;
        }
        state.running = usize::MAX;
        drop(state);
        start();
        self.wait_for_turn(0, self.state());
        self.advance(0, START);
    }

    pub(super) fn begin(&self, thread: usize) {
        let mut state = self.state();
        state.threads[thread] = Status::Ready;
        if !state.threads.contains(&Status::New) {
            self.choose(&mut state);
        }
        self.wait_for_turn(thread, state);
    }

    pub(super) fn end(&self, thread: usize) {
        let mut state = self.state();
        state.threads[thread] = Status::Absent;
        self.choose(&mut state);
    }

    pub(super) fn count(&self, thread: usize, nodes: u64) {
        let new_nodes = nodes - self.times[thread].nodes.swap(nodes, Relaxed);
        self.advance(thread, new_nodes * NODE);
    }

    pub(super) fn count_midgame(&self, thread: usize) {
        self.advance(thread, MIDGAME_NODE);
    }

    pub(super) fn lock(&self, thread: usize) {
        self.advance(thread, LOCK);
    }

    pub(super) fn pause(&self, thread: usize) {
        self.advance(thread, ATTEMPT + READ * self.times.len() as u64);
    }

    pub(super) fn sleep(&self, thread: usize) {
        let mut state = self.state();
        if !std::mem::take(&mut state.are_woken[thread]) {
            state.threads[thread] = Status::Asleep;
            self.choose(&mut state);
            self.wait_for_turn(thread, state);
        }
    }

    pub(super) fn wake(&self, thread: usize, sleeping: usize) {
        let mut state = self.state();
        if state.threads[sleeping] != Status::Asleep {
            state.are_woken[sleeping] = true;
            return;
        }
        state.threads[sleeping] = Status::Ready;
        let woken_at = self.time(thread) + WAKE;
        self.times[sleeping]
            .nanoseconds
            .fetch_max(woken_at, Relaxed);
        self.horizon
            .fetch_min(self.time(sleeping) + QUANTUM, Relaxed);
    }

    /// Adds a cost to the time of the running thread, and lets another one run if that is behind.
    fn advance(&self, thread: usize, cost: u64) {
        let time = self.times[thread].nanoseconds.fetch_add(cost, Relaxed) + cost;
        if time > self.horizon.load(Relaxed) {
            let mut state = self.state();
            self.choose(&mut state);
            self.wait_for_turn(thread, state);
        }
    }

    /// Chooses the ready thread that is most behind.
    fn choose(&self, state: &mut State) {
        let is_ready = |&thread: &usize| state.threads[thread] == Status::Ready;
        let ready = (0..self.times.len()).filter(is_ready);
        let Some(next) = ready.clone().min_by_key(|&thread| self.time(thread)) else {
            // Nothing could ever wake a sleeper now, and a test would hang.
            assert!(
                !state.threads.contains(&Status::Asleep),
                "all threads sleep"
            );
            return;
        };
        let others = ready.filter(|&thread| thread != next);
        let second = others.map(|thread| self.time(thread)).min();
        let horizon = second.map_or(u64::MAX, |time| time + QUANTUM);
        self.horizon.store(horizon, Relaxed);
        state.running = next;
        self.times[next].turn.notify_one();
    }

    fn wait_for_turn(&self, thread: usize, mut state: MutexGuard<'_, State>) {
        while state.running != thread {
            let notified = self.times[thread].turn.wait(state);
            state = notified.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn time(&self, thread: usize) -> u64 {
        self.times[thread].nanoseconds.load(Relaxed)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use crate::notation::obf;
    use crate::problems::FFO_20_39;
    use crate::{Engine, Limits};

    /// The time of FFO #30 to #39 in seconds with `threads` threads, and their nodes.
    fn solve(threads: usize) -> (f64, u64) {
        let builder = Engine::builder().threads(threads).hash_mib(64);
        let mut engine = builder.build().unwrap();
        let problems = obf::read(FFO_20_39).skip(10).map(Result::unwrap);
        problems.fold((0.0, 0), |(time, nodes), problem| {
            engine.clear();
            let found = engine.search(problem.board, &Limits::EXACT).unwrap();
            assert_eq!(Some(found.score), problem.best_score());
            (time + found.time.as_secs_f64(), nodes + found.nodes)
        })
    }

    /// Virtual time is equal on every machine, so limits are safe here.
    #[test]
    fn several_threads_are_faster() {
        let (one, nodes) = solve(1);
        for (threads, least, most) in [(2, 1.7, 1.15), (8, 4.0, 1.4)] {
            let (time, all_nodes) = solve(threads);
            let (speed_up, growth) = (one / time, all_nodes as f64 / nodes as f64);
            assert!(
                speed_up > least && growth < most,
                "{threads}: {speed_up} {growth}"
            );
        }
    }
}
