//! Every kernel, algorithm and level as data.
//!
//! ```
//! use outflank_kernels::{Isa, registry};
//!
//! // The algorithms of `flip` at the best level of this CPU, the selected one with a star.
//! let flips = registry::entries().filter(|entry| entry.kernel == "flip");
//! for entry in flips.filter(|entry| entry.isa == Isa::detect()) {
//!     println!("{}{}", entry.algorithm, if entry.selected { " *" } else { "" });
//! }
//! ```
//!
//! The rows are those of [`for_each_algorithm!`](crate::for_each_algorithm): what has to be compiled for
//! each algorithm, with its level's features, is stamped from the same rows. The crate `outflank-checker`
//! stamps its checks and its loops for measurements so.

use std::any::Any;
use std::fmt;

use crate::{Block, Children, Features, Isa, Network, Weights};

/// One algorithm of one kernel, compiled for one level.
pub struct Entry {
    /// The kernel's name.
    pub kernel: &'static str,
    /// The algorithm's name.
    pub algorithm: &'static str,
    /// The level that it is compiled for.
    pub isa: Isa,
    /// Whether this is the algorithm that the level uses.
    pub selected: bool,
    /// Where its answer goes.
    pub kind: Kind,
    /// The geometry of the features that it takes or writes; `None` where it knows no features.
    pub geometry: Option<&'static str>,
    /// What its machine code should look like.
    pub shape: Option<&'static Shape>,
    /// The names of its parameters.
    pub parameters: &'static [&'static str],
    /// The pointer to the function, whose type depends on the kernel: see [`function`](Self::function).
    pub code: &'static (dyn Any + Sync),
    address: fn() -> usize,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}@{}", self.kernel, self.algorithm, self.isa)
    }
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
    /// It is written into [`Features`].
    Writes,
    /// It is written into [`Children`], and the greatest key is returned.
    Lists,
    /// It is memory filled from end to end.
    Fills,
}

impl Entry {
    /// The function, where `F` is the type of its pointer: unsafe, because only a CPU that has the level
    /// may run it.
    ///
    /// ```
    /// use outflank_kernels::{Isa, registry};
    ///
    /// let mut entries = registry::entries();
    /// let portable = entries.find(|entry| entry.kernel == "mobility").expect("a kernel");
    /// assert_eq!(portable.isa, Isa::Portable);
    /// let mobility: unsafe fn(u64, u64) -> u64 = portable.function().expect("its signature");
    /// // SAFETY: every CPU has the level portable.
    /// let moves = unsafe { mobility(0x08_1000_0000, 0x10_0800_0000) };
    /// assert_eq!(moves.count_ones(), 4);
    /// ```
    pub fn function<F: Any + Copy>(&self) -> Option<F> {
        let code: &dyn Any = self.code;
        code.downcast_ref().copied()
    }

    /// Where the function's machine code begins.
    pub fn address(&self) -> usize {
        (self.address)()
    }
}

macro_rules! entry {
    ($module:ident $Level:ident {
        $kernel:ident $algorithm:ident $selected:literal $kind:ident
        fn($($type:ty),*) $(-> $answer:ty)?, ($($name:ident),*), [$($geometry:ident)?],
        [$($bound:literal $($instruction:literal)*)?]
    }) => {
        Entry {
            kernel: stringify!($kernel),
            algorithm: stringify!($algorithm),
            isa: Isa::$Level,
            selected: $selected,
            kind: Kind::$kind,
            geometry: [$(stringify!($geometry))?].as_slice().first().copied(),
            shape: [$(Shape { bound: $bound, instructions: &[$($instruction),*] })?].as_slice().first(),
            parameters: &[$(stringify!($name)),*],
            code: &(crate::generated::$module::$kernel::$algorithm
                as unsafe fn($($type),*) $(-> $answer)?),
            address: || {
                crate::generated::$module::$kernel::$algorithm
                    as unsafe fn($($type),*) $(-> $answer)? as usize
            },
        }
    };
}

macro_rules! levels {
    ({} $({ $module:ident $Level:ident [$($cfg:tt)*] $features:tt $($row:tt)* })*) => {
        /// Every algorithm of every kernel at every level of this architecture, lower levels before
        /// higher ones; also those that the CPU lacks.
        pub fn entries() -> impl Iterator<Item = &'static Entry> {
            $(
                #[cfg($($cfg)*)]
                #[allow(non_upper_case_globals, reason = "named as the level is")]
                static $Level: &[Entry] = &[$(entry!($module $Level $row)),*];
            )*
            [$(#[cfg($($cfg)*)] $Level),*].into_iter().flatten()
        }
    };
}
for_each_algorithm!(levels);
