//! The pool through which threads of one search share the moves of nodes. `parallel` searches them.
//!
//! Each thread lists its open splits: the nodes on its path with moves that no thread has begun. A thread without work
//! looks at the lists of all other threads and takes a move of the largest subtree. Large subtrees keep threads busy for
//! long, so two threads rarely use a list at once. A thread that finds nothing for some tenths of a millisecond sleeps
//! until another one wakes it.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crossbeam_utils::CachePadded;

use super::clock::Clock;
use super::split::{ScoredMove, Split, SplitPolicy, SplitTask, UnsearchedMove, UnsearchedMoves};
use super::stop::StopControl;
use super::thread_work::{Counter, Counters, ThreadWork};

/// An entry of a thread's list.
struct OpenSplit {
    split: Arc<Split>,
    unsearched: UnsearchedMoves,
}

/// The open splits of a thread, the innermost last.
#[derive(Default)]
struct OpenSplits {
    /// The greatest depth of a split in the list, in plies; 0 if the list is empty.
    largest: AtomicU8,
    list: Mutex<Vec<OpenSplit>>,
}

impl OpenSplits {
    fn lock(&self) -> MutexGuard<'_, Vec<OpenSplit>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Updates `largest` after a change of the list.
    fn update(&self, list: &[OpenSplit]) {
        let largest = OpenSplits::largest(list, None).map_or(0, |(_, depth)| depth);
        self.largest.store(largest, Ordering::Relaxed);
    }

    /// The index and the depth of the largest split in `list`; with `above`, of those below it. Of equal depths the last.
    fn largest(list: &[OpenSplit], above: Option<&Arc<Split>>) -> Option<(usize, u8)> {
        let helps = |open: &OpenSplit| above.is_none_or(|above| open.split.is_below(above));
        let splits = list.iter().enumerate().filter(|(_, open)| helps(open));
        splits
            .map(|(index, open)| (index, open.split.depth()))
            .max_by_key(|&(_, depth)| depth)
    }

    /// Takes the best unsearched move of the split at `index`, which is removed with its last move.
    fn take(&self, list: &mut Vec<OpenSplit>, index: usize) -> UnsearchedMove {
        let open = &mut list[index];
        let next = open.unsearched.pop().expect("an open split has a move");
        open.split.begin_move();
        if open.unsearched.is_empty() {
            list.remove(index);
            self.update(list);
        }
        next
    }
}

/// The splits that the threads of a search offer each other.
pub(crate) struct Pool {
    open: Box<[CachePadded<OpenSplits>]>,
    counters: Box<[CachePadded<Counters>]>,
    sleepers: Mutex<Vec<Sleeper>>,
    /// The number of sleepers.
    asleep: AtomicUsize,
    /// `true` once the search has ended.
    over: AtomicBool,
    pub(super) policy: SplitPolicy,
}

/// A sleeping thread.
struct Sleeper {
    thread: usize,
    /// The own split that it waits for. It helps only below that.
    awaited: Option<Arc<Split>>,
}

/// A move that a thread without work has taken.
pub(super) struct StolenMove {
    pub(super) split: Arc<Split>,
    pub(super) unsearched: UnsearchedMove,
}

/// A thread of a search, as seen by the pool.
#[derive(Clone, Copy)]
pub(super) struct Member<'a> {
    pub(super) pool: &'a Pool,
    pub(super) clock: &'a Clock,
    pub(super) thread: usize,
}

impl Pool {
    pub(super) fn new(threads: usize, policy: SplitPolicy) -> Pool {
        Pool {
            open: (0..threads).map(|_| CachePadded::default()).collect(),
            counters: (0..threads).map(|_| CachePadded::default()).collect(),
            sleepers: Mutex::default(),
            asleep: AtomicUsize::new(0),
            over: AtomicBool::new(false),
            policy,
        }
    }

    /// The number of threads.
    pub(super) fn threads(&self) -> usize {
        self.counters.len()
    }

    /// The work of all threads in a search that took `wall`.
    pub(super) fn thread_work(&self, wall: Duration) -> ThreadWork {
        ThreadWork::sum(self.counters.iter().map(|counters| &**counters), wall)
    }

    fn sleepers(&self) -> MutexGuard<'_, Vec<Sleeper>> {
        self.sleepers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Member<'_> {
    /// Runs the whole work of this thread in the search, and counts its time.
    pub(super) fn work<T>(&self, work: impl FnOnce() -> T) -> T {
        self.time(&self.counters().working_ns, 1, work)
    }

