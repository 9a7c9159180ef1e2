//! The progress bar, on standard error and only where that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Shows how much of something is done, and for how long it has been going on.
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// A bar for `steps` steps. Nothing is drawn where standard error is no terminal.
    pub(super) fn new(steps: usize) -> Progress {
        Progress::still(steps).ticking()
    }

    /// The same, but drawn only when it advances.
    pub(super) fn still(steps: usize) -> Progress {
        Progress::of(steps as u64, "{pos}/{len}")
    }

    /// A bar for a time, which also shows a number of `things`.
    pub(super) fn timed(limit: Duration, things: &str) -> Progress {
        let shown = format!("{{msg}} {things}");
        Progress::of(limit.as_millis() as u64, &shown).ticking()
    }

    /// A bar for `steps` steps, of which `done` were done before, with the time that is left at the
    /// present speed.
    pub(super) fn rated(steps: usize, done: u64) -> Progress {
        let bar = Progress::of(steps as u64, "{msg} ({eta} left)");
        bar.0.set_position(done);
        bar.0.reset_eta();
        bar.ticking()
    }

    /// No bar, but the time and what is told.
    pub(super) fn endless() -> Progress {
        let style = ProgressStyle::with_template("{elapsed_precise} {msg}");
        let bar = ProgressBar::no_length().with_style(style.expect("a template of known keys"));
        Progress(bar).ticking()
    }

    fn of(length: u64, shown: &str) -> Progress {
        let template = format!("{{elapsed_precise}} {{wide_bar}} {shown}");
        let style = ProgressStyle::with_template(&template).expect("a template of known keys");
        Progress(ProgressBar::new(length).with_style(style))
    }

    fn ticking(self) -> Progress {
        self.0.enable_steady_tick(Duration::from_millis(250));
        self
    }

    /// One more step is done.
    pub(super) fn advance(&self) {
        self.0.inc(1);
    }

    /// `count` more steps are done, and this is what is to be told.
    pub(super) fn advance_by(&self, count: u64, told: impl FnOnce() -> String) {
        self.0.inc(count);
        if !self.0.is_hidden() {
            self.0.set_message(told());
        }
    }

    /// The time of the bar, and the number as it is now.
    pub(super) fn show(&self, number: impl FnOnce() -> String) {
        if !self.0.is_hidden() {
            self.0.set_position(self.0.elapsed().as_millis() as u64);
            self.0.set_message(number());
        }
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
