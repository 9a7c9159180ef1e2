//! Helper threads of a search.

use crossbeam_utils::thread::{Scope, scope};

/// A source of helper threads, for [`Builder::thread_pool`](super::Builder::thread_pool).
///
/// It is for programs that cannot start threads by the standard library. In a browser, for example, each thread is a
/// worker that the page starts.
///
/// ```
/// use std::thread;
/// use outflank::search::ThreadPool;
/// use outflank::{Board, Engine, Limits};
///
/// struct Scoped;
///
/// impl ThreadPool for Scoped {
///     fn run(&self, helpers: usize, help: &(dyn Fn() + Sync), search: &mut dyn FnMut(&dyn Fn())) {
///         thread::scope(|scope| {
///             search(&|| (0..helpers).for_each(|_| drop(scope.spawn(help))));
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
    /// Calls `search(start)` once in this thread. `start` lets each of up to `helpers` other threads call `help` once, and
    /// returns without waiting for them. `search` calls `start` at most once, and not at all if the search is short.
    ///
    /// Returns after all these calls have returned; `help` returns soon after `search`. With fewer helpers a search takes
    /// longer, but its result is as good.
    fn run(&self, helpers: usize, help: &(dyn Fn() + Sync), search: &mut dyn FnMut(&dyn Fn()));
}

/// New threads of the system for each search.
pub(super) struct SystemThreads;

/// The stack size in bytes of a thread that searches. The deepest recursion takes less than a tenth of it.
pub const STACK_BYTES: usize = 16 << 20;

impl ThreadPool for SystemThreads {
    fn run(&self, helpers: usize, help: &(dyn Fn() + Sync), search: &mut dyn FnMut(&dyn Fn())) {
        // The standard library's scope would create a handle of the calling thread. The handle would never be freed if
        // a C program had started that thread.
        let ended = scope(|scope| search(&|| spawn(scope, helpers, help)));
        ended.expect("no thread of a search panics");
    }
}

/// Starts helpers as a binary tree: one here, which starts the first of each half of the others, and so on. So the calling
/// thread soon goes on, and the time until all helpers run grows with the logarithm of their number. If the system has no
/// more threads, the search goes on with the existing ones.
fn spawn<'env>(scope: &Scope<'env>, helpers: usize, help: &'env (dyn Fn() + Sync)) {
    if helpers > 0 {
        let thread = scope.builder().stack_size(STACK_BYTES);
        let _ = thread.spawn(move |scope| {
            let others = helpers - 1;
            spawn(scope, others / 2, help);
            spawn(scope, others - others / 2, help);
            help();
        });
    }
}
