//! Comparison of measurements with an earlier record, such that noise raises no alarm.
//!
//! Each cost of the record that exists today is a [`Change`]: the [`Ratio`] of today's samples to the recorded ones. Costs
//! are compared in cycles, which a change of the clock leaves alone. The intervals are corrected for the number of costs of
//! changed or unknown code (Bonferroni), so that at most one run in a hundred has a false alarm by chance. Those of
//! unchanged code are corrected for their own number.
//!
//! Noise is not only chance. Another program may slow down a core for seconds, and the placement of memory may slow down
//! a whole process. So costs that may be slower are measured again, [`ROUNDS`] times in all. The caller should do that in
//! new processes with more samples. All later measurements must show the slowdown.
//!
//! A neighbour on the other thread of a core slows down all code, which no clock shows. So some unchanged code is measured
//! along with those costs. If most of it is slower than recorded, too, the machine is disturbed. Then the measurement does
//! not count and is repeated.
//!
//! Another build can place the same machine code at another address, which changes costs by up to 14 %. No repetition
//! shows this. So a cost of unchanged code has [drifted](Verdict::Drifted) at worst.

use super::{Cost, Ratio, Row, Samples};
use crate::registry::CheckerEntry;

/// Number of measurements of a cost that is reported as slower. The first one only chooses.
pub const ROUNDS: usize = 3;

/// Maximum number of measurements of a round that do not count because the machine is disturbed. The next one counts in
/// any case.
const MAX_DISTURBED: usize = 20;

/// Number of unchanged algorithms that are measured along with those that may be slower.
const CONTROLS: usize = 5;

/// Probability that a run has any false alarm by chance, or any false drift.
const ERROR: f64 = 0.01;

/// Cost that is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Time of one of many independent calls.
    Throughput,
    /// Time of a call that waits for the one before.
    Latency,
}

impl Measure {
    /// Both costs.
    pub const ALL: [Measure; 2] = [Measure::Throughput, Measure::Latency];

    /// Name in tables and records.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Throughput => "throughput",
            Measure::Latency => "latency",
        }
    }

    /// The cost of a row; `None` for the latency of kernels that fill memory.
    pub fn of(self, row: &Row) -> Option<&Cost> {
        match self {
            Measure::Throughput => Some(&row.throughput),
            Measure::Latency => row.latency.as_ref(),
        }
    }

    /// Address of the machine code that is timed for the cost of an entry.
    pub fn timed_address(self, entry: &CheckerEntry) -> usize {
        match self {
            Measure::Throughput => entry.repeat_address(),
            Measure::Latency => entry.chain_address(),
        }
    }
}

/// One recorded cost, or that of another algorithm in today's measurements.
pub struct Baseline {
    /// Entry that is compared today.
    pub entry: &'static CheckerEntry,
    /// Cost that is compared.
    pub measure: Measure,
    /// Source of the cost before.
    pub before: Before,
    /// `true` if the timed machine code is that of the record, `None` if it is unknown.
    pub same_code: Option<bool>,
}

/// Source of the cost before a change.
pub enum Before {
    /// Samples of a record.
    Recorded(Samples),
    /// Algorithm that the level selected in the record. It is measured in turn with today's.
    Selected(&'static CheckerEntry),
}

/// Change of one cost.
#[derive(Clone, Copy)]
pub struct Change {
    /// Ratio of the cost now to the cost before.
    pub ratio: Ratio,
    /// Median before, in cycles.
    pub before: f64,
    /// Median now, in cycles.
    pub now: f64,
    /// Number of measurements, 1 to [`ROUNDS`].
    pub rounds: usize,
    /// As in [`Baseline`].
    pub same_code: Option<bool>,
}

/// Result of a comparison with a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Slowdown of changed or unknown code, over the limit with significance.
    Slower,
    /// Speedup of changed or unknown code, over the limit with significance.
    Faster,
    /// Slowdown or speedup of unchanged code, over the limit with significance. Its reason is another address of the
    /// code or its data, or the machine.
    Drifted,
    /// No change that is surely over the limit.
    Similar,
}

