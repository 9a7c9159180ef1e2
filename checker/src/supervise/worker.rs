//! The process in which the kernels run, so that a fault in one is not the end of the check.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use super::protocol::{Message, Step, Task};
use crate::check::{BATCH, Source, expected};
use crate::input::Input;
use crate::registry::{Entry, Kernel, kernels};

/// How much more time the comparisons get than the making of their inputs.
const COMPARING: f64 = 5.0;

/// The inputs of a random batch that a kernel gets before it is known how slow it is: enough for the
/// shortest check to mean something.
const FIRST: usize = 256;

/// The fewest that it gets later, however slow it is.
const MIN: usize = 16;

/// Does what the task says that stands in `from`, and writes to `out` what it is about to do. What a
/// worker's process calls, with its standard input and output.
///
/// An error where the task cannot be read, or nobody listens any more.
///
/// # Panics
/// Where the CPU lacks the level of an entry.
pub fn work(from: impl BufRead, out: impl Write) -> io::Result<()> {
    let task = Task::read(from)?;
    let mut worker = Worker {
        out,
        seed: task.seed,
        groups: kernels()
            .iter()
            .map(|kernel| Group::new(kernel, &task.entries))
            .filter(|group| !group.entries.is_empty())
            .collect(),
    };
    match task.from {
        Some(source) if task.one_by_one => worker.one_by_one(source)?,
        from => worker.all(from, task.limit)?,
    }
    worker.say(Message::End)
}

/// A kernel and those of its entries that are checked.
struct Group {
    kernel: &'static Kernel,
    entries: Vec<&'static Entry>,
    /// Seconds that one input takes, reference and all; `None` before the first.
    cost: Option<f64>,
}

impl Group {
    fn new(kernel: &'static Kernel, entries: &[&'static Entry]) -> Group {
        let own = |entry: &&&Entry| entry.kernel == kernel.name;
        Group {
            kernel,
            entries: entries.iter().filter(own).copied().collect(),
            cost: None,
        }
    }
}

struct Worker<Out> {
    out: Out,
    seed: u64,
    groups: Vec<Group>,
}

impl<Out: Write> Worker<Out> {
    fn say(&mut self, message: Message) -> io::Result<()> {
        writeln!(self.out, "{message}")?;
        self.out.flush()
    }

    fn inputs(&mut self, source: Source) -> io::Result<Vec<Input>> {
        self.say(Message::Step(Step::Inputs(Some(source))))?;
        Ok(source.inputs(self.seed))
    }

    /// The sweeps and the random batches from `from` on, until `limit` is over; one random batch at
    /// least, so that everything is checked.
    fn all(&mut self, from: Option<Source>, limit: Duration) -> io::Result<()> {
        let start = Instant::now();
        self.say(Message::Step(Step::Inputs(None)))?;
        let first = match from {
            Some(Source::Random(number)) => number,
            from => {
                let is_before = |source: &Source| from.is_some_and(|from| *source != from);
                for source in Source::sweeps().skip_while(is_before) {
                    self.sweep(source)?;
                }
                0
            }
        };
        for number in first.. {
            self.random(Source::Random(number))?;
            if self.groups.is_empty() || start.elapsed() >= limit {
                break;
            }
        }
        Ok(())
    }

    fn sweep(&mut self, source: Source) -> io::Result<()> {
        let serves = |group: &Group| source.serves(group.entries[0]);
        if !self.groups.iter().any(serves) {
            return Ok(());
        }
        let inputs = self.inputs(source)?;
        for i in 0..self.groups.len() {
            if serves(&self.groups[i]) {
                self.compare(i, source, &inputs)?;
            }
        }
        self.groups.retain(|group| !group.entries.is_empty());
        Ok(())
    }

    /// A random batch. The kernels share the time alike: one that is slow, mostly because of its
    /// reference, gets fewer of the inputs, the fastest all of them.
    fn random(&mut self, source: Source) -> io::Result<()> {
        let start = Instant::now();
        let inputs = self.inputs(source)?;
        let making = start.elapsed().as_secs_f64();
        let costs = self.groups.iter().filter_map(|group| group.cost);
        let fastest = costs.fold(f64::INFINITY, f64::min) * BATCH as f64;
        let share = (making * COMPARING / self.groups.len() as f64).max(fastest);
        for i in 0..self.groups.len() {
            let affordable = match self.groups[i].cost {
                Some(cost) => (share / cost) as usize,
                None => FIRST,
            };
            let count = affordable.clamp(MIN, inputs.len());
            let start = Instant::now();
            self.compare(i, source, &inputs[..count])?;
            self.groups[i].cost = Some(start.elapsed().as_secs_f64() / count as f64);
        }
        self.groups.retain(|group| !group.entries.is_empty());
        Ok(())
    }

    /// Compares the entries of group `i` with the reference; one that differs is left out from then
    /// on.
    fn compare(&mut self, i: usize, source: Source, inputs: &[Input]) -> io::Result<()> {
        let kernel = self.groups[i].kernel;
        self.say(Message::Step(Step::Reference(kernel, source)))?;
        let expected = expected(kernel, inputs);
        let mut agreed = Vec::new();
        for entry in std::mem::take(&mut self.groups[i].entries) {
            self.say(Message::Step(Step::Run(entry, source)))?;
            let difference = entry.first_difference(inputs, &expected);
            match difference.expect("only entries that can run are selected") {
                None => {
                    self.say(Message::Same(inputs.len() as u64))?;
                    agreed.push(entry);
                }
                Some((index, got)) => self.say(Message::Different(index, got))?,
            }
        }
        self.groups[i].entries = agreed;
        Ok(())
    }

    /// Runs every entry on one batch and says before each case which one it is.
    fn one_by_one(&mut self, source: Source) -> io::Result<()> {
        let inputs = self.inputs(source)?;
        let groups = self.groups.iter();
        let entries: Vec<_> = groups.flat_map(|group| group.entries.clone()).collect();
        for entry in entries {
            self.say(Message::Step(Step::Run(entry, source)))?;
            for (index, input) in inputs.iter().enumerate() {
                self.say(Message::Index(index))?;
                let answer = entry.answer(input);
                std::hint::black_box(answer.expect("only entries that can run are selected"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::runnable;

    #[test]
    fn the_shortest_check_runs_every_algorithm_on_enough_random_inputs() {
        let task = Task {
            seed: 3,
            limit: Duration::ZERO,
            from: Some(Source::Random(0)),
            one_by_one: false,
            entries: runnable().collect(),
        };
        let mut written = Vec::new();
        work(task.to_string().as_bytes(), &mut written).expect("the task can be read");
        let written = String::from_utf8(written).expect("messages are text");
        let lines: Vec<&str> = written.lines().collect();
        for entry in runnable() {
            let run = format!("run {} random/0", entry.name());
            let at = lines.iter().position(|line| *line == run);
            let at = at.unwrap_or_else(|| panic!("no '{run}'"));
            let count = lines[at + 1].strip_prefix("same ");
            let count: usize = count.expect("it agrees").parse().expect("a number");
            assert!(count >= FIRST, "{run}: {count}");
        }
        assert_eq!(lines.last(), Some(&"end"));
    }
}
