//! Instruction-set levels: names, tokens, detection and choice.
//!
//! A token is a zero-sized value that exists only if the CPU has its level. Therefore functions that take a
//! token are safe to call. The generator writes the list of levels. This module makes the enum and the
//! dispatch from the list. `tokens` makes the tokens and their detection.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use crate::generated::Kernels;
use crate::tokens::*;

/// Environment variable that forces a level if the caller names none.
pub const ENVIRONMENT: &str = "OUTFLANK_ISA";

macro_rules! define_levels {
    ({} $({ $module:ident $Name:ident [$($cfg:tt)*] [$($feature:literal)*] $doc:literal })*) => {
        /// An instruction-set level. Within an architecture, slower levels come first. A level includes the CPU
        /// features of the level that it extends. The levels of x86-64 are a tree: neither `Adl` nor `V4` includes
        /// the other.
        ///
        /// ```
        /// use outflank_kernels::Isa;
        ///
        /// assert_eq!("v3".parse(), Ok(Isa::V3));
        /// println!("{} needs {}", Isa::V3, Isa::V3.needs());
        /// assert!(Isa::available().contains(&Isa::detect()));
        /// // Proof that the CPU has the level, or an error that names those that it has.
        /// assert_eq!(Isa::Portable.token()?.isa(), Isa::Portable);
        /// // The level of a program's option, else of the environment variable, else the best level.
        /// assert_eq!(Isa::choose(Some(Isa::Portable))?.name(), "portable");
        /// # Ok::<(), outflank_kernels::IsaError>(())
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum Isa {
            $(#[doc = $doc] $Name,)*
        }

        /// Token of a level: proof that the CPU has it.
        #[derive(Clone, Copy, Debug)]
        pub enum Token {
            $(
                #[cfg($($cfg)*)]
                #[doc = $doc]
                $Name($Name),
            )*
        }

        impl Isa {
            /// All levels of all architectures, slower levels first.
            pub const ALL: &[Isa] = &[$(Isa::$Name),*];

            /// Name on the command line and in records.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Isa::$Name => stringify!($module),)*
                }
            }

            /// Required CPU features, in words.
            pub const fn needs(self) -> &'static str {
                match self {
                    $(Isa::$Name => $doc,)*
                }
            }

            /// Target features of the level's kernels, by the compiler's names. The token proves each of them.
            pub const fn features(self) -> &'static [&'static str] {
                match self {
                    $(Isa::$Name => &[$($feature),*],)*
                }
            }

            /// Returns the level's token if the CPU has the level.
            pub fn token(self) -> Result<Token, IsaError> {
                let token = match self {
                    $(
                        #[cfg($($cfg)*)]
                        Isa::$Name => $Name::try_new().map(Token::$Name),
                    )*
                    #[allow(unreachable_patterns, reason = "no other level on this architecture")]
                    _ => None,
                };
                token.ok_or(IsaError::Unavailable { isa: self })
            }
        }

        impl Token {
            /// The level that this token proves.
            pub const fn isa(self) -> Isa {
                match self {
                    $(
                        #[cfg($($cfg)*)]
                        Token::$Name(_) => <$Name as Kernels>::ISA,
                    )*
                }
            }
        }
    };
}
for_each_level!(define_levels);

/// Runs `$body` with `$isa` bound to the token inside a [`Token`]. This turns a level chosen at run time into
/// a type. The body is compiled once for every level.
///
/// ```
/// use outflank_kernels::{Kernels, Isa, with_isa};
///
/// /// The number of moves that each side has.
/// fn moves<I: Kernels>(isa: I, player: u64, opponent: u64) -> [u32; 2] {
///     [isa.mobility(player, opponent), isa.mobility(opponent, player)].map(u64::count_ones)
/// }
///
/// let token = Isa::detect().token()?;
/// assert_eq!(with_isa!(token, isa => moves(isa, 0x08_1000_0000, 0x10_0800_0000)), [4, 4]);
/// # Ok::<(), outflank_kernels::IsaError>(())
/// ```
#[macro_export]
macro_rules! with_isa {
    ($token:expr, $isa:ident => $body:expr) => {
        $crate::for_each_level!($crate::__with_isa, $token, $isa => $body)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __with_isa {
    (
        { $token:expr, $isa:ident => $body:expr }
        $({ $module:ident $Name:ident [$($cfg:tt)*] $features:tt $doc:literal })*
    ) => {
        match $token {
            $(
                #[cfg($($cfg)*)]
                $crate::Token::$Name($isa) => $body,
            )*
        }
    };
}

/// Calls a generated function that is compiled with a level's features.
///
/// For generated code only: the methods of `Kernels`, which take the level's token.
#[allow(unused_macros, reason = "as for its import below")]
macro_rules! proven {
    ($call:expr) => {
        // SAFETY: the callee is compiled with the features of the level that the caller's token stands
        // for. A token exists only where each of these features was detected; both lists are written by
        // the generator from one row of its list of levels.
        unsafe { $call }
    };
}
#[allow(
    unused_imports,
    reason = "no level of this architecture may need features"
)]
pub(crate) use proven;