impl Verdict {
    /// Name in comparisons.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Slower => "slower",
            Verdict::Faster => "faster",
            Verdict::Drifted => "drifted",
            Verdict::Similar => "similar",
        }
    }
}

impl Change {
    /// Compares the ratio with a limit, a ratio above 1.
    pub fn verdict(&self, limit: f64) -> Verdict {
        let (is_slower, is_faster) = (self.ratio.low > limit, self.ratio.high < 1.0 / limit);
        match self.same_code {
            Some(true) if is_slower || is_faster => Verdict::Drifted,
            _ if is_slower => Verdict::Slower,
            _ if is_faster => Verdict::Faster,
            _ => Verdict::Similar,
        }
    }
}

/// Compares measured rows with each baseline. Costs that may be slower than `limit`, a ratio above 1, are measured again
/// by `measure`.
pub fn changes<E>(
    baselines: &[Baseline],
    rows: &[Row],
    limit: f64,
    mut measure: impl FnMut(&[&'static CheckerEntry]) -> Result<Vec<Row>, E>,
) -> Result<Vec<Change>, E> {
    // A few costs of changed code have narrow intervals, however many others there are.
    let error = |baseline: &Baseline| {
        let can_alarm = |baseline: &Baseline| baseline.same_code != Some(true);
        let others = baselines.iter();
        let others = others.filter(|other| can_alarm(other) == can_alarm(baseline));
        ERROR / others.count() as f64
    };
    let mut changes: Vec<Change> = baselines
        .iter()
        .map(|baseline| {
            let change = baseline.change(rows, error(baseline));
            change.expect("it was measured")
        })
        .collect();
    let controls = controls(baselines);
    for _ in 1..ROUNDS {
        let pairs = baselines.iter().zip(&changes);
        let open = pairs.filter(|(_, change)| change.is_open(limit));
        let mut entries: Vec<&'static CheckerEntry> = Vec::new();
        for entry in open.flat_map(|(baseline, _)| baseline.entries()) {
            if !entries.contains(&entry) {
                entries.push(entry);
            }
        }
        if entries.is_empty() {
            break;
        }
        let others = controls.iter().map(|control| control.entry);
        let others: Vec<_> = others.filter(|entry| !entries.contains(entry)).collect();
        entries.extend(others);
        let mut again = measure(&entries)?;
        for _ in 0..MAX_DISTURBED {
            if !is_disturbed(&controls, &again, limit) {
                break;
            }
            again = measure(&entries)?;
        }
        let pairs = baselines.iter().zip(&mut changes);
        for (baseline, change) in pairs.filter(|(_, change)| change.is_open(limit)) {
            if let Some(next) = baseline.change(&again, error(baseline)) {
                *change = change.joined(next, limit);
            }
        }
    }
    Ok(changes)
}

/// Costs of up to [`CONTROLS`] algorithms with unchanged code, spread evenly over all of them.
fn controls(baselines: &[Baseline]) -> Vec<&Baseline> {
    let unchanged = |baseline: &&Baseline| baseline.same_code == Some(true);
    let mut entries: Vec<_> = baselines
        .iter()
        .filter(unchanged)
        .map(|baseline| baseline.entry)
        .collect();
    entries.dedup();
    let step = entries.len().div_ceil(CONTROLS).max(1);
    let chosen: Vec<_> = entries.into_iter().step_by(step).collect();
    let controls = baselines.iter().filter(unchanged);
    controls
        .filter(|baseline| chosen.contains(&baseline.entry))
        .collect()
}

/// Returns `true` if most of the unchanged code is slower than `limit`, so that the machine must be the reason.
fn is_disturbed(controls: &[&Baseline], rows: &[Row], limit: f64) -> bool {
    let changes = controls.iter();
    let changes = changes.filter_map(|control| control.change(rows, ERROR));
    let slow = changes.filter(|change| change.ratio.estimate > limit);
    2 * slow.count() > controls.len()
}

impl Change {
    /// Returns `true` if another measurement is needed. The first one is followed by another unless it excludes a slowdown
    /// over the limit. Later ones are followed by another if they show such a slowdown. Unchanged code cannot be slower,
    /// so it is measured again only to confirm a drift.
    fn is_open(&self, limit: f64) -> bool {
        match (self.rounds, self.same_code) {
            (1, Some(true)) => self.ratio.low > limit,
            (1, _) => self.ratio.high > limit,
            _ => self.ratio.estimate > limit,
        }
    }

    /// Joins an open change with the next measurement. The first measurement only chooses the costs to measure again, so
    /// it does not count. Of later measurements one counts: that without a slowdown over the limit, if there is one. Of
    /// two slowdowns, the one with the higher interval counts.
    fn joined(self, next: Change, limit: f64) -> Change {
        let is_surer = self.ratio.low > next.ratio.low;
        let counts = match self.rounds > 1 && is_surer && next.ratio.estimate > limit {
            true => self,
            false => next,
        };
        Change {
            rounds: self.rounds + 1,
            ..counts
        }
    }
}

impl Baseline {
    /// The entries to be measured.
    pub fn entries(&self) -> impl Iterator<Item = &'static CheckerEntry> {
        let other = match self.before {
            Before::Recorded(_) => None,
            Before::Selected(entry) => Some(entry),
        };
        [self.entry].into_iter().chain(other)
    }

    /// Compares with measurements; `None` if they lack the entry.
    fn change(&self, rows: &[Row], error: f64) -> Option<Change> {
        let samples = |entry: &CheckerEntry| {
            let row = rows.iter().find(|row| row.entry == entry)?;
            Some(self.measure.of(row)?.cycles.clone())
        };
        let now = samples(self.entry)?;
        let before = match &self.before {
            Before::Recorded(samples) => samples.clone(),
            Before::Selected(entry) => samples(entry)?,
        };
        Some(Change {
            ratio: Ratio::new(&before, &now, error),
            before: before.median(),
            now: now.median(),
            rounds: 1,
            same_code: self.same_code,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use outflank_random::SplitMix64;

    use super::*;
    use crate::registry::entries;

    const LIMIT: f64 = 1.03;

    /// Samples of about `cost` cycles. In a `disturbed` measurement two of five are up to twice as long.
    fn cost(random: &mut SplitMix64, cost: f64, disturbed: bool) -> Cost {
        let mut fraction = || random.below(1000) as f64 / 1000.0;
        let samples = Samples::new((0..63).map(|_| {
            let burst = if disturbed && fraction() < 0.4 {
                fraction()
            } else {
                0.0
            };
            cost * (1.0 + 0.01 * fraction() + burst)
        }));
        Cost {
            ns: samples.clone(),
            cycles: samples,
        }
    }

    fn row(random: &mut SplitMix64, entry: &'static CheckerEntry, scale: f64, noise: bool) -> Row {
        Row {
            entry,
            throughput: cost(random, 9.0 * scale, noise),
            latency: Some(cost(random, 20.0 * scale, noise)),
        }
    }

    /// Comparison with a record, whose code is or is not today's, or also of the first entry with another algorithm.
    #[derive(Clone, Copy, Debug)]
    enum Case {
        Recorded(Option<bool>),
        Reselected,
    }

    /// Compares 60 entries, of which the first is `planted` times as slow, in a process that is disturbed at first and
    /// for single entries later. Returns those that are slower or have drifted, and the number of measured entries of
    /// each further round.
    fn noticed(seed: u64, planted: f64, case: Case) -> (Vec<(Verdict, usize)>, Vec<usize>) {
        let mut random = SplitMix64::new(seed);
        let entries: Vec<_> = entries().take(60).collect();
        let scale = |entry: &CheckerEntry| if entry == entries[0] { planted } else { 1.0 };
        let baselines = entries.iter().enumerate().flat_map(|(index, &entry)| {
            let recorded = row(&mut random, entry, 1.0, false);
            let before = |measure: Measure| {
                let cost = measure.of(&recorded)?;
                Some(match case {
                    Case::Reselected if index == 0 => (Before::Selected(entries[1]), None),
                    Case::Reselected => (Before::Recorded(cost.cycles.clone()), None),
                    Case::Recorded(same) => (Before::Recorded(cost.cycles.clone()), same),
                })
            };
            let measures = Measure::ALL.into_iter();
            let baselines = measures.filter_map(|measure| {
                let (before, same_code) = before(measure)?;
                Some(Baseline {
                    entry,
                    measure,
                    before,
                    same_code,
                })
            });
            baselines.collect::<Vec<_>>()
        });
        let baselines: Vec<Baseline> = baselines.collect();
        let rows: Vec<Row> = entries
            .iter()
            .map(|&entry| row(&mut random, entry, scale(entry), true))
            .collect();
        let mut rounds = Vec::new();
        let changes = changes(&baselines, &rows, LIMIT, |again| {
            rounds.push(again.len());
            let rows = again.iter().map(|&entry| {
                let disturbed = random.below(10) == 0;
                row(&mut random, entry, scale(entry), disturbed)
            });
            Ok::<_, Infallible>(rows.collect())
        });
        let pairs = baselines.iter().zip(changes.unwrap_or_default());
        let noticed = pairs.filter_map(|(baseline, change)| {
            let verdict = change.verdict(LIMIT);
            let is_noticed = matches!(verdict, Verdict::Slower | Verdict::Drifted);
            let index = entries.iter().position(|&entry| entry == baseline.entry)?;
            is_noticed.then_some((verdict, index))
        });
        (noticed.collect(), rounds)
    }

    #[test]
    fn a_planted_slowdown_is_found_and_noise_is_not() {
        use Case::{Recorded, Reselected};
        let (slower, drifted) = ([(Verdict::Slower, 0); 2], [(Verdict::Drifted, 0); 2]);
        for seed in 0..10 {
            for (planted, case, expected) in [
                (1.05, Recorded(None), &slower[..]),
                (1.05, Recorded(Some(false)), &slower),
                (1.05, Recorded(Some(true)), &drifted),
                (1.05, Reselected, &slower),
                (1.0, Recorded(None), &[]),
                (1.0, Recorded(Some(true)), &[]),
                (1.0, Reselected, &[]),
                (1.02, Recorded(Some(false)), &[]),
            ] {
                let (noticed, rounds) = noticed(seed, planted, case);
                assert_eq!(noticed, expected, "{planted} {case:?} {rounds:?}");
                assert!(rounds.len() < ROUNDS && rounds.is_sorted_by(|a, b| a >= b));
            }
        }
    }

    /// One changed and five unchanged algorithms. A neighbour slows down the first measurement and some of the later ones.
    #[test]
    fn measurements_beside_a_neighbour_do_not_count() {
        let entries: Vec<_> = entries().take(6).collect();
        for (planted, disturbed, expected) in [
            (1.0, 3, Verdict::Similar),
            (1.05, 3, Verdict::Slower),
            (1.0, MAX_DISTURBED, Verdict::Similar),
            // Without an end, every measurement shows a slowdown.
            (1.0, usize::MAX, Verdict::Slower),
        ] {
            let mut random = SplitMix64::new(1);
            let mut calls = 0;
            let mut baselines = Vec::new();
            for &entry in &entries {
                let recorded = row(&mut random, entry, 1.0, false);
                baselines.push(Baseline {
                    entry,
                    measure: Measure::Throughput,
                    before: Before::Recorded(recorded.throughput.cycles),
                    same_code: Some(entry != entries[0]),
                });
            }
            let mut rows = |entries: &[&'static CheckerEntry], slowdown: f64| -> Vec<Row> {
                let scale = |entry| if entry == entries[0] { planted } else { 1.0 };
                let rows = entries.iter();
                rows.map(|&entry| row(&mut random, entry, scale(entry) * slowdown, false))
                    .collect()
            };
            let first = rows(&entries, 1.4);
            let found = changes(&baselines, &first, LIMIT, |again| {
                calls += 1;
                Ok::<_, Infallible>(rows(again, if calls <= disturbed { 1.4 } else { 1.0 }))
            });
            let found = found.unwrap_or_default();
            assert_eq!(found[0].verdict(LIMIT), expected, "{planted} {disturbed}");
            assert!(calls < ROUNDS * (MAX_DISTURBED + 1));
        }
    }
}
