//! Helper threads of a search: other workers of the page, each with this module in the same shared memory.
//!
//! A worker can neither start another one nor receive messages while it computes. So the page starts the helpers and
//! assigns them to each task. A helper waits in [`help`] for searches of the task until [`end`].

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use outflank::search::ThreadPool;

/// State that the worker of the engine shares with the helpers.
struct PoolState {
    /// Search that accepts helpers.
    job: Option<HelpJob>,
    /// Number of helpers in the search.
    active: usize,
    /// Number of the last ended task.
    ended: u32,
}

/// Work of a search for its helpers.
struct HelpJob {
    help: *const (dyn Fn() + Sync),
    /// Number of helpers that may still join.
    wanted: usize,
}

// SAFETY: `help` is `Sync`, and `HelperPool::run` keeps it alive while helpers call it.
unsafe impl Send for HelpJob {}

static STATE: Mutex<PoolState> = Mutex::new(PoolState {
    job: None,
    active: 0,
    ended: 0,
});
static CHANGED: Condvar = Condvar::new();

fn lock() -> MutexGuard<'static, PoolState> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait(state: MutexGuard<'static, PoolState>) -> MutexGuard<'static, PoolState> {
    CHANGED.wait(state).unwrap_or_else(PoisonError::into_inner)
}

/// Helps with the searches of a task until it ends.
pub(crate) fn help(task: u32) {
    let mut state = lock();
    while state.ended < task {
        let job = state.job.as_mut().filter(|job| job.wanted > 0);
        let Some(job) = job else {
            state = wait(state);
            continue;
        };
        job.wanted -= 1;
        let help = job.help;
        state.active += 1;
        drop(state);
        {
            let _active = ActiveHelper;
            // SAFETY: `HelperPool::run` keeps `help` alive until it has taken the job back and no helper is active. This
            // helper was counted under the lock.
            unsafe { (*help)() };
        }
        state = lock();
    }
}

/// Ends a task and all tasks with lower numbers: their helpers return.
pub(crate) fn end(task: u32) {
    lock().ended = task;
    CHANGED.notify_all();
}

/// Helpers of the page, as a pool of threads.
pub(crate) struct HelperPool;

impl ThreadPool for HelperPool {
    fn run(&self, helpers: usize, help: &(dyn Fn() + Sync), search: &mut dyn FnMut(&dyn Fn())) {
        let help: *const (dyn Fn() + Sync + '_) = help;
        // SAFETY: only the lifetime changes. `JobGuard` takes the pointer back before `help` may end, also if `search`
        // panics.
        let help: *const (dyn Fn() + Sync + 'static) = unsafe { std::mem::transmute(help) };
        let _guard = JobGuard;
        search(&|| {
            lock().job = Some(HelpJob {
                help,
                wanted: helpers,
            });
            CHANGED.notify_all();
        });
    }
}

/// Takes the job back when dropped, and waits for the active helpers.
struct JobGuard;

impl Drop for JobGuard {
    fn drop(&mut self) {
        let mut state = lock();
        state.job = None;
        while state.active > 0 {
            state = wait(state);
        }
    }
}

/// Marks a helper as active until it is dropped.
struct ActiveHelper;

impl Drop for ActiveHelper {
    fn drop(&mut self) {
        lock().active -= 1;
        CHANGED.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::thread;

    use outflank::notation::obf;
    use outflank::{Engine, Limits};

    use super::*;

    /// Uses threads instead of workers. It is a single test, because the state is global.
    #[test]
    fn helpers_join_the_searches_of_their_task_and_return_at_its_end() {
        const HELPERS: usize = 3;
        thread::scope(|scope| {
            // Helpers of the first two tasks return at `end(2)`. Those of task 3 may help earlier searches, too.
            for task in [1, 2, 3, 3] {
                scope.spawn(move || help(task));
            }
            // All wanted helpers are in one search at the same time.
            let meeting = Barrier::new(HELPERS + 1);
            let calls = AtomicUsize::new(0);
            HelperPool.run(
                HELPERS,
                &|| {
                    meeting.wait();
                    calls.fetch_add(1, SeqCst);
                },
                &mut |start| {
                    start();
                    meeting.wait();
                },
            );
            assert_eq!(calls.load(SeqCst), HELPERS);
            end(2);

            // FFO #1 to #3: helpers join and leave.
            let file = include_bytes!("../../../../data/problems/ffo-1-19.obf");
            let problems: Vec<_> = obf::read(file).take(3).map(Result::unwrap).collect();
            let mut engine = Engine::builder()
                .threads(1 + HELPERS)
                .hash_mib(16)
                .thread_pool(HelperPool)
                .build()
                .unwrap();
            for _ in 0..20 {
                for problem in &problems {
                    engine.clear();
                    let result = engine.search(problem.board, &Limits::EXACT).unwrap();
                    assert_eq!(Some(result.score), problem.best_score(), "{problem}");
                }
            }
            end(3);
        });
        // A helper of an ended task returns at once.
        help(3);
    }
}
