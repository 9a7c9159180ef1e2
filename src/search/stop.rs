//! Stopping a search from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stops a running search from another thread or a signal handler.
///
/// ```
/// use std::{thread, time::Duration};
/// use outflank::{Board, Engine, Limits};
///
/// let mut engine = Engine::builder().hash_mib(16).build()?;
/// let stop = engine.stop_handle();
/// thread::spawn(move || {
///     thread::sleep(Duration::from_millis(20));
///     stop.stop();
/// });
/// let found = engine.search(Board::START, &Limits::EXACT)?; // would take years
/// assert!(!found.complete && found.best().is_some());
/// engine.stop_handle().reset(); // for the next search
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<AtomicBool>);

impl StopHandle {
    /// Ends the running search within milliseconds, and every later one at its beginning, until
    /// [`StopHandle::reset`]. They return what they have found.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets later searches go on to their ends.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether [`StopHandle::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag that searches poll.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }
}
