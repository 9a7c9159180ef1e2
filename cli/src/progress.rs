//! The progress of long commands on standard error: a bar, or a line about running searches, at the bottom
//! of a terminal; elsewhere lines, where they are asked for.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{FormattedDuration, HumanDuration, ProgressBar, ProgressStyle};

use super::output::remark;

/// How often what a terminal shows is brought up to date.
const TICK: Duration = Duration::from_millis(250);

/// The time between two lines is no shorter than this, whatever happens.
const MIN_INTERVAL: Duration = Duration::from_secs(1);

/// The time between two lines is no longer than this, though nothing happens.
const MAX_INTERVAL: Duration = Duration::from_secs(10);

/// The choice of lines, which every long command has.
#[derive(Args, Clone, Default)]
pub(super) struct ProgressArgument {
    /// Write the progress as lines to standard error where that is no terminal: at every new result, but
    /// at most once a second, and at least every ten seconds
    #[arg(long)]
    pub(super) progress: bool,
}

impl ProgressArgument {
    /// Progress by so many `steps`.
    pub(super) fn steps(&self, steps: usize) -> Progress {
        self.begin(steps as u64, Shown::Steps).ticking()
    }

    /// The same, but shown only when it advances, so that nothing disturbs what is measured meanwhile.
    pub(super) fn still(&self, steps: usize) -> Progress {
        self.begin(steps as u64, Shown::Steps)
    }

    /// Progress up to a time, with a number of `things`.
    pub(super) fn timed(&self, limit: Duration, things: &'static str) -> Progress {
        let milliseconds = limit.as_millis() as u64;
        self.begin(milliseconds, Shown::Timed(things)).ticking()
    }

    /// Progress by so many `steps`, of which `done` were done before, with the time that is left at the
    /// present speed.
    pub(super) fn rated(&self, steps: usize, done: u64) -> Progress {
        let progress = self.begin(steps as u64, Shown::Rated);
        progress.bar.set_position(done);
        progress.bar.reset_eta();
        progress.ticking()
    }

    /// Progress without an end: the time and a message.
    pub(super) fn endless(&self) -> Progress {
        self.begin(0, Shown::Endless).ticking()
    }

    /// One line of what `news` tells of something that runs, brought up to date until it is dropped. Where
    /// there is nothing to tell, the last line stays.
    pub(super) fn watch(&self, news: impl Fn() -> Option<News> + Send + 'static) -> Progress {
        let mut progress = self.begin(0, Shown::News);
        if let Some(lines) = progress.lines.clone() {
            progress.ticker = Some(Ticker::every(MIN_INTERVAL, move || lines.watch(news())));
        } else if !progress.bar.is_hidden() {
            let bar = progress.bar.clone();
            let show = move || {
                if let Some(news) = news() {
                    bar.set_message(news.text);
                    bar.tick();
                }
            };
            progress.ticker = Some(Ticker::every(TICK, show));
        }
        progress
    }

    fn begin(&self, length: u64, shown: Shown) -> Progress {
        let style = ProgressStyle::with_template(&shown.template());
        let bar = ProgressBar::new(length).with_style(style.expect("a template of known keys"));
        let lines = (self.progress && bar.is_hidden()).then(|| {
            Arc::new(Lines {
                bar: bar.clone(),
                shown,
                state: Mutex::default(),
            })
        });
        let ticker = None;
        Progress { ticker, lines, bar }
    }
}

/// What there is to tell of something that runs.
pub(super) struct News {
    /// A line, as it is now.
    pub(super) text: String,
    /// What it is about: where this changes there is a new result, not only more of what there was.
    pub(super) result: String,
}

/// What is shown besides the time.
#[derive(Clone, Copy)]
enum Shown {
    Steps,
    Timed(&'static str),
    Rated,
    Endless,
    News,
}

impl Shown {
    /// On a terminal.
    fn template(self) -> String {
        let bar = |shown| format!("{{elapsed_precise}} {{wide_bar}} {shown}");
        match self {
            Shown::Steps => bar("{pos}/{len}"),
            Shown::Timed(things) => bar(&format!("{{msg}} {things}")),
            Shown::Rated => bar("{msg} ({eta} left)"),
            Shown::Endless => "{elapsed_precise} {msg}".to_owned(),
            Shown::News => "{wide_msg}".to_owned(),
        }
    }

