//! Thread that an engine searches on. The calling Python thread waits without holding the interpreter, and checks for
//! signals meanwhile, so that Ctrl-C ends a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use outflank::search::STACK_BYTES;
use outflank::{Engine, StopHandle};
use pyo3::prelude::*;

use super::errors::EngineError;

/// Time between two checks for signals.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Exception for an engine whose thread has panicked.
pub(crate) fn engine_fault() -> PyErr {
    EngineError::new_err("the engine had a fault: make another")
}

type Job = Box<dyn FnOnce(&mut Engine) + Send>;

/// Thread with an engine. It ends when this handle is dropped.
pub(crate) struct Worker {
    jobs: Sender<Job>,
    stop: StopHandle,
    /// Process of the thread. A fork does not copy the thread.
    process: u32,
}

/// Message from a job to the caller.
enum Message<P, T> {
    Progress(P),
    Done(T),
}

impl Worker {
    pub(crate) fn new(mut engine: Engine) -> PyResult<Worker> {
        let (jobs, received): (Sender<Job>, Receiver<Job>) = unbounded();
        let stop = engine.stop_handle();
        let run_jobs = move || received.iter().for_each(|job| job(&mut engine));
        let thread = thread::Builder::new().name("outflank".to_owned());
        let spawned = thread.stack_size(STACK_BYTES).spawn(run_jobs);
        spawned
            .map_err(|error| EngineError::new_err(format!("no thread to search on: {error}")))?;
        let process = std::process::id();
        Ok(Worker {
            jobs,
            stop,
            process,
        })
    }

    /// Stops the running job, which then returns its result so far.
    pub(crate) fn stop(&self) {
        self.stop.stop();
    }

    /// Runs `job` on the thread, after the jobs in its queue, and calls `progress` for each report of the job. An
    /// exception in `progress`, or a signal, stops the job and is raised when the job has ended.
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
        let (stop, job_begun, job_cancelled) =
            (self.stop.clone(), begun.clone(), cancelled.clone());
        let job: Job = Box::new(move |engine| {
            // A stop concerns only the running job. The job resets it, sets `begun`, then reads `cancelled`. The caller
            // sets `cancelled`, then reads `begun`. So no stop is lost, and none ends another thread's job.
            stop.reset();
            job_begun.store(true, SeqCst);
            if job_cancelled.load(SeqCst) {
                return;
            }
            let result = job(engine, &|so_far| {
                let _ = sender.send(Message::Progress(so_far));
            });
            let _ = sender.send(Message::Done(result));
        });
        self.jobs.send(job).map_err(|_| engine_fault())?;
        let mut raised = None;
        loop {
            let step = match py.detach(|| messages.recv_timeout(POLL_INTERVAL)) {
                Ok(Message::Done(result)) => return raised.map_or(Ok(result), Err),
                Ok(Message::Progress(so_far)) if raised.is_none() => progress(py, so_far),
                Ok(Message::Progress(_)) => Ok(()),
                Err(RecvTimeoutError::Timeout) => py.check_signals(),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(raised.unwrap_or_else(engine_fault));
                }
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
