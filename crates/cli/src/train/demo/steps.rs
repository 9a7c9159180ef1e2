//! Steps of a training: commands of `outflank train`, run as if given by hand.

use std::time::{Duration, Instant};

use clap::{Args, Command};
use outflank::StopHandle;

use crate::CommandError;
use crate::console::{clock, print_line};
use crate::error::{FAILURE, exit_status};
use crate::progress::ProgressArgument;

/// Runner of steps.
pub(super) struct Steps<'a> {
    /// Completed steps.
    pub(super) done: Vec<Step>,
    /// Ends the current step and all that follow.
    stop: &'a StopHandle,
    /// Extra option of the commands that is not shown, because it changes no result.
    progress: &'static str,
}

/// Completed step.
pub(super) struct Step {
    /// Purpose as a sentence without its full stop.
    pub(super) purpose: &'static str,
    /// Command line.
    pub(super) command: String,
    /// Summary in a line.
    pub(super) result: String,
    pub(super) time: Duration,
}

/// Reason why the training is incomplete: a signal ended a step.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub(super) struct Interrupted;
exit_status!(FAILURE; Interrupted);

impl Steps<'_> {
    /// Creates a runner whose steps `stop` ends.
    pub(super) fn new<'a>(stop: &'a StopHandle, progress: &ProgressArgument) -> Steps<'a> {
        Steps {
            done: Vec::new(),
            stop,
            progress: match progress.progress {
                true => " --progress",
                false => "",
            },
        }
    }

    /// Parses `outflank train OPTIONS` and calls `function`, which implements this command. Returns its summary.
    pub(super) fn run<A: Args>(
        &mut self,
        purpose: &'static str,
        options: &str,
        function: impl FnOnce(&A, &StopHandle) -> Result<String, CommandError>,
    ) -> Result<String, CommandError> {
        let command = format!("outflank train {options}");
        let start = Instant::now();
        print_line(format_args!("{purpose}.\n$ {command}"))?;
        let result = function(&parse(&format!("{options}{}", self.progress)), self.stop)?;
        print_line("")?;
        if self.stop.is_stopped() {
            return Err(Interrupted.into());
        }
        self.done.push(Step {
            purpose,
            command,
            result: result.clone(),
            time: start.elapsed(),
        });
        Ok(result)
    }
}

impl Step {
    /// Section of a Markdown report.
    pub(super) fn markdown(&self) -> String {
        format!(
            "{}:\n\n```console\n$ {}\n```\n\n{} ({}).\n",
            self.purpose,
            self.command,
            self.result,
            clock(self.time)
        )
    }
}

/// Parses the options of a command, which begin with its name.
///
/// # Panics
///
/// Panics if the command refuses them.
fn parse<A: Args>(options: &str) -> A {
    let command = A::augment_args(Command::new("train"));
    let matches = command.try_get_matches_from(options.split_whitespace());
    let arguments = matches.and_then(|matches| A::from_arg_matches(&matches));
    arguments.unwrap_or_else(|error| panic!("{options}: {error}"))
}
