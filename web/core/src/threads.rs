//! Helpers for searches: other workers of the page, each with this module in the same shared memory.
//!
//! A worker can neither start another one nor be called while it computes. The page begins them, and lends them to
//! each task: a helper waits in [`help`] for the searches of the task, until [`end`] says that there are no more.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use outflank::search::ThreadPool;

/// What the worker of the engine and its helpers tell each other.
struct Desk {
    /// The search that wants helpers.
    job: Option<Job>,
    /// The number of helpers that are in it.
    inside: usize,
    /// The tasks that have ended are those up to this number.
    ended: u32,
}

/// What a helper is to call.
struct Job {
    help: *const (dyn Fn() + Sync),
    /// How many helpers may still come.
    wanted: usize,
}

// SAFETY: what it points to may be called from several threads, and `Helpers::run` keeps it alive while they do.
unsafe impl Send for Job {}

static DESK: Mutex<Desk> = Mutex::new(Desk {
    job: None,
    inside: 0,
    ended: 0,
});
static CHANGED: Condvar = Condvar::new();

fn desk() -> MutexGuard<'static, Desk> {
    DESK.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait(desk: MutexGuard<'static, Desk>) -> MutexGuard<'static, Desk> {
    CHANGED.wait(desk).unwrap_or_else(PoisonError::into_inner)
}

/// Helps with the searches of a task until it ends.
pub(crate) fn help(task: u32) {
    let mut desk = desk();
    while desk.ended < task {
        let job = desk.job.as_mut().filter(|job| job.wanted > 0);
        let Some(job) = job else {
            desk = wait(desk);
            continue;
        };
        job.wanted -= 1;
        let help = job.help;
        desk.inside += 1;
        drop(desk);
        {
            let _inside = Inside;
            // SAFETY: `Helpers::run`, whose caller owns it, returns only after the job was taken back, so that nobody
            // begins any more, and all that are inside have left. This one has been counted under the lock.
            unsafe { (*help)() };
        }
        desk = self::desk();
    }
}

/// A task has ended: its helpers return.
pub(crate) fn end(task: u32) {
    desk().ended = task;
    CHANGED.notify_all();
}

/// The helpers of the page.
pub(crate) struct Helpers;

impl ThreadPool for Helpers {
    fn run(&self, helpers: usize, help: &(dyn Fn() + Sync), own: &mut dyn FnMut()) {
        let help: *const (dyn Fn() + Sync + '_) = help;
        // SAFETY: only the lifetime changes. `Recall` takes the pointer back before `help` may end, also where `own`
        // panics.
        let help: *const (dyn Fn() + Sync + 'static) = unsafe { std::mem::transmute(help) };
        desk().job = Some(Job {
            help,
            wanted: helpers,
        });
        CHANGED.notify_all();
        let _recall = Recall;
        own();
    }
}

/// Takes the job back, and waits for the helpers that have begun.
struct Recall;

impl Drop for Recall {
    fn drop(&mut self) {
        let mut desk = desk();
        desk.job = None;
        while desk.inside > 0 {
            desk = wait(desk);
        }
    }
}

/// A helper inside a job.
struct Inside;

impl Drop for Inside {
    fn drop(&mut self) {
        desk().inside -= 1;
        CHANGED.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::thread;

    use outflank::{Board, Engine, Limits};

    use super::*;

    /// Threads in place of workers. One test, because there is one desk.
    #[test]
    fn helpers_come_to_the_searches_of_their_task_and_leave() {
        const HELPERS: usize = 3;
        thread::scope(|scope| {
            // These come to the second task too late, and to the third too early.
            for task in [1, 2, 3, 3] {
                scope.spawn(move || help(task));
            }
            // All that are wanted are in a search at the same time.
            let meeting = Barrier::new(HELPERS + 1);
            let calls = AtomicUsize::new(0);
            Helpers.run(
                HELPERS,
                &|| {
                    meeting.wait();
                    calls.fetch_add(1, SeqCst);
                },
                &mut || {
                    meeting.wait();
                },
            );
            assert_eq!(calls.load(SeqCst), HELPERS);
            end(2);

            // FFO #1 to #3: helpers come and go.
            let problems = [
                (
                    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X",
                    18,
                ),
                (
                    "-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X",
                    10,
                ),
                (
                    "----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X",
                    2,
                ),
            ];
            let mut engine = Engine::builder()
                .threads(1 + HELPERS)
                .hash_mib(16)
                .thread_pool(Helpers)
                .build()
                .unwrap();
            for _ in 0..20 {
                for (text, score) in problems {
                    let board: Board = text.parse().unwrap();
                    engine.clear();
                    assert_eq!(engine.search(board, &Limits::EXACT).unwrap().score, score);
                }
            }
            end(3);
        });
        // After the end of a task nobody waits for its searches.
        help(3);
    }
}
