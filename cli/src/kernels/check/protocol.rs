//! What the process that runs the kernels writes to the one that watches it: one line a message, each
//! written before what it announces, so that the last one says what went wrong.

use std::fmt;
use std::str::FromStr;

use outflank::kernels::check::Source;
use outflank::kernels::input::Answer;
use outflank::kernels::registry::{Entry, Kernel, entries, kernels};

/// One line.
#[derive(Clone, Copy)]
pub(super) enum Message {
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
pub(super) enum Step {
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
                write!(f, "run {} {source}", entry_name(entry))
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
pub(super) struct Garbled(String);

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

/// `KERNEL.ALGORITHM@ISA`, which names an entry.
pub(super) fn entry_name(entry: &Entry) -> String {
    format!("{}.{}@{}", entry.kernel, entry.algorithm, entry.level)
}

/// The entry of that name.
pub(super) fn named(name: &str) -> Option<&'static Entry> {
    entries().find(|entry| entry_name(entry) == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_are_written() {
        let mut lines = vec!["start".to_owned(), "end".to_owned()];
        for entry in entries() {
            lines.push(format!("run {} random/7", entry_name(entry)));
            lines.push(format!("reference {} lines/2", entry.kernel));
        }
        lines.push("inputs random/0".to_owned());
        lines.push("same 18446744073709551615".to_owned());
        lines.push("index 12".to_owned());
        lines.push(format!("different 3{}", " 18446744073709551615".repeat(12)));
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
}
