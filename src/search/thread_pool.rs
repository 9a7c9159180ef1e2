//! Helper threads of a search.

use crossbeam_utils::thread::scope;

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
///     fn run(&self, helpers: usize, help: &(dyn Fn() + Sync), search: &mut dyn FnMut()) {
///         thread::scope(|scope| {
///             (0..helpers).for_each(|_| drop(scope.spawn(help)));
///             search();
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
    /// Calls `search` once in this thread, and meanwhile `help` once in each of up to `helpers` other threads. Returns
    /// after all these calls have returned; `help` returns soon after `search`. With fewer helpers a search takes
    /// longer, but its result is as good.
    fn run(&self, helpers: usize, help: &(dyn Fn() + Sync), search: &mut dyn FnMut());
}

/// New threads of the system for each search.
pub(super) struct SystemThreads;

/// The stack size in bytes of a thread that searches. The deepest recursion takes less than a tenth of it.
pub const STACK_BYTES: usize = 16 << 20;

impl ThreadPool for SystemThreads {
    fn run(&self, helpers: usize, help: &(dyn Fn() + Sync), search: &mut dyn FnMut()) {
        // The standard library's scope would create a handle of the calling thread. The handle would never be freed if
        // a C program had started that thread.
        let ended = scope(|scope| {
            for _ in 0..helpers {
                // If the system has no more threads, the search goes on with the existing ones.
                let _ = scope.builder().stack_size(STACK_BYTES).spawn(|_| help());
            }
            search();
        });
        ended.expect("no thread of a search panics");
    }
}
