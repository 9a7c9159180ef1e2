//! Faults by which an engine loses a game.

use std::fmt;
use std::io;

use outflank_support::text::one_line;
use serde::{Deserialize, Serialize};

/// Kind of an [`EngineFault`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// Answered later than its limit and the margin allow.
    Time,
    /// Answered an illegal move.
    Illegal,
    /// Exited, or closed its output.
    Crash,
    /// Stopped answering.
    Hang,
    /// Wrote too many lines or bytes, or a line without end.
    Flood,
    /// Gave an answer that its protocol does not define.
    Garbage,
    /// Failed to start again.
    Start,
    /// Resigned, as GTP allows.
    Resignation,
}

impl fmt::Display for FaultKind {
    /// Writes the kind for use after a count: `2 on time`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FaultKind::Time => "on time",
            FaultKind::Illegal => "by an illegal move",
            FaultKind::Crash => "by a crash",
            FaultKind::Hang => "by a hang",
            FaultKind::Flood => "by a flood of output",
            FaultKind::Garbage => "by an unparsable answer",
            FaultKind::Start => "by not starting",
            FaultKind::Resignation => "by resignation",
        })
    }
}

/// Fault of an engine that loses the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct EngineFault {
    /// Kind, for counts.
    pub kind: FaultKind,
    /// Description in one line that is safe to show.
    #[serde(rename = "told")]
    pub message: String,
}

/// Reason why an engine gives no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Its command cannot be run.
    Start(io::Error),
    Fault(EngineFault),
    /// The match was stopped meanwhile.
    Stopped,
}

/// Result of talking with an engine.
pub(crate) type Reply<T = ()> = Result<T, Failure>;

impl Failure {
    pub(crate) fn fault(kind: FaultKind, message: impl fmt::Display) -> Failure {
        Failure::Fault(EngineFault {
            kind,
            message: one_line(&message.to_string()),
        })
    }
}

/// Beginning of an engine's output, as one line that is safe to show.
pub(crate) fn excerpt(text: &str) -> String {
    const MAX: usize = 80;
    let text = one_line(text);
    match text.char_indices().nth(MAX) {
        None => text,
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}
