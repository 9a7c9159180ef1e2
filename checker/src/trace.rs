//! Running one algorithm many times in a row, to be timed: a loop for throughput, in which the
//! calls are independent, and one for latency, in which each call waits for the one before.
//!
//! The loops are compiled for the algorithm's level, so that it inlines into them as it does into a
//! search. The inputs come from a [`Trace`], best one of what a
//! search was [`recorded`] to give.

pub(crate) mod recorded;

pub use recorded::{TraceError, recorded};

use outflank_kernels::geometry::GEOMETRIES;
use outflank_kernels::{Block, Features, Network, Weights};

use crate::input::{Input, in_one_word};

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
    /// By geometry.
    pub(crate) features: [Box<[Features; LENGTH]>; GEOMETRIES],
    pub(crate) other: [Box<[Features; LENGTH]>; GEOMETRIES],
    pub(crate) weights: &'static Weights,
    pub(crate) network: &'static Network,
    pub(crate) empties: Box<[u32; LENGTH]>,
    pub(crate) moves: Box<[u32; LENGTH]>,
    pub(crate) other_moves: Box<[u32; LENGTH]>,
    pub(crate) legal: Box<[u64; LENGTH]>,
    pub(crate) favoured: Box<[u64; LENGTH]>,
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
            features: std::array::from_fn(|geometry| all(inputs, |input| input.features[geometry])),
            other: std::array::from_fn(|geometry| all(inputs, |input| input.other[geometry])),
            weights: first.weights,
            network: first.network,
            empties: all(inputs, |input| input.empties),
            moves: all(inputs, |input| input.moves),
            other_moves: all(inputs, |input| input.other_moves),
            legal: all(inputs, |input| input.legal),
            favoured: all(inputs, |input| input.favoured),
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

impl Fold for [i32; 2] {
    #[inline(always)]
    fn fold(self) -> u64 {
        in_one_word(self)
    }
}

/// A call of a kernel, or of its reference, with the arguments that an input has.
macro_rules! run {
    (Returns [$($function:tt)*], $input:ident, $geometry:tt, ($($name:ident),*)) => {
        $crate::input::Answer::from(
            $($function)*($($crate::trace::of_input!($input $geometry $name)),*)
        )
    };
    (Fills [$($function:tt)*], $input:ident, $geometry:tt, ($($name:ident),*)) => {
        $input.in_memory(|memory| {
            $($function)*($($crate::trace::of_input!($input $geometry $name memory)),*)
        })
    };
    (Lists [$($function:tt)*], $input:ident, $geometry:tt, ($($name:ident),*)) => {
        $input.in_children(|children| {
            $($function)*($($crate::trace::of_input!($input $geometry $name children)),*)
        })
    };
    (Writes [$($function:tt)*], $input:ident, $geometry:tt, ($($name:ident),*)) => {
        $input.in_features(|after| {
            $($function)*($($crate::trace::of_input!($input $geometry $name after)),*)
        })
    };
}
pub(crate) use run;

/// The argument of a kernel for its parameter of a name, from an input; the geometry that the kernel is
/// for is in brackets, a buffer to write into is given after the name.
macro_rules! of_input {
    ($input:ident $geometry:tt memory $buffer:ident) => {
        $buffer
    };
    ($input:ident $geometry:tt after $buffer:ident) => {
        $buffer
    };
    ($input:ident $geometry:tt children $buffer:ident) => {
        $buffer
    };
    ($input:ident $geometry:tt flipped $($buffer:ident)?) => {
        $input.flipped
    };
    ($input:ident [$geometry:ident] features $($buffer:ident)?) => {
        &$input.features[outflank_kernels::geometry::$geometry::INDEX]
    };
    ($input:ident [$geometry:ident] other $($buffer:ident)?) => {
        &$input.other[outflank_kernels::geometry::$geometry::INDEX]
    };
    ($input:ident $geometry:tt weights $($buffer:ident)?) => {
        $input.weights
    };
    ($input:ident $geometry:tt network $($buffer:ident)?) => {
        $input.network
    };
    ($input:ident $geometry:tt empties $($buffer:ident)?) => {
        $input.empties
    };
    ($input:ident $geometry:tt moves $($buffer:ident)?) => {
        $input.moves
    };
    ($input:ident $geometry:tt other_moves $($buffer:ident)?) => {
        $input.other_moves
    };
    ($input:ident $geometry:tt legal $($buffer:ident)?) => {
        $input.legal
    };
    ($input:ident $geometry:tt favoured $($buffer:ident)?) => {
        $input.favoured
    };
    ($input:ident $geometry:tt $name:ident $($buffer:ident)?) => {
        $input.case.$name
    };
}
pub(crate) use of_input;

