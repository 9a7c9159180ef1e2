//! The token of each level of this architecture: a value that only exists where the CPU has the level.
//!
//! A token is made by `try_new` alone, which asks for each target feature of the level's row in the list
//! of levels. The same row has the features that the level's functions are compiled with, so a token
//! proves that they may be called.

/// What only tokens implement: nothing else can claim to prove a level.
mod sealed {
    /// A token of this crate.
    pub trait Sealed {}
}
pub(crate) use sealed::Sealed;

macro_rules! tokens {
    ({} $({ $module:ident $Name:ident [$($cfg:tt)*] [$($feature:tt)*] $doc:literal })*) => {
        $(
            #[cfg($($cfg)*)]
            #[doc = concat!("Proof of the level ", stringify!($module), ": ", $doc)]
            #[derive(Clone, Copy, Debug)]
            pub struct $Name(());

            #[cfg($($cfg)*)]
            impl sealed::Sealed for $Name {}

            #[cfg($($cfg)*)]
            impl $Name {
                /// The token; `None` where the CPU lacks a feature of the level. The standard library
                /// asks the CPU once and remembers.
                pub fn try_new() -> Option<Self> {
                    has!([$($cfg)*] $($feature)*).then_some(Self(()))
                }
            }
        )*
    };
}

/// Whether the CPU has all these features.
macro_rules! has {
    ([all()]) => {
        true
    };
    ([target_arch = "x86_64"] $($feature:tt)*) => {
        true $(&& is_x86_feature_detected!($feature))*
    };
    ([target_arch = "aarch64"] $($feature:tt)*) => {
        true $(&& std::arch::is_aarch64_feature_detected!($feature))*
    };
    // WebAssembly cannot ask, and an engine without the extension refuses the whole module: the level is
    // part of builds for that extension alone.
    ([all(target_arch = "wasm32" $($built_for:tt)*)] $($feature:tt)*) => {
        true
    };
}

for_each_level!(tokens);

#[cfg(all(test, target_arch = "x86_64"))]
mod tests;
