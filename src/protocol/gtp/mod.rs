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
//! - Commands that come in during a search wait until it has ended. But `stop` ends it at once, and so does the
//!   comment `# interrupt` (`gogui-interrupt`): `genmove` then answers with the best move found so far.
//! - A `quit` during a search ends it. Searches of commands queued before the `quit` end at once. Where the input ends right behind the `quit`, all is answered in full: a script has written its
//!   commands and waits for the answers.
//! - The end of the input ends no search.

mod analyze;
mod commands;
mod position;
mod request;

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, Read, Write};

use super::clock::Clock;
use super::lines::Line;
use super::session::{News, Search};
use super::wires::{Event, Wires};
use super::{ServeError, SessionSettings};
use crate::Side;
use crate::analysis::equal_by_symmetry;
use crate::book::OpeningBook;
use crate::search::{Engine, Limits, SearchResult, StopHandle};
use crate::text::counted;
use analyze::{Analysis, LiveGraphics};
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
        wires: Wires::new(build, input, output)?,
        waiting: VecDeque::new(),
        will_quit: false,
        is_quitting: false,
        position: Position::default(),
        clocks: [None; 2],
        may_ponder: false,
        over: false,
    };
    while let Some(line) = player.next_line() {
        player.deal_with(line)?;
        if player.over {
            break;
        }
    }
    Ok(())
}

struct Player<W> {
    settings: SessionSettings,
    book: Box<dyn OpeningBook>,
    wires: Wires<W>,
    /// Lines that came in during a search.
    waiting: VecDeque<Line>,
    /// `true` if one of them is a `quit`.
    will_quit: bool,
    /// `true` after a `quit` has cut a search: later searches are cut at once.
    is_quitting: bool,
    position: Position,
    /// Black's and white's.
    clocks: [Option<Clock>; 2],
    /// Whether it moved, and its opponent is to.
    may_ponder: bool,
    /// Whether `quit` was said.
    over: bool,
}

impl<W: Write> Player<W> {
    /// The next line to be dealt with, `None` at the end.
    fn next_line(&mut self) -> Option<Line> {
        if let Some(line) = self.waiting.pop_front() {
            return Some(line);
        }
        while !self.wires.has_ended() {
            if let Event::Line(line) = self.wires.next(true) {
                return Some(line);
            }
            // Other events are of what is thought about on the opponent's time.
        }
        None
    }

    fn deal_with(&mut self, line: Line) -> io::Result<()> {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong => return self.answer('?', None, "line too long"),
        };
        let Some(request) = Request::of(&text) else {
            return Ok(());
        };
        match self.carry_out(&request) {
            Ok(text) => self.answer('=', request.id, &text)?,
            Err(refusal) => self.answer('?', request.id, &refusal)?,
        }
        if std::mem::take(&mut self.may_ponder) && !self.wires.has_ended() {
            let board = self.position.game().board();
            let search = Search::untimed(board, Limits::EXACT);
            self.wires.session.begin(search);
        }
        Ok(())
    }

    fn answer(&mut self, sign: char, id: Option<u32>, text: impl Display) -> io::Result<()> {
        let id = id.map_or_else(String::new, |id| id.to_string());
        let answer = format!("{sign}{id} {text}");
        self.wires.say(format_args!("{}\n", answer.trim_end()))
    }

    /// Searches a board with `side` to move, and listens meanwhile.
    fn think(&mut self, search: Search, side: Side) -> SearchResult {
        self.wires.session.begin(search);
        let mut cut = None;
        if self.is_quitting {
            self.cut(&mut cut, QUIT);
        }
        let board = search.board;
        let mut live = self.settings.live_graphics.then(LiveGraphics::default);
        loop {
            // Behind a `quit` there may still be a `stop`, and the end of the input.
            let listening = self.will_quit || self.waiting.len() < MAX_WAITING;
            match self.wires.next(listening) {
                Event::News(News::Done(found)) => {
                    if let Some(end) = cut.filter(|_| !found.complete) {
                        self.tell_cut(end, &found);
                    }
                    return found;
                }
                Event::News(News::Report(mut found)) => {
                    if let Some(live) = &mut live {
                        equal_by_symmetry(board, &mut found.candidates);
                        live.show(&Analysis { board, side, found });
                    }
                }
                Event::Line(line) => {
                    if let Line::Text(text) = &line {
                        self.overhear(text, &mut cut);
                    }
                    // What stands behind a `quit` is never carried out.
                    if !self.will_quit {
                        self.waiting.push_back(line);
                    }
                }
                Event::Impatience => {
                    self.is_quitting = true;
                    self.cut(&mut cut, QUIT);
                }
                Event::End | Event::Done(_) => {}
            }
        }
    }

    /// Looks whether a line that is not its turn yet ends the search.
    fn overhear(&mut self, line: &str, cut: &mut Option<&'static str>) {
        if request::interrupts(line) {
            self.cut(cut, "an interrupt");
        } else if request::quits(line) && !self.will_quit {
            self.will_quit = true;
            self.waiting.push_back(Line::Text(line.to_owned()));
            self.wires.await_end();
        }
    }

    /// Ends the running search soon; `by` says why.
    fn cut(&self, cut: &mut Option<&'static str>, by: &'static str) {
        self.wires.session.stop();
        cut.get_or_insert(by);
    }

    /// Says that the answer is that of a search which `end` has cut short. GTP has no place for that in the answer.
    fn tell_cut(&self, end: &str, found: &SearchResult) {
        if self.settings.remarks {
            let depth = counted(found.depth, "ply", "plies");
            let told = format!("outflank: {end} has cut the search short, after {depth}\n");
            // Where nobody reads it, the answer is as good.
            let _ = io::stderr().write_all(told.as_bytes());
        }
    }
}

/// The command that ends the program, as remarks name it.
const QUIT: &str = "quit";
