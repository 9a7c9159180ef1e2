//! The Go Text Protocol, version 2 (G. Farnebäck, 2002), with GoGui's commands for other games
//! (`gogui-rules_*`) and for showing an engine's analysis on its board (`gogui-analyze_commands`).
//!
//! A line has one command, `[id] command arguments`. Its answer is `=[id] text` or `?[id] message`, followed by an
//! empty line. `#` begins a comment. Squares have their Othello names, with row 1 at the top.
//!
//! Choices that GTP leaves open:
//!
//! - A side plays out of turn only if the other side must pass. That pass is inserted.
//!
//! - A `pass` is legal if the side must pass, and at the end of the game. `genmove` then answers `pass`.
//!
//! - An `undo` takes back all plies of the last `play` or `genmove`, an inserted pass included.
//!
//! - Commands wait for the end of a running search. Only `stop` and the comment `# interrupt` (`gogui-interrupt`) end the
//!   search at once. Then `genmove` answers with the best move so far.
//!
//! - A `quit` cuts the running search and those of queued commands short. If the input ends right after it, all commands
//!   are answered in full, since a script waits for the answers.
//!
//! - The end of the input does not end a search.

mod analyze;
mod commands;
mod position;
mod request;

use std::collections::{HashMap, VecDeque};
use std::fmt::Display;
use std::io::{self, Read, Write};

use super::channels::{Channels, Event};
use super::clock::Clock;
use super::session::{SearchEvent, SearchRequest};
use super::{ServeError, SessionSettings};
use crate::analysis::equalize_symmetric_scores;
use crate::book::OpeningBook;
use crate::drawn_openings::DrawnOpenings;
use crate::search::{Engine, Limits, SearchResult, StopHandle};
use crate::{Game, Ply, Side, Square};
use analyze::{Analysis, LiveGraphics};
use outflank_support::lines::Line;
use outflank_support::text::plural;
use position::Position;
use request::Request;

/// Maximum number of lines that are read ahead during a search.
const MAX_QUEUED: usize = 64;

/// Serves the commands of `input` until its end or a `quit`. Answers go to `output` without delay.
///
/// Moves come from `book` first, then from the engine. `build` receives the engine's stop handle.
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
pub fn serve<E>(
    settings: SessionSettings,
    book: Box<dyn OpeningBook>,
    build: impl FnOnce(StopHandle) -> Result<Engine, E>,
    input: impl Read + Send + 'static,
    output: impl Write,
) -> Result<(), ServeError<E>> {
    let mut server = GtpServer {
        settings,
        book,
        channels: Channels::new(build, input, output)?,
        queued: VecDeque::new(),
        quit: QuitState::NotRead,
        position: Position::default(),
        clocks: [None; 2],
        may_ponder: false,
        openings: HashMap::new(),
        unlearnt: VecDeque::new(),
        is_end_known: false,
    };
    let served = server.run();
    server.finish_learning();
    Ok(served?)
}

struct GtpServer<W> {
    settings: SessionSettings,
    book: Box<dyn OpeningBook>,
    channels: Channels<W>,
    /// Lines that came in during a search.
    queued: VecDeque<Line>,
    quit: QuitState,
    position: Position,
    /// Clocks of black and white.
    clocks: [Option<Clock>; 2],
    /// `true` after `genmove` if pondering is on.
    may_ponder: bool,
    /// Openings by the argument of `outflank-draw_opening`.
    openings: HashMap<String, DrawnOpenings>,
    /// Finished games that wait to be added to the book.
    unlearnt: VecDeque<Game>,
    /// `true` if the game on the board was over before.
    is_end_known: bool,
}

/// Progress of a `quit`, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum QuitState {
    /// No `quit` was read.
    NotRead,
    /// A `quit` is queued. Lines behind it are dropped.
    Queued,
    /// The delay after a queued `quit` has passed. Searches are cut short at once.
    Overdue,
    /// The `quit` was executed.
    Executed,
}

impl<W: Write> GtpServer<W> {
    /// Handles lines until the end of the input or a `quit`.
    fn run(&mut self) -> io::Result<()> {
        while let Some(line) = self.next_line() {
            self.handle_line(line)?;
            if self.quit == QuitState::Executed {
                break;
            }
        }
        Ok(())
    }

    /// Next line to handle; `None` at the end of the input.
    fn next_line(&mut self) -> Option<Line> {
        if let Some(line) = self.queued.pop_front() {
            return Some(line);
        }
        while !self.channels.has_ended() {
            match self.channels.next(true) {
                Event::Line(line) => return Some(line),
                Event::TaskDone(result) => self.go_on_learning(result),
                // Other events belong to pondering.
                _ => {}
            }
        }
        None
    }

