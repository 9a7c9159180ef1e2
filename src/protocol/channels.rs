//! Inputs and outputs of a protocol: lines of input, events of the engine and of a background task, lines of output.

use std::fmt::Display;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, at, bounded, never, select_biased};

use super::ServeError;
use super::session::{SearchEvent, Session};
use crate::search::{Engine, StopHandle};
use outflank_support::lines::{self, Line};

/// Time that a `quit` during a search waits for the end of the input before it cuts the search short.
///
/// A script that has written all its commands closes the input and wants full answers. A person who gives up a search
/// keeps the connection open.
const QUIT_DELAY: Duration = Duration::from_millis(500);

/// Error text of a background task that panicked.
const PANICKED: &str = "a fault in outflank";

pub(super) enum Event {
    /// A line came in.
    Line(Line),
    /// The input has ended.
    End,
    Search(SearchEvent),
    /// The task of [`Channels::run_task`] has ended.
    TaskDone(Result<(), String>),
    /// The input did not end within the delay of [`Channels::start_quit_timeout`], so searches must be cut short.
    QuitTimeout,
}

pub(super) struct Channels<W> {
    lines: Receiver<Line>,
    has_ended: bool,
    output: W,
    pub(super) session: Session,
    /// Result of the background task.
    task: Option<Receiver<Result<(), String>>>,
    /// Time of [`Event::QuitTimeout`].
    quit_timeout: Option<Instant>,
}

impl<W: Write> Channels<W> {
    /// Builds the engine and starts to read `input`.
    pub(super) fn new<E>(
        build: impl FnOnce(StopHandle) -> Result<Engine, E>,
        input: impl Read + Send + 'static,
        output: W,
    ) -> Result<Channels<W>, ServeError<E>> {
        let session = Session::new(build).map_err(ServeError::Engine)?;
        Ok(Channels {
            lines: lines::read(input).expect("the system has a thread for the input"),
            has_ended: false,
            output,
            session,
            task: None,
            quit_timeout: None,
        })
    }

    /// Returns `true` if the input has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Starts the delay before [`Event::QuitTimeout`]. A second call changes nothing.
    pub(super) fn start_quit_timeout(&mut self) {
        if !self.has_ended && self.quit_timeout.is_none() {
            self.quit_timeout = Some(Instant::now() + QUIT_DELAY);
        }
    }

    /// Runs `task` on a thread of its own. [`Event::TaskDone`] reports its end. Returns `false` if another task is
    /// running or no thread can be made.
    pub(super) fn run_task(
        &mut self,
        task: impl FnOnce() -> Result<(), String> + Send + 'static,
    ) -> bool {
        if self.task.is_some() {
            return false;
        }
        let (sender, done) = bounded(1);
        let work = move || {
            // The receiver may be gone.
            let _ = sender.send(task());
        };
        let spawned = std::thread::Builder::new().spawn(work);
        self.task = spawned.is_ok().then_some(done);
        spawned.is_ok()
    }

    /// Waits for the end of the background task; `None` if there is none.
    pub(super) fn finish_task(&mut self) -> Option<Result<(), String>> {
        let task = self.task.take()?;
        Some(task.recv().unwrap_or_else(|_| Err(PANICKED.to_owned())))
    }

    /// Waits for the next event. Lines are received only if `with_lines` is set.
    pub(super) fn next(&mut self, with_lines: bool) -> Event {
        let no_lines = never();
        let lines = match with_lines && !self.has_ended {
            true => &self.lines,
            false => &no_lines,
        };
        let quit_timeout = self.quit_timeout.map_or_else(never, at);
        let no_task = never();
        let task = self.task.as_ref().unwrap_or(&no_task).clone();
        loop {
            let overdue = self.session.overdue();
            let event = select_biased! {
                recv(lines) -> line => {
                    if line.is_err() {
                        (self.has_ended, self.quit_timeout) = (true, None);
                    }
                    return line.map_or(Event::End, Event::Line);
                }
                recv(self.session.events()) -> event => match event {
                    Ok(event) => self.session.accept(event),
                    Err(_) => self.session.resume_panic(),
                },
                recv(overdue) -> _ => self.session.give_up(),
                recv(task) -> done => {
                    self.task = None;
                    return Event::TaskDone(done.unwrap_or_else(|_| Err(PANICKED.to_owned())));
                }
                recv(quit_timeout) -> _ => {
                    self.quit_timeout = None;
                    return Event::QuitTimeout;
                }
            };
            if let Some(event) = event {
                return Event::Search(event);
            }
        }
    }

    /// Writes a line and flushes the output.
    pub(super) fn write_line(&mut self, line: impl Display) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }
}
