//! Tokens of the levels of this architecture. A token exists only if the CPU has its level.
//!
//! Only `try_new` makes tokens. It asks the CPU for each target feature in the level's row of the list of
//! levels. The level's functions are compiled with the features of the same row. So a token proves that
//! these functions may be called.

/// Seals the trait of tokens: no other type can claim to prove a level.
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
                /// Returns the token, or `None` if the CPU lacks a feature of the level. The standard library asks the CPU
                /// once and caches the answer.
                pub fn try_new() -> Option<Self> {
                    has!([$($cfg)*] $($feature)*).then_some(Self(()))
                }
            }
        )*
    };
}

#[cfg(all(feature = "std", target_arch = "aarch64"))]
use std::arch::is_aarch64_feature_detected as detected;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
use std::arch::is_x86_feature_detected as detected;

/// `true` if the build enables a feature. Without the standard library the CPU cannot be asked.
#[cfg(not(feature = "std"))]
#[allow(unused_macros, reason = "used where levels are detected")]
macro_rules! detected {
    ($feature:tt) => {
        cfg!(target_feature = $feature)
    };
}

/// `true` if the CPU has all these features.
macro_rules! has {
    ([all()]) => {
        true
    };
    ([target_arch = $arch:literal] $($feature:tt)*) => {
        true $(&& detected!($feature))*
    };
    // WebAssembly has no run-time detection, and an engine without the extension rejects the whole module. So
    // only builds for the extension have the level.
    ([all(target_arch = "wasm32" $($built_for:tt)*)] $($feature:tt)*) => {
        true
    };
}

for_each_level!(tokens);

#[cfg(all(test, target_arch = "x86_64"))]
mod tests;
