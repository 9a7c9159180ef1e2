//! `bench --baseline`: compares measurements with a record.

use std::path::{Path, PathBuf};

use outflank_console::console::{print_line, remark};
use outflank_console::json::{object, to_line};
use outflank_support::text::plural;

use super::super::CommandError;
use super::code::TimedCode;
use super::json::rounded;
use super::record::{Record, RecordError};
use super::{Arguments, BenchRun, worker};
use crate::bench::{Baseline, Before, Change, FILLED_MIB, Measure, Verdict, changes};
use crate::registry::{CheckerEntry, OutputKind, entry_named};
use crate::trace::LENGTH;

/// Least number of samples of each cost for a comparison. With fewer, intervals corrected for hundreds of costs have no
/// ends.
pub(super) const LEAST_SAMPLES: usize = 15;

/// Factor on the number of samples for costs that look slower. More samples narrow the intervals in spite of noise.
const REPEATED: u32 = 3;

/// Record that measurements of this CPU can be compared with.
pub(super) struct Comparison {
    path: PathBuf,
    record: Record,
}

/// Error of a record that cannot be compared with.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum BaselineError {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("{}: recorded with {what} {recorded}; here it is {here}", path.display())]
    Differs {
        path: PathBuf,
        what: &'static str,
        recorded: String,
        here: String,
    },
    #[error("{}: the record has {recorded} samples of {name}; a comparison needs {LEAST_SAMPLES}", path.display())]
    Samples {
        path: PathBuf,
        name: String,
        recorded: usize,
    },
    #[error("{}: no row of the record is measured here", path.display())]
    NoCommonRow { path: PathBuf },
    #[error("--repeats {0} is too few for a comparison, which needs {LEAST_SAMPLES}")]
    Repeats(usize),
}

impl Comparison {
    /// Reads a record of `cpu` with the microarchitecture `core`, to compare `repeats` samples with.
    pub(super) fn read(
        path: &Path,
        cpu: &str,
        core: &str,
        repeats: usize,
    ) -> Result<Comparison, BaselineError> {
        if repeats < LEAST_SAMPLES {
            return Err(BaselineError::Repeats(repeats));
        }
        let record = Record::read(path)?;
        let header = &record.header;
        let cpu_and_core = |cpu: &str, core: &str| format!("{cpu}, {core}");
        let facts = [
            (
                "the CPU",
                cpu_and_core(&header.cpu, &header.core),
                cpu_and_core(cpu, core),
            ),
            (
                "version",
                header.version.clone(),
                env!("CARGO_PKG_VERSION").to_owned(),
            ),
            (
                "calls per pass",
                header.calls.to_string(),
                LENGTH.to_string(),
            ),
            (
                "MiB to fill",
                header.filled_mib.to_string(),
                FILLED_MIB.to_string(),
            ),
        ];
        for (what, recorded, here) in facts {
            if recorded != here {
                return Err(BaselineError::Differs {
                    path: path.to_owned(),
                    what,
                    recorded,
                    here,
                });
            }
        }
        Ok(Comparison {
            path: path.to_owned(),
            record,
        })
    }

