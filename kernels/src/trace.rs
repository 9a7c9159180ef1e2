//! Running one algorithm many times in a row, to be timed: a loop for throughput, in which the
//! calls are independent, and one for latency, in which each call waits for the one before.
//!
//! The loops are compiled for the algorithm's level, so that it inlines into them as it does into a
//! search. The inputs come from a [`Trace`], best one of what a
//! search was [`recorded`] to give.

pub(crate) mod recorded;

pub use recorded::{TraceError, recorded};

use crate::input::Input;
use crate::{Block, Features, Weights};

/// The number of inputs in a trace: too many for a branch predictor to learn by heart, few enough to
/// stay in a cache.
pub const LENGTH: usize = 2048;

/// Inputs to time kernels on, each kind in an array of its own.
pub struct Trace {
    pub(crate) square: Box<[usize; LENGTH]>,
    pub(crate) player: Box<[u64; LENGTH]>,
    pub(crate) opponent: Box<[u64; LENGTH]>,
    pub(crate) alpha: Box<[i32; LENGTH]>,
    pub(crate) squares: Box<[u32; LENGTH]>,
    pub(crate) flipped: Box<[u64; LENGTH]>,
    pub(crate) features: Box<[Features; LENGTH]>,
    pub(crate) features_ntest: Box<[Features; LENGTH]>,
    pub(crate) moved: Box<[Features; LENGTH]>,
    pub(crate) moved_ntest: Box<[Features; LENGTH]>,
    pub(crate) weights: &'static Weights,
    pub(crate) pattern: [u64; 4],
    pub(crate) memory: Vec<Block>,
}

impl Trace {
    /// A trace of `inputs`, from the beginning again where they are fewer than [`LENGTH`]; kernels
    /// that fill memory fill `blocks` blocks. `None` where there are no inputs.
    pub fn new(inputs: &[Input], blocks: usize) -> Option<Trace> {
        fn all<T>(inputs: &[Input], part: impl Fn(&Input) -> T) -> Box<[T; LENGTH]> {
            let parts = (0..LENGTH).map(|i| part(&inputs[i % inputs.len()]));
            let parts: Box<[T]> = parts.collect();
            parts.try_into().ok().expect("as many as asked for")
        }
        let first = inputs.first()?;
        Some(Trace {
            square: all(inputs, |input| input.case.square),
            player: all(inputs, |input| input.case.player),
            opponent: all(inputs, |input| input.case.opponent),
            alpha: all(inputs, |input| input.case.alpha),
            squares: all(inputs, |input| input.case.squares),
            flipped: all(inputs, |input| input.flipped),
            features: all(inputs, |input| input.features),
            features_ntest: all(inputs, |input| input.features_ntest),
            moved: all(inputs, |input| input.moved),
            moved_ntest: all(inputs, |input| input.moved_ntest),
            weights: first.weights,
            pattern: first.case.pattern,
            memory: vec![Block::default(); blocks],
        })
    }

    /// The loop for latency without a kernel: what it costs is not the kernels'.
    pub fn latency_of_nothing(&self, zero: usize) -> u64 {
        let mut carried = 0;
        for i in 0..LENGTH {
            let i = (i ^ (carried as usize & zero)) % LENGTH;
            carried = self.player[i];
        }
        carried
    }
}

/// An answer in one word, all of it needed.
pub(crate) trait Fold {
    fn fold(self) -> u64;
}

impl Fold for u64 {
    #[inline(always)]
    fn fold(self) -> u64 {
        self
    }
}

impl Fold for i32 {
    #[inline(always)]
    fn fold(self) -> u64 {
        self as u64
    }
}

impl Fold for u128 {
    #[inline(always)]
    fn fold(self) -> u64 {
        self as u64 ^ (self >> 64) as u64
    }
}

impl<const N: usize> Fold for [u64; N] {
    #[inline(always)]
    fn fold(self) -> u64 {
        self.into_iter().fold(0, |all, word| all ^ word)
    }
}

