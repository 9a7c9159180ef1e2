//! Recording the arguments that a search passes to kernels. With the feature `record`, and only with it,
//! the kernels of the portable level report their calls.
//!
//! For each kernel a few hundred short runs of consecutive calls are kept, drawn at random from all calls. A
//! run is long enough to show the similarity of consecutive calls. There are enough runs to sample the whole
//! search. A run's priority is a hash of its position. The runs of the smallest priorities are kept. So the
//! same search gives the same trace. All calls must come from one thread.

use std::collections::BTreeMap;
#[cfg(feature = "record")]
use std::sync::{Mutex, MutexGuard, PoisonError};

use outflank_random::SplitMix64;

use crate::input::{Case, RECORDED};
use crate::trace::LENGTH;
use crate::trace::recorded::{
    ALPHA, BOARD, MAGIC, OPPONENT, PLAYER, SQUARE, SQUARES, Samples, VERSION,
};

/// Consecutive calls in a run.
const RUN: u64 = 8;
/// Runs kept of each kernel.
const RUNS: usize = LENGTH / RUN as usize;

/// Recorders of the kernels called so far.
#[cfg(feature = "record")]
static RECORDERS: Mutex<Vec<(&'static outflank_kernels::record::Probe, Recorder)>> =
    Mutex::new(Vec::new());

/// Records every call from now on.
#[cfg(feature = "record")]
pub fn start() {
    outflank_kernels::record::observe(|probe, arguments| {
        let mut recorders = recorders();
        let known = recorders
            .iter()
            .position(|(known, _)| std::ptr::eq(*known, probe));
        let index = known.unwrap_or_else(|| {
            recorders.push((probe, Recorder::new(probe.kernel, probe.parameters)));
            recorders.len() - 1
        });
        recorders[index].1.note(arguments);
    });
}

/// The trace of all calls since the start: the bytes of `crates/checker-core/traces/search.bin`.
#[cfg(feature = "record")]
pub fn trace() -> Vec<u8> {
    let mut all: Vec<_> = recorders()
        .iter()
        .map(|(_, recorder)| recorder.samples())
        .collect();
    all.sort_by(|a, b| a.kernel.cmp(&b.kernel));
    write(&all)
}

/// Locks the recorders, even after a panic: no panic leaves them half changed.
#[cfg(feature = "record")]
fn recorders() -> MutexGuard<'static, Vec<(&'static outflank_kernels::record::Probe, Recorder)>> {
    RECORDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Recorder of the calls of one kernel.
struct Recorder {
    kernel: &'static str,
    /// Names of the kernel's parameters.
    parameters: &'static [&'static str],
    calls: u64,
    /// Kept runs by priority: the number of the first call, and the calls.
    runs: BTreeMap<u64, (u64, Vec<Case>)>,
    /// Priority of the current run, if it is kept.
    current: Option<u64>,
}