    fn counters(&self) -> &Counters {
        &self.pool.counters[self.thread]
    }

    /// Calls `work`, a short piece of splitting, and counts its time. Reading the clock takes as long as the work, so
    /// only some pieces are timed.
    fn time_split<T>(&self, work: impl FnOnce() -> T) -> T {
        const INTERVAL: u64 = 32;
        let counters = self.counters();
        counters.pieces.add(1);
        match counters.pieces.get() % INTERVAL {
            0 => self.time(&counters.splitting_ns, INTERVAL, work),
            _ => work(),
        }
    }

    /// Calls `work`, and adds its time to a counter `weight` times.
    fn time<T>(&self, counter: &Counter, weight: u64, work: impl FnOnce() -> T) -> T {
        let start = self.clock.elapsed(self.thread);
        let result = work();
        let time = self.clock.elapsed(self.thread) - start;
        counter.add(weight * time.as_nanos() as u64);
        result
    }

    /// Lets the threads that wait for work return, once the search has ended.
    pub(super) fn close(&self) {
        self.pool.over.store(true, Ordering::SeqCst);
        while self.wake(|sleepers| sleepers.len().checked_sub(1)) {}
    }

    /// Opens a split of this thread below `parent`. `best` is the best of the moves that were searched before.
    pub(super) fn open(
        &self,
        parent: Option<Arc<Split>>,
        task: SplitTask,
        best: ScoredMove,
        unsearched: UnsearchedMoves,
    ) -> Arc<Split> {
        let split = Arc::new(Split::new(parent, self.thread, task, best));
        self.counters().splits.add(1);
        self.time_split(|| self.list(split.clone(), unsearched));
        split
    }

    /// Adds a split to the list of this thread, and wakes a sleeper.
    fn list(&self, split: Arc<Split>, unsearched: UnsearchedMoves) {
        let open = &self.pool.open[self.thread];
        self.clock.lock(self.thread);
        let mut list = open.lock();
        list.push(OpenSplit {
            split: split.clone(),
            unsearched,
        });
        open.update(&list);
        drop(list);
        // Pairs with the fence of a thread that looks for work once more before it sleeps.
        fence(Ordering::SeqCst);
        if self.pool.asleep.load(Ordering::Relaxed) > 0 {
            self.wake_one(&split);
        }
    }

    /// Takes the next move of this thread's own `split`; `None` if no move has to be begun any more.
    pub(super) fn take_own(&self, split: &Arc<Split>) -> Option<UnsearchedMove> {
        self.time_split(|| {
            let open = &self.pool.open[self.thread];
            self.clock.lock(self.thread);
            let mut list = open.lock();
            let is_split = |open: &OpenSplit| Arc::ptr_eq(&open.split, split);
            let index = list.iter().rposition(is_split)?;
            if split.is_over() {
                list.remove(index);
                open.update(&list);
                return None;
            }
            Some(open.take(&mut list, index))
        })
    }

    /// Finishes a move of `split`: adds the nodes of its search and its result, `None` if the search was stopped.
    pub(super) fn finish_move(
        &self,
        split: &Split,
        stop: &StopControl<'_>,
        result: Option<ScoredMove>,
        nodes: u64,
    ) {
        self.counters().moves.add(1);
        self.counters().moves_discarded.add(result.is_none().into());
        self.time_split(|| {
            self.clock.lock(self.thread);
            if split.add_result(result, nodes) {
                self.discard(split);
                let others_are_busy = split.busy() > 1;
                if others_are_busy {
                    stop.notify();
                }
            }
            if split.end_move() && split.owner != self.thread {
                self.wake_owner(split.owner);
            }
        });
    }

    /// Removes a refuted split from its owner's list.
    fn discard(&self, split: &Split) {
        let open = &self.pool.open[split.owner];
        let mut list = open.lock();
        list.retain(|open| !std::ptr::eq(&*open.split, split));
        open.update(&list);
    }

    /// Waits for a move of another thread. Returns `None` when the wait is over.
    ///
    /// With `awaited`, only moves of splits below it are returned, and the wait is over once all moves of `awaited` are
    /// searched. Otherwise a move of any split is returned, and the wait is over once the search has ended.
    pub(super) fn wait(&self, awaited: Option<&Arc<Split>>) -> Option<StolenMove> {
        let counters = self.counters();
        let found = self.time(&counters.waiting_ns, 1, || self.find(awaited));
        counters.moves_given.add(found.is_some().into());
        found
    }