    fn handle_line(&mut self, line: Line) -> io::Result<()> {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong => return self.answer('?', None, "line too long"),
        };
        let Some(request) = Request::parse(&text) else {
            return Ok(());
        };
        match self.execute(&request) {
            Ok(text) => self.answer('=', request.id, &text)?,
            Err(error) => self.answer('?', request.id, &error)?,
        }
        self.learn_finished_game(&request);
        if std::mem::take(&mut self.may_ponder) && !self.channels.has_ended() {
            let board = self.position.game().board();
            let search = SearchRequest::untimed(board, Limits::EXACT);
            self.channels.session.begin(search);
        }
        Ok(())
    }

    fn answer(&mut self, sign: char, id: Option<u32>, text: impl Display) -> io::Result<()> {
        let id = id.map_or_else(String::new, |id| id.to_string());
        let answer = format!("{sign}{id} {text}");
        self.channels
            .write_line(format_args!("{}\n", answer.trim_end()))
    }

    /// Searches a board with `side` to move. Lines that come in meanwhile are queued.
    fn search(&mut self, search: SearchRequest, side: Side) -> SearchResult {
        self.channels.session.begin(search);
        let mut cut_reason = None;
        if self.quit == QuitState::Overdue {
            self.cut_short(&mut cut_reason, QUIT);
        }
        let board = search.board;
        let mut graphics = self.settings.live_graphics.then(LiveGraphics::default);
        loop {
            // After a `quit`, reading goes on: a `stop` or the end of the input may come.
            let with_lines = self.quit >= QuitState::Queued || self.queued.len() < MAX_QUEUED;
            match self.channels.next(with_lines) {
                Event::Search(SearchEvent::Done(result)) => {
                    if let Some(reason) = cut_reason.filter(|_| !result.complete) {
                        self.remark_cut(reason, &result);
                    }
                    return result;
                }
                Event::Search(SearchEvent::Report(mut result)) => {
                    if let Some(graphics) = &mut graphics {
                        equalize_symmetric_scores(board, &mut result.candidates);
                        graphics.show(&Analysis {
                            board,
                            side,
                            result,
                        });
                    }
                }
                Event::Line(line) => {
                    if let Line::Text(text) = &line {
                        self.check_interrupt(text, &mut cut_reason);
                    }
                    // Other commands behind a `quit` are never executed.
                    if self.quit < QuitState::Queued {
                        self.queued.push_back(line);
                    }
                }
                Event::QuitTimeout => {
                    self.quit = QuitState::Overdue;
                    self.cut_short(&mut cut_reason, QUIT);
                }
                Event::TaskDone(result) => self.go_on_learning(result),
                Event::End => {}
            }
        }
    }

    /// Adds the game on the board to the book if a move of `request` has ended it.
    fn learn_finished_game(&mut self, request: &Request) {
        let game = self.position.game();
        let was_known = std::mem::replace(&mut self.is_end_known, game.is_over());
        let is_move = ["play", "genmove"].contains(&request.name.as_str());
        if self.settings.learn_games && is_move && game.is_over() && !was_known {
            self.unlearnt.push_back(game.clone());
            self.learn_next();
        }
    }

    /// Begins to learn the next game, unless another one is being learnt.
    fn learn_next(&mut self) {
        if let Some(game) = self.unlearnt.pop_front() {
            let task = self.book.learn(&game);
            if !self.channels.run_task(task) {
                self.unlearnt.push_front(game);
            }
        }
    }

    /// Reports the result of a game, and begins the next one.
    fn go_on_learning(&mut self, result: Result<(), String>) {
        if let Err(error) = result {
            self.remark(format_args!("the game is not learnt: {error}"));
        }
        self.learn_next();
    }

    /// Waits until all games are in the book.
    fn finish_learning(&mut self) {
        loop {
            if let Some(result) = self.channels.finish_task() {
                self.go_on_learning(result);
            } else if let Some(game) = self.unlearnt.pop_front() {
                // No thread could be started for it.
                let result = self.book.learn(&game)();
                self.go_on_learning(result);
            } else {
                return;
            }
        }
    }

    /// Ends the search at an interrupt. A `quit` starts the delay after which the search is cut short.
    fn check_interrupt(&mut self, line: &str, cut_reason: &mut Option<&'static str>) {
        if request::interrupts(line) {
            self.cut_short(cut_reason, "an interrupt");
        } else if request::quits(line) && self.quit < QuitState::Queued {
            self.quit = QuitState::Queued;
            self.queued.push_back(Line::Text(line.to_owned()));
            self.channels.start_quit_timeout();
        }
    }

    /// Makes the running search end soon. `cut_reason` keeps the first reason.
    fn cut_short(&self, cut_reason: &mut Option<&'static str>, reason: &'static str) {
        self.channels.session.stop();
        cut_reason.get_or_insert(reason);
    }

    /// Writes a remark to standard error that `reason` has cut the search short.
    fn remark_cut(&self, reason: &str, result: &SearchResult) {
        let depth = plural(result.depth, "ply", "plies");
        self.remark(format_args!(
            "{reason} has cut the search short, after {depth}"
        ));
    }

    /// Writes a remark to standard error, if the settings allow it.
    fn remark(&self, text: impl Display) {
        if self.settings.remarks {
            // A closed standard error must not stop the game.
            let _ = io::stderr().write_all(format!("outflank: {text}\n").as_bytes());
        }
    }
}

/// Reason in remarks for searches that a `quit` has cut short.
const QUIT: &str = "quit";

const PASS: &str = "pass";

fn ply_name(ply: Ply) -> String {
    ply.map_or_else(|| PASS.to_owned(), |square| square.to_string())
}

/// Joins rows 1 to 8 into a board for GoGui, whose first row is at the bottom.
fn gogui_board(rows: impl DoubleEndedIterator<Item = String>) -> String {
    rows.rev().collect::<Vec<_>>().join("\n")
}

/// Joins the names of squares by blanks, as GoGui's lists of points have them.
fn square_list(squares: impl Iterator<Item = Square>) -> String {
    Square::join(squares, " ")
}
