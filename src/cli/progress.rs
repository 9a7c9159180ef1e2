//! The progress bar, on standard error and only where that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Shows how many of the positions are solved, and for how long the solver has been at it.
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// A bar for `positions` positions. Nothing is drawn where standard error is no terminal.
    pub(super) fn new(positions: usize) -> Progress {
        let style = ProgressStyle::with_template("{elapsed_precise} {wide_bar} {pos}/{len}")
            .expect("a template of known keys");
        let bar = ProgressBar::new(positions as u64).with_style(style);
        bar.enable_steady_tick(Duration::from_millis(250));
        Progress(bar)
    }

    /// One more position is solved.
    pub(super) fn advance(&self) {
        self.0.inc(1);
    }

    /// Takes the bar off the screen while `write` writes, which may go to the same terminal.
    pub(super) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
