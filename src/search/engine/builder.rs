//! Building an engine.

use std::sync::Arc;

use outflank_kernels::Isa;

use super::Engine;
use super::threads::{SystemThreads, ThreadPool};
use crate::eval::Evaluation;
use crate::search::error::EngineError;
use crate::search::limits::MAX_THREADS;
use crate::search::local::LocalTable;
use crate::search::monitor::Monitor;
use crate::search::selective::Margins;
use crate::search::stop::StopHandle;
use crate::table::Table;

/// Most memory of the hash table in MiB, unless a program says otherwise. Tables grow with a search, so that a large limit
/// costs short searches nothing.
pub const DEFAULT_HASH_MIB: usize = 256;

/// What an engine is made of: [`Engine::builder`].
///
/// ```
/// use outflank::{Engine, EngineError, Isa};
///
/// let builder = Engine::builder().threads(2).hash_mib(16).isa(Isa::Portable);
/// assert_eq!(builder.build()?.isa(), Isa::Portable);
/// let error = Engine::builder().threads(0).build().err().unwrap();
/// assert_eq!(error.to_string(), "0 threads: an engine has 1 to 512");
/// # Ok::<(), EngineError>(())
/// ```
#[derive(Default)]
pub struct Builder {
    isa: Option<Isa>,
    threads: Option<usize>,
    hash_mib: Option<usize>,
    evaluation: Option<Arc<Evaluation>>,
    stop: StopHandle,
    interrupt: Option<Interrupt>,
    thread_pool: Option<Box<dyn ThreadPool>>,
}

/// What searches ask whether they are to stop.
pub(super) type Interrupt = Box<dyn Fn() -> bool + Send + Sync>;

impl Builder {
    /// The instruction-set level of the kernels; without it the best that the CPU has.
    pub fn isa(mut self, isa: Isa) -> Builder {
        self.isa = Some(isa);
        self
    }

    /// The number of threads that search, 1 to [`MAX_THREADS`]; without it 1. Each takes half a megabyte
    /// besides the hash table.
    pub fn threads(mut self, threads: usize) -> Builder {
        self.threads = Some(threads);
        self
    }

    /// The most memory that the hash table may take, in MiB, 1 or more; without it [`DEFAULT_HASH_MIB`]. The table begins
    /// small and grows with a search.
    pub fn hash_mib(mut self, mib: usize) -> Builder {
        self.hash_mib = Some(mib);
        self
    }

    /// The evaluation; without it the one that the library was built with.
    pub fn evaluation(mut self, evaluation: Arc<Evaluation>) -> Builder {
        self.evaluation = Some(evaluation);
        self
    }

    /// What stops it; without it a handle of its own.
    pub fn stop_handle(mut self, stop: StopHandle) -> Builder {
        self.stop = stop;
        self
    }

    /// What searches ask, several times a millisecond and from all of their threads, whether they are to
    /// stop: for programs in which nothing else can run meanwhile that could use a [`StopHandle`], as in a
    /// worker of a browser. Where it is true, the handle is stopped.
    ///
    /// ```
    /// use outflank::{Board, Engine, Limits};
    /// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    ///
    /// let asked = AtomicU32::new(0);
    /// let enough = move || asked.fetch_add(1, Relaxed) > 20;
    /// let mut engine = Engine::builder().hash_mib(16).interrupt(enough).build()?;
    /// assert!(!engine.search(Board::START, &Limits::EXACT)?.complete); // would take years
    /// assert!(engine.stop_handle().is_stopped());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn interrupt(mut self, interrupt: impl Fn() -> bool + Send + Sync + 'static) -> Builder {
        self.interrupt = Some(Box::new(interrupt));
        self
    }

    /// Where the helper threads of a search come from; without it they are new threads of the system.
    pub fn thread_pool(mut self, pool: impl ThreadPool + 'static) -> Builder {
        self.thread_pool = Some(Box::new(pool));
        self
    }

    /// The engine. An error where the CPU lacks the level, where there are too many threads or none, and
    /// where the hash table does not fit in memory.
    pub fn build(self) -> Result<Engine, EngineError> {
        let token = self.isa.unwrap_or_else(Isa::detect).token()?;
        let threads = self.threads.unwrap_or(1);
        if !(1..=MAX_THREADS).contains(&threads) {
            return Err(EngineError::Threads(threads));
        }
        let evaluation = self.evaluation.unwrap_or_else(Evaluation::embedded);
        Ok(Engine {
            token,
            table: Table::new(self.hash_mib.unwrap_or(DEFAULT_HASH_MIB))?,
            locals: (0..threads).map(|_| LocalTable::new()).collect(),
            margins: Margins::new(&evaluation.errors),
            evaluation,
            stop: self.stop,
            interrupt: self.interrupt,
            thread_pool: self.thread_pool.unwrap_or_else(|| Box::new(SystemThreads)),
            monitor: Monitor::default(),
        })
    }
}
