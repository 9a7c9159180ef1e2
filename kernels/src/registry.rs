//! Every kernel, algorithm and level as data: what tests, benches and fuzzers walk over.
//!
//! ```
//! use outflank_kernels::{Isa, registry};
//!
//! // The algorithms of `flip` at the best level of this CPU, the selected one with a star.
//! let flips = registry::entries().filter(|entry| entry.kernel == "flip");
//! for entry in flips.filter(|entry| entry.level == Isa::detect()) {
//!     println!("{}{}", entry.algorithm, if entry.selected { " *" } else { "" });
//! }
//! assert!(registry::kernels().iter().any(|kernel| kernel.name == "mobility"));
//! ```

use std::fmt;

use crate::input::{Answer, Input};
use crate::trace::Trace;
use crate::{Isa, IsaError};

/// One algorithm of one kernel, compiled for one level.
pub struct Entry {
    /// The kernel's name.
    pub kernel: &'static str,
    /// The algorithm's name.
    pub algorithm: &'static str,
    /// The level that it is compiled for.
    pub level: Isa,
    /// Whether this is the algorithm that the level uses.
    pub selected: bool,
    /// Where its answer goes.
    pub kind: Kind,
    /// What its machine code should look like.
    pub shape: Option<&'static Shape>,
    /// The names of its parameters, which say what part of an input it takes.
    pub parameters: &'static [&'static str],
    /// The function itself, whose address and machine code can be looked at.
    pub code: &'static (dyn fmt::Pointer + Sync),
    /// Runs it on an input.
    ///
    /// # Safety
    /// The CPU has `level`, for this and the next two. The methods of the entry check that.
    pub(crate) run: unsafe fn(&Input) -> Answer,
    /// Runs it on every place of a trace.
    pub(crate) throughput: unsafe fn(&mut Trace) -> u64,
    /// Runs it as often, each time after the last answer is known.
    pub(crate) latency: unsafe fn(&mut Trace, usize) -> u64,
}

/// What the machine code of an algorithm should look like: what makes it fast.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The most instructions that it may have.
    pub bound: usize,
    /// Instructions that it must have, by their names in Intel's manuals, in lower case.
    pub instructions: &'static [&'static str],
}

/// Where a kernel's answer goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// It is returned.
    Returns,
    /// It is written into [`Features`](crate::Features).
    Writes,
    /// It is memory filled from end to end.
    Fills,
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
    /// What the algorithm answers to `input`; an error where the CPU lacks the level.
    pub fn answer(&self, input: &Input) -> Result<Answer, IsaError> {
        self.level.token()?;
        // SAFETY: the CPU has the level, or there would be no token.
        Ok(unsafe { (self.run)(input) })
    }

    /// Where the algorithm first answers to one of `inputs` otherwise than `expected`, and what it
    /// answers there. An error where the CPU lacks the level.
    pub fn first_difference(
        &self,
        inputs: &[Input],
        expected: &[Answer],
    ) -> Result<Option<(usize, Answer)>, IsaError> {
        self.level.token()?;
        for (index, (input, expected)) in inputs.iter().zip(expected).enumerate() {
            // SAFETY: as above.
            let got = unsafe { (self.run)(input) };
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
        self.level.token()?;
        // SAFETY: as above.
        Ok(unsafe { (self.throughput)(trace) })
    }

    /// The same, each call waiting for the answer of the one before. `zero` must be 0, and hidden
    /// from the compiler (`std::hint::black_box`). The result is the last answer as a word, or 0, for
    /// the same reason. An error where the CPU lacks the level.
    pub fn chain(&self, trace: &mut Trace, zero: usize) -> Result<u64, IsaError> {
        self.level.token()?;
        // SAFETY: as above.
        Ok(unsafe { (self.latency)(trace, zero) })
    }

    /// The kernel of which this is an algorithm.
    pub fn kernel(&self) -> &'static Kernel {
        let named = kernels().iter().find(|kernel| kernel.name == self.kernel);
        named.expect("the generator lists the kernel of every entry")
    }
}

/// Every algorithm of every kernel at every level of this architecture, also those that the CPU
/// lacks.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    macro_rules! chain {
        ({} $({ $module:ident $Name:ident [$($cfg:tt)*] $features:tt $doc:literal })*) => {
            [$(#[cfg($($cfg)*)] crate::generated::$module::registry::ENTRIES),*]
        };
    }
    for_each_level!(chain).into_iter().flatten()
}

/// Every kernel.
pub fn kernels() -> &'static [Kernel] {
    crate::generated::registry::KERNELS
}
