//! What an engine can do wrong in a game, and lose it by.

use std::fmt;

use outflank::text::one_line;
use serde::{Deserialize, Serialize};

/// A kind of fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// It thought for longer than it had, and answered then.
    Time,
    /// It answered a move that is not legal.
    Illegal,
    /// It ended, or closed its output.
    Crash,
    /// It did not answer any more.
    Hang,
    /// It wrote lines without end, or one.
    Flood,
    /// It answered what its protocol has no meaning for.
    Garbage,
    /// It could not be started once more.
    Start,
    /// It gave the game up, which its protocol allows.
    Resignation,
}

impl fmt::Display for Kind {
    /// As it stands behind a number of games: `2 on time`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Time => "on time",
            Kind::Illegal => "by an illegal move",
            Kind::Crash => "by a crash",
            Kind::Hang => "by a hang",
            Kind::Flood => "by a flood of output",
            Kind::Garbage => "by an answer that is none",
            Kind::Start => "by not starting",
            Kind::Resignation => "by resignation",
        })
    }
}

/// What an engine did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("{told}")]
pub(crate) struct Fault {
    /// What kind of fault it is.
    pub(crate) kind: Kind,
    /// What happened, in one line.
    pub(crate) told: String,
}

impl Fault {
    pub(super) fn new(kind: Kind, told: impl fmt::Display) -> Fault {
        Fault {
            kind,
            told: one_line(&told.to_string()),
        }
    }
}

/// Why an engine has nothing to answer.
#[derive(Debug)]
pub(super) enum Trouble {
    /// It is to blame.
    Fault(Fault),
    /// The match was stopped.
    Stopped,
}

impl Trouble {
    pub(super) fn of(kind: Kind, told: impl fmt::Display) -> Trouble {
        Trouble::Fault(Fault::new(kind, told))
    }
}

/// The beginning of what an engine said, as one line that is safe to show.
pub(super) fn excerpt(text: &str) -> String {
    const MAX: usize = 80;
    let text = one_line(text);
    match text.char_indices().nth(MAX) {
        None => text,
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}