impl Recorder {
    fn new(kernel: &'static str, parameters: &'static [&'static str]) -> Recorder {
        Recorder {
            kernel,
            parameters,
            calls: 0,
            runs: BTreeMap::new(),
            current: None,
        }
    }

    /// Records a call with these arguments, in the order of the parameters.
    fn note(&mut self, arguments: &[u64]) {
        if self.calls.is_multiple_of(RUN) {
            self.begin();
        }
        self.calls += 1;
        let run = self
            .current
            .and_then(|priority| self.runs.get_mut(&priority));
        if let Some((_, cases)) = run {
            cases.push(case(self.parameters, arguments));
        }
    }

    /// Begins a run, and drops the run of the largest priority if there are too many.
    fn begin(&mut self) {
        let priority = SplitMix64::new(self.calls).bits();
        self.runs.insert(priority, (self.calls, Vec::new()));
        self.current = Some(priority);
        if self.runs.len() > RUNS {
            let dropped = self.runs.pop_last().map(|(last, _)| last);
            self.current = self.current.filter(|_| dropped != Some(priority));
        }
    }

    /// The samples in the order of the calls, without an incomplete run.
    fn samples(&self) -> Samples {
        let field = |name: &&str| RECORDED.iter().position(|field| field == name);
        let fields = self.parameters.iter().filter_map(field);
        let fields = fields.fold(0, |bits, field| bits | 1 << field);
        let mut whole: Vec<_> = self.runs.values().collect();
        whole.retain(|(_, cases)| cases.len() == RUN as usize);
        whole.sort_by_key(|(call, _)| *call);
        let cases = whole.into_iter().flat_map(|(_, cases)| cases.iter());
        Samples {
            kernel: self.kernel.into(),
            fields,
            cases: cases.map(|&case| valid(case, fields)).collect(),
        }
    }
}

/// Makes the case of recorded arguments. Other parameters keep their defaults.
fn case(parameters: &[&str], arguments: &[u64]) -> Case {
    let mut case = Case::new(0, 0, 0);
    for (&parameter, &argument) in parameters.iter().zip(arguments) {
        case.set(parameter, argument);
    }
    case
}

/// Removes a disc on the only empty square, which the kernel ignores. Clamps alpha to the range of cases.
fn valid(mut case: Case, fields: u8) -> Case {
    if fields & BOARD == PLAYER && fields & SQUARE != 0 {
        case.player &= !(1 << case.square);
    }
    case.alpha = case.alpha.clamp(-64, 63);
    case
}

/// Writes a trace of at most 255 kernels with names of at most 255 bytes.
pub(crate) fn write(trace: &[Samples]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let byte =
        |n: usize| u8::try_from(n).expect("numbers of kernels and lengths of names are small");
    bytes.extend([VERSION, byte(trace.len())]);
    for samples in trace {
        bytes.push(byte(samples.kernel.len()));
        bytes.extend(samples.kernel.as_bytes());
        bytes.push(samples.fields);
        let count = u16::try_from(samples.cases.len()).expect("a few thousand samples");
        bytes.extend(count.to_le_bytes());
    }
    for samples in trace {
        for case in &samples.cases {
            write_case(&mut bytes, case, samples.fields);
        }
    }
    bytes
}

fn write_case(bytes: &mut Vec<u8>, case: &Case, fields: u8) {
    if fields & SQUARE != 0 {
        bytes.push(case.square as u8);
    }
    match fields & BOARD {
        BOARD => bytes.extend(to_base_3(case.player, case.opponent)),
        PLAYER => bytes.extend(case.player.to_le_bytes()),
        OPPONENT => bytes.extend(case.opponent.to_le_bytes()),
        _ => {}
    }
    if fields & ALPHA != 0 {
        bytes.push(case.alpha as u8);
    }
    if fields & SQUARES != 0 {
        bytes.extend(case.squares.to_le_bytes());
    }
}

fn to_base_3(player: u64, opponent: u64) -> [u8; 13] {
    std::array::from_fn(|i| {
        let squares = 5 * i..64.min(5 * i + 5);
        squares.rev().fold(0, |number, square| {
            let disc = (player >> square & 1) + 2 * (opponent >> square & 1);
            3 * number + disc as u8
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records `calls` calls whose `player` counts up, and returns the recorded values of `player`.
    fn samples(calls: u64) -> Vec<u64> {
        let mut recorder = Recorder::new("flip", &["square", "player", "opponent"]);
        for call in 0..calls {
            recorder.note(&[63, call, 0]);
        }
        let samples = recorder.samples();
        assert_eq!(
            (samples.kernel.as_str(), samples.fields),
            ("flip", SQUARE | BOARD)
        );
        samples.cases.iter().map(|case| case.player).collect()
    }

    #[test]
    fn runs_of_consecutive_calls_are_drawn_from_all() {
        let all = samples(1_000_003);
        assert_eq!(all.len(), LENGTH);
        assert!(all.is_sorted_by(|a, b| a < b));
        for run in all.chunks(RUN as usize) {
            assert_eq!(run[0] % RUN, 0);
            assert_eq!(run[RUN as usize - 1], run[0] + RUN - 1);
        }
        let early = all.iter().filter(|&&call| call < 250_000).count();
        assert!(
            (LENGTH / 8..LENGTH / 2).contains(&early),
            "{early} of the first quarter"
        );
        assert_eq!(all, samples(1_000_003));
    }

    #[test]
    fn all_of_few_calls_are_kept() {
        assert!(samples(0).is_empty());
        assert_eq!(samples(801), (0..800).collect::<Vec<_>>());
    }

    #[test]
    fn arguments_make_a_case() {
        let parameters = ["square", "player", "alpha", "squares"];
        let made = case(&parameters, &[5, 0xFF, -3_i32 as u64, 0x0403_0201]);
        assert_eq!((made.square, made.player, made.opponent), (5, 0xFF, 0));
        assert_eq!((made.alpha, made.squares), (-3, 0x0403_0201));
    }

    #[test]
    fn recorded_cases_become_valid() {
        let mut case = Case::new(3, 0xFF, 0);
        case.alpha = 64;
        let made = valid(case, SQUARE | PLAYER | ALPHA);
        assert_eq!((made.player, made.alpha), (0xF7, 63));
        case.alpha = -65;
        let made = valid(case, BOARD | ALPHA);
        assert_eq!((made.player, made.alpha), (0xFF, -64));
    }
}
