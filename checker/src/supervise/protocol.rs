//! The lines between the process that watches and the worker. To the worker goes its task; what it writes
//! is one line a message, each written before what it announces, so that the last one says what went
//! wrong.

use std::fmt;
use std::io::{self, BufRead};
use std::str::FromStr;
use std::time::Duration;

use crate::check::Source;
use crate::input::Answer;
use crate::registry::{Entry, Kernel, kernels, named};

/// What a worker is to do. As text it is a line for each of its parts, the last of them `start`.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The seed of the random cases.
    pub(crate) seed: u64,
    /// How long it goes on.
    pub(crate) limit: Duration,
    /// The batch that it begins with; `None` for the first.
    pub(crate) from: Option<Source>,
    /// Whether it runs only that batch, and announces each case.
    pub(crate) one_by_one: bool,
    /// What it runs.
    pub(crate) entries: Vec<&'static Entry>,
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}", self.seed)?;
        writeln!(f, "seconds {}", self.limit.as_secs_f64())?;
        if let Some(source) = self.from {
            writeln!(f, "from {source}")?;
        }
        if self.one_by_one {
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
            one_by_one: false,
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

    /// Adds the part that a line describes; `None` where it describes none.
    fn add(&mut self, line: &str) -> Option<()> {
        match line.split_once(' ') {
            Some(("seed", seed)) => self.seed = seed.parse().ok()?,
            Some(("seconds", seconds)) => {
                self.limit = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?;
            }
            Some(("from", source)) => self.from = Some(source.parse().ok()?),
            Some(("entry", name)) => self.entries.push(named(name)?),
            None if line == "one-by-one" => self.one_by_one = true,
            _ => return None,
        }
        Some(())
    }
}

/// One line.
#[derive(Clone, Copy)]
pub(crate) enum Message {
    /// What runs from now on.
    Step(Step),
    /// The entry that runs agreed with its reference this many times.
    Same(u64),
    /// The entry that runs answered otherwise to the input of this index in its batch.
    Different(usize, Answer),
    /// The entry that runs is about to be run on the input of this index.
    Index(usize),
    /// All is done.
    End,
}

/// What a worker may be busy with.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// It starts, or makes a batch of inputs.
    Inputs(Option<Source>),
    /// It asks a reference for its answers.
    Reference(&'static Kernel, Source),
    /// It runs an algorithm.
    Run(&'static Entry, Source),
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
            Message::Same(count) => write!(f, "same {count}"),
            Message::Different(index, answer) => {
                write!(f, "different {index}")?;
                answer.0.iter().try_for_each(|word| write!(f, " {word}"))
            }
            Message::Index(index) => write!(f, "index {index}"),
            Message::End => write!(f, "end"),
        }
    }
}

/// A line that is no message.
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
        ["run", entry, source] => Message::Step(Step::Run(named(entry)?, source.parse().ok()?)),
        ["same", count] => Message::Same(count.parse().ok()?),
        ["different", index, ref answer @ ..] => {
            let answer: Option<Vec<u64>> = answer.iter().map(|word| word.parse().ok()).collect();
            Message::Different(index.parse().ok()?, Answer(answer?.try_into().ok()?))
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
    fn messages_are_read_as_they_are_written() {
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
    fn anything_else_is_garbled() {
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
    fn tasks_are_read_as_they_are_written() {
        let task = Task {
            seed: 7,
            limit: Duration::from_millis(1500),
            from: Some(Source::Random(3)),
            one_by_one: true,
            entries: entries().take(3).collect(),
        };
        let text = task.to_string();
        let read = Task::read(text.as_bytes()).expect("a task");
        assert_eq!(read.to_string(), text);
        assert_eq!((read.seed, read.limit), (7, Duration::from_millis(1500)));
        for (wrong, said) in [
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
            assert!(error.contains(said), "{error}");
        }
    }
}