/// One row of the registry: an algorithm at a level, with the functions that run it.
///
/// `entry!(KIND kernel::algorithm, Isa, selected, [features], type, (parameters), [shape])`, where the
/// kind says where the answer goes: `returns`, `fills` memory, or `writes` features.
macro_rules! entry {
    (
        $kind:ident $kernel:ident::$algorithm:ident, $level:ident, $selected:literal,
        [$($features:literal)?], fn($($type:ty),*) $(-> $answer:ty)?, ($($name:ident),*),
        [$($bound:literal $($instruction:literal)*)?]
    ) => {
        $crate::registry::Entry {
            kind: $crate::trace::kind!($kind),
            kernel: stringify!($kernel),
            algorithm: stringify!($algorithm),
            level: $crate::Isa::$level,
            selected: $selected,
            parameters: &[$(stringify!($name)),*],
            run: {
                $(#[target_feature(enable = $features)])?
                fn run(input: &$crate::input::Input) -> $crate::input::Answer {
                    $crate::trace::run!($kind [$kernel::$algorithm], input, ($($name),*))
                }
                run
            },
            throughput: {
                $(#[target_feature(enable = $features)])?
                fn throughput(trace: &mut $crate::trace::Trace) -> u64 {
                    $crate::trace::repeat!($kind $kernel::$algorithm, trace, ($($name),*))
                }
                throughput
            },
            latency: {
                $(#[target_feature(enable = $features)])?
                fn latency(trace: &mut $crate::trace::Trace, zero: usize) -> u64 {
                    $crate::trace::chain!($kind $kernel::$algorithm, trace, zero, ($($name),*))
                }
                latency
            },
            shape: [$($crate::registry::Shape {
                bound: $bound,
                instructions: &[$($instruction),*],
            })?]
            .as_slice()
            .first(),
            code: &($kernel::$algorithm as unsafe fn($($type),*) $(-> $answer)?),
        }
    };
}
pub(crate) use entry;

/// A call of a kernel, or of its reference, with the arguments that an input has.
macro_rules! run {
    (returns [$($function:tt)*], $input:ident, ($($name:ident),*)) => {
        $crate::input::Answer::from($($function)*($($crate::trace::of_input!($input $name)),*))
    };
    (fills [$($function:tt)*], $input:ident, ($($name:ident),*)) => {
        $input.in_memory(|memory| $($function)*($($crate::trace::of_input!($input $name memory)),*))
    };
    (writes [$($function:tt)*], $input:ident, ($($name:ident),*)) => {
        $input.in_features(|after| $($function)*($($crate::trace::of_input!($input $name after)),*))
    };
}
pub(crate) use run;

/// The argument of a kernel for its parameter of a name, from an input; a buffer to write into is
/// given after the name.
macro_rules! of_input {
    ($input:ident memory $buffer:ident) => {
        $buffer
    };
    ($input:ident after $buffer:ident) => {
        $buffer
    };
    ($input:ident flipped $($buffer:ident)?) => {
        $input.flipped
    };
    ($input:ident features $($buffer:ident)?) => {
        &$input.features
    };
    ($input:ident features_ntest $($buffer:ident)?) => {
        &$input.features_ntest
    };
    ($input:ident moved $($buffer:ident)?) => {
        &$input.moved
    };
    ($input:ident moved_ntest $($buffer:ident)?) => {
        &$input.moved_ntest
    };
    ($input:ident weights $($buffer:ident)?) => {
        $input.weights
    };
    ($input:ident $name:ident $($buffer:ident)?) => {
        $input.case.$name
    };
}
pub(crate) use of_input;

/// The argument of a kernel for its parameter of a name, from place `i` of a trace.
macro_rules! of_trace {
    ($trace:ident $i:ident features $($buffer:ident)?) => {
        &$trace.features[$i]
    };
    ($trace:ident $i:ident features_ntest $($buffer:ident)?) => {
        &$trace.features_ntest[$i]
    };
    ($trace:ident $i:ident moved $($buffer:ident)?) => {
        &$trace.moved[$i]
    };
    ($trace:ident $i:ident moved_ntest $($buffer:ident)?) => {
        &$trace.moved_ntest[$i]
    };
    ($trace:ident $i:ident weights $($buffer:ident)?) => {
        $trace.weights
    };
    ($trace:ident $i:ident pattern $($buffer:ident)?) => {
        $trace.pattern
    };
    ($trace:ident $i:ident memory $buffer:ident) => {
        $buffer
    };
    ($trace:ident $i:ident after $buffer:ident) => {
        $buffer
    };
    ($trace:ident $i:ident $name:ident $($buffer:ident)?) => {
        $trace.$name[$i]
    };
}
pub(crate) use of_trace;

/// Independent calls, one for each place of the trace.
macro_rules! repeat {
    (fills $kernel:ident::$algorithm:ident, $trace:ident, ($($name:ident),*)) => {{
        let memory = $trace.memory.as_mut_slice();
        $kernel::$algorithm($($crate::trace::of_trace!($trace i $name memory)),*);
        0
    }};
    ($kind:ident $kernel:ident::$algorithm:ident, $trace:ident, ($($name:ident),*)) => {{
        let mut features = $crate::Features::default();
        let mut sum = 0_u64;
        for i in 0..$crate::trace::LENGTH {
            // No sum that a compiler can regroup: it would work on several calls in one register.
            sum = $crate::trace::folded!(
                $kind $kernel::$algorithm, $trace, i, features, ($($name),*)
            ).wrapping_sub(sum);
        }
        sum
    }};
}
pub(crate) use repeat;

/// As many calls, each of which finds its place in the trace only when the one before has answered;
/// `zero` is 0, which the compiler must not know.
macro_rules! chain {
    (fills $kernel:ident::$algorithm:ident, $trace:ident, $zero:ident, ($($name:ident),*)) => {{
        let _ = $zero;
        $crate::trace::repeat!(fills $kernel::$algorithm, $trace, ($($name),*))
    }};
    ($kind:ident $kernel:ident::$algorithm:ident, $trace:ident, $zero:ident, ($($name:ident),*)) => {{
        let mut features = $crate::Features::default();
        let mut carried = 0_u64;
        for i in 0..$crate::trace::LENGTH {
            let i = (i ^ (carried as usize & $zero)) % $crate::trace::LENGTH;
            carried = $crate::trace::folded!(
                $kind $kernel::$algorithm, $trace, i, features, ($($name),*)
            );
        }
        carried
    }};
}
pub(crate) use chain;

/// One call, its answer folded into a word.
macro_rules! folded {
    (
        returns $kernel:ident::$algorithm:ident, $trace:ident, $i:ident, $features:ident,
        ($($name:ident),*)
    ) => {{
        let _ = &mut $features;
        $crate::trace::Fold::fold($kernel::$algorithm($($crate::trace::of_trace!($trace $i $name)),*))
    }};
    (
        writes $kernel:ident::$algorithm:ident, $trace:ident, $i:ident, $features:ident,
        ($($name:ident),*)
    ) => {{
        // Seen from outside, so that all of it is written to memory.
        let after = std::hint::black_box(&mut $features);
        $kernel::$algorithm($($crate::trace::of_trace!($trace $i $name after)),*);
        u64::from(std::hint::black_box(&$features).0[0])
    }};
}
pub(crate) use folded;

/// The `Kind` of a name in the registry's rows.
macro_rules! kind {
    (returns) => {
        $crate::registry::Kind::Returns
    };
    (fills) => {
        $crate::registry::Kind::Fills
    };
    (writes) => {
        $crate::registry::Kind::Writes
    };
}
pub(crate) use kind;
