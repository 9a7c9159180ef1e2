//! What a protocol is connected to: the lines that come in, the engine, the lines that go out.

use std::fmt::Display;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, at, bounded, never, select_biased};

use super::ServeError;
use super::lines::{self, Line};
use super::session::{News, Session};
use crate::search::{Engine, StopHandle};

/// Time that a `quit` behind a running search waits for the end of the input. A script that has written all its
/// commands wants them answered in full. A person who gives up a search keeps the connection open.
const QUIT_DELAY: Duration = Duration::from_millis(500);

/// What is told where a thread panicked.
const FAULT: &str = "a fault in outflank";

/// What happens.
pub(super) enum Event {
    /// A line came in.
    Line(Line),
    /// No more lines will.
    End,
    /// The engine has something to tell.
    News(News),
    /// What [`Wires::carry_out`] was given has been done.
    Done(Result<(), String>),
    /// The input did not end soon after [`Wires::await_end`]: the searches are to be cut short.
    Impatience,
}

/// What is done on the side, on a thread of its own.
type Task = Receiver<Result<(), String>>;

pub(super) struct Wires<W> {
    lines: Receiver<Line>,
    /// `true` if the input has ended.
    ended: bool,
    output: W,
    pub(super) session: Session,
    task: Option<Task>,
    /// Time of [`Event::Impatience`].
    impatience: Option<Instant>,
}

impl<W: Write> Wires<W> {
    /// From `input` to `output`, with the engine that `build` makes, which heeds the handle.
    pub(super) fn new<E>(
        build: impl FnOnce(StopHandle) -> Result<Engine, E>,
        input: impl Read + Send + 'static,
        output: W,
    ) -> Result<Wires<W>, ServeError<E>> {
        let session = Session::new(build).map_err(ServeError::Engine)?;
        Ok(Wires {
            lines: lines::read(input).expect("the system has a thread for the input"),
            ended: false,
            output,
            session,
            task: None,
            impatience: None,
        })
    }

    /// Returns `true` if the input has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Starts the delay after a `quit`, at whose end [`Event::Impatience`] comes. A second call changes nothing.
    pub(super) fn await_end(&mut self) {
        if !self.ended && self.impatience.is_none() {
            self.impatience = Some(Instant::now() + QUIT_DELAY);
        }
    }

    /// Runs `task` on a thread of its own. [`Event::Done`] reports its end. Returns `false` if another task is running or
    /// no thread can be made.
    pub(super) fn carry_out(
        &mut self,
        task: impl FnOnce() -> Result<(), String> + Send + 'static,
    ) -> bool {
        if self.task.is_some() {
            return false;
        }
        let (sender, done) = bounded(1);
        let work = move || {
            // Nobody may be left to hear of it.
            let _ = sender.send(task());
        };
        let spawned = std::thread::Builder::new().spawn(work);
        self.task = spawned.is_ok().then_some(done);
        spawned.is_ok()
    }

    /// Waits for the end of what is carried out, if anything is.
    pub(super) fn finish(&mut self) -> Option<Result<(), String>> {
        let task = self.task.take()?;
        Some(task.recv().unwrap_or_else(|_| Err(FAULT.to_owned())))
    }

    /// Waits for whatever happens next; for lines only if they are wanted and the input has not ended.
    pub(super) fn next(&mut self, lines_too: bool) -> Event {
        let deaf = never();
        let lines = match lines_too && !self.ended {
            true => &self.lines,
            false => &deaf,
        };
        let impatience = self.impatience.map_or_else(never, at);
        let idle = never();
        let task = self.task.as_ref().unwrap_or(&idle).clone();
        loop {
            let late = self.session.late();
            let news = select_biased! {
                recv(lines) -> line => {
                    if line.is_err() {
                        (self.ended, self.impatience) = (true, None);
                    }
                    return line.map_or(Event::End, Event::Line);
                }
                recv(self.session.news()) -> news => Some(news),
                recv(late) -> _ => None,
                recv(task) -> done => {
                    self.task = None;
                    return Event::Done(done.unwrap_or_else(|_| Err(FAULT.to_owned())));
                }
                recv(impatience) -> _ => {
                    self.impatience = None;
                    return Event::Impatience;
                }
            };
            let news = match news {
                Some(Ok(news)) => self.session.hear(news),
                Some(Err(_)) => self.session.resume_panic(),
                None => self.session.give_up(),
            };
            if let Some(news) = news {
                return Event::News(news);
            }
        }
    }

    /// Writes a line, at once.
    pub(super) fn say(&mut self, line: impl Display) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }
}
