//! Calls of kernels and references with the arguments of an input or a trace.
//!
//! A row of `for_each_algorithm!` marks each argument with the source of its value, as in `value square`,
//! `shared weights`, `by_geometry features` and `output after`.

/// One argument: a field of `$source`, or the buffer. For a trace, the brackets hold the index.
macro_rules! argument {
    ($source:ident [$($i:ident)?] $geometry:tt $buffer:tt value $name:ident) => {
        $source.$name $([$i])?
    };
    ($source:ident $at:tt $geometry:tt $buffer:tt shared $name:ident) => {
        $source.$name
    };
    ($source:ident [$($i:ident)?] [$geometry:ident] $buffer:tt by_geometry $name:ident) => {
        &$source.$name[outflank_kernels::geometry::$geometry::INDEX] $([$i])?
    };
    ($source:ident $at:tt $geometry:tt $buffer:tt output $name:ident) => {
        $buffer
    };
}
pub(crate) use argument;

/// A call with the arguments from `$source`.
macro_rules! call {
    (
        [$($function:tt)*], $source:ident $at:tt, $geometry:tt, $buffer:tt,
        ($($mark:ident $name:ident),*)
    ) => {
        $($function)*($($crate::calls::argument!($source $at $geometry $buffer $mark $name)),*)
    };
}
pub(crate) use call;

/// The [`Answer`](crate::input::Answer) to an input.
macro_rules! answer {
    (Returns $function:tt, $input:ident, $geometry:tt, $arguments:tt) => {
        $crate::input::Answer::from(
            $crate::calls::call!($function, $input [], $geometry, (), $arguments)
        )
    };
    ($kind:ident $function:tt, $input:ident, $geometry:tt, $arguments:tt) => {
        $crate::input::Output::capture(&$input.case, |output| {
            $crate::input::Fold::fold(
                $crate::calls::call!($function, $input [], $geometry, output, $arguments)
            )
        })
    };
}
pub(crate) use answer;

/// Function that computes the answer of a kernel's entry, given the type of its algorithms.
macro_rules! entry_answer {
    ($kind:ident fn($($type:ty),*) $(-> $output:ty)?, $geometry:tt, $arguments:tt) => {{
        #[allow(unused_imports, reason = "types of the signatures, which some kernels have")]
        use outflank_kernels::*;
        /// # Safety
        /// The CPU has the level of `entry`.
        unsafe fn answer(
            entry: &registry::KernelEntry,
            input: &$crate::input::Input,
        ) -> $crate::input::Answer {
            let function = entry.function::<unsafe fn($($type),*) $(-> $output)?>();
            let function = function.expect("the entry is one of the kernel's");
            // SAFETY: the caller promises the level. Nothing else makes an algorithm unsafe.
            unsafe { $crate::calls::answer!($kind [function], input, $geometry, $arguments) }
        }
        answer
    }};
}
pub(crate) use entry_answer;

/// Independent calls, one for each index of the trace. A kernel that fills memory is called once.
macro_rules! repeat {
    (Fills $function:tt, $trace:ident, $geometry:tt, $arguments:tt) => {{
        let (memory, first) = ($trace.memory.as_mut_slice(), 0);
        $crate::calls::call!($function, $trace [first], $geometry, memory, $arguments);
        0
    }};
    ($kind:ident $function:tt, $trace:ident, $geometry:tt, $arguments:tt) => {{
        let mut features = outflank_kernels::Features::default();
        let mut sum = 0_u64;
        for i in 0..$crate::trace::LENGTH {
            // An alternating sum: the compiler cannot regroup it to compute several calls in one register.
            sum = $crate::calls::folded!(
                $kind $function, $trace, i, features, $geometry, $arguments
            ).wrapping_sub(sum);
        }
        sum
    }};
}
pub(crate) use repeat;

/// Dependent calls, one for each index of the trace: each index is computed from the previous answer and
/// `zero`. `zero` is 0 and must be hidden from the compiler.
macro_rules! chain {
    (Fills $function:tt, $trace:ident, $zero:ident, $geometry:tt, $arguments:tt) => {{
        let _ = $zero;
        $crate::calls::repeat!(Fills $function, $trace, $geometry, $arguments)
    }};
    ($kind:ident $function:tt, $trace:ident, $zero:ident, $geometry:tt, $arguments:tt) => {{
        let mut features = outflank_kernels::Features::default();
        let mut carried = 0_u64;
        for i in 0..$crate::trace::LENGTH {
            let i = (i ^ (carried as usize & $zero)) % $crate::trace::LENGTH;
            carried = $crate::calls::folded!(
                $kind $function, $trace, i, features, $geometry, $arguments
            );
        }
        carried
    }};
}
pub(crate) use chain;

/// One call with its answer folded into a word. Buffers are black boxes, so that the compiler keeps every
/// store.
macro_rules! folded {
    (Returns $function:tt, $trace:ident, $i:ident, $features:ident, $geometry:tt, $arguments:tt) => {{
        let _ = &mut $features;
        $crate::input::Fold::fold($crate::calls::call!(
            $function,
            $trace[$i],
            $geometry,
            (),
            $arguments
        ))
    }};
    (Lists $function:tt, $trace:ident, $i:ident, $features:ident, $geometry:tt, $arguments:tt) => {{
        let _ = &mut $features;
        let mut list = outflank_kernels::KeyedChildren::new();
        let output = std::hint::black_box(&mut list);
        let best = $crate::calls::call!($function, $trace[$i], $geometry, output, $arguments);
        std::hint::black_box(&list);
        best as u64
    }};
    (Writes $function:tt, $trace:ident, $i:ident, $features:ident, $geometry:tt, $arguments:tt) => {{
        let output = std::hint::black_box(&mut $features);
        $crate::calls::call!($function, $trace[$i], $geometry, output, $arguments);
        u64::from(std::hint::black_box(&$features).0[0])
    }};
}
pub(crate) use folded;