    /// In a line, which has no bar: what that would show is a number here.
    fn text(self, bar: &ProgressBar) -> String {
        let (done, all) = (bar.position(), bar.length().unwrap_or(0));
        let told = bar.message();
        let shown = match self {
            Shown::Steps => format!("{done}/{all}"),
            Shown::Timed(things) => {
                let limit = FormattedDuration(Duration::from_millis(all));
                format!("of {limit}  {told} {things}")
            }
            Shown::Rated => format!("{done}/{all}  {told} ({:#} left)", HumanDuration(bar.eta())),
            Shown::Endless | Shown::News => told,
        };
        format!("{} {shown}", FormattedDuration(bar.elapsed()))
    }
}

/// Shows how much of something is done, until it is dropped.
pub(super) struct Progress {
    /// Dropped first: after it, nobody else shows anything.
    ticker: Option<Ticker>,
    /// Where no terminal shows the bar, and lines are asked for.
    lines: Option<Arc<Lines>>,
    /// It counts, shown or not.
    bar: ProgressBar,
}

impl Progress {
    fn ticking(mut self) -> Progress {
        match self.lines.clone() {
            Some(lines) => self.ticker = Some(Ticker::every(MIN_INTERVAL, move || lines.tick())),
            None => self.bar.enable_steady_tick(TICK),
        }
        self
    }

    /// One more step is done.
    pub(super) fn advance(&self) {
        self.bar.inc(1);
        self.note();
    }

    /// `count` more steps are done, and this is what is to be told.
    pub(super) fn advance_by(&self, count: u64, told: impl FnOnce() -> String) {
        self.bar.inc(count);
        if self.is_seen() {
            self.bar.set_message(told());
        }
        self.note();
    }

    /// The time of the bar, and the number as it is now.
    pub(super) fn show(&self, number: impl FnOnce() -> String) {
        if self.is_seen() {
            let elapsed = self.bar.elapsed().as_millis() as u64;
            self.bar
                .set_position(elapsed.min(self.bar.length().unwrap_or(elapsed)));
            self.bar.set_message(number());
        }
        self.note();
    }

    /// Takes the bar off the screen while `write` writes, which may go to the same terminal.
    pub(super) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    fn is_seen(&self) -> bool {
        self.lines.is_some() || !self.bar.is_hidden()
    }

    fn note(&self) {
        if let Some(lines) = &self.lines {
            lines.note();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.ticker = None;
        if let Some(lines) = &self.lines {
            lines.end();
        }
        self.bar.finish_and_clear();
    }
}

/// Writes the progress as lines, neither too often nor too rarely.
struct Lines {
    bar: ProgressBar,
    shown: Shown,
    state: Mutex<Written>,
}

#[derive(Default)]
struct Written {
    /// When the last line was written.
    last: Option<Instant>,
    /// Whether there is something new since then.
    is_due: bool,
    /// The result that was told last.
    result: String,
}

impl Lines {
    /// There is something new.
    fn note(&self) {
        self.with(|written| {
            written.is_due = true;
            if written.is_past(MIN_INTERVAL) {
                self.write(written);
            }
        });
    }

    /// Some time has passed.
    fn tick(&self) {
        self.with(|written| {
            if written.is_due || written.is_past(MAX_INTERVAL) {
                self.write(written);
            }
        });
    }

    /// Some time has passed, and this is how it is now.
    fn watch(&self, news: Option<News>) {
        let Some(News { text, result }) = news else {
            return;
        };
        self.bar.set_message(text);
        self.with(|written| {
            written.is_due |= written.result != result;
            written.result = result;
        });
        self.tick();
    }

    /// Nothing more comes.
    fn end(&self) {
        self.with(|written| {
            if written.is_due {
                self.write(written);
            }
        });
    }

    fn write(&self, written: &mut Written) {
        remark(self.shown.text(&self.bar));
        written.last = Some(Instant::now());
        written.is_due = false;
    }

    fn with(&self, act: impl FnOnce(&mut Written)) {
        act(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Written {
    /// Whether the last line is at least so old, or there is none.
    fn is_past(&self, interval: Duration) -> bool {
        self.last.is_none_or(|last| last.elapsed() >= interval)
    }
}

/// A thread that does something again and again, until it is dropped.
struct Ticker {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    fn every(interval: Duration, act: impl Fn() + Send + 'static) -> Ticker {
        let (end, ended) = channel::<()>();
        let ticks = move || {
            while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(interval) {
                act();
            }
        };
        // Where the system has no more threads, nothing is shown.
        let thread = thread::Builder::new().spawn(ticks).ok();
        let end = Some(end);
        Ticker { end, thread }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            // A panic there was told already.
            let _ = thread.join();
        }
    }
}
