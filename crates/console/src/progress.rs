//! Progress of long commands on standard error. A terminal shows a bar or a live line; elsewhere `--progress` writes lines.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{FormattedDuration, HumanDuration, ProgressBar, ProgressStyle};

use crate::console::remark;

/// Time between updates on a terminal.
const TICK: Duration = Duration::from_millis(250);

/// Least time between two lines.
const MIN_INTERVAL: Duration = Duration::from_secs(1);

/// Longest time between two lines.
const MAX_INTERVAL: Duration = Duration::from_secs(10);

/// Lines of progress where standard error is no terminal.
#[derive(Args, Clone, Default)]
pub struct ProgressArgument {
    /// Write progress lines to standard error if it is no terminal: one after each new result, at most one per second
    /// and at least one in ten seconds
    #[arg(long)]
    pub progress: bool,
}

impl ProgressArgument {
    /// Progress in steps.
    pub fn steps(&self, steps: usize) -> Progress {
        self.begin(steps as u64, Style::Steps).ticking()
    }

    /// Progress that is drawn only when it advances, so that it does not disturb measurements.
    pub fn without_ticks(&self, steps: usize) -> Progress {
        self.begin(steps as u64, Style::Steps)
    }

    /// Progress towards a time limit, with a number of `things` done.
    pub fn timed(&self, limit: Duration, things: &'static str) -> Progress {
        let milliseconds = limit.as_millis() as u64;
        self.begin(milliseconds, Style::Timed(things)).ticking()
    }

    /// Progress with an estimate of the time left. `done` steps were done by an earlier run.
    pub fn with_eta(&self, steps: usize, done: u64) -> Progress {
        let progress = self.begin(steps as u64, Style::WithEta);
        progress.bar.set_position(done);
        progress.bar.reset_eta();
        progress.ticking()
    }

    /// Progress without an end: elapsed time and a message.
    pub fn unbounded(&self) -> Progress {
        self.begin(0, Style::Unbounded).ticking()
    }

    /// Progress as a line of text that `status` returns. The line does not change while `status` returns `None`.
    pub fn status_line(&self, status: impl Fn() -> Option<Status> + Send + 'static) -> Progress {
        let mut progress = self.begin(0, Style::Status);
        if let Some(lines) = progress.lines.clone() {
            progress.ticker = Some(Ticker::every(MIN_INTERVAL, move || {
                lines.update_status(status())
            }));
        } else if !progress.bar.is_hidden() {
            let bar = progress.bar.clone();
            let show = move || {
                if let Some(status) = status() {
                    bar.set_message(status.text);
                    bar.tick();
                }
            };
            progress.ticker = Some(Ticker::every(TICK, show));
        }
        progress
    }

    fn begin(&self, length: u64, style: Style) -> Progress {
        let template = ProgressStyle::with_template(&style.template());
        let bar = ProgressBar::new(length).with_style(template.expect("known keys"));
        let lines = (self.progress && bar.is_hidden()).then(|| {
            Arc::new(LineWriter {
                bar: bar.clone(),
                style,
                state: Mutex::default(),
            })
        });
        let ticker = None;
        Progress { ticker, lines, bar }
    }
}

/// Status of running work.
pub struct Status {
    /// Text of the complete line.
    pub text: String,
    /// Part of the line without nodes and times. A change of this part is a new result.
    pub result: String,
}

/// Kind of progress, which selects the contents of the line.
#[derive(Clone, Copy)]
enum Style {
    Steps,
    Timed(&'static str),
    WithEta,
    Unbounded,
    Status,
}

impl Style {
    /// Template of indicatif, for terminals.
    fn template(self) -> String {
        let bar = |state| format!("{{elapsed_precise}} {{wide_bar}} {state}");
        match self {
            Style::Steps => bar("{pos}/{len}"),
            Style::Timed(things) => bar(&format!("{{msg}} {things}")),
            Style::WithEta => bar("{msg} ({eta} left)"),
            Style::Unbounded => "{elapsed_precise} {msg}".to_owned(),
            Style::Status => "{wide_msg}".to_owned(),
        }
    }

