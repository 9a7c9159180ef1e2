//! What a protocol is connected to: the lines that come in, the engine, the lines that go out.

use std::fmt::Display;
use std::io::{Read, Write};

use crossbeam_channel::{Receiver, bounded, never, select_biased};

use super::ServeError;
use super::lines::{self, Line};
use super::session::{News, Session};
use crate::search::{Engine, StopHandle};

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
}

/// What is done on the side, on a thread of its own.
type Task = Receiver<Result<(), String>>;

pub(super) struct Wires<W, E> {
    lines: Receiver<Line>,
    output: W,
    pub(super) session: Session<E>,
    task: Option<Task>,
}

impl<W: Write, E: Send + 'static> Wires<W, E> {
    /// From `input` to `output`, with the engine that `build` makes, which heeds the handle.
    pub(super) fn new(
        build: impl FnOnce(StopHandle) -> Result<Engine, E> + Send + 'static,
        input: impl Read + Send + 'static,
        output: W,
    ) -> Wires<W, E> {
        Wires {
            lines: lines::read(input).expect("the system has a thread for the input"),
            output,
            session: Session::new(build),
            task: None,
        }
    }

    /// Carries out what takes long, while everything else goes on: [`Event::Done`] tells of its end. Whether it can be: there is
    /// one at a time.
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

    /// Waits for whatever happens next; for lines only if they are wanted.
    pub(super) fn next(&mut self, lines_too: bool) -> Result<Event, ServeError<E>> {
        let deaf = never();
        let lines = if lines_too { &self.lines } else { &deaf };
        let idle = never();
        let task = self.task.as_ref().unwrap_or(&idle).clone();
        loop {
            let late = self.session.late();
            let news = select_biased! {
                recv(lines) -> line => return Ok(line.map_or(Event::End, Event::Line)),
                recv(self.session.news()) -> news => Some(news),
                recv(late) -> _ => None,
                recv(task) -> done => {
                    self.task = None;
                    return Ok(Event::Done(done.unwrap_or_else(|_| Err(FAULT.to_owned()))));
                }
            };
            let news = match news {
                Some(Ok(news)) => self.session.hear(news),
                Some(Err(_)) => return Err(ServeError::Engine(self.session.failure())),
                None => self.session.give_up(),
            };
            if let Some(news) = news {
                return Ok(Event::News(news));
            }
        }
    }

    /// Writes a line, at once.
    pub(super) fn say(&mut self, line: impl Display) -> Result<(), ServeError<E>> {
        writeln!(self.output, "{line}")?;
        Ok(self.output.flush()?)
    }
}
