//! Recording what a search gives to the kernels: with the feature `record`, and only with it, what calls
//! a kernel at the portable level goes through a function that notes the arguments.
//!
//! Of each kernel a few hundred short runs of consecutive calls are kept, drawn at random from all: long
//! enough to have what neighbouring calls have in common, many enough to be from everywhere. Every run
//! gets a priority that only depends on its number, and those of the smallest priorities stay; so the
//! same search gives the same trace. Calls are meant to come from one thread.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::cases::SplitMix;
use crate::input::Case;
use crate::trace::LENGTH;
use crate::trace::recorded::{
    ALPHA, BOARD, FIELDS, MAGIC, OPPONENT, PLAYER, SQUARE, SQUARES, Samples, VERSION,
};

/// The consecutive calls in a run.
const RUN: u64 = 8;
/// The runs that are kept of a kernel.
const RUNS: usize = LENGTH / RUN as usize;

/// All recorders whose kernels were called.
static RECORDERS: Mutex<Vec<&'static Recorder>> = Mutex::new(Vec::new());

/// The trace of all calls up to now: the bytes of `kernels/traces/search.bin`.
#[cfg(feature = "record")]
pub fn trace() -> Vec<u8> {
    let recorders = locked(&RECORDERS);
    let mut all: Vec<_> = recorders
        .iter()
        .map(|recorder| recorder.samples())
        .collect();
    all.sort_by(|a, b| a.kernel.cmp(&b.kernel));
    write(&all)
}

/// Nothing that is locked here is left half changed by a panic.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What notes the calls of one kernel.
pub(crate) struct Recorder {
    kernel: &'static str,
    /// The names of what it takes.
    fields: &'static [&'static str],
    calls: AtomicU64,
    /// Whether the run that the next call belongs to is being kept.
    keeping: AtomicBool,
    runs: Mutex<Runs>,
}

/// The runs kept.
struct Runs {
    /// By priority; the number of the first call, and the calls.
    kept: BTreeMap<u64, (u64, Vec<Case>)>,
    /// The priority of the run that is being kept.
    current: u64,
}

impl Recorder {
    pub(crate) const fn new(kernel: &'static str, fields: &'static [&'static str]) -> Recorder {
        Recorder {
            kernel,
            fields,
            calls: AtomicU64::new(0),
            keeping: AtomicBool::new(false),
            runs: Mutex::new(Runs {
                kept: BTreeMap::new(),
                current: 0,
            }),
        }
    }

    /// Notes a call with the arguments that `case` holds.
    #[inline(always)]
    pub(crate) fn note(&'static self, case: impl FnOnce() -> Case) {
        let call = self.calls.load(Relaxed);
        self.calls.store(call + 1, Relaxed);
        if call.is_multiple_of(RUN) {
            self.begin(call);
        }
        if self.keeping.load(Relaxed) {
            self.keep(case());
        }
    }

    /// Begins a run, and gives up the one of the largest priority where there are too many.
    fn begin(&'static self, call: u64) {
        if call == 0 {
            locked(&RECORDERS).push(self);
        }
        let priority = SplitMix::new(call).bits();
        let mut runs = locked(&self.runs);
        runs.kept.insert(priority, (call, Vec::new()));
        runs.current = priority;
        let mut keeping = true;
        if runs.kept.len() > RUNS {
            keeping = runs
                .kept
                .pop_last()
                .is_some_and(|(last, _)| last != priority);
        }
        self.keeping.store(keeping, Relaxed);
    }

    fn keep(&self, case: Case) {
        let mut runs = locked(&self.runs);
        let current = runs.current;
        if let Some((_, cases)) = runs.kept.get_mut(&current) {
            cases.push(case);
        }
    }

    /// The samples in the order of the calls, a run that was cut off left out.
    fn samples(&self) -> Samples {
        let field = |name: &&str| FIELDS.iter().position(|field| field == name);
        let fields = self.fields.iter().filter_map(field);
        let fields = fields.fold(0, |bits, field| bits | 1 << field);
        let runs = locked(&self.runs);
        let mut whole: Vec<_> = runs.kept.values().collect();
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

/// The case without what its kernel does not look at: a disc on the only empty square. A window at the
/// end of the scale is moved to the nearest that a case can have.
fn valid(mut case: Case, fields: u8) -> Case {
    if fields & BOARD == PLAYER && fields & SQUARE != 0 {
        case.player &= !(1 << case.square);
    }
    case.alpha = case.alpha.clamp(-64, 63);
    case
}

/// Notes a call of a kernel, given its name and its arguments by the names of its parameters.
#[cfg(feature = "record")]
macro_rules! note {
    ($kernel:ident, $($name:ident),*) => {{
        static RECORDER: $crate::record::Recorder =
            $crate::record::Recorder::new(stringify!($kernel), &[$(stringify!($name)),*]);
        RECORDER.note(|| $crate::input::Case { $($name,)* ..$crate::input::Case::new(0, 0, 0) });
    }};
}
#[cfg(feature = "record")]
pub(crate) use note;

/// The bytes of a trace: at most 255 kernels, with names of at most 255 bytes.
pub(crate) fn write(trace: &[Samples]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let byte = |n: usize| u8::try_from(n).expect("few kernels with short names");
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

    /// What comes of `calls` calls whose arguments count up, in the bits of the mover's discs.
    fn samples(calls: u64) -> Vec<u64> {
        let recorder = Recorder::new("flip", &["square", "player", "opponent"]);
        let recorder: &'static Recorder = Box::leak(Box::new(recorder));
        for call in 0..calls {
            recorder.note(|| Case::new(63, call, 0));
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
    fn few_calls_are_all_kept() {
        assert_eq!(samples(0), []);
        assert_eq!(samples(801), (0..800).collect::<Vec<_>>());
    }

    #[test]
    fn a_case_is_made_valid() {
        let mut case = Case::new(3, 0xFF, 0);
        case.alpha = 64;
        let made = valid(case, SQUARE | PLAYER | ALPHA);
        assert_eq!((made.player, made.alpha), (0xF7, 63));
        case.alpha = -65;
        let made = valid(case, BOARD | ALPHA);
        assert_eq!((made.player, made.alpha), (0xFF, -64));
    }
}
