//! Numbers in options, where whatever is not allowed is answered with what is; and numbers as they are
//! shown.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::{Arg, Command};
use indicatif::HumanCount;

/// A number with commas between the thousands.
pub(super) fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// Every number that a `u64` has.
pub(super) const ANY: RangeInclusive<i128> = 0..=u64::MAX as i128;

/// Every number that a `u32` has, but 0.
pub(super) const SOME: RangeInclusive<i128> = 1..=u32::MAX as i128;

/// What reads a whole number of `range`, which `T` has room for.
pub(super) fn whole<T: TryFrom<i128>>(
    range: RangeInclusive<i128>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        let (low, high) = (range.start(), range.end());
        number.ok_or_else(|| format!("expected a whole number from {low} to {high}"))
    }
}

/// What reads a number of `range`.
pub(super) fn real<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: Copy + Display + FromStr + PartialOrd + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let (low, high) = (range.start(), range.end());
        number.ok_or_else(|| format!("expected a number from {low} to {high}"))
    }
}

/// Takes a negative number behind an option for its value, which then says what is allowed; clap alone would
/// take it for an option that it does not know.
pub(super) fn negative_are_values(command: Command) -> Command {
    let takes_value = |arg: &Arg| arg.get_long().is_some() && arg.get_action().takes_values();
    let command = command.mut_args(|arg| match takes_value(&arg) {
        true => arg.allow_negative_numbers(true),
        false => arg,
    });
    command.mut_subcommands(negative_are_values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_allowed_is_answered_with_what_is() {
        let threads = whole::<u16>(1..=512);
        assert_eq!([threads("1"), threads("512")], [Ok(1), Ok(512)]);
        for text in [
            "0",
            "513",
            "-1",
            "1.5",
            "two",
            "",
            " 1",
            "1e2",
            "99999999999999999999",
        ] {
            let told = "expected a whole number from 1 to 512";
            assert_eq!(threads(text), Err(told.to_owned()), "{text}");
        }
        assert_eq!(whole::<i32>(-64..=64)("-64"), Ok(-64));
        assert_eq!(whole::<u64>(ANY)("18446744073709551615"), Ok(u64::MAX));
        let share = real(0.0..=0.9);
        assert_eq!(share("0.25"), Ok(0.25));
        for text in ["1", "-0.1", "nan", "inf", "half"] {
            let told = "expected a number from 0 to 0.9";
            assert_eq!(share(text), Err(told.to_owned()), "{text}");
        }
    }
}
