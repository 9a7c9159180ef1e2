//! Functions of a program compiled once for every level.

/// Compiles functions once for every level, with the level's target features, so that kernels inline into
/// them. Loops around kernels and recursive functions need it.
///
/// The first line names a trait. The macro defines it and implements it for each level's token. Functions are
/// declared without their first parameter, the token. The expression after `=` is the body: a function of the
/// token and the arguments. One type parameter is allowed, written `[L: Bound]`. Its bound becomes `Bound<I>`,
/// where `I` is the token's type. The result is a safe function over any token of the trait.
///
/// ```
/// use outflank_kernels::{Isa, Kernels, stamp, with_isa};
///
/// stamp! {
///     /// The functions of this program that are compiled for every level.
///     trait Stamped;
///     /// The number of games of `depth` moves that the mover can begin, without passes.
///     fn perft(player: u64, opponent: u64, depth: u32) -> u64 = body;
/// }
///
/// #[inline(always)]
/// fn body<I: Stamped>(isa: I, player: u64, opponent: u64, depth: u32) -> u64 {
///     if depth == 0 {
///         return 1;
///     }
///     let moves = isa.mobility(player, opponent);
///     let games = (0..64).filter(|square| moves >> square & 1 == 1).map(|square| {
///         let flipped = isa.flip(square, player, opponent);
///         // Not `body`: the recursion calls the function compiled for the level.
///         perft(isa, opponent ^ flipped, player | flipped | 1 << square, depth - 1)
///     });
///     games.sum()
/// }
///
/// let token = Isa::detect().token()?;
/// assert_eq!(with_isa!(token, isa => perft(isa, 0x08_1000_0000, 0x10_0800_0000, 5)), 1396);
/// # Ok::<(), outflank_kernels::IsaError>(())
/// ```
#[macro_export]
macro_rules! stamp {
    (
        $(#[$about:meta])*
        $visibility:vis trait $Trait:ident;
        $(
            $(#[$doc:meta])*
            fn $name:ident $([$L:ident: $Bound:ident])? ($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?
                = $body:expr;
        )*
    ) => {
        $(#[$about])*
        $visibility trait $Trait: $crate::Kernels {
            $(
                /// # Safety
                /// The CPU must have the level of `self`. Holding the token proves it.
                unsafe fn $name $(<$L: $Bound<Self>>)? (self, $($arg: $ty),*) $(-> $ret)?;
            )*
        }

        $(
            $(#[$doc])*
            #[inline(always)]
            $visibility fn $name<I: $Trait $(, $L: $Bound<I>)?>(isa: I, $($arg: $ty),*) $(-> $ret)? {
                // SAFETY: only tokens implement `Kernels`. A token exists only where the CPU has each
                // target feature of its level's row in the list of levels, and the stamped function is
                // compiled with the features of that row.
                unsafe { isa.$name $(::<$L>)? ($($arg),*) }
            }
        )*

        $crate::for_each_level!($crate::__stamp_levels, $Trait [
            $(fn $name $([$L: $Bound])? ($($arg: $ty),*) $(-> $ret)? = $body;)*
        ]);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __stamp_levels {
    (
        { $Trait:ident $functions:tt }
        $({ $module:ident $Name:ident [$($cfg:tt)*] [$($feature:literal)*] $doc:literal })*
    ) => {
        $(
            #[cfg($($cfg)*)]
            impl $Trait for $crate::tokens::$Name {
                $crate::__stamp_functions! { [$($feature)*] $functions }
            }
        )*
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __stamp_functions {
    ([] $functions:tt) => {
        $crate::__stamp_functions! { @with [] $functions }
    };
    ([$($feature:literal)+] $functions:tt) => {
        $crate::__stamp_functions! { @with [#[target_feature($(enable = $feature),+)]] $functions }
    };
    (@with $attribute:tt [$(
        fn $name:ident $([$L:ident: $Bound:ident])? ($($arg:ident: $ty:ty),*) $(-> $ret:ty)? = $body:expr;
    )*]) => {
        $($crate::__stamp_function! {
            $attribute fn $name $([$L: $Bound])? ($($arg: $ty),*) $(-> $ret)? = $body;
        })*
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __stamp_function {
    (
        [$($attribute:tt)*]
        fn $name:ident $([$L:ident: $Bound:ident])? ($($arg:ident: $ty:ty),*) $(-> $ret:ty)? = $body:expr;
    ) => {
        $($attribute)*
        unsafe fn $name $(<$L: $Bound<Self>>)? (self, $($arg: $ty),*) $(-> $ret)? {
            $body(self, $($arg),*)
        }
    };
}

/// Makes a test for each level of this architecture. `level_tests!(agrees)` makes `agrees_v3`, which calls
/// `agrees(Isa::V3)`, and so on. A test is skipped with a message if the CPU lacks the level, unless
/// `on_any_cpu` stands before the name.
#[macro_export]
macro_rules! level_tests {
    (on_any_cpu $test:ident) => {
        $crate::for_each_level!($crate::__level_tests, $test true);
    };
    ($test:ident) => {
        $crate::for_each_level!($crate::__level_tests, $test false);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __level_tests {
    (
        { $test:ident $on_any_cpu:literal }
        $({ $module:ident $Name:ident [$($cfg:tt)*] $features:tt $doc:literal })*
    ) => {
        $crate::__paste! {
            $(
                #[cfg($($cfg)*)]
                #[test]
                fn [<$test _ $module>]() {
                    match $crate::Isa::$Name.token() {
                        Err(error) if !$on_any_cpu => println!("skipped: {error}"),
                        _ => $test($crate::Isa::$Name),
                    }
                }
            )*
        }
    };
}