/// Error for a level that is unknown or that the CPU lacks.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IsaError {
    /// No level has this name.
    Unknown {
        /// The requested name.
        name: String,
    },
    /// The CPU lacks the level.
    Unavailable {
        /// The requested level.
        isa: Isa,
    },
}

impl fmt::Display for IsaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IsaError::Unknown { name } => write!(f, "unknown instruction-set level '{name}'")?,
            IsaError::Unavailable { isa } => {
                write!(f, "this CPU lacks the instruction-set level {isa}")?;
            }
        }
        f.write_str(" (possible here:")?;
        for (index, isa) in Isa::possible().enumerate() {
            write!(f, "{} {isa}", if index == 0 { "" } else { "," })?;
        }
        f.write_str(")")
    }
}

impl core::error::Error for IsaError {}

impl Isa {
    /// The levels of this CPU, slower levels first.
    fn possible() -> impl DoubleEndedIterator<Item = Isa> {
        let all = Isa::ALL.iter().copied();
        all.filter(|isa| isa.token().is_ok())
    }

    /// The levels of this CPU, slower levels first. The CPU is asked once.
    #[cfg(feature = "std")]
    pub fn available() -> &'static [Isa] {
        static AVAILABLE: std::sync::OnceLock<Vec<Isa>> = std::sync::OnceLock::new();
        AVAILABLE.get_or_init(|| Isa::possible().collect())
    }

    /// The best level of this CPU. Without the feature `std`: the best level whose target features the build enables.
    pub fn detect() -> Isa {
        Isa::possible()
            .next_back()
            .expect("every CPU has the portable level")
    }

    /// Chooses a level: `forced`, else the level that the environment variable `OUTFLANK_ISA` names, else the
    /// best level of the CPU. Returns an error if the name is unknown or the CPU lacks the level.
    #[cfg(feature = "std")]
    pub fn choose(forced: Option<Isa>) -> Result<Isa, IsaError> {
        let isa = match (forced, std::env::var(ENVIRONMENT)) {
            (Some(isa), _) => isa,
            (None, Ok(name)) if !name.is_empty() => name.parse()?,
            (None, Err(std::env::VarError::NotUnicode(name))) => {
                return Err(IsaError::Unknown {
                    name: name.to_string_lossy().into_owned(),
                });
            }
            _ => Isa::detect(),
        };
        isa.token().map(|_| isa)
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Isa {
    type Err = IsaError;

    /// Parses a level's name in upper or lower case.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Isa::ALL
            .iter()
            .find(|isa| isa.name().eq_ignore_ascii_case(name));
        known.copied().ok_or_else(|| IsaError::Unknown {
            name: name.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_found_by_name_and_proved_by_token() {
        for &isa in Isa::ALL {
            assert_eq!(isa.name().parse(), Ok(isa));
            assert_eq!(isa.name().to_uppercase().parse(), Ok(isa));
            match isa.token() {
                Ok(token) => assert_eq!(token.isa(), isa),
                Err(error) => {
                    assert_eq!(error, IsaError::Unavailable { isa });
                    assert!(error.to_string().contains(isa.name()));
                }
            }
        }
        assert!(Isa::available().contains(&Isa::Portable));
        let unknown = "v9".parse::<Isa>().unwrap_err().to_string();
        assert!(
            unknown.contains("'v9'") && unknown.contains("portable"),
            "{unknown}"
        );
    }
}
