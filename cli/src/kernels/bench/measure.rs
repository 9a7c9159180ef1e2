//! Measuring entries of the registry: many short samples, taken in turn.
//!
//! A sample is some passes over a trace. Before it an untimed pass warms up the caches and the vector
//! units; around it the clock of the core is measured. The entries take turns, so that whatever slows
//! the machine down for a while falls on all of them; the median of the samples leaves it out.

use std::hint::black_box;

use outflank::kernels::registry::{Entry, Kind};
use outflank::kernels::trace::{LENGTH, Trace};
use outflank::kernels::{Block, IsaError};
use serde::Serialize;

use super::clock::Timer;

/// A sample goes on for at least so many nanoseconds.
const SAMPLE: f64 = 20_000.0;

/// Memory for the kernels that fill some: more than most caches hold.
pub(super) const FILLED_MIB: usize = 64;

/// Blocks in that memory.
pub(super) const FILLED_BLOCKS: usize = (FILLED_MIB << 20) / size_of::<Block>();

/// A median, and half of the samples around it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(in crate::kernels) struct Middle {
    #[serde(serialize_with = "rounded")]
    pub(in crate::kernels) median: f64,
    /// The third quartile less the first.
    #[serde(serialize_with = "rounded")]
    pub(super) spread: f64,
}

/// Three digits after the point: what follows is noise.
pub(super) fn rounded<S: serde::Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64((number * 1000.0).round() / 1000.0)
}

impl Middle {
    /// Of some samples, at least one.
    pub(in crate::kernels) fn of(samples: impl IntoIterator<Item = f64>) -> Middle {
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
        Middle {
            median: at(0.5),
            spread: at(0.75) - at(0.25),
        }
    }
}

/// What a call costs, or a KiB.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(super) struct Cost {
    pub(super) ns: Middle,
    pub(super) cycles: Middle,
}

/// What was measured of an entry.
pub(super) struct Row {
    pub(super) entry: &'static Entry,
    /// Of a call among others that do not wait for it; of a KiB, for kernels that fill memory.
    pub(super) throughput: Cost,
    /// Of a call that waits for the one before; none for kernels that fill memory.
    pub(super) latency: Option<Cost>,
}

/// One sample: nanoseconds, and cycles a nanosecond.
#[derive(Clone, Copy)]
struct Sample {
    ns: f64,
    clock: f64,
}

fn cost(samples: &[Sample]) -> Cost {
    Cost {
        ns: Middle::of(samples.iter().map(|sample| sample.ns)),
        cycles: Middle::of(samples.iter().map(|sample| sample.ns * sample.clock)),
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

/// Measures `entries`, `repeats` samples each. `traces` has a trace for each kernel's name; `advance` is
/// called after each sample. Also the median clock in cycles a nanosecond. An error where the CPU lacks
/// a level.
pub(super) fn measure(
    entries: &[&'static Entry],
    traces: &mut [(&'static str, Trace)],
    repeats: usize,
    timer: Timer,
    advance: impl Fn(),
) -> Result<(Vec<Row>, f64), IsaError> {
    let trace_of = |kernel: &str| traces.iter().position(|(name, _)| *name == kernel);
    let mut subjects: Vec<Subject> = entries
        .iter()
        .map(|&entry| Subject {
            entry,
            trace: trace_of(entry.kernel).expect("there is one for each kernel"),
            throughput: Vec::new(),
            latency: Vec::new(),
        })
        .collect();
    for _ in 0..repeats {
        for subject in &mut subjects {
            let (_, trace) = &mut traces[subject.trace];
            subject
                .throughput
                .push(throughput(subject.entry, trace, timer)?);
            if subject.entry.kind != Kind::Fills {
                subject.latency.push(latency(subject.entry, trace, timer)?);
            }
            advance();
        }
    }
    let samples = subjects.iter().flat_map(|subject| &subject.throughput);
    let clock = Middle::of(samples.map(|sample| sample.clock)).median;
    let rows = subjects.iter().map(|subject| Row {
        entry: subject.entry,
        throughput: cost(&subject.throughput),
        latency: (!subject.latency.is_empty()).then(|| cost(&subject.latency)),
    });
    Ok((rows.collect(), clock))
}

/// Passes that take long enough, when one takes `ns`.
fn passes(ns: f64) -> u32 {
    (SAMPLE / ns.max(1.0)).ceil().max(1.0) as u32
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
    let warm = timer.time(&mut pass);
    let timed = sample(timer, passes(warm), &mut pass);
    let units = match entry.kind {
        Kind::Fills => FILLED_MIB * 1024,
        Kind::Returns | Kind::Writes => LENGTH,
    };
    Ok(Sample {
        ns: timed.ns / units as f64,
        ..timed
    })
}

fn latency(entry: &Entry, trace: &mut Trace, timer: Timer) -> Result<Sample, IsaError> {
    let zero = black_box(0);
    entry.chain(trace, zero)?;
    let warm = timer.time(|| entry.chain(trace, zero));
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
                Middle::of(samples.iter().copied()),
                Middle { median, spread }
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
