//! Message about a kernel that did not return.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use super::protocol::Step;
use crate::check::describe;
use crate::input::Case;

/// Early end or silence of the process that runs the kernels. The displayed text has several lines: the step,
/// the end, and the input.
pub struct Fault {
    /// The worker's last step.
    pub(super) step: Step,
    pub(super) end: WorkerEnd,
    /// Text that the worker wrote to standard error.
    pub(super) stderr: String,
    /// The case of the fault, if the fault recurred when the cases ran one at a time.
    pub(super) case: Option<Case>,
    pub(super) seed: u64,
}

/// End of a worker.
#[derive(Clone, Copy)]
pub(super) enum WorkerEnd {
    /// Announced.
    Done,
    /// Unannounced, with this status.
    Gone(ExitStatus),
    /// Killed after this time of silence.
    Silent(Duration),
}

impl fmt::Display for WorkerEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorkerEnd::Done => write!(f, "ended"),
            WorkerEnd::Silent(time) => write!(f, "did not come back within {time:?}"),
            WorkerEnd::Gone(status) => match signal(*status) {
                Some((name, meaning)) => write!(f, "died of {name}, {meaning}"),
                // 101 is the exit code of a panic.
                None if status.code() == Some(101) => write!(f, "panicked"),
                None => write!(f, "ended its process ({status})"),
            },
        }
    }
}

/// Name and meaning of the signal that ended a process, if faults raise it.
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
        let lines = self.stderr.lines().filter(|line| !line.trim().is_empty());
        for (i, line) in lines.take(4).enumerate() {
            let label = if i == 0 { "it said" } else { "" };
            write!(f, "\n  {label:<10} {line}")?;
        }
        match source {
            Some(source) => write!(f, "\n  seed       {} ({source})", self.seed),
            None => Ok(()),
        }
    }
}
