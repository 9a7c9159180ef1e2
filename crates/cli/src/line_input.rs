//! Input lines: from a terminal with line editing and history, or from any other standard input.

use std::io::{self, BufRead, IsTerminal as _, Read, StdinLock};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rustyline::config::Config;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{
    Cmd, ConditionalEventHandler, Event, EventContext, EventHandler, KeyEvent, RepeatCount,
};

/// Limit of a line in bytes. The longest game has 240 with commas and blanks between its moves.
const MAX_BYTES: u64 = 1024;

/// Limit of further bytes in a line that is too long. A longer line counts as endless and ends the input.
const MAX_SKIPPED: u64 = 1 << 26;

/// Line of the input, or an event in its place.
pub(super) enum InputLine {
    Text(String),
    /// A line that is too long or not text, with the reason.
    Unusable(String),
    /// Ctrl-C on an empty line.
    Interrupt,
    /// Ctrl-C after some text, which is dropped.
    Dropped,
    End,
}

/// Line editor of a terminal.
pub(super) struct Editor {
    inner: rustyline::Editor<(), MemHistory>,
    /// `true` if there was text on the line at the last Ctrl-C.
    had_text: Arc<AtomicBool>,
}

impl Editor {
    fn new() -> rustyline::Result<Editor> {
        // Each line of pasted text is a command.
        let config = Config::builder()
            .auto_add_history(true)
            .bracketed_paste(false)
            .build();
        let mut editor = rustyline::Editor::with_history(config, MemHistory::new())?;
        let had_text = Arc::new(AtomicBool::new(false));
        let handler = RecordText(had_text.clone());
        editor.bind_sequence(
            KeyEvent::ctrl('C'),
            EventHandler::Conditional(Box::new(handler)),
        );
        Ok(Editor {
            inner: editor,
            had_text,
        })
    }
}

/// Handler of Ctrl-C that records whether there is text on the line.
struct RecordText(Arc<AtomicBool>);

impl ConditionalEventHandler for RecordText {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        self.0.store(!context.line().is_empty(), Relaxed);
        // The default action follows.
        None
    }
}

pub(super) enum Input {
    Editor(Box<Editor>),
    Lines(StdinLock<'static>),
}

impl Input {
    /// Opens standard input, with line editing if input and output are a terminal.
    pub(super) fn new() -> Input {
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        match is_terminal.then(Editor::new) {
            Some(Ok(editor)) => Input::Editor(Box::new(editor)),
            // A terminal without editing can still be read.
            Some(Err(_)) | None => Input::Lines(io::stdin().lock()),
        }
    }

    /// Reads the next line. A terminal shows `prompt`.
    pub(super) fn next(&mut self, prompt: &str) -> io::Result<InputLine> {
        match self {
            Input::Lines(lines) => next_line(lines),
            Input::Editor(editor) => match editor.inner.readline(prompt) {
                Ok(line) if line.len() as u64 >= MAX_BYTES => Ok(too_long()),
                Ok(line) => Ok(InputLine::Text(line)),
                Err(ReadlineError::Interrupted) => Ok(match editor.had_text.swap(false, Relaxed) {
                    true => InputLine::Dropped,
                    false => InputLine::Interrupt,
                }),
                Err(ReadlineError::Eof) => Ok(InputLine::End),
                Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                    Ok(InputLine::Unusable("that is not UTF-8".to_owned()))
                }
                Err(ReadlineError::Io(error)) => Err(error),
                Err(error) => Err(io::Error::other(error)),
            },
        }
    }
}

fn next_line(lines: &mut impl BufRead) -> io::Result<InputLine> {
    let mut bytes = Vec::new();
    let mut start = lines.by_ref().take(MAX_BYTES);
    if start.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(InputLine::End);
    }
    if bytes.len() as u64 == MAX_BYTES && bytes.last() != Some(&b'\n') {
        let skipped = lines.by_ref().take(MAX_SKIPPED).skip_until(b'\n')? as u64;
        return Ok(match skipped < MAX_SKIPPED {
            true => too_long(),
            false => InputLine::End,
        });
    }
    Ok(InputLine::Text(
        String::from_utf8_lossy(&bytes).into_owned(),
    ))
}

fn too_long() -> InputLine {
    InputLine::Unusable(format!("a line of {MAX_BYTES} bytes or more is no command"))
}

/// Returns a function that restores the current modes of the terminal, for a program that ends while a line is edited.
pub(super) fn terminal_restorer() -> impl Fn() + Send + 'static {
    #[cfg(unix)]
    let modes = nix::sys::termios::tcgetattr(io::stdin()).ok();
    move || {
        #[cfg(unix)]
        if let Some(modes) = &modes {
            use nix::sys::termios::{SetArg, tcsetattr};
            // Fails only if the terminal is gone.
            let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, modes);
        }
    }
}
