//! Every kernel, algorithm and level as data, with what runs it: what checks, measurements and fuzzers
//! iterate over.

use std::fmt;
use std::ops::Deref;
use std::sync::LazyLock;

use outflank_kernels::registry as kernels_registry;
pub use outflank_kernels::registry::{Kind, Shape};
use outflank_kernels::{Isa, IsaError};

use crate::input::{Answer, Input};
use crate::trace::Trace;

/// One algorithm of one kernel, compiled for one level: an entry of the kernels' registry, and what runs it.
pub struct Entry {
    entry: &'static kernels_registry::Entry,
    runner: Runner,
}

impl Deref for Entry {
    type Target = kernels_registry::Entry;

    fn deref(&self) -> &Self::Target {
        self.entry
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// What runs an algorithm.
///
/// # Safety
/// The CPU has its level, for all three. The methods of [`Entry`] check that.
#[derive(Clone, Copy)]
struct Runner {
    /// `KERNEL.ALGORITHM@ISA`, of the row that it is made of.
    name: &'static str,
    /// Runs it on an input.
    run: unsafe fn(&Input) -> Answer,
    /// Runs it on every place of a trace.
    throughput: unsafe fn(&mut Trace) -> u64,
    /// Runs it as often, each time after the last answer is known.
    latency: unsafe fn(&mut Trace, usize) -> u64,
}

/// A kernel: its specification and its reference.
pub struct Kernel {
    /// The kernel's name.
    pub name: &'static str,
    /// What it computes.
    pub doc: &'static str,
    /// The obvious, slow function that says what is right.
    pub reference: fn(&Input) -> Answer,
}

impl Entry {
    /// `KERNEL.ALGORITHM@ISA`: the name that [`named`] knows it by.
    pub fn name(&self) -> String {
        format!("{}.{}@{}", self.kernel, self.algorithm, self.isa)
    }

    /// `KERNEL.ALGORITHM at ISA`, for messages.
    pub fn title(&self) -> String {
        format!("{}.{} at {}", self.kernel, self.algorithm, self.isa)
    }

    /// What the algorithm answers to `input`; an error where the CPU lacks the level.
    pub fn answer(&self, input: &Input) -> Result<Answer, IsaError> {
        self.isa.token()?;
        // SAFETY: the CPU has the level, or there would be no token, and the runner is compiled for that
        // level: `entries` compared their names.
        Ok(unsafe { (self.runner.run)(input) })
    }

    /// The index of the first of `inputs` to which the algorithm answers otherwise than `expected`, and
    /// what it answers there. An error where the CPU lacks the level.
    pub fn first_difference(
        &self,
        inputs: &[Input],
        expected: &[Answer],
    ) -> Result<Option<(usize, Answer)>, IsaError> {
        self.isa.token()?;
        for (index, (input, expected)) in inputs.iter().zip(expected).enumerate() {
            // SAFETY: as above.
            let got = unsafe { (self.runner.run)(input) };
            if got != *expected {
                return Ok(Some((index, got)));
            }
        }
        Ok(None)
    }

    /// Calls the algorithm once for each place of the trace, so that calls can overlap; a kernel that
    /// fills memory is called once. The result is a digest of the answers, which keeps the compiler
    /// from dropping the calls; 0 for a kernel that fills memory. An error where the CPU lacks the level.
    pub fn repeat(&self, trace: &mut Trace) -> Result<u64, IsaError> {
        self.isa.token()?;
        // SAFETY: as above.
        Ok(unsafe { (self.runner.throughput)(trace) })
    }

    /// The same, each call waiting for the answer of the one before. `zero` must be 0, and hidden
    /// from the compiler (`std::hint::black_box`). The result is the last answer as a word, or 0, for
    /// the same reason. An error where the CPU lacks the level.
    pub fn chain(&self, trace: &mut Trace, zero: usize) -> Result<u64, IsaError> {
        self.isa.token()?;
        // SAFETY: as above.
        Ok(unsafe { (self.runner.latency)(trace, zero) })
    }

    /// The kernel of which this is an algorithm.
    pub fn kernel(&self) -> &'static Kernel {
        let named = kernels().iter().find(|kernel| kernel.name == self.kernel);
        named.expect("the generator lists the kernel of every entry")
    }
}

/// What runs an algorithm, from its row of `for_each_algorithm!`. Its functions are compiled for the
/// algorithm's level, so that it inlines into them as it does into a search.
macro_rules! runner {
    ($module:ident [$($features:literal)?] {
        $kernel:ident $algorithm:ident $selected:literal $kind:ident
        fn($($type:ty),*) $(-> $answer:ty)?, ($($name:ident),*), [$($geometry:ident)?], $shape:tt
    }) => {
        Runner {
            name: concat!(
                stringify!($kernel), ".", stringify!($algorithm), "@", stringify!($module)
            ),
            run: {
                $(#[target_feature(enable = $features)])?
                fn run(input: &Input) -> Answer {
                    use outflank_kernels::levels::$module::$kernel;
                    crate::trace::run!(
                        $kind [$kernel::$algorithm], input, [$($geometry)?], ($($name),*)
                    )
                }
                run
            },
            throughput: {
                $(#[target_feature(enable = $features)])?
                fn throughput(trace: &mut Trace) -> u64 {
                    use outflank_kernels::levels::$module::$kernel;
                    crate::trace::repeat!(
                        $kind $kernel::$algorithm, trace, [$($geometry)?], ($($name),*)
                    )
                }
                throughput
            },
            latency: {
                $(#[target_feature(enable = $features)])?
                fn latency(trace: &mut Trace, zero: usize) -> u64 {
                    use outflank_kernels::levels::$module::$kernel;
                    crate::trace::chain!(
                        $kind $kernel::$algorithm, trace, zero, [$($geometry)?], ($($name),*)
                    )
                }
                latency
            },
        }
    };
}

macro_rules! levels {
    ({} $({ $module:ident $Level:ident [$($cfg:tt)*] $features:tt $($row:tt)* })*) => {
        /// In the order of the kernels' registry.
        fn runners() -> impl Iterator<Item = &'static Runner> {
            $(
                #[cfg($($cfg)*)]
                #[allow(non_upper_case_globals, reason = "named as the level is")]
                static $Level: &[Runner] = &[$(runner!($module $features $row)),*];
            )*
            [$(#[cfg($($cfg)*)] $Level),*].into_iter().flatten()
        }
    };
}
outflank_kernels::for_each_algorithm!(levels);

/// Every algorithm of every kernel at every level of this architecture, also those that the CPU
/// lacks.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    // Both come from the same rows.
    static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        kernels_registry::entries()
            .zip(runners())
            .map(|(entry, &runner)| {
                let entry = Entry { entry, runner };
                // What proves the level of the one proves that of the other.
                assert_eq!(entry.name(), runner.name);
                entry
            })
            .collect()
    });
    ENTRIES.iter()
}

/// The entries that this CPU can run.
pub fn runnable() -> impl Iterator<Item = &'static Entry> {
    entries().filter(|entry| Isa::available().contains(&entry.isa))
}

/// The entry of the name `KERNEL.ALGORITHM@ISA`.
pub fn named(name: &str) -> Option<&'static Entry> {
    entries().find(|entry| entry.name() == name)
}

/// Every kernel.
pub fn kernels() -> &'static [Kernel] {
    crate::generated::KERNELS
}
