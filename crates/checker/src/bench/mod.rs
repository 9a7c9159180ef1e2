//! Measurements of the cost of a call: many short samples, interleaved.
//!
//! ```no_run
//! use outflank_checker::{bench, registry};
//!
//! let flips: Vec<_> = registry::runnable().filter(|entry| entry.kernel == "flip").collect();
//! for row in bench(&flips, 21, || ())?.rows {
//!     println!("{}: {:.2} ns", row.entry.name(), row.throughput.ns.median);
//! }
//! # Ok::<(), outflank_kernels::IsaError>(())
//! ```
//!
//! A sample is several passes over a trace. An untimed pass before it warms up the caches and the vector
//! units. The clock of the core is measured before and after it. The entries take turns, so that a slow
//! phase of the machine hits all of them, and the median of the samples leaves it out.

mod clock;

use std::hint::black_box;

use outflank_kernels::{Block, IsaError};

use crate::input::Input;
use crate::registry::{CheckerEntry, OutputKind};
use crate::trace::{LENGTH, Trace, recorded};
use clock::{STRETCH, Timer};

/// Minimum duration of a sample in nanoseconds.
const SAMPLE: f64 = 20_000.0 * STRETCH as f64;

/// Size of the memory for kernels that fill memory, larger than most caches.
pub const FILLED_MIB: usize = 64;

/// Number of blocks in [`FILLED_MIB`].
const FILLED_BLOCKS: usize = (FILLED_MIB << 20) / size_of::<Block>();

/// Median and interquartile range of some samples.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    /// The median.
    pub median: f64,
    /// Third quartile minus the first.
    pub spread: f64,
}

impl Summary {
    /// Summarizes at least one sample.
    pub fn new(samples: impl IntoIterator<Item = f64>) -> Summary {
        let mut samples: Vec<f64> = samples.into_iter().collect();
        samples.sort_by(f64::total_cmp);
        // Interpolates between two samples.
        let at = |fraction: f64| {
            let position = fraction * (samples.len() - 1) as f64;
            let (below, above) = (
                samples[position.floor() as usize],
                samples[position.ceil() as usize],
            );
            below + (above - below) * position.fract()
        };
        Summary {
            median: at(0.5),
            spread: at(0.75) - at(0.25),
        }
    }
}

/// Cost of a call, or of a KiB for kernels that fill memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cost {
    /// Nanoseconds.
    pub ns: Summary,
    /// Cycles of the core.
    pub cycles: Summary,
}

/// Measurements of one entry.
pub struct Row {
    /// The entry.
    pub entry: &'static CheckerEntry,
    /// Cost of one of many independent calls, or of a KiB for kernels that fill memory.
    pub throughput: Cost,
    /// Cost of a call that waits for the one before; `None` for kernels that fill memory.
    pub latency: Option<Cost>,
}

/// Measurements of all entries.
pub struct Measurements {
    /// A row for each entry, in the order of the entries.
    pub rows: Vec<Row>,
    /// Median of the core's clock, in cycles per nanosecond.
    pub clock_ghz: f64,
    /// Cost of reading the time in nanoseconds, already subtracted.
    pub timer_ns: f64,
}

/// One sample: nanoseconds, and cycles per nanosecond.
#[derive(Clone, Copy)]
struct Sample {
    ns: f64,
    clock: f64,
}

fn cost(samples: &[Sample]) -> Cost {
    Cost {
        ns: Summary::new(samples.iter().map(|sample| sample.ns)),
        cycles: Summary::new(samples.iter().map(|sample| sample.ns * sample.clock)),
    }
}

/// An entry under measurement.
struct Subject {
    entry: &'static CheckerEntry,
    /// Index of its kernel's trace.
    trace: usize,
    throughput: Vec<Sample>,
    latency: Vec<Sample>,
}