    /// Finds a move as [`Member::wait`] does, without updating counters.
    fn find(&self, awaited: Option<&Arc<Split>>) -> Option<StolenMove> {
        let is_over = || match awaited {
            Some(split) => split.busy() == 0,
            None => self.pool.over.load(Ordering::SeqCst),
        };
        loop {
            for _ in 0..self.clock.max_attempts() {
                if is_over() {
                    return None;
                }
                if let Some(stolen) = self.steal(awaited) {
                    return Some(stolen);
                }
                self.clock.pause(self.thread);
            }
            self.enlist(awaited.cloned());
            // Work that was offered before this thread was listed would not wake it.
            let stolen = self.steal(awaited);
            if (stolen.is_some() || is_over()) && self.unlist() {
                return stolen;
            }
            // If another thread has removed this one from the sleepers, its wake-up is on the way. The sleep takes it.
            self.clock.sleep(self.thread);
            if stolen.is_some() {
                return stolen;
            }
        }
    }

    /// Takes a move of the largest split of any thread, or of those below `above`.
    fn steal(&self, above: Option<&Arc<Split>>) -> Option<StolenMove> {
        let mut best: Option<(&OpenSplits, u8)> = None;
        for (thread, open) in self.pool.open.iter().enumerate() {
            let is_better = |depth: u8| depth > best.map_or(0, |(_, depth)| depth);
            let mut depth = open.largest.load(Ordering::Relaxed);
            if thread != self.thread && is_better(depth) {
                if above.is_some() {
                    let largest = OpenSplits::largest(&open.lock(), above);
                    depth = largest.map_or(0, |(_, depth)| depth);
                }
                if is_better(depth) {
                    best = Some((open, depth));
                }
            }
        }
        let (open, _) = best?;
        self.clock.lock(self.thread);
        let mut list = open.lock();
        let (index, _) = OpenSplits::largest(&list, above)?;
        let split = list[index].split.clone();
        let unsearched = open.take(&mut list, index);
        Some(StolenMove { split, unsearched })
    }

    /// Adds this thread to the sleepers.
    fn enlist(&self, awaited: Option<Arc<Split>>) {
        let thread = self.thread;
        let mut sleepers = self.pool.sleepers();
        sleepers.push(Sleeper { thread, awaited });
        self.pool.asleep.store(sleepers.len(), Ordering::SeqCst);
        drop(sleepers);
        // Pairs with the fence of a thread that opens a split.
        fence(Ordering::SeqCst);
    }

    /// Removes this thread from the sleepers. Returns `false` if another thread has removed it in order to wake it.
    fn unlist(&self) -> bool {
        self.remove_sleeper(|sleepers| {
            let is_own = |sleeper: &Sleeper| sleeper.thread == self.thread;
            sleepers.iter().position(is_own)
        })
        .is_some()
    }

    /// Wakes a sleeper that may help at `split`, preferably one that may help anywhere.
    fn wake_one(&self, split: &Split) {
        self.wake(|sleepers| {
            let may_help = |sleeper: &Sleeper| {
                let awaited = sleeper.awaited.as_ref();
                awaited.is_some_and(|awaited| split.is_below(awaited))
            };
            let helper = sleepers
                .iter()
                .position(|sleeper| sleeper.awaited.is_none());
            helper.or_else(|| sleepers.iter().position(may_help))
        });
    }

    /// Wakes the owner of a split whose moves are all searched, if it sleeps.
    fn wake_owner(&self, owner: usize) {
        if self.pool.asleep.load(Ordering::SeqCst) == 0 {
            return;
        }
        self.wake(|sleepers| {
            let is_owner = |sleeper: &Sleeper| sleeper.thread == owner;
            sleepers.iter().position(is_owner)
        });
    }

    /// Wakes the sleeper at the index that `find` returns. Returns `false` if there is none.
    fn wake(&self, find: impl Fn(&[Sleeper]) -> Option<usize>) -> bool {
        let sleeper = self.remove_sleeper(find);
        if let Some(sleeper) = &sleeper {
            self.clock.wake(self.thread, sleeper.thread);
        }
        sleeper.is_some()
    }

    fn remove_sleeper(&self, find: impl Fn(&[Sleeper]) -> Option<usize>) -> Option<Sleeper> {
        let mut sleepers = self.pool.sleepers();
        let index = find(&sleepers)?;
        let sleeper = sleepers.swap_remove(index);
        self.pool.asleep.store(sleepers.len(), Ordering::SeqCst);
        Some(sleeper)
    }
}
