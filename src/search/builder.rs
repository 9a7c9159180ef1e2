//! The builder of engines.

use std::sync::Arc;
use std::thread::available_parallelism;

use outflank_kernels::Isa;

use super::engine::Engine;
use super::error::EngineError;
use super::limits::MAX_THREADS;
use super::monitor::Monitor;
use super::selectivity::Margins;
use super::stop::{Interrupt, StopHandle};
use super::thread_pool::{SystemThreads, ThreadPool};
use crate::eval::Evaluation;
use crate::table::{OutOfMemory, Table};

/// The default limit of the hash table in MiB. The table grows during a search, so a large limit
/// costs short searches nothing.
pub const DEFAULT_HASH_MIB: usize = 256;

/// The settings of a new engine; [`Engine::builder`] creates one.
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

impl Engine {
    /// A builder with defaults.
    pub fn builder() -> Builder {
        Builder::default()
    }
}

impl Builder {
    /// Sets the instruction-set level of the kernels. Default: the best level of the CPU.
    pub fn isa(mut self, isa: Isa) -> Builder {
        self.isa = Some(isa);
        self
    }

    /// Sets the number of threads, 1 to [`MAX_THREADS`]. Default: 1. A search starts the threads
    /// only if it takes long enough. Each thread then takes nearly 1 MiB besides the hash table.
    pub fn threads(mut self, threads: usize) -> Builder {
        self.threads = Some(threads);
        self
    }

    /// Sets the limit of the hash table in MiB, 1 or more. Default: [`DEFAULT_HASH_MIB`]. The table starts
    /// small and grows during a search.
    pub fn hash_mib(mut self, mib: usize) -> Builder {
        self.hash_mib = Some(mib);
        self
    }

    /// Sets the evaluation. Default: [`Evaluation::embedded`].
    pub fn evaluation(mut self, evaluation: Arc<Evaluation>) -> Builder {
        self.evaluation = Some(evaluation);
        self
    }

    /// Sets the stop handle. Default: a new handle.
    pub fn stop_handle(mut self, stop: StopHandle) -> Builder {
        self.stop = stop;
        self
    }

    /// Sets a function that stops a search by returning `true`. The stop handle is then set, too. Every thread of a
    /// search calls the function several times a millisecond.
    ///
    /// The function is for programs that cannot use a [`StopHandle`], because nothing else runs during a search. A
    /// browser's worker is an example.
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

    /// Sets the source of helper threads. Default: new threads of the system for each search.
    pub fn thread_pool(mut self, pool: impl ThreadPool + 'static) -> Builder {
        self.thread_pool = Some(Box::new(pool));
        self
    }

    /// Builds the engine. It is an error if the CPU lacks the level or the number of threads is out of range. It is
    /// also an error if the hash table has 0 MiB or does not fit in memory.
    pub fn build(self) -> Result<Engine, EngineError> {
        let token = self.isa.unwrap_or_else(Isa::detect).token()?;
        let threads = self.threads.unwrap_or(1);
        if !(1..=MAX_THREADS).contains(&threads) {
            return Err(EngineError::Threads(threads));
        }
        let asked = self.hash_mib.unwrap_or(DEFAULT_HASH_MIB);
        if asked == 0 {
            return Err(EngineError::NoTable);
        }
        let memory = |OutOfMemory { available }| EngineError::Memory { asked, available };
        let table = Table::new(asked).map_err(memory)?;
        let evaluation = self.evaluation.unwrap_or_else(Evaluation::embedded);
        Ok(Engine {
            token,
            table,
            locals: (0..threads).map(|_| None).collect(),
            margins: Margins::new(&evaluation.errors),
            evaluation,
            stop: self.stop,
            interrupt: self.interrupt,
            thread_pool: self.thread_pool.unwrap_or_else(|| Box::new(SystemThreads)),
            monitor: Monitor::default(),
            // A system that does not tell has enough cores.
            cores: available_parallelism().map_or(threads, usize::from),
        })
    }
}
