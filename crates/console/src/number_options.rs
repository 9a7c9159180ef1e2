//! Option parsers whose errors report the allowed numbers or names.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command};
use indicatif::HumanCount;

/// Formats a number with commas between thousands.
pub fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// Range of `u64`.
pub const ANY_U64: RangeInclusive<i128> = 0..=u64::MAX as i128;

/// Range of `u32` without 0.
pub const POSITIVE_U32: RangeInclusive<i128> = 1..=u32::MAX as i128;

/// Returns a parser of whole numbers in `range`.
pub fn whole<T: TryFrom<i128>>(
    range: RangeInclusive<i128>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        let (low, high) = (range.start(), range.end());
        number.ok_or_else(|| format!("expected a whole number from {low} to {high}"))
    }
}

/// Returns a parser of numbers in `range`.
pub fn real<T>(
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

/// Parses a time in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    real(0.0..=1e9)(text).map(Duration::from_secs_f64)
}

/// Parses a time limit in seconds, at least a millisecond: a limit of 0 would be over at once.
pub fn seconds_limit(text: &str) -> Result<Duration, String> {
    real(0.001..=1e9)(text).map(Duration::from_secs_f64)
}

/// Returns a parser of the names of `values`.
pub fn names<T: Copy + Send + Sync + 'static>(
    values: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let names = values.iter().map(move |&value| name(value));
    PossibleValuesParser::new(names).map(move |text| {
        let named = values.iter().find(|&&value| name(value) == text);
        *named.expect("clap accepts no other name")
    })
}

/// Lets every option with a value accept negative numbers, so that its parser reports the range. clap alone would
/// report an unknown option.
pub fn accept_negative_numbers(command: Command) -> Command {
    let takes_value = |arg: &Arg| arg.get_long().is_some() && arg.get_action().takes_values();
    let command = command.mut_args(|arg| match takes_value(&arg) {
        true => arg.allow_negative_numbers(true),
        false => arg,
    });
    command.mut_subcommands(accept_negative_numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsers_report_the_allowed_range() {
        let threads = whole::<u16>(1..=512);
        assert_eq!([threads("1"), threads("512")], [Ok(1), Ok(512)]);
        for text in "0,513,-1,1.5,two,, 1,1e2,99999999999999999999".split(',') {
            let message = "expected a whole number from 1 to 512";
            assert_eq!(threads(text), Err(message.to_owned()), "{text}");
        }
        assert_eq!(whole::<i32>(-64..=64)("-64"), Ok(-64));
        assert_eq!(whole::<u64>(ANY_U64)("18446744073709551615"), Ok(u64::MAX));
        let share = real(0.0..=0.9);
        assert_eq!(share("0.25"), Ok(0.25));
        for text in ["1", "-0.1", "nan", "inf", "half"] {
            let message = "expected a number from 0 to 0.9";
            assert_eq!(share(text), Err(message.to_owned()), "{text}");
        }
    }
}
