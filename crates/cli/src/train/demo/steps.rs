//! Steps of a training: commands of `outflank train`, run as if given by hand.

use std::time::{Duration, Instant};

use clap::{Args, Command};
use outflank::StopHandle;

use crate::CommandError;
use crate::console::{clock, print_line};
use crate::progress::ProgressArgument;

/// Runner of steps.
pub(super) struct Steps {
    done: Vec<Step>,
    /// Ends the current step and all that follow.
    stop: StopHandle,
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

/// Reason why the training is incomplete.
pub(super) enum StepError {
    Failed(CommandError),
    Interrupted,
}

impl Steps {
    /// Creates a runner that ends when `stop` is used.
    pub(super) fn new(stop: StopHandle, progress: &ProgressArgument) -> Steps {
        Steps {
            done: Vec::new(),
            stop,
            progress: match progress.progress {
                true => " --progress",
                false => "",
            },
        }
    }

    /// Completed steps.
    pub(super) fn done(&self) -> &[Step] {
        &self.done
    }

    /// Runs `outflank train OPTIONS` by a call of `function`, which implements the command. Returns its summary.
    pub(super) fn run<A: Args>(
        &mut self,
        purpose: &'static str,
        options: &str,
        function: impl FnOnce(&A, &StopHandle) -> Result<String, CommandError>,
    ) -> Result<String, StepError> {
        let command = format!("outflank train {options}");
        let start = Instant::now();
        let run = || {
            print_line(format_args!("{purpose}.\n$ {command}"))?;
            let result = function(&parse(&format!("{options}{}", self.progress)), &self.stop)?;
            print_line("")?;
            Ok(result)
        };
        let result = run().map_err(StepError::Failed)?;
        if self.stop.is_stopped() {
            return Err(StepError::Interrupted);
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
