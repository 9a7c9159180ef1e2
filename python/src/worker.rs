//! The thread that an engine searches on. The thread of Python that asked waits without holding the interpreter,
//! and looks for signals meanwhile, so that Ctrl-C ends a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use outflank::{Engine, StopHandle};
use pyo3::prelude::*;

use super::errors::EngineError;

/// How often Python is asked whether there is a signal.
pub(crate) const POLL: Duration = Duration::from_millis(20);

/// The stack of a thread that searches, in bytes: the longest game takes a small part of it.
pub(crate) const STACK: usize = 16 << 20;

/// The exception for an engine whose thread has ended by a panic.
pub(crate) fn fault() -> PyErr {
    EngineError::new_err("the engine had a fault: make another")
}

type Job = Box<dyn FnOnce(&mut Engine) + Send>;

/// A thread with an engine. It ends when this is dropped.
pub(crate) struct Worker {
    jobs: Sender<Job>,
    stop: StopHandle,
    /// The process that the thread is in: a fork has none of it.
    process: u32,
}

/// What a job sends back.
enum Message<P, T> {
    Progress(P),
    Done(T),
}

impl Worker {
    pub(crate) fn new(mut engine: Engine) -> PyResult<Worker> {
        let (jobs, received): (Sender<Job>, Receiver<Job>) = unbounded();
        let stop = engine.stop_handle();
        let work = move || received.iter().for_each(|job| job(&mut engine));
        let thread = thread::Builder::new().name("outflank".to_owned());
        let spawned = thread.stack_size(STACK).spawn(work);
        spawned
            .map_err(|error| EngineError::new_err(format!("no thread to search on: {error}")))?;
        let process = std::process::id();
        Ok(Worker {
            jobs,
            stop,
            process,
        })
    }

    /// Ends the job that runs, which then returns what it has.
    pub(crate) fn stop(&self) {
        self.stop.stop();
    }

    /// Carries out `job` on the thread, after those that others asked for, and calls `progress` for what it
    /// sends meanwhile. An exception of that, or a signal, stops the job and is raised when it has ended.
    pub(crate) fn run<P: Send + 'static, T: Send + 'static>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&mut Engine, &dyn Fn(P)) -> T + Send + 'static,
        mut progress: impl FnMut(Python<'_>, P) -> PyResult<()>,
    ) -> PyResult<T> {
        if self.process != std::process::id() {
            let message = "the engine was made in another process, before a fork: make one in this";
            return Err(EngineError::new_err(message));
        }
        let (sender, messages) = unbounded();
        let (begun, cancelled) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(AtomicBool::new(false)),
        );
        let (stop, begins, is_cancelled) = (self.stop.clone(), begun.clone(), cancelled.clone());
        let job: Job = Box::new(move |engine| {
            // A stop is for the search that runs. It is reset before the job counts as begun, and whether it is
            // cancelled is looked at after that: so no stop is lost, and none hits another thread's search.
            stop.reset();
            begins.store(true, SeqCst);
            if is_cancelled.load(SeqCst) {
                return;
            }
            let found = job(engine, &|so_far| {
                let _ = sender.send(Message::Progress(so_far));
            });
            let _ = sender.send(Message::Done(found));
        });
        self.jobs.send(job).map_err(|_| fault())?;
        let mut raised = None;
        loop {
            let step = match py.detach(|| messages.recv_timeout(POLL)) {
                Ok(Message::Done(found)) => return raised.map_or(Ok(found), Err),
                Ok(Message::Progress(so_far)) if raised.is_none() => progress(py, so_far),
                Ok(Message::Progress(_)) => Ok(()),
                Err(RecvTimeoutError::Timeout) => py.check_signals(),
                Err(RecvTimeoutError::Disconnected) => return Err(raised.unwrap_or_else(fault)),
            };
            if let Err(error) = step {
                cancelled.store(true, SeqCst);
                if begun.load(SeqCst) {
                    self.stop();
                }
                raised = raised.or(Some(error));
            }
        }
    }
}