/// Makes the subjects and a recorded trace for each of their kernels.
fn subjects(entries: &[&'static CheckerEntry]) -> (Vec<Subject>, Vec<Trace>) {
    let (mut kernels, mut traces) = (Vec::new(), Vec::new());
    let subjects = entries.iter().map(|&entry| {
        let known = kernels.iter().position(|kernel| *kernel == entry.kernel);
        let trace = known.unwrap_or_else(|| {
            let inputs: Vec<Input> = recorded(entry.kernel).into_iter().map(Input::new).collect();
            let blocks = match entry.kind {
                OutputKind::Fills => FILLED_BLOCKS,
                OutputKind::Returns | OutputKind::Writes | OutputKind::Lists => 0,
            };
            kernels.push(entry.kernel);
            traces.push(Trace::new(&inputs, blocks).expect("every kernel has samples"));
            traces.len() - 1
        });
        Subject {
            entry,
            trace,
            throughput: Vec::new(),
            latency: Vec::new(),
        }
    });
    (subjects.collect(), traces)
}

/// Measures `entries`, at least one, with at least one sample each; 21 are enough on a quiet machine. Calls
/// `advance` after each entry of a round. Returns an error if the CPU lacks the level of an entry.
///
/// The caller should pin the thread to one core.
pub fn bench(
    entries: &[&'static CheckerEntry],
    samples: usize,
    mut advance: impl FnMut(),
) -> Result<Measurements, IsaError> {
    let timer = Timer::new();
    let (mut subjects, mut traces) = subjects(entries);
    for _ in 0..samples {
        for subject in &mut subjects {
            let (entry, trace) = (subject.entry, &mut traces[subject.trace]);
            subject.throughput.push(throughput(entry, trace, timer)?);
            if entry.kind != OutputKind::Fills {
                subject.latency.push(latency(entry, trace, timer)?);
            }
            advance();
        }
    }
    let samples = subjects.iter().flat_map(|subject| &subject.throughput);
    let clock = Summary::new(samples.map(|sample| sample.clock)).median;
    let rows = subjects.iter().map(|subject| Row {
        entry: subject.entry,
        throughput: cost(&subject.throughput),
        latency: (!subject.latency.is_empty()).then(|| cost(&subject.latency)),
    });
    Ok(Measurements {
        rows: rows.collect(),
        clock_ghz: clock,
        timer_ns: timer.cost,
    })
}

/// Returns the number of passes that take [`SAMPLE`] if one takes `ns`.
fn passes(ns: f64) -> u32 {
    (SAMPLE / ns.max(1.0)).ceil().max(1.0) as u32
}

/// Returns the nanoseconds of a pass, averaged over enough passes for the clock's resolution.
fn warm(timer: Timer, mut pass: impl FnMut() -> u64) -> f64 {
    let mut passes = 1;
    loop {
        let ns = timer.time(|| {
            for _ in 0..passes {
                black_box(pass());
            }
        });
        if ns >= SAMPLE / 16.0 {
            return ns / f64::from(passes);
        }
        passes *= 2;
    }
}

/// Times `passes` calls of `pass`, and measures the clock before and after.
fn sample(timer: Timer, passes: u32, mut pass: impl FnMut() -> u64) -> Sample {
    let before = timer.gigahertz();
    let ns = timer.time(|| {
        for _ in 0..passes {
            black_box(pass());
        }
    });
    let after = timer.gigahertz();
    Sample {
        ns: ns / f64::from(passes),
        clock: (before + after) / 2.0,
    }
}

fn throughput(entry: &CheckerEntry, trace: &mut Trace, timer: Timer) -> Result<Sample, IsaError> {
    // The first call proves that the CPU has the level.
    entry.repeat(trace)?;
    let mut pass = || entry.repeat(trace).unwrap_or(0);
    let warm = warm(timer, &mut pass);
    let timed = sample(timer, passes(warm), &mut pass);
    let units = match entry.kind {
        OutputKind::Fills => FILLED_MIB * 1024,
        OutputKind::Returns | OutputKind::Writes | OutputKind::Lists => LENGTH,
    };
    Ok(Sample {
        ns: timed.ns / units as f64,
        ..timed
    })
}

fn latency(entry: &CheckerEntry, trace: &mut Trace, timer: Timer) -> Result<Sample, IsaError> {
    let zero = black_box(0);
    entry.chain(trace, zero)?;
    let warm = warm(timer, || entry.chain(trace, zero).unwrap_or(0));
    let passes = passes(warm);
    let timed = sample(timer, passes, || entry.chain(trace, zero).unwrap_or(0));
    let nothing = sample(timer, passes, || trace.latency_of_nothing(zero));
    Ok(Sample {
        ns: (timed.ns - nothing.ns).max(0.0) / LENGTH as f64,
        ..timed
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_have_median_and_spread() {
        for (samples, median, spread) in [
            (&[3.0][..], 3.0, 0.0),
            (&[2.0, 1.0], 1.5, 0.5),
            (&[4.0, 1.0, 2.0, 9.0], 3.0, 3.5),
            (&[5.0, 1.0, 100.0, 2.0, 3.0], 3.0, 3.0),
            (&[4.0, 4.0, 4.0, 4.0], 4.0, 0.0),
        ] {
            assert_eq!(
                Summary::new(samples.iter().copied()),
                Summary { median, spread }
            );
        }
    }

    #[test]
    fn samples_are_long_enough() {
        assert_eq!(passes(SAMPLE), 1);
        assert_eq!(passes(10.0 * SAMPLE), 1);
        assert_eq!(passes(SAMPLE / 2.5), 3);
        assert_eq!(passes(0.0), SAMPLE as u32);
    }
}
