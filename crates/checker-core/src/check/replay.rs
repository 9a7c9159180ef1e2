//! A comparison as one word, which a report prints and a user pastes.

use std::fmt;
use std::str::FromStr;

use outflank_kernels::IsaError;

use crate::input::{Answer, Case, Input};
use crate::registry::{CheckerEntry, entry_named};

/// Comparison of one algorithm with its reference on one case.
///
/// The text form is `KERNEL.ALGORITHM@ISA:CASE`. `CASE` is [`Case::to_bytes`] in hexadecimal, without zeros at the end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Replay {
    /// The algorithm and its level.
    pub entry: &'static CheckerEntry,
    /// The case.
    pub case: Case,
}

impl Replay {
    /// Runs the algorithm in this process. Returns the answers of reference and algorithm, or an error if the CPU lacks
    /// the level.
    pub fn answers(&self) -> Result<[Answer; 2], IsaError> {
        let input = Input::new(self.case);
        let expected = (self.entry.kernel().reference)(&input);
        Ok([expected, self.entry.answer(&input)?])
    }
}

/// Writes the text form of a [`Replay`].
pub(super) fn write(f: &mut fmt::Formatter<'_>, entry: &CheckerEntry, case: &Case) -> fmt::Result {
    let bytes = case.to_bytes();
    let used = bytes
        .iter()
        .rposition(|&byte| byte != 0)
        .map_or(0, |last| last + 1);
    write!(f, "{}:", entry.name())?;
    bytes[..used]
        .iter()
        .try_for_each(|byte| write!(f, "{byte:02x}"))
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self.entry, &self.case)
    }
}

/// Error of a text that is no [`Replay`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The text has no colon.
    #[error("'{0}' is no comparison: KERNEL.ALGORITHM@ISA:CASE is expected, as a report prints it")]
    Form(String),
    /// No algorithm has this name at this level.
    #[error("no algorithm and level are named '{0}'")]
    Unknown(String),
    /// The case is not hexadecimal or too long.
    #[error("'{0}' is no case: at most {max} pairs of hexadecimal digits are expected", max = Case::BYTES)]
    Case(String),
    /// The case breaks an invariant of all cases.
    #[error("the case of the comparison has {0}")]
    Invalid(&'static str),
}

impl FromStr for Replay {
    type Err = ReplayError;

    fn from_str(text: &str) -> Result<Replay, ReplayError> {
        let (name, digits) = text
            .trim()
            .split_once(':')
            .ok_or_else(|| ReplayError::Form(text.into()))?;
        let entry = entry_named(name).ok_or_else(|| ReplayError::Unknown(name.into()))?;
        let byte = |pair: &[u8]| {
            let pair = str::from_utf8(pair).ok()?;
            let is_whole = pair.len() == 2 && pair.chars().all(|digit| digit.is_ascii_hexdigit());
            is_whole.then(|| u8::from_str_radix(pair, 16).ok())?
        };
        let bytes: Option<Vec<u8>> = digits.as_bytes().chunks(2).map(byte).collect();
        let bytes = bytes.filter(|bytes| bytes.len() <= Case::BYTES);
        let case = Case::read(&bytes.ok_or_else(|| ReplayError::Case(digits.into()))?);
        // Some sweeps have a disc on the square, for kernels to which that makes no difference.
        let square = 1_u64.checked_shl(case.square as u32).unwrap_or(0);
        let cleared = Case {
            player: case.player & !square,
            opponent: case.opponent & !square,
            ..case
        };
        match cleared.broken_invariant() {
            None => Ok(Replay { entry, case }),
            Some(what) => Err(ReplayError::Invalid(what)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::Cases;
    use crate::check::Source;
    use crate::registry::runnable;

    #[test]
    fn comparisons_are_pasted_unchanged() {
        let entries: Vec<_> = runnable().collect();
        for (&entry, case) in entries.iter().cycle().zip(Cases::new(9)).take(5000) {
            let replay = Replay { entry, case };
            let text = replay.to_string();
            assert_eq!(text.parse(), Ok(replay), "{text}");
            let [expected, got] = replay.answers().expect("the CPU has the level");
            assert_eq!(expected, got, "{text}");
        }
        let entry = entry_named("flip.carry@portable").expect("it is a kernel");
        for source in Source::sweeps() {
            for case in source.cases(0) {
                let replay = Replay { entry, case };
                assert_eq!(replay.to_string().parse(), Ok(replay));
            }
        }
    }

    #[test]
    fn errors_say_which_part_is_wrong() {
        for (text, message) in [
            (
                "flip",
                "'flip' is no comparison: KERNEL.ALGORITHM@ISA:CASE is expected, as a report prints it",
            ),
            (
                "flop.carry@v2:00",
                "no algorithm and level are named 'flop.carry@v2'",
            ),
            (
                "flip.carry@portable:0",
                "'0' is no case: at most 55 pairs of hexadecimal digits are expected",
            ),
            (
                "flip.carry@portable:+1",
                "'+1' is no case: at most 55 pairs of hexadecimal digits are expected",
            ),
            (
                "flip.carry@portable:00",
                "the case of the comparison has four squares that are not four different ones",
            ),
            (
                "flip.carry@portable:02000000000000000200000000000000",
                "the case of the comparison has a square with two discs",
            ),
        ] {
            let error = text.parse::<Replay>().expect_err("no comparison");
            assert_eq!(error.to_string(), message);
        }
        let long = format!("flip.carry@portable:{}", "00".repeat(56));
        assert!(long.parse::<Replay>().is_err());
    }
}