    /// Finds what can be compared: the costs of the selected `entries` in the record, and the algorithms that levels
    /// used then and use now. Kernels that fill memory are left out: all programs share the memory, so an alarm would
    /// often be one about them.
    pub(super) fn baselines(
        &self,
        entries: &[&'static CheckerEntry],
        timed_code: &TimedCode,
    ) -> Result<Vec<Baseline>, BaselineError> {
        let rows = self.record.by_name();
        let entries = entries.iter().copied();
        let entries: Vec<&'static CheckerEntry> = entries
            .filter(|entry| entry.kind != OutputKind::Fills)
            .collect();
        let mut baselines = Vec::new();
        for &entry in &entries {
            let Some(row) = rows.get(&(entry.kernel, entry.algorithm, entry.isa.name())) else {
                continue;
            };
            for (measure, cost) in row.costs() {
                if cost.samples < LEAST_SAMPLES {
                    return Err(BaselineError::Samples {
                        path: self.path.clone(),
                        name: entry.title(),
                        recorded: cost.samples,
                    });
                }
                let codes = cost.code.as_deref().zip(timed_code.digest(entry, measure));
                baselines.push(Baseline {
                    entry,
                    measure,
                    before: Before::Recorded(cost.restored()),
                    same_code: codes.map(|(recorded, now)| recorded == now),
                });
            }
        }
        if baselines.is_empty() {
            return Err(BaselineError::NoCommonRow {
                path: self.path.clone(),
            });
        }
        for (entry, before) in self.reselected(&entries) {
            baselines.extend(Measure::ALL.map(|measure| Baseline {
                entry,
                measure,
                before: Before::Selected(before),
                same_code: None,
            }));
        }
        Ok(baselines)
    }

    /// Entries that a level uses, with those that it used in the record, where they differ.
    fn reselected(
        &self,
        entries: &[&'static CheckerEntry],
    ) -> Vec<(&'static CheckerEntry, &'static CheckerEntry)> {
        let now = entries.iter().copied().filter(|entry| entry.selected);
        let pairs = now.filter_map(|now| {
            let mut rows = self.record.rows.iter();
            let row = rows.find(|row| {
                row.selected
                    && row.kernel == now.kernel
                    && row.isa.as_deref() == Some(now.isa.name())
            })?;
            let before = entry_named(&format!("{}.{}@{}", row.kernel, row.algorithm, now.isa))?;
            (before != now).then_some((now, before))
        });
        pairs.collect()
    }
}

/// Compares measurements with baselines and writes the result. Returns `true` if nothing is slower than `limit`, a ratio
/// above 1.
pub(super) fn report(
    bench_run: &BenchRun,
    comparison: &Comparison,
    baselines: &[Baseline],
    arguments: &Arguments,
) -> Result<bool, CommandError> {
    let (limit, json) = (arguments.fail_over, arguments.json);
    let changes = changes(baselines, &bench_run.measurements.rows, limit, |entries| {
        let algorithms = plural(entries.len(), "algorithm", "algorithms");
        remark(format_args!(
            "measuring {algorithms} again; some may be slower"
        ));
        worker::measure(
            entries,
            REPEATED * arguments.repeats,
            arguments.selection.cpu,
        )
    })?;
    let pairs = || baselines.iter().zip(&changes);
    if json {
        for (baseline, change) in pairs() {
            print_line(change_object(baseline, change, limit))?;
        }
    } else {
        for (baseline, change) in pairs() {
            let is_reselected = matches!(baseline.before, Before::Selected(_));
            if change.verdict(limit) != Verdict::Similar || is_reselected {
                print_line(text(baseline, change, limit))?;
            }
        }
        print_line(summary(comparison, &changes, limit))?;
    }
    Ok(changes
        .iter()
        .all(|change| change.verdict(limit) != Verdict::Slower))
}

/// Formats the numbers of costs by verdict.
fn summary(comparison: &Comparison, changes: &[Change], limit: f64) -> String {
    let count = |wanted: &dyn Fn(&Change) -> bool| {
        let wanted = changes.iter().filter(|change| wanted(change));
        wanted.count()
    };
    let of = |verdict: Verdict| count(&|change| change.verdict(limit) == verdict);
    let known = match count(&|change| change.same_code.is_some()) {
        0 => "the code of none is known".to_owned(),
        _ => {
            let same = count(&|change| change.same_code == Some(true));
            format!(
                "{same} have the recorded code, of which {} drifted",
                of(Verdict::Drifted)
            )
        }
    };
    format!(
        "{} costs compared with {} of {}: {} slower and {} faster by over {:.1} %; {known}",
        changes.len(),
        comparison.path.display(),
        comparison.record.header.date,
        of(Verdict::Slower),
        of(Verdict::Faster),
        (limit - 1.0) * 100.0
    )
}

/// Name of the cost before, for JSON: `record`, or the algorithm that the record's level selected.
fn before_name(baseline: &Baseline) -> &'static str {
    match baseline.before {
        Before::Recorded(_) => "record",
        Before::Selected(entry) => entry.algorithm,
    }
}

fn text(baseline: &Baseline, change: &Change, limit: f64) -> String {
    let verdict = match change.verdict(limit) {
        Verdict::Slower => "SLOWER",
        verdict => verdict.name(),
    };
    let ratio = change.ratio;
    let against = match baseline.before {
        Before::Recorded(_) => String::new(),
        Before::Selected(entry) => {
            format!(", in turn with {}, selected in the record", entry.algorithm)
        }
    };
    format!(
        "{verdict:<7} {} {}: {:.2} -> {:.2} cycles, ratio {:.3} ({:.3} to {:.3}), measured {}{against}",
        baseline.entry.title(),
        baseline.measure.name(),
        change.before,
        change.now,
        ratio.estimate,
        ratio.low,
        ratio.high,
        match change.rounds {
            1 => "once".to_owned(),
            rounds => format!("{rounds} times"),
        },
    )
}

fn change_object(baseline: &Baseline, change: &Change, limit: f64) -> String {
    let entry = baseline.entry;
    // An interval without an upper end has no number in JSON.
    let finite = |number: f64| number.is_finite().then(|| rounded(number));
    let change = object! {
        kernel: entry.kernel,
        algorithm: entry.algorithm,
        isa: entry.isa.name(),
        measure: baseline.measure.name(),
        compared_with: before_name(baseline),
        before: rounded(change.before),
        now: rounded(change.now),
        ratio: rounded(change.ratio.estimate),
        low: rounded(change.ratio.low),
        high: finite(change.ratio.high),
        rounds: change.rounds,
        verdict: change.verdict(limit).name(),
        same_code: change.same_code,
    };
    to_line(&object! { change })
}
