//! Measurements of the cost of a call: many short samples, interleaved.
//!
//! ```no_run
//! use outflank_checker_core::{bench, registry};
//!
//! let flips: Vec<_> = registry::runnable().filter(|entry| entry.kernel == "flip").collect();
//! for row in bench(&flips, 21, || ())?.rows {
//!     println!("{}: {:.2} ns", row.entry.name(), row.throughput.ns.median());
//! }
//! # Ok::<(), outflank_kernels::IsaError>(())
//! ```
//!
//! A sample is several passes over a trace. An untimed pass before it warms up the caches and the vector
//! units. The clock of the core is measured before and after the sample. The entries take turns, so that a slow
//! phase of the machine hits all of them, and the median of the samples leaves it out.

mod baseline;
mod clock;
#[cfg_attr(
    not(all(feature = "counter", target_os = "linux")),
    path = "no_counter.rs"
)]
mod counter;
mod ratio;
mod samples;

use std::hint::black_box;

use outflank_kernels::{Block, IsaError};

use crate::input::Input;
use crate::registry::{CheckerEntry, Kernel, OutputKind};
use crate::trace::{LENGTH, Trace, recorded};
pub use baseline::{Baseline, Before, Change, Measure, ROUNDS, Verdict, changes};
use clock::{STRETCH, Timer};
pub use ratio::Ratio;
pub use samples::Samples;

/// Minimum duration of a sample in nanoseconds.
const SAMPLE: f64 = 20_000.0 * STRETCH as f64;

/// Size of the memory for kernels that fill memory, larger than most caches.
pub const FILLED_MIB: usize = 64;

/// Number of blocks in [`FILLED_MIB`].
const FILLED_BLOCKS: usize = (FILLED_MIB << 20) / size_of::<Block>();

/// Cost of a call, or of a KiB for kernels that fill memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Cost {
    /// Nanoseconds.
    pub ns: Samples,
    /// Cycles of the core.
    pub cycles: Samples,
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

impl Cost {
    fn join(&mut self, other: Cost) {
        self.ns.join(other.ns);
        self.cycles.join(other.cycles);
    }
}

impl Row {
    /// Adds the samples of another measurement of the same entry.
    pub fn join(&mut self, other: Row) {
        self.throughput.join(other.throughput);
        if let (Some(latency), Some(other)) = (&mut self.latency, other.latency) {
            latency.join(other);
        }
    }
}

/// Measurement of the slow reference of one kernel, for comparison.
pub struct ReferenceRow {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Cost of a call, including the conversion of its answer.
    pub throughput: Cost,
}

/// Clock of the core, in cycles per nanosecond.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CoreClock {
    /// Median over all samples.
    pub ghz: f64,
    /// Before the first sample.
    pub before_ghz: f64,
    /// After the last sample.
    pub after_ghz: f64,
    /// Interquartile range over all samples, as a fraction of the median.
    pub spread: f64,
    /// `true` if a hardware counter counted the cycles, `false` if they follow from the calibrated clock.
    pub is_counted: bool,
}

/// Measurements of all entries.
pub struct Measurements {
    /// A row for each entry, in the order of the entries.
    pub rows: Vec<Row>,
    /// A row for each kernel of the entries, except for kernels that fill memory.
    pub references: Vec<ReferenceRow>,
    /// The core's clock.
    pub clock: CoreClock,
    /// Cost of reading the time in nanoseconds, already subtracted.
    pub timer_ns: f64,
}

/// One sample: nanoseconds, and cycles per nanosecond.
#[derive(Clone, Copy)]
struct Sample {
    ns: f64,
    clock: f64,
}

impl Sample {
    /// Divides the time of a pass by the number of its units.
    fn each(self, units: usize) -> Sample {
        Sample {
            ns: self.ns / units as f64,
            ..self
        }
    }
}

fn cost(samples: &[Sample]) -> Cost {
    Cost {
        ns: Samples::new(samples.iter().map(|sample| sample.ns)),
        cycles: Samples::new(samples.iter().map(|sample| sample.ns * sample.clock)),
    }
}

/// An entry under measurement.
struct Subject {
    entry: &'static CheckerEntry,
    /// Index of its kernel's track.
    track: usize,
    throughput: Vec<Sample>,
    latency: Vec<Sample>,
}

/// A kernel with its trace and its reference under measurement.
struct Track {
    kernel: &'static Kernel,
    trace: Trace,
    /// Inputs of the reference, spread over the trace. Empty for kernels that fill memory.
    inputs: Vec<Input>,
    reference: Vec<Sample>,
}

impl Track {
    /// Number of calls in a pass of a reference: fewer than in a trace, because references are slow.
    const CALLS: usize = 256;

    fn new(entry: &CheckerEntry) -> Track {
        let inputs: Vec<Input> = recorded(entry.kernel).into_iter().map(Input::new).collect();
        let (blocks, calls) = match entry.kind {
            OutputKind::Fills => (FILLED_BLOCKS, 0),
            OutputKind::Returns | OutputKind::Writes | OutputKind::Lists => (0, Track::CALLS),
        };
        let trace = Trace::new(&inputs, blocks).expect("every kernel has samples");
        let step = inputs.len().div_ceil(Track::CALLS);
        Track {
            kernel: entry.kernel(),
            trace,
            inputs: inputs.into_iter().step_by(step).take(calls).collect(),
            reference: Vec::new(),
        }
    }

