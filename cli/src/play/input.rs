//! Where commands come from: a terminal, with a line that can be edited and a history of earlier ones, or
//! anything else, line by line.

use std::io::{self, BufRead, IsTerminal as _, Read, StdinLock};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rustyline::config::Config;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{
    Cmd, ConditionalEventHandler, Event, EventContext, EventHandler, KeyEvent, RepeatCount,
};

/// The most that a line of input can have, in bytes; what is longer is no command. The longest game has 240
/// with commas and blanks between its moves.
const MAX_BYTES: u64 = 1024;

/// After so many bytes more a line is taken to have no end.
const MAX_SKIPPED: u64 = 1 << 26;

/// What comes in.
pub(super) enum Typed {
    /// A line, with or without its end.
    Line(String),
    /// One that is too long or not text: what to say of it.
    Unusable(String),
    /// Ctrl-C on an empty line.
    Interrupt,
    /// Ctrl-C with text on the line, which is dropped.
    Dropped,
    /// No more lines.
    End,
}

/// A line that is edited at a terminal.
pub(super) struct Editor {
    editor: rustyline::Editor<(), MemHistory>,
    /// Whether there was text on the line when Ctrl-C came.
    had_text: Arc<AtomicBool>,
}

impl Editor {
    fn new() -> rustyline::Result<Editor> {
        // Pasted text is typed text: each of its lines is a command.
        let config = Config::builder()
            .auto_add_history(true)
            .bracketed_paste(false)
            .build();
        let mut editor = rustyline::Editor::with_history(config, MemHistory::new())?;
        let had_text = Arc::new(AtomicBool::new(false));
        let note = NoteText(had_text.clone());
        editor.bind_sequence(
            KeyEvent::ctrl('C'),
            EventHandler::Conditional(Box::new(note)),
        );
        Ok(Editor { editor, had_text })
    }
}

/// Notes at Ctrl-C whether there is text on the line.
struct NoteText(Arc<AtomicBool>);

impl ConditionalEventHandler for NoteText {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        self.0.store(!context.line().is_empty(), Relaxed);
        // The key does what it does without this handler.
        None
    }
}

pub(super) enum Input {
    Terminal(Box<Editor>),
    Lines(StdinLock<'static>),
}

impl Input {
    /// From standard input. A line can be edited where that and standard output are a terminal.
    pub(super) fn new() -> Input {
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        match is_terminal.then(Editor::new) {
            Some(Ok(editor)) => Input::Terminal(Box::new(editor)),
            // A terminal that cannot be edited on can still be read from.
            Some(Err(_)) | None => Input::Lines(io::stdin().lock()),
        }
    }

    /// The next line. A terminal shows `prompt` before it.
    pub(super) fn next(&mut self, prompt: &str) -> io::Result<Typed> {
        match self {
            Input::Lines(lines) => next_line(lines),
            Input::Terminal(terminal) => match terminal.editor.readline(prompt) {
                Ok(line) if line.len() as u64 >= MAX_BYTES => Ok(too_long()),
                Ok(line) => Ok(Typed::Line(line)),
                Err(ReadlineError::Interrupted) => {
                    Ok(match terminal.had_text.swap(false, Relaxed) {
                        true => Typed::Dropped,
                        false => Typed::Interrupt,
                    })
                }
                Err(ReadlineError::Eof) => Ok(Typed::End),
                Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                    Ok(Typed::Unusable("that is not UTF-8".to_owned()))
                }
                Err(ReadlineError::Io(error)) => Err(error),
                Err(error) => Err(io::Error::other(error)),
            },
        }
    }
}

fn next_line(lines: &mut impl BufRead) -> io::Result<Typed> {
    let mut bytes = Vec::new();
    let mut start = lines.by_ref().take(MAX_BYTES);
    if start.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(Typed::End);
    }
    if bytes.len() as u64 == MAX_BYTES && bytes.last() != Some(&b'\n') {
        let skipped = lines.by_ref().take(MAX_SKIPPED).skip_until(b'\n')? as u64;
        return Ok(match skipped < MAX_SKIPPED {
            true => too_long(),
            false => Typed::End,
        });
    }
    Ok(Typed::Line(String::from_utf8_lossy(&bytes).into_owned()))
}

fn too_long() -> Typed {
    Typed::Unusable(format!("a line of {MAX_BYTES} bytes or more is no command"))
}

/// How the terminal was before any line was edited on it: a program that is ended while a line is edited
/// has to leave it so.
pub(super) struct Terminal {
    #[cfg(unix)]
    modes: Option<nix::sys::termios::Termios>,
}

impl Terminal {
    pub(super) fn now() -> Terminal {
        Terminal {
            #[cfg(unix)]
            modes: nix::sys::termios::tcgetattr(io::stdin()).ok(),
        }
    }

    pub(super) fn restore(&self) {
        #[cfg(unix)]
        if let Some(modes) = &self.modes {
            use nix::sys::termios::{SetArg, tcsetattr};
            // Where there is no terminal any more, there is nothing to restore.
            let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, modes);
        }
    }
}
