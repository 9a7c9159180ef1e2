//! The Go Text Protocol, version 2 (G. Farnebäck, 2002), with GoGui's commands for other games
//! (`gogui-rules_*`) and for showing an engine's analysis on its board (`gogui-analyze_commands`).
//!
//! One command a line, `[id] command arguments`; one answer to each, `=[id] text` or `?[id] message`, with
//! an empty line behind it. `#` begins a comment. Squares have their Othello names: F5 is `F5`.
//!
//! What GTP leaves open:
//!
//! - Colours are given, and have to fit: a side plays out of turn only where the other one has to pass;
//!   the pass is made for it. `pass` is legal where the side has to, and at the end of the game.
//! - `genmove` answers `pass` where the side has to pass, and when the game is over.
//! - `undo` takes back what the last `play` or `genmove` did, a pass before it, too.
//! - Commands that come in during a search wait until it has ended. But `quit`, `stop` and the end of the
//!   input end it at once, and so does the comment `# interrupt` (`gogui-interrupt`): `genmove` then
//!   answers with the best move found so far. After a `quit` or the end nothing is thought about any
//!   more: commands that come before it are carried out, and searches in them end as they begin.

mod analyze;
mod commands;
mod position;
mod request;

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{Read, Write};

use super::clock::Clock;
use super::lines::Line;
use super::session::{News, Search};
use super::wires::{Event, Wires};
use super::{ServeError, SessionSettings};
use crate::Side;
use crate::book::OpeningBook;
use crate::search::{Engine, Limits, SearchResult, StopHandle};
use analyze::{Analysis, LiveGraphics};
use commands::Refusal;
use position::Position;
use request::Request;

/// Lines that may wait for a search to end. Where there are more, nobody listens until it has.
const MAX_WAITING: usize = 64;

/// Plays by what is read from `input`, until its end or a `quit`, by `book` and with the engine that `build` makes:
/// it is given the handle that is to stop it. Answers go to `output`, each at once.
///
/// ```
/// use outflank::Engine;
/// use outflank::protocol::{SessionSettings, gtp};
///
/// let build = |stop| Engine::builder().hash_mib(1).stop_handle(stop).build();
/// let mut answers = Vec::new();
/// gtp::serve(SessionSettings::default(), Box::new(()), build, &b"1 play b F5\n2 play b D6\n"[..], &mut answers)?;
/// let expected = "=1\n\n?2 illegal move: move 2, D6, is not legal: it is white's turn\n\n";
/// assert_eq!(String::from_utf8(answers)?, expected);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn serve<E: Send + 'static>(
    settings: SessionSettings,
    book: Box<dyn OpeningBook>,
    build: impl FnOnce(StopHandle) -> Result<Engine, E> + Send + 'static,
    input: impl Read + Send + 'static,
    output: impl Write,
) -> Result<(), ServeError<E>> {
    let mut player = Player {
        settings,
        book,
        wires: Wires::new(build, input, output),
        waiting: VecDeque::new(),
        ended: false,
        hurried: false,
        position: Position::default(),
        clocks: [None; 2],
        may_ponder: false,
        over: false,
    };
    while let Some(line) = player.next_line()? {
        player.deal_with(line)?;
        if player.over {
            break;
        }
    }
    Ok(())
}

struct Player<W, E> {
    settings: SessionSettings,
    book: Box<dyn OpeningBook>,
    wires: Wires<W, E>,
    /// Lines that came in during a search.
    waiting: VecDeque<Line>,
    /// Whether the input has ended.
    ended: bool,
    /// Whether nobody waits for good moves any more.
    hurried: bool,
    position: Position,
    /// Black's and white's.
    clocks: [Option<Clock>; 2],
    /// Whether it moved, and its opponent is to.
    may_ponder: bool,
    /// Whether `quit` was said.
    over: bool,
}

impl<W: Write, E: Send + 'static> Player<W, E> {
    /// The next line to be dealt with, `None` at the end.
    fn next_line(&mut self) -> Result<Option<Line>, ServeError<E>> {
        if let Some(line) = self.waiting.pop_front() {
            return Ok(Some(line));
        }
        while !self.ended {
            match self.wires.next(true)? {
                Event::Line(line) => return Ok(Some(line)),
                Event::End => self.ended = true,
                // Of what is thought about on the opponent's time; nothing is carried out beside.
                Event::News(_) | Event::Done(_) => {}
            }
        }
        Ok(None)
    }

    fn deal_with(&mut self, line: Line) -> Result<(), ServeError<E>> {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong => return self.answer('?', None, "line too long"),
        };
        let Some(request) = Request::of(&text) else {
            return Ok(());
        };
        match self.carry_out(&request) {
            Ok(text) => self.answer('=', request.id, &text)?,
            Err(Refusal::Fatal(error)) => return Err(error),
            Err(refusal) => self.answer('?', request.id, &refusal)?,
        }
        if std::mem::take(&mut self.may_ponder) && !self.ended {
            let board = self.position.game().board();
            let search = Search::untimed(board, Limits::EXACT);
            self.wires.session.begin(search);
        }
        Ok(())
    }

    fn answer(
        &mut self,
        sign: char,
        id: Option<u32>,
        text: impl Display,
    ) -> Result<(), ServeError<E>> {
        let id = id.map_or_else(String::new, |id| id.to_string());
        let answer = format!("{sign}{id} {text}");
        self.wires.say(format_args!("{}\n", answer.trim_end()))
    }

    /// Searches a board with `side` to move, and listens meanwhile.
    fn think(&mut self, search: Search, side: Side) -> Result<SearchResult, ServeError<E>> {
        self.wires.session.begin(search);
        if self.hurried {
            self.wires.session.stop();
        }
        let board = search.board;
        let mut live = self.settings.live_graphics.then(LiveGraphics::default);
        loop {
            let listening = !self.ended && self.waiting.len() < MAX_WAITING;
            match self.wires.next(listening)? {
                Event::News(News::Done(found)) => return Ok(found),
                Event::News(News::Report(found)) => {
                    if let Some(live) = &mut live {
                        live.show(&Analysis { board, side, found });
                    }
                }
                Event::Line(line) => {
                    if let Line::Text(text) = &line {
                        self.overhear(text);
                    }
                    self.waiting.push_back(line);
                }
                Event::End => {
                    self.ended = true;
                    self.hurry();
                }
                Event::Done(_) => {}
            }
        }
    }

    /// Looks whether a line that is not its turn yet ends the search.
    fn overhear(&mut self, line: &str) {
        if request::quits(line) {
            self.hurry();
        } else if request::interrupts(line) {
            self.wires.session.stop();
        }
    }

    /// Nobody waits for good moves any more, unless everything is to be answered in full.
    fn hurry(&mut self) {
        if !self.settings.patient {
            self.hurried = true;
            self.wires.session.stop();
        }
    }
}
