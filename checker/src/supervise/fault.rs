//! The message about an algorithm that did not return.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use super::protocol::Step;
use crate::check::describe;
use crate::input::Case;

/// The process that ran the kernels ended early, or fell silent. As text it says what the process was
/// doing, how it ended, and the input, in several lines.
pub struct Fault {
    /// What it was doing.
    pub(super) step: Step,
    pub(super) end: End,
    /// What it wrote to standard error.
    pub(super) said: String,
    /// The case that was being run, where running them one at a time showed the fault again.
    pub(super) case: Option<Case>,
    pub(super) seed: u64,
}

/// How a worker ended.
#[derive(Clone, Copy)]
pub(super) enum End {
    /// It said that it was done.
    Done,
    /// It is gone and has not said so.
    Gone(ExitStatus),
    /// It has said nothing for so long, and was ended.
    Silent(Duration),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Done => write!(f, "ended"),
            End::Silent(time) => write!(f, "did not come back within {time:?}"),
            End::Gone(status) => match signal(*status) {
                Some((name, meaning)) => write!(f, "died of {name}, {meaning}"),
                // 101: what Rust's runtime makes of a panic.
                None if status.code() == Some(101) => write!(f, "panicked"),
                None => write!(f, "ended its process ({status})"),
            },
        }
    }
}

/// The name and the meaning of the signal that ended a process, if it is one that faults raise.
#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<(&'static str, &'static str)> {
    use std::os::unix::process::ExitStatusExt;
    Some(match status.signal()? {
        4 => ("SIGILL", "an illegal instruction"),
        5 => ("SIGTRAP", "a trap"),
        6 => ("SIGABRT", "an abort"),
        7 if cfg!(target_os = "linux") => ("SIGBUS", "a bus error"),
        8 => ("SIGFPE", "an arithmetic fault"),
        10 if !cfg!(target_os = "linux") => ("SIGBUS", "a bus error"),
        11 => ("SIGSEGV", "an access to memory that is not its own"),
        _ => return None,
    })
}

#[cfg(not(unix))]
fn signal(_status: ExitStatus) -> Option<(&'static str, &'static str)> {
    None
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source = match self.step {
            Step::Inputs(None) => {
                write!(
                    f,
                    "the process that runs the kernels {} at its start",
                    self.end
                )?;
                None
            }
            Step::Inputs(Some(source)) => {
                write!(f, "the making of inputs {}", self.end)?;
                Some(source)
            }
            Step::Reference(kernel, source) => {
                write!(f, "the reference of {} {}", kernel.name, self.end)?;
                Some(source)
            }
            Step::Run(entry, source) => {
                write!(f, "{} {}", entry.title(), self.end)?;
                match &self.case {
                    Some(case) => write!(f, "\n{}", describe(entry, case))?,
                    None => write!(f, "\n  input      not found: one at a time, all went well")?,
                }
                Some(source)
            }
        };
        let said = self.said.lines().filter(|line| !line.trim().is_empty());
        for (i, line) in said.take(4).enumerate() {
            let label = if i == 0 { "it said" } else { "" };
            write!(f, "\n  {label:<10} {line}")?;
        }
        match source {
            Some(source) => write!(f, "\n  seed       {} ({source})", self.seed),
            None => Ok(()),
        }
    }
}
