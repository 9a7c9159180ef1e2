//! Every algorithm of every kernel at every level, with functions that call it on inputs. Checks,
//! measurements and fuzzers walk through this list.

use std::fmt;
use std::ops::Deref;
use std::sync::LazyLock;

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
    /// Calls an algorithm of the kernel.
    ///
    /// # Safety
    /// The entry is one of this kernel's, and the CPU has its level.
    pub(crate) answer: unsafe fn(&KernelEntry, &Input) -> Answer,
}

/// One algorithm of one kernel, compiled for one level: an entry of the kernels' registry with functions
/// that call it.
pub struct CheckerEntry {
    entry: &'static KernelEntry,
    runner: &'static Runner,
}

impl Deref for CheckerEntry {
    type Target = KernelEntry;

    fn deref(&self) -> &KernelEntry {
        self.entry
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
struct Runner {
    kernel: &'static Kernel,
    algorithm: &'static str,
    isa: Isa,
    /// # Safety
    /// The CPU must have the level, as for `latency`. The methods of [`CheckerEntry`] check it.
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
        self.runner.kernel
    }

    /// Returns the algorithm's answer to `input`, or an error if the CPU lacks the level.
    pub fn answer(&self, input: &Input) -> Result<Answer, IsaError> {
        self.isa.token()?;
        // SAFETY: the token proves the level, and `entries` pairs an entry with its kernel.
        Ok(unsafe { (self.runner.kernel.answer)(self.entry, input) })
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
            let got = unsafe { (self.runner.kernel.answer)(self.entry, input) };
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
        // SAFETY: the token proves the level of `entry`, for which `runner` is compiled: `entries` pairs only equal
        // levels.
        Ok(unsafe { (self.runner.throughput)(trace) })
    }

    /// Calls the algorithm as [`repeat`](Self::repeat) does, but each call waits for the answer before it.
    /// `zero` must be 0 and hidden from the compiler by `std::hint::black_box`.
    ///
    /// Returns the last answer as a word. An error if the CPU lacks the level.
    pub fn chain(&self, trace: &mut Trace, zero: usize) -> Result<u64, IsaError> {
        self.isa.token()?;
        // SAFETY: as in `repeat`.
        Ok(unsafe { (self.runner.latency)(trace, zero) })
    }

    /// Address of the machine code that [`repeat`](Self::repeat) runs.
    pub fn repeat_address(&self) -> usize {
        self.runner.throughput as usize
    }

    /// Address of the machine code that [`chain`](Self::chain) runs.
    pub fn chain_address(&self) -> usize {
        self.runner.latency as usize
    }
}

/// Makes a runner of a row of `for_each_algorithm!`. Its functions are compiled for the algorithm's level, so that the
/// algorithm inlines into them as it does into a search.
macro_rules! runner {
    ($module:ident $Level:ident [$($features:literal)?] {
        $kernel:ident $algorithm:ident $selected:literal $kind:ident
        fn($($type:ty),*) $(-> $answer:ty)?, $arguments:tt, $geometry:tt, $shape:tt
    }) => {
        Runner {
            kernel: &crate::generated::$kernel::KERNEL,
            algorithm: stringify!($algorithm),
            isa: Isa::$Level,
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
        }
    };
}

/// The runners, in the order of the kernels' registry.
mod runners {
    use super::{Isa, Runner, Trace};

    outflank_kernels::for_each_algorithm!(outflank_kernels::__entries, Runner runner);
}

static ENTRIES: LazyLock<Vec<CheckerEntry>> = LazyLock::new(|| {
    let pairs = outflank_kernels::registry::entries().zip(runners::entries());
    let pairs = pairs.map(|(entry, runner)| {
        let names = (runner.kernel.name, runner.algorithm, runner.isa);
        assert_eq!((entry.kernel, entry.algorithm, entry.isa), names);
        CheckerEntry { entry, runner }
    });
    pairs.collect()
});

/// Every compiled algorithm of every kernel at every level of this architecture, lower levels first. Levels that the
/// CPU lacks are included.
pub fn entries() -> impl Iterator<Item = &'static CheckerEntry> {
    ENTRIES.iter()
}

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
