//! The process that runs the kernels, so that a fault does not end the check.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use super::protocol::{Message, Step, Task};
use crate::check::{BATCH, Source, expected};
use crate::input::Input;
use crate::registry::{CheckerEntry, Kernel, kernels};

/// Time for comparisons as a multiple of the time for making their inputs.
const COMPARISON_RATIO: f64 = 5.0;

/// Number of random inputs for a kernel of unknown speed, enough for the shortest check to be meaningful.
const FIRST: usize = 256;

/// Minimum number of inputs for a kernel of known speed.
const MIN: usize = 16;

/// Runs the task read from `from` and announces each step on `out`. A worker's process calls it with its
/// standard input and output.
///
/// Returns an error if the task cannot be read or `out` is closed.
///
/// # Panics
/// If the CPU lacks the level of an entry.
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
        Some(source) if task.announces_cases => worker.run_case_by_case(source)?,
        from => worker.run_all(from, task.limit)?,
    }
    worker.send(Message::End)
}

/// A kernel and its checked entries.
struct Group {
    kernel: &'static Kernel,
    entries: Vec<&'static CheckerEntry>,
    /// Seconds for one input, reference included; `None` before the first batch.
    cost: Option<f64>,
}

impl Group {
    fn new(kernel: &'static Kernel, entries: &[&'static CheckerEntry]) -> Group {
        let is_of_kernel = |entry: &&&CheckerEntry| entry.kernel == kernel.name;
        Group {
            kernel,
            entries: entries.iter().filter(is_of_kernel).copied().collect(),
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
    fn send(&mut self, message: Message) -> io::Result<()> {
        writeln!(self.out, "{message}")?;
        self.out.flush()
    }

    fn inputs(&mut self, source: Source) -> io::Result<Vec<Input>> {
        self.send(Message::Step(Step::Inputs(Some(source))))?;
        Ok(source.inputs(self.seed))
    }

    /// Runs the sweeps and the random batches, beginning with `from`, until `limit` is over. At least one random
    /// batch is run, so that every entry is checked.
    fn run_all(&mut self, from: Option<Source>, limit: Duration) -> io::Result<()> {
        let start = Instant::now();
        self.send(Message::Step(Step::Inputs(None)))?;
        let first = match from {
            Some(Source::Random(number)) => number,
            from => {
                let is_before = |source: &Source| from.is_some_and(|from| *source != from);
                for source in Source::sweeps().skip_while(is_before) {
                    self.run_sweep(source)?;
                }
                0
            }
        };
        for number in first.. {
            self.run_random_batch(Source::Random(number))?;
            if self.groups.is_empty() || start.elapsed() >= limit {
                break;
            }
        }
        Ok(())
    }

    fn run_sweep(&mut self, source: Source) -> io::Result<()> {
        let is_covered = |group: &Group| source.covers(group.entries[0]);
        if !self.groups.iter().any(is_covered) {
            return Ok(());
        }
        let inputs = self.inputs(source)?;
        for i in 0..self.groups.len() {
            if is_covered(&self.groups[i]) {
                self.compare(i, source, &inputs)?;
            }
        }
        self.groups.retain(|group| !group.entries.is_empty());
        Ok(())
    }

    /// Runs a random batch. All kernels get about the same time: the fastest gets all inputs, slower ones get
    /// fewer. Most slow kernels have a slow reference.
    fn run_random_batch(&mut self, source: Source) -> io::Result<()> {
        let start = Instant::now();
        let inputs = self.inputs(source)?;
        let making = start.elapsed().as_secs_f64();
        let costs = self.groups.iter().filter_map(|group| group.cost);
        let fastest = costs.fold(f64::INFINITY, f64::min) * BATCH as f64;
        let share = (making * COMPARISON_RATIO / self.groups.len() as f64).max(fastest);
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

    /// Compares the entries of group `i` with the reference, and drops those that differ.
    fn compare(&mut self, i: usize, source: Source, inputs: &[Input]) -> io::Result<()> {
        let kernel = self.groups[i].kernel;
        self.send(Message::Step(Step::Reference(kernel, source)))?;
        let expected = expected(kernel, inputs);
        let mut agreed = Vec::new();
        for entry in std::mem::take(&mut self.groups[i].entries) {
            self.send(Message::Step(Step::Run(entry, source)))?;
            let difference = entry.first_difference(inputs, &expected);
            match difference.expect("only entries that can run are selected") {
                None => {
                    self.send(Message::Agreed(inputs.len() as u64))?;
                    agreed.push(entry);
                }
                Some((index, got)) => self.send(Message::Differed(index, got))?,
            }
        }
        self.groups[i].entries = agreed;
        Ok(())
    }

    /// Runs every entry on one batch and announces each case.
    fn run_case_by_case(&mut self, source: Source) -> io::Result<()> {
        let inputs = self.inputs(source)?;
        let groups = self.groups.iter();
        let entries: Vec<_> = groups.flat_map(|group| group.entries.clone()).collect();
        for entry in entries {
            self.send(Message::Step(Step::Run(entry, source)))?;
            for (index, input) in inputs.iter().enumerate() {
                self.send(Message::Index(index))?;
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
    fn shortest_check_runs_every_algorithm_on_enough_inputs() {
        let task = Task {
            seed: 3,
            limit: Duration::ZERO,
            from: Some(Source::Random(0)),
            announces_cases: false,
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
            let count: usize = count.expect("the answers agree").parse().expect("a number");
            assert!(count >= FIRST, "{run}: {count}");
        }
        assert_eq!(lines.last(), Some(&"end"));
    }
}
