//! The compiled algorithms of every kernel at every level, as data.
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
//! Without the feature `all-algorithms` only the selected algorithms are compiled. The entries are made of
//! the rows of [`for_each_algorithm!`](crate::for_each_algorithm). Other crates compile functions around each
//! algorithm from the same rows, with its level's features: `outflank-checker` makes its timing
//! loops in this way.

use core::any::Any;
use core::fmt;

use crate::Isa;
#[cfg(doc)]
use crate::{Features, KeyedChildren};

/// One algorithm of one kernel, compiled for one level.
pub struct KernelEntry {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Name of the algorithm.
    pub algorithm: &'static str,
    /// Level that the algorithm is compiled for.
    pub isa: Isa,
    /// `true` if the level uses this algorithm.
    pub selected: bool,
    /// Destination of the answer.
    pub kind: OutputKind,
    /// Geometry of the features that the kernel takes or writes; `None` if it has no features.
    pub geometry: Option<&'static str>,
    /// Expected machine code.
    pub shape: Option<&'static Shape>,
    /// Names of the parameters.
    pub parameters: &'static [&'static str],
    /// Pointer to the function, whose type depends on the kernel: see [`function`](Self::function).
    pub code: &'static (dyn Any + Sync),
    #[doc(hidden)]
    pub address: fn() -> usize,
}

impl fmt::Debug for KernelEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}@{}", self.kernel, self.algorithm, self.isa)
    }
}

/// Expected machine code of an algorithm: the instructions that make it fast.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Maximum number of instructions.
    pub bound: usize,
    /// Required instructions, by their names in Intel's manuals, in lower case.
    pub instructions: &'static [&'static str],
}

/// Destination of a kernel's answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputKind {
    /// Return value.
    Returns,
    /// Buffer of type [`Features`].
    Writes,
    /// Buffer of type [`KeyedChildren`]; the return value is the greatest key.
    Lists,
    /// Memory, filled from end to end.
    Fills,
}

impl KernelEntry {
    /// Returns the function as a pointer of type `F`, or `None` if that is not its type. A call of the
    /// pointer is unsafe: only a CPU that has the level may run the function.
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

    /// Address of the function's machine code.
    pub fn address(&self) -> usize {
        (self.address)()
    }
}

/// Makes a [`KernelEntry`] from a level's module, type and features, and a row of
/// [`for_each_algorithm!`](crate::for_each_algorithm).
#[doc(hidden)]
#[macro_export]
macro_rules! __kernel_entry {
    ($module:ident $Level:ident $features:tt {
        $kernel:ident $algorithm:ident $selected:literal $kind:ident
        fn($($type:ty),*) $(-> $answer:ty)?, ($($mark:ident $name:ident),*), [$($geometry:ident)?],
        [$($bound:literal $($instruction:literal)*)?]
    }) => {{
        #[allow(unused_imports, reason = "types of the signatures, which some kernels have")]
        use $crate::*;
        $crate::registry::KernelEntry {
            kernel: stringify!($kernel),
            algorithm: stringify!($algorithm),
            isa: $crate::Isa::$Level,
            selected: $selected,
            kind: $crate::registry::OutputKind::$kind,
            geometry: [$(stringify!($geometry))?].as_slice().first().copied(),
            shape: [$($crate::registry::Shape { bound: $bound, instructions: &[$($instruction),*] })?]
                .as_slice()
                .first(),
            parameters: &[$(stringify!($name)),*],
            code: &($crate::levels::$module::$kernel::$algorithm
                as unsafe fn($($type),*) $(-> $answer)?),
            address: || {
                $crate::levels::$module::$kernel::$algorithm
                    as unsafe fn($($type),*) $(-> $answer)? as usize
            },
        }
    }};
}

/// Defines `entries`, given the type of an entry and the macro that makes one.
#[doc(hidden)]
#[macro_export]
macro_rules! __entries {
    (
        { $Entry:ident $make:ident }
        $({ $module:ident $Level:ident [$($cfg:tt)*] $features:tt $($row:tt)* })*
    ) => {
        /// Every compiled algorithm of every kernel at every level of this architecture, lower levels
        /// first. Levels that the CPU lacks are included.
        pub fn entries() -> impl Iterator<Item = &'static $Entry> {
            $(
                #[cfg($($cfg)*)]
                #[allow(non_upper_case_globals, reason = "named as the level is")]
                static $Level: &[$Entry] = &[$($make!($module $Level $features $row)),*];
            )*
            [$(#[cfg($($cfg)*)] $Level),*].into_iter().flatten()
        }
    };
}
for_each_algorithm!(__entries, KernelEntry __kernel_entry);
