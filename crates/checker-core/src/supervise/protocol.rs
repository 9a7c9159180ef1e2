//! Lines between supervisor and worker. The supervisor writes a task. The worker writes one message per line. It
//! announces each step before the step begins, so the last announcement names the culprit of a fault.

use std::fmt;
use std::io::{self, BufRead};
use std::str::FromStr;
use std::time::Duration;

use crate::check::Source;
use crate::input::Answer;
use crate::registry::{CheckerEntry, Kernel, entry_named, kernels};

/// Task of a worker. Its text has a line for each part, the last of them `start`.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The seed of the random cases.
    pub(crate) seed: u64,
    /// Time limit.
    pub(crate) limit: Duration,
    /// First batch; `None` for the very first.
    pub(crate) from: Option<Source>,
    /// `true` to run only that batch and to announce each case before it runs.
    pub(crate) announces_cases: bool,
    /// Entries to run.
    pub(crate) entries: Vec<&'static CheckerEntry>,
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}", self.seed)?;
        writeln!(f, "seconds {}", self.limit.as_secs_f64())?;
        if let Some(source) = self.from {
            writeln!(f, "from {source}")?;
        }
        if self.announces_cases {
            writeln!(f, "one-by-one")?;
        }
        for entry in &self.entries {
            writeln!(f, "entry {}", entry.name())?;
        }
        writeln!(f, "start")
    }
}

impl Task {
    /// Reads a task up to its last line.
    pub(crate) fn read(from: impl BufRead) -> io::Result<Task> {
        let mut task = Task {
            seed: 0,
            limit: Duration::ZERO,
            from: None,
            announces_cases: false,
            entries: Vec::new(),
        };
        for line in from.lines() {
            let line = line?;
            if line == "start" {
                return Ok(task);
            }
            task.add(&line).ok_or_else(|| {
                let message = format!("'{line}' is no part of a worker's task");
                io::Error::new(io::ErrorKind::InvalidData, message)
            })?;
        }
        Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            "the worker's task has no end",
        ))
    }

    /// Adds the part that a line describes. `None` for an unknown line.
    fn add(&mut self, line: &str) -> Option<()> {
        match line.split_once(' ') {
            Some(("seed", seed)) => self.seed = seed.parse().ok()?,
            Some(("seconds", seconds)) => {
                self.limit = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?;
            }
            Some(("from", source)) => self.from = Some(source.parse().ok()?),
            Some(("entry", name)) => self.entries.push(entry_named(name)?),
            None if line == "one-by-one" => self.announces_cases = true,
            _ => return None,
        }
        Some(())
    }
}

/// Message of a worker, one line.
#[derive(Clone, Copy)]
pub(crate) enum Message {
    /// Step that begins now.
    Step(Step),
    /// The running entry agreed with its reference on this many inputs.
    Agreed(u64),
    /// The running entry gave another answer to the input of this index in its batch.
    Differed(usize, Answer),
    /// The running entry begins with the input of this index.
    Index(usize),
    /// The task is done.
    End,
}

/// Step of a worker.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// Starting, or making a batch of inputs.
    Inputs(Option<Source>),
    /// Computing a reference's answers.
    Reference(&'static Kernel, Source),
    /// Running an algorithm.
    Run(&'static CheckerEntry, Source),
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Step(Step::Inputs(None)) => write!(f, "start"),
            Message::Step(Step::Inputs(Some(source))) => write!(f, "inputs {source}"),
            Message::Step(Step::Reference(kernel, source)) => {
                write!(f, "reference {} {source}", kernel.name)
            }
            Message::Step(Step::Run(entry, source)) => {
                write!(f, "run {} {source}", entry.name())
            }
            Message::Agreed(count) => write!(f, "same {count}"),
            Message::Differed(index, answer) => {
                write!(f, "different {index}")?;
                answer.0.iter().try_for_each(|word| write!(f, " {word}"))
            }
            Message::Index(index) => write!(f, "index {index}"),
            Message::End => write!(f, "end"),
        }
    }
}

/// Error for a line that is no message.
#[derive(Clone, Debug, thiserror::Error)]
#[error("'{0}' is no message of a worker")]
pub(crate) struct Garbled(String);

impl FromStr for Message {
    type Err = Garbled;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        parse(line).ok_or_else(|| Garbled(line.to_owned()))
    }
}

fn parse(line: &str) -> Option<Message> {
    let words: Vec<&str> = line.split(' ').collect();
    Some(match words[..] {
        ["start"] => Message::Step(Step::Inputs(None)),
        ["inputs", source] => Message::Step(Step::Inputs(Some(source.parse().ok()?))),
        ["reference", name, source] => {
            let kernel = kernels().iter().find(|kernel| kernel.name == name)?;
            Message::Step(Step::Reference(kernel, source.parse().ok()?))
        }
        ["run", entry, source] => {
            Message::Step(Step::Run(entry_named(entry)?, source.parse().ok()?))
        }
        ["same", count] => Message::Agreed(count.parse().ok()?),
        ["different", index, ref answer @ ..] => {
            let answer: Option<Vec<u64>> = answer.iter().map(|word| word.parse().ok()).collect();
            Message::Differed(index.parse().ok()?, Answer(answer?.try_into().ok()?))
        }
        ["index", index] => Message::Index(index.parse().ok()?),
        ["end"] => Message::End,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::entries;

    #[test]
    fn messages_round_trip() {
        let mut lines = vec!["start".to_owned(), "end".to_owned()];
        for entry in entries() {
            lines.push(format!("run {} random/7", entry.name()));
            lines.push(format!("reference {} lines/2", entry.kernel));
        }
        lines.push("inputs random/0".to_owned());
        lines.push("same 18446744073709551615".to_owned());
        lines.push("index 12".to_owned());
        lines.push(format!(
            "different 3{}",
            " 18446744073709551615".repeat(Answer::WORDS)
        ));
        for line in lines {
            let message: Message = line.parse().expect("a message");
            assert_eq!(message.to_string(), line);
        }
    }

    #[test]
    fn unknown_messages_are_errors() {
        for line in [
            "",
            "End",
            "end ",
            "same",
            "same x",
            "run flip random/7",
            "run no.thing@portable random/7",
            "reference nothing random/7",
            "different 3 1 2",
        ] {
            assert!(line.parse::<Message>().is_err(), "{line}");
        }
    }

    #[test]
    fn tasks_round_trip() {
        let task = Task {
            seed: 7,
            limit: Duration::from_millis(1500),
            from: Some(Source::Random(3)),
            announces_cases: true,
            entries: entries().take(3).collect(),
        };
        let text = task.to_string();
        let read = Task::read(text.as_bytes()).expect("a task");
        assert_eq!(read.to_string(), text);
        assert_eq!((read.seed, read.limit), (7, Duration::from_millis(1500)));
        for (wrong, message) in [
            ("seed x\nstart\n", "'seed x' is no part"),
            (
                "entry no.thing@portable\nstart\n",
                "no part of a worker's task",
            ),
            ("from nowhere/1\nstart\n", "no part"),
            ("seconds -1\nstart\n", "no part"),
            ("seed 1\n", "no end"),
        ] {
            let error = Task::read(wrong.as_bytes()).expect_err(wrong).to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
