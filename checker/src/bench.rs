//! What a call of each algorithm costs: many short samples, interleaved.
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
//! A sample is some passes over a trace. Before it an untimed pass warms up the caches and the vector
//! units; around it the clock of the core is measured. The entries take turns, so that whatever slows
//! the machine down for a while falls on all of them; the median of the samples leaves it out.

mod clock;

use std::hint::black_box;

use outflank_kernels::{Block, IsaError};

use crate::input::Input;
use crate::registry::{Entry, Kind};
use crate::trace::{LENGTH, Trace, recorded};
use clock::{STRETCH, Timer};

/// A sample goes on for at least so many nanoseconds.
const SAMPLE: f64 = 20_000.0 * STRETCH as f64;

/// Memory for the kernels that fill some: more than most caches hold.
pub const FILLED_MIB: usize = 64;

/// Blocks in that memory.
const FILLED_BLOCKS: usize = (FILLED_MIB << 20) / size_of::<Block>();

/// The median of some samples and how far half of them lie apart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    /// The median.
    pub median: f64,
    /// The third quartile less the first.
    pub spread: f64,
}

impl Summary {
    /// The summary of at least one sample.
    pub fn of(samples: impl IntoIterator<Item = f64>) -> Summary {
        let mut samples: Vec<f64> = samples.into_iter().collect();
        samples.sort_by(f64::total_cmp);
        // Between two samples, as far as the fraction says.
        let at = |fraction: f64| {
            let place = fraction * (samples.len() - 1) as f64;
            let (below, above) = (
                samples[place.floor() as usize],
                samples[place.ceil() as usize],
            );
            below + (above - below) * place.fract()
        };
        Summary {
            median: at(0.5),
            spread: at(0.75) - at(0.25),
        }
    }
}

/// What a call costs, or a KiB.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cost {
    /// In nanoseconds.
    pub ns: Summary,
    /// In cycles of the core.
    pub cycles: Summary,
}

/// What was measured of an entry.
pub struct Row {
    /// The entry.
    pub entry: &'static Entry,
    /// Of a call among others that do not wait for it; of a KiB, for kernels that fill memory.
    pub throughput: Cost,
    /// Of a call that waits for the one before; none for kernels that fill memory.
    pub latency: Option<Cost>,
}

/// What was measured of all entries.
pub struct Measurements {
    /// A row for each entry, in their order.
    pub rows: Vec<Row>,
    /// The median of the core's clock, in cycles a nanosecond.
    pub clock_ghz: f64,
    /// What reading the time costs, in nanoseconds: it is subtracted.
    pub timer_ns: f64,
}

/// One sample: nanoseconds, and cycles a nanosecond.
#[derive(Clone, Copy)]
struct Sample {
    ns: f64,
    clock: f64,
}

fn cost(samples: &[Sample]) -> Cost {
    Cost {
        ns: Summary::of(samples.iter().map(|sample| sample.ns)),
        cycles: Summary::of(samples.iter().map(|sample| sample.ns * sample.clock)),
    }
}

/// An entry that is being measured.
struct Subject {
    entry: &'static Entry,
    /// Which of the traces is its kernel's.
    trace: usize,
    throughput: Vec<Sample>,
    latency: Vec<Sample>,
}

/// The subjects, and the traces of what a search gave to their kernels.
fn subjects(entries: &[&'static Entry]) -> (Vec<Subject>, Vec<Trace>) {
    let (mut kernels, mut traces) = (Vec::new(), Vec::new());
    let subjects = entries.iter().map(|&entry| {
        let known = kernels.iter().position(|kernel| *kernel == entry.kernel);
        let trace = known.unwrap_or_else(|| {
            let inputs: Vec<Input> = recorded(entry.kernel).into_iter().map(Input::new).collect();
            let blocks = match entry.kind {
                Kind::Fills => FILLED_BLOCKS,
                Kind::Returns | Kind::Writes | Kind::Lists => 0,
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

/// Measures `entries`, at least one, with at least one sample each (21 are enough for a quiet machine).
/// `advance` is called after each sample. An error where the CPU lacks the level of an entry.
///
/// The thread should stay on one core; nothing here sees to that.
pub fn bench(
    entries: &[&'static Entry],
    samples: usize,
    mut advance: impl FnMut(),
) -> Result<Measurements, IsaError> {
    let timer = Timer::new();
    let (mut subjects, mut traces) = subjects(entries);
    for _ in 0..samples {
        for subject in &mut subjects {
            let (entry, trace) = (subject.entry, &mut traces[subject.trace]);
            subject.throughput.push(throughput(entry, trace, timer)?);
            if entry.kind != Kind::Fills {
                subject.latency.push(latency(entry, trace, timer)?);
            }
            advance();
        }
    }
    let samples = subjects.iter().flat_map(|subject| &subject.throughput);
    let clock = Summary::of(samples.map(|sample| sample.clock)).median;
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

/// Passes that take long enough, when one takes `ns`.
fn passes(ns: f64) -> u32 {
    (SAMPLE / ns.max(1.0)).ceil().max(1.0) as u32
}

/// What a pass takes, in nanoseconds: of one, or of as many as the clock needs to tell.
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

/// Times `passes` calls of `pass`, and the clock before and after.
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

fn throughput(entry: &Entry, trace: &mut Trace, timer: Timer) -> Result<Sample, IsaError> {
    // The first call proves that the CPU has the level.
    entry.repeat(trace)?;
    let mut pass = || entry.repeat(trace).unwrap_or(0);
    let warm = warm(timer, &mut pass);
    let timed = sample(timer, passes(warm), &mut pass);
    let units = match entry.kind {
        Kind::Fills => FILLED_MIB * 1024,
        Kind::Returns | Kind::Writes | Kind::Lists => LENGTH,
    };
    Ok(Sample {
        ns: timed.ns / units as f64,
        ..timed
    })
}

fn latency(entry: &Entry, trace: &mut Trace, timer: Timer) -> Result<Sample, IsaError> {
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
    fn medians_and_quartiles() {
        for (samples, median, spread) in [
            (&[3.0][..], 3.0, 0.0),
            (&[2.0, 1.0], 1.5, 0.5),
            (&[4.0, 1.0, 2.0, 9.0], 3.0, 3.5),
            (&[5.0, 1.0, 100.0, 2.0, 3.0], 3.0, 3.0),
            (&[4.0, 4.0, 4.0, 4.0], 4.0, 0.0),
        ] {
            assert_eq!(
                Summary::of(samples.iter().copied()),
                Summary { median, spread }
            );
        }
    }

    #[test]
    fn a_sample_is_long_enough() {
        assert_eq!(passes(SAMPLE), 1);
        assert_eq!(passes(10.0 * SAMPLE), 1);
        assert_eq!(passes(SAMPLE / 2.5), 3);
        assert_eq!(passes(0.0), SAMPLE as u32);
    }
}
