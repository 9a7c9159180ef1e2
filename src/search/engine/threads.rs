//! Where the helper threads of a search come from.

use crossbeam_utils::thread::scope;

/// Threads of a host that help searches: for programs that cannot start threads by the standard library, as in a
/// browser, where each thread is a worker that the page begins. [`Builder::thread_pool`](super::Builder::thread_pool)
/// takes one.
///
/// ```
/// use std::thread;
/// use outflank::search::ThreadPool;
/// use outflank::{Board, Engine, Limits};
///
/// struct Scoped;
///
/// impl ThreadPool for Scoped {
///     fn run(&self, helpers: usize, help: &(dyn Fn() + Sync), own: &mut dyn FnMut()) {
///         thread::scope(|scope| {
///             (0..helpers).for_each(|_| drop(scope.spawn(help)));
///             own();
///         });
///     }
/// }
///
/// let mut engine = Engine::builder().threads(2).hash_mib(16).thread_pool(Scoped).build()?;
/// let text = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
/// assert_eq!(engine.search(text.parse()?, &Limits::EXACT)?.score, 18); // FFO #1
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ThreadPool: Send + Sync {
    /// Calls `own` in this thread, once, and meanwhile `help` in other threads, once in each of up to `helpers` of
    /// them. Returns when `own` and all these calls have returned; `help` returns soon after `own` has. With fewer
    /// helpers a search takes longer, and its result is as good.
    fn run(&self, helpers: usize, help: &(dyn Fn() + Sync), own: &mut dyn FnMut());
}

/// New threads of the system for each search.
pub(super) struct SystemThreads;

/// The stack of a helper thread, in bytes: the longest game takes less than a tenth of it.
const STACK: usize = 16 << 20;

impl ThreadPool for SystemThreads {
    fn run(&self, helpers: usize, help: &(dyn Fn() + Sync), own: &mut dyn FnMut()) {
        // Not the scope of the standard library: it makes a handle of the calling thread, which is never freed
        // where a program in C has made that thread.
        let ended = scope(|scope| {
            for _ in 0..helpers {
                // Where the system has no more threads, those that there are search.
                let _ = scope.builder().stack_size(STACK).spawn(|_| help());
            }
            own();
        });
        ended.expect("no thread of a search panics");
    }
}
