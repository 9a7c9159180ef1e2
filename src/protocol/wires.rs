//! What a protocol is connected to: the lines that come in, the engine, the lines that go out.

use std::fmt::Display;
use std::io::{Read, Write};

use crossbeam_channel::{Receiver, never, select_biased};

use super::ServeError;
use super::lines::{self, Line};
use super::session::{News, Session};
use crate::search::{Engine, StopHandle};

/// What happens.
pub(super) enum Event {
    /// A line came in.
    Line(Line),
    /// No more lines will.
    End,
    /// The engine has something to tell.
    News(News),
}

pub(super) struct Wires<W, E> {
    lines: Receiver<Line>,
    output: W,
    pub(super) session: Session<E>,
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
        }
    }

    /// Waits for whatever happens next; for lines only if they are wanted.
    pub(super) fn next(&mut self, lines_too: bool) -> Result<Event, ServeError<E>> {
        let deaf = never();
        let lines = if lines_too { &self.lines } else { &deaf };
        loop {
            let late = self.session.late();
            let news = select_biased! {
                recv(lines) -> line => return Ok(line.map_or(Event::End, Event::Line)),
                recv(self.session.news()) -> news => Some(news),
                recv(late) -> _ => None,
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