/// The argument of a kernel for its parameter of a name, from place `i` of a trace.
macro_rules! of_trace {
    ($trace:ident $i:ident [$geometry:ident] features $($buffer:ident)?) => {
        &$trace.features[outflank_kernels::geometry::$geometry::INDEX][$i]
    };
    ($trace:ident $i:ident [$geometry:ident] other $($buffer:ident)?) => {
        &$trace.other[outflank_kernels::geometry::$geometry::INDEX][$i]
    };
    ($trace:ident $i:ident $geometry:tt weights $($buffer:ident)?) => {
        $trace.weights
    };
    ($trace:ident $i:ident $geometry:tt network $($buffer:ident)?) => {
        $trace.network
    };
    ($trace:ident $i:ident $geometry:tt pattern $($buffer:ident)?) => {
        $trace.pattern
    };
    ($trace:ident $i:ident $geometry:tt memory $buffer:ident) => {
        $buffer
    };
    ($trace:ident $i:ident $geometry:tt after $buffer:ident) => {
        $buffer
    };
    ($trace:ident $i:ident $geometry:tt children $buffer:ident) => {
        $buffer
    };
    ($trace:ident $i:ident $geometry:tt $name:ident $($buffer:ident)?) => {
        $trace.$name[$i]
    };
}
pub(crate) use of_trace;

/// Independent calls, one for each place of the trace.
macro_rules! repeat {
    (Fills $kernel:ident::$algorithm:ident, $trace:ident, $geometry:tt, ($($name:ident),*)) => {{
        let memory = $trace.memory.as_mut_slice();
        $kernel::$algorithm($($crate::trace::of_trace!($trace i $geometry $name memory)),*);
        0
    }};
    ($kind:ident $kernel:ident::$algorithm:ident, $trace:ident, $geometry:tt, ($($name:ident),*)) => {{
        let mut features = outflank_kernels::Features::default();
        let mut sum = 0_u64;
        for i in 0..$crate::trace::LENGTH {
            // No sum that a compiler can regroup: it would work on several calls in one register.
            sum = $crate::trace::folded!(
                $kind $kernel::$algorithm, $trace, i, features, $geometry, ($($name),*)
            ).wrapping_sub(sum);
        }
        sum
    }};
}
pub(crate) use repeat;

/// As many calls, each of which finds its place in the trace only when the one before has answered;
/// `zero` is 0, which the compiler must not know.
macro_rules! chain {
    (Fills $kernel:ident::$algorithm:ident, $trace:ident, $zero:ident, $geometry:tt, ($($name:ident),*)) => {{
        let _ = $zero;
        $crate::trace::repeat!(Fills $kernel::$algorithm, $trace, $geometry, ($($name),*))
    }};
    ($kind:ident $kernel:ident::$algorithm:ident, $trace:ident, $zero:ident, $geometry:tt, ($($name:ident),*)) => {{
        let mut features = outflank_kernels::Features::default();
        let mut carried = 0_u64;
        for i in 0..$crate::trace::LENGTH {
            let i = (i ^ (carried as usize & $zero)) % $crate::trace::LENGTH;
            carried = $crate::trace::folded!(
                $kind $kernel::$algorithm, $trace, i, features, $geometry, ($($name),*)
            );
        }
        carried
    }};
}
pub(crate) use chain;

/// One call, its answer folded into a word.
macro_rules! folded {
    (
        Returns $kernel:ident::$algorithm:ident, $trace:ident, $i:ident, $features:ident,
        $geometry:tt, ($($name:ident),*)
    ) => {{
        let _ = &mut $features;
        $crate::trace::Fold::fold($kernel::$algorithm($($crate::trace::of_trace!($trace $i $geometry $name)),*))
    }};
    (
        Lists $kernel:ident::$algorithm:ident, $trace:ident, $i:ident, $features:ident,
        $geometry:tt, ($($name:ident),*)
    ) => {{
        let _ = &mut $features;
        let mut list = outflank_kernels::Children::new();
        let children = std::hint::black_box(&mut list);
        let best = $kernel::$algorithm($($crate::trace::of_trace!($trace $i $geometry $name children)),*);
        std::hint::black_box(&list);
        best as u64
    }};
    (
        Writes $kernel:ident::$algorithm:ident, $trace:ident, $i:ident, $features:ident,
        $geometry:tt, ($($name:ident),*)
    ) => {{
        // Seen from outside, so that all of it is written to memory.
        let after = std::hint::black_box(&mut $features);
        $kernel::$algorithm($($crate::trace::of_trace!($trace $i $geometry $name after)),*);
        u64::from(std::hint::black_box(&$features).0[0])
    }};
}
pub(crate) use folded;