    /// Line without a bar, for output that is no terminal.
    fn text(self, bar: &ProgressBar) -> String {
        let (done, all) = (bar.position(), bar.length().unwrap_or(0));
        let message = bar.message();
        let state = match self {
            Style::Steps => format!("{done}/{all}"),
            Style::Timed(things) => {
                let limit = FormattedDuration(Duration::from_millis(all));
                format!("of {limit}  {message} {things}")
            }
            Style::WithEta => {
                let left = HumanDuration(bar.eta());
                format!("{done}/{all}  {message} ({left:#} left)")
            }
            Style::Unbounded | Style::Status => message,
        };
        format!("{} {state}", FormattedDuration(bar.elapsed()))
    }
}

/// Shows progress until it is dropped.
pub struct Progress {
    /// Dropped first, so that no tick draws after the bar is cleared.
    ticker: Option<Ticker>,
    /// `Some` if lines are written instead of a bar.
    lines: Option<Arc<LineWriter>>,
    /// Holds position and message even when hidden.
    bar: ProgressBar,
}

impl Progress {
    fn ticking(mut self) -> Progress {
        match self.lines.clone() {
            Some(lines) => {
                self.ticker = Some(Ticker::every(MIN_INTERVAL, move || lines.write_if_due()))
            }
            None => self.bar.enable_steady_tick(TICK),
        }
        self
    }

    /// Advances by a step.
    pub fn advance(&self) {
        self.bar.inc(1);
        self.record_change();
    }

    /// Advances by `count` steps. `message` is called only if the progress is visible.
    pub fn advance_by(&self, count: u64, message: impl FnOnce() -> String) {
        self.bar.inc(count);
        if self.is_visible() {
            self.bar.set_message(message());
        }
        self.record_change();
    }

    /// Moves the bar to the elapsed time and sets `message`.
    pub fn advance_to_now(&self, message: impl FnOnce() -> String) {
        if self.is_visible() {
            let elapsed = self.bar.elapsed().as_millis() as u64;
            self.bar
                .set_position(elapsed.min(self.bar.length().unwrap_or(elapsed)));
            self.bar.set_message(message());
        }
        self.record_change();
    }

    /// Hides the bar while `write` runs, which may write to the same terminal.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    fn is_visible(&self) -> bool {
        self.lines.is_some() || !self.bar.is_hidden()
    }

    fn record_change(&self) {
        if let Some(lines) = &self.lines {
            lines.record_change();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.ticker = None;
        if let Some(lines) = &self.lines {
            lines.write_if(|state| state.is_due);
        }
        self.bar.finish_and_clear();
    }
}

/// Writes progress as lines, at intervals from [`MIN_INTERVAL`] to [`MAX_INTERVAL`].
struct LineWriter {
    bar: ProgressBar,
    style: Style,
    state: Mutex<LineState>,
}

#[derive(Default)]
struct LineState {
    /// Time of the last line.
    last: Option<Instant>,
    /// `true` if something changed since the last line.
    is_due: bool,
    /// Result in the last line.
    result: String,
}

impl LineWriter {
    /// Records a change. Writes a line if the last one is older than [`MIN_INTERVAL`].
    fn record_change(&self) {
        self.write_if(|state| {
            state.is_due = true;
            state.is_older_than(MIN_INTERVAL)
        });
    }

    /// Writes a line if something changed or the last line is older than [`MAX_INTERVAL`].
    fn write_if_due(&self) {
        self.write_if(|state| state.is_due || state.is_older_than(MAX_INTERVAL));
    }

    /// Sets the line to this status and writes it if due. `None` changes nothing.
    fn update_status(&self, status: Option<Status>) {
        let Some(Status { text, result }) = status else {
            return;
        };
        self.bar.set_message(text);
        self.write_if(|state| {
            state.is_due |= state.result != result;
            state.result = result;
            state.is_due || state.is_older_than(MAX_INTERVAL)
        });
    }

    /// Writes a line if `condition`, which can change the state, returns `true`.
    fn write_if(&self, condition: impl FnOnce(&mut LineState) -> bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if condition(&mut state) {
            remark(self.style.text(&self.bar));
            state.last = Some(Instant::now());
            state.is_due = false;
        }
    }
}

impl LineState {
    /// `true` if the last line is at least this old, or if no line was written.
    fn is_older_than(&self, interval: Duration) -> bool {
        self.last.is_none_or(|last| last.elapsed() >= interval)
    }
}

/// Thread that calls a function at intervals until the ticker is dropped; `None` if no thread could be started.
struct Ticker(Option<(Sender<()>, JoinHandle<()>)>);

impl Ticker {
    fn every(interval: Duration, act: impl Fn() + Send + 'static) -> Ticker {
        let (end, ended) = channel::<()>();
        let ticks = move || {
            while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(interval) {
                act();
            }
        };
        let thread = thread::Builder::new().spawn(ticks);
        Ticker(thread.ok().map(|thread| (end, thread)))
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.0.take() {
            drop(end);
            // A panic of the thread was already reported by the panic hook.
            let _ = thread.join();
        }
    }
}