    /// Takes a sample of the reference.
    fn sample_reference(&mut self, timer: &Timer) {
        let calls = self.inputs.len();
        if calls > 0 {
            let mut pass = || {
                let answers = self.inputs.iter().map(self.kernel.reference);
                answers.fold(0, |sum, answer| answer.0[0].wrapping_sub(sum))
            };
            let warm = warm(timer, &mut pass);
            let timed = sample(timer, passes(warm), &mut pass);
            self.reference.push(timed.each(calls));
        }
    }
}

/// Makes the subjects and a track for each of their kernels.
fn subjects(entries: &[&'static CheckerEntry]) -> (Vec<Subject>, Vec<Track>) {
    let mut tracks: Vec<Track> = Vec::new();
    let subjects = entries.iter().map(|&entry| {
        let known = tracks
            .iter()
            .position(|track| track.kernel.name == entry.kernel);
        let track = known.unwrap_or_else(|| {
            tracks.push(Track::new(entry));
            tracks.len() - 1
        });
        Subject {
            entry,
            track,
            throughput: Vec::new(),
            latency: Vec::new(),
        }
    });
    (subjects.collect(), tracks)
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
    let timer = &Timer::new();
    let before_ghz = timer.gigahertz();
    let (mut subjects, mut tracks) = subjects(entries);
    for _ in 0..samples {
        for subject in &mut subjects {
            let (entry, trace) = (subject.entry, &mut tracks[subject.track].trace);
            subject.throughput.push(throughput(entry, trace, timer)?);
            if entry.kind != OutputKind::Fills {
                subject.latency.push(latency(entry, trace, timer)?);
            }
            advance();
        }
        for track in &mut tracks {
            track.sample_reference(timer);
        }
    }
    let samples = subjects.iter().flat_map(|subject| &subject.throughput);
    let clock = Samples::new(samples.map(|sample| sample.clock));
    let clock = CoreClock {
        ghz: clock.median(),
        before_ghz,
        after_ghz: timer.gigahertz(),
        spread: clock.spread() / clock.median(),
        is_counted: timer.counts(),
    };
    let rows = subjects.iter().map(|subject| Row {
        entry: subject.entry,
        throughput: cost(&subject.throughput),
        latency: (!subject.latency.is_empty()).then(|| cost(&subject.latency)),
    });
    let measured = tracks.iter().filter(|track| !track.reference.is_empty());
    let references = measured.map(|track| ReferenceRow {
        kernel: track.kernel.name,
        throughput: cost(&track.reference),
    });
    Ok(Measurements {
        rows: rows.collect(),
        references: references.collect(),
        clock,
        timer_ns: timer.cost,
    })
}

/// Returns the number of passes that take [`SAMPLE`] if one takes `ns`.
fn passes(ns: f64) -> u32 {
    (SAMPLE / ns.max(1.0)).ceil().max(1.0) as u32
}

/// Returns the nanoseconds of a pass, averaged over enough passes for the clock's resolution.
fn warm(timer: &Timer, mut pass: impl FnMut() -> u64) -> f64 {
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

/// Times `passes` calls of `pass`. The clock follows from the counted cycles, or else is the mean of the clocks before
/// and after.
fn sample(timer: &Timer, passes: u32, mut pass: impl FnMut() -> u64) -> Sample {
    let before = timer.gigahertz();
    let (ns, cycles) = timer.count(|| {
        for _ in 0..passes {
            black_box(pass());
        }
    });
    let after = timer.gigahertz();
    let counted = cycles.filter(|_| ns > 0.0).map(|cycles| cycles / ns);
    Sample {
        ns: ns / f64::from(passes),
        clock: counted.unwrap_or((before + after) / 2.0),
    }
}

fn throughput(entry: &CheckerEntry, trace: &mut Trace, timer: &Timer) -> Result<Sample, IsaError> {
    // The first call proves that the CPU has the level.
    entry.repeat(trace)?;
    let mut pass = || entry.repeat(trace).unwrap_or(0);
    let warm = warm(timer, &mut pass);
    let timed = sample(timer, passes(warm), &mut pass);
    let units = match entry.kind {
        OutputKind::Fills => FILLED_MIB * 1024,
        OutputKind::Returns | OutputKind::Writes | OutputKind::Lists => LENGTH,
    };
    Ok(timed.each(units))
}

fn latency(entry: &CheckerEntry, trace: &mut Trace, timer: &Timer) -> Result<Sample, IsaError> {
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
    fn samples_are_long_enough() {
        assert_eq!(passes(SAMPLE), 1);
        assert_eq!(passes(10.0 * SAMPLE), 1);
        assert_eq!(passes(SAMPLE / 2.5), 3);
        assert_eq!(passes(0.0), SAMPLE as u32);
    }
}
