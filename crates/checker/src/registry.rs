//! Every algorithm of every kernel at every level, with functions that call it on inputs. Checks,
//! measurements and fuzzers walk through this list.

use std::fmt;
use std::ops::Deref;

pub use outflank_kernels::registry::{KernelEntry, OutputKind, Shape};
use outflank_kernels::{Isa, IsaError};

use crate::input::{Answer, Input, Trace};

/// A kernel: its specification and its reference.
pub struct Kernel {
    /// Name of the kernel.
    pub name: &'static str,
    /// Specification.
    pub doc: &'static str,
    /// Obvious, slow function that defines the right answer.
    pub reference: fn(&Input) -> Answer,
}

/// One algorithm of one kernel, compiled for one level: an entry of the kernels' registry with functions
/// that call it.
pub struct CheckerEntry {
    entry: KernelEntry,
    kernel: &'static Kernel,
    runner: Runner,
}

impl Deref for CheckerEntry {
    type Target = KernelEntry;

    fn deref(&self) -> &KernelEntry {
        &self.entry
    }
}

/// Compares by address: each entry equals only itself.
impl PartialEq for CheckerEntry {
    fn eq(&self, other: &CheckerEntry) -> bool {
        std::ptr::eq(self, other)
    }
}

impl fmt::Debug for CheckerEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// Functions that call an algorithm, compiled for its level.
///
/// # Safety
/// The CPU must have that level, for all three. The methods of [`CheckerEntry`] check it.
struct Runner {
    answer: unsafe fn(&Input) -> Answer,
    throughput: unsafe fn(&mut Trace) -> u64,
    latency: unsafe fn(&mut Trace, usize) -> u64,
}

impl CheckerEntry {
    /// `KERNEL.ALGORITHM@ISA`: the name by which [`entry_named`] finds the entry.
    pub fn name(&self) -> String {
        format!("{}.{}@{}", self.entry.kernel, self.algorithm, self.isa)
    }

    /// `KERNEL.ALGORITHM at ISA`, for messages.
    pub fn title(&self) -> String {
        format!("{}.{} at {}", self.entry.kernel, self.algorithm, self.isa)
    }

    /// The kernel that the algorithm belongs to.
    pub fn kernel(&self) -> &'static Kernel {
        self.kernel
    }

    /// Returns the algorithm's answer to `input`, or an error if the CPU lacks the level.
    pub fn answer(&self, input: &Input) -> Result<Answer, IsaError> {
        self.isa.token()?;
        // SAFETY: the token proves the level of `entry`, and `entry!` makes `entry` and `runner` of one row,
        // so the runner is compiled for that level.
        Ok(unsafe { (self.runner.answer)(input) })
    }

    /// Returns the index of the first input whose answer differs from the `expected` one, and that answer. Returns
    /// an error if the CPU lacks the level.
    pub fn first_difference(
        &self,
        inputs: &[Input],
        expected: &[Answer],
    ) -> Result<Option<(usize, Answer)>, IsaError> {
        self.isa.token()?;
        for (index, (input, expected)) in inputs.iter().zip(expected).enumerate() {
            // SAFETY: as in `answer`.
            let got = unsafe { (self.runner.answer)(input) };
            if got != *expected {
                return Ok(Some((index, got)));
            }
        }
        Ok(None)
    }

    /// Calls the algorithm once for each index of the trace, so that calls can overlap. A kernel that fills
    /// memory is called once.
    ///
    /// Returns a digest of the answers, which keeps the compiler from dropping the calls; 0 for a kernel
    /// that fills memory. An error if the CPU lacks the level.
    pub fn repeat(&self, trace: &mut Trace) -> Result<u64, IsaError> {
        self.isa.token()?;
        // SAFETY: as in `answer`.
        Ok(unsafe { (self.runner.throughput)(trace) })
    }

    /// Calls the algorithm as [`repeat`](Self::repeat) does, but each call waits for the answer before it.
    /// `zero` must be 0 and hidden from the compiler by `std::hint::black_box`.
    ///
    /// Returns the last answer as a word. An error if the CPU lacks the level.
    pub fn chain(&self, trace: &mut Trace, zero: usize) -> Result<u64, IsaError> {
        self.isa.token()?;
        // SAFETY: as in `answer`.
        Ok(unsafe { (self.runner.latency)(trace, zero) })
    }
}

/// Makes an entry of a row of `for_each_algorithm!`. The runner's functions are compiled for the
/// algorithm's level, so that it inlines into them as it does into a search.
macro_rules! entry {
    ($module:ident $Level:ident [$($features:literal)?] {
        $kernel:ident $algorithm:ident $selected:literal $kind:ident
        fn($($type:ty),*) $(-> $answer:ty)?, $arguments:tt, $geometry:tt, $shape:tt
    }) => {
        CheckerEntry {
            entry: outflank_kernels::__kernel_entry!($module $Level [$($features)?] {
                $kernel $algorithm $selected $kind
                fn($($type),*) $(-> $answer)?, $arguments, $geometry, $shape
            }),
            kernel: &crate::generated::$kernel::KERNEL,
            runner: Runner {
                answer: {
                    $(#[target_feature(enable = $features)])?
                    fn answer(input: &Input) -> Answer {
                        use outflank_kernels::levels::$module::$kernel;
                        crate::calls::answer!(
                            $kind [$kernel::$algorithm], input, $geometry, $arguments
                        )
                    }
                    answer
                },
                throughput: {
                    $(#[target_feature(enable = $features)])?
                    fn throughput(trace: &mut Trace) -> u64 {
                        use outflank_kernels::levels::$module::$kernel;
                        crate::calls::repeat!(
                            $kind [$kernel::$algorithm], trace, $geometry, $arguments
                        )
                    }
                    throughput
                },
                latency: {
                    $(#[target_feature(enable = $features)])?
                    fn latency(trace: &mut Trace, zero: usize) -> u64 {
                        use outflank_kernels::levels::$module::$kernel;
                        crate::calls::chain!(
                            $kind [$kernel::$algorithm], trace, zero, $geometry, $arguments
                        )
                    }
                    latency
                },
            },
        }
    };
}

outflank_kernels::for_each_algorithm!(outflank_kernels::__entries, CheckerEntry entry);

/// The entries that this CPU can run.
pub fn runnable() -> impl Iterator<Item = &'static CheckerEntry> {
    entries().filter(|entry| Isa::available().contains(&entry.isa))
}

/// The entry of the name `KERNEL.ALGORITHM@ISA`.
pub fn entry_named(name: &str) -> Option<&'static CheckerEntry> {
    entries().find(|entry| entry.name() == name)
}

/// Every kernel, sorted by name.
pub fn kernels() -> &'static [&'static Kernel] {
    crate::generated::KERNELS
}

/// The kernel of this name.
pub fn kernel(name: &str) -> Option<&'static Kernel> {
    let mut kernels = kernels().iter().copied();
    kernels.find(|kernel| kernel.name == name)
}
