//! The steps of a training: commands of `outflank train`, carried out as if they were given by hand.

use std::time::{Duration, Instant};

use clap::{Args, Command};
use outflank::StopHandle;

use crate::CommandError;
use crate::output::{clock, line};
use crate::progress::ProgressArgument;

/// The steps so far.
pub(super) struct Steps {
    done: Vec<Step>,
    /// Ends the step under way, and so all of them.
    stop: StopHandle,
    /// An option that steps are given, but not shown with: it changes nothing that they make.
    progress: &'static str,
}

/// A step that was carried out.
pub(super) struct Step {
    /// What it does, and why.
    pub(super) purpose: &'static str,
    /// The command line.
    pub(super) command: String,
    /// What it came to, in a line.
    pub(super) result: String,
    pub(super) time: Duration,
}

/// Why steps came to no end.
pub(super) enum WhyNot {
    Failed(CommandError),
    Interrupted,
}

impl Steps {
    /// None so far. Where `stop` is used there are no more.
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

    /// Those that were carried out.
    pub(super) fn done(&self) -> &[Step] {
        &self.done
    }

    /// Carries out `outflank train OPTIONS` by the function that does so, which returns what it came to.
    pub(super) fn carry_out<A: Args>(
        &mut self,
        purpose: &'static str,
        options: &str,
        function: impl FnOnce(&A, &StopHandle) -> Result<String, CommandError>,
    ) -> Result<String, WhyNot> {
        let command = format!("outflank train {options}");
        let start = Instant::now();
        let carry_out = || {
            line(format_args!("{purpose}.\n$ {command}"))?;
            let result = function(&parsed(&format!("{options}{}", self.progress)), &self.stop)?;
            line("")?;
            Ok(result)
        };
        let result = carry_out().map_err(WhyNot::Failed)?;
        if self.stop.is_stopped() {
            return Err(WhyNot::Interrupted);
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
    /// As a part of a report in Markdown.
    pub(super) fn told(&self) -> String {
        format!(
            "{}:\n\n```console\n$ {}\n```\n\n{} ({}).\n",
            self.purpose,
            self.command,
            self.result,
            clock(self.time)
        )
    }
}

/// The arguments of a command whose name `options` begins with.
///
/// # Panics
///
/// Panics where the command does not know them.
fn parsed<A: Args>(options: &str) -> A {
    let command = A::augment_args(Command::new("train"));
    let matches = command.try_get_matches_from(options.split_whitespace());
    let arguments = matches.and_then(|matches| A::from_arg_matches(&matches));
    arguments.unwrap_or_else(|error| panic!("{options}: {error}"))
}
