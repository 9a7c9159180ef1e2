//! The instruction-set levels: their names, their tokens, which the CPU has, which one to use.
//!
//! A token is a zero-sized value that only exists where the CPU has its level, so what takes one is safe
//! to call. The list of levels is made by the generator; the enum and the dispatch follow from it here,
//! the tokens and their detection in `tokens.rs`.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use crate::generated::Kernels;
use crate::tokens::*;

/// The environment variable that forces a level where the caller names none.
pub const ENVIRONMENT: &str = "OUTFLANK_ISA";

macro_rules! define_levels {
    ({} $({ $module:ident $Name:ident [$($cfg:tt)*] [$($feature:literal)*] $doc:literal })*) => {
        /// An instruction-set level. A higher level of an architecture has all that the lower have.
        ///
        /// ```
        /// use outflank_kernels::Isa;
        ///
        /// assert_eq!("v3".parse(), Ok(Isa::V3));
        /// println!("{} needs {}", Isa::V3, Isa::V3.needs());
        /// assert!(Isa::available().contains(&Isa::detect()));
        /// // Proof that the CPU has the level, or an error that names those that it has.
        /// assert_eq!(Isa::Portable.token()?.isa(), Isa::Portable);
        /// // What a program does that has an option for it: the environment can name one, too.
        /// assert_eq!(Isa::choose(Some(Isa::Portable))?.name(), "portable");
        /// # Ok::<(), outflank_kernels::IsaError>(())
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum Isa {
            $(#[doc = $doc] $Name,)*
        }

        /// A level's token: proof that the CPU has the level.
        #[derive(Clone, Copy, Debug)]
        pub enum Token {
            $(
                #[cfg($($cfg)*)]
                #[doc = $doc]
                $Name($Name),
            )*
        }

        impl Isa {
            /// All levels of all architectures, lower before higher.
            pub const ALL: &[Isa] = &[$(Isa::$Name),*];

            /// The name on the command line and in records.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Isa::$Name => stringify!($module),)*
                }
            }

            /// What the level needs of the CPU.
            pub const fn needs(self) -> &'static str {
                match self {
                    $(Isa::$Name => $doc,)*
                }
            }

            /// The target features that the level's kernels are compiled with, by the compiler's names:
            /// those that its token proves.
            pub const fn features(self) -> &'static [&'static str] {
                match self {
                    $(Isa::$Name => &[$($feature),*],)*
                }
            }

            /// The token, where the CPU has the level.
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

/// Runs `$body` with `$isa` bound to the token inside a [`Token`]: the one place where a level
/// chosen at run time becomes a type. The body is compiled once for every level.
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

/// Why a level cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IsaError {
    /// No level has this name.
    #[error(
        "unknown instruction-set level '{name}' (possible here: {})",
        names(Isa::available())
    )]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// The CPU lacks the level.
    #[error(
        "this CPU lacks the instruction-set level {isa} (possible here: {})",
        names(Isa::available())
    )]
    Unavailable {
        /// What was asked for.
        isa: Isa,
    },
}

fn names(levels: &[Isa]) -> String {
    levels
        .iter()
        .map(|isa| isa.name())
        .collect::<Vec<_>>()
        .join(", ")
}

impl Isa {
    /// The levels that this CPU has, lower before higher. Asked of the CPU once.
    pub fn available() -> &'static [Isa] {
        static AVAILABLE: OnceLock<Vec<Isa>> = OnceLock::new();
        AVAILABLE.get_or_init(|| {
            Isa::ALL
                .iter()
                .copied()
                .filter(|isa| isa.token().is_ok())
                .collect()
        })
    }

    /// The best level that this CPU has.
    pub fn detect() -> Isa {
        *Isa::available()
            .last()
            .expect("every CPU has the portable level")
    }

    /// The level to use: `forced` if given, else the one that the environment variable
    /// `OUTFLANK_ISA` names, else the best that the CPU has. An error where the name is unknown or
    /// the CPU lacks the level.
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

    /// Reads a level's name; upper case will do.
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
