//! Hardware counter of core cycles on systems where this program asks for none.

/// Counter that never starts.
pub(super) enum Counter {}

impl Counter {
    /// Returns `None`.
    pub(super) fn start() -> Option<Counter> {
        None
    }

    /// Cycles since the start.
    pub(super) fn cycles(&self) -> Option<u64> {
        match *self {}
    }
}
