//! Readers of arguments: numbers, texts, booleans, paths and functions. Their exceptions name the argument.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use outflank::search::MAX_THREADS;
use outflank::{Selectivity, Window};
use outflank_verifier::MAX_LEAF_EMPTIES;
use pyo3::PyClass;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyUnicodeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::errors::ArgumentError;

/// Optional argument of a type that is checked later.
pub(crate) type OptionalArg<'py> = Option<Bound<'py, PyAny>>;

/// Makes an `ArgumentError`, such as `level: expected a whole number, got str`.
pub(crate) fn type_error(name: &str, expected: impl Display, got: &Bound<'_, PyAny>) -> PyErr {
    let got = match got.is_none() {
        true => "None".to_owned(),
        false => type_name(got),
    };
    ArgumentError::new_err(format!("{name}: expected {expected}, got {got}"))
}

/// Name of the type of an object.
pub(crate) fn type_name(object: &Bound<'_, PyAny>) -> String {
    match object.get_type().name() {
        Ok(name) => name.to_string(),
        Err(_) => "something else".to_owned(),
    }
}

/// Replaces a `TypeError` of a conversion by [`type_error`]; passes on other exceptions.
pub(crate) fn replace_type_error(
    error: PyErr,
    name: &str,
    expected: &str,
    value: &Bound<'_, PyAny>,
) -> PyErr {
    match error.is_instance_of::<PyTypeError>(value.py()) {
        true => type_error(name, expected, value),
        false => error,
    }
}

/// Reads an integer in `range`. `T` must be able to hold the whole range.
pub(crate) fn integer<T: TryFrom<i128>>(
    name: &str,
    value: &Bound<'_, PyAny>,
    range: RangeInclusive<i128>,
) -> PyResult<T> {
    let index = value.py().import("operator")?.getattr("index")?;
    let number = index.call1((value,));
    let number =
        number.map_err(|error| replace_type_error(error, name, "a whole number", value))?;
    let (low, high) = (range.start(), range.end());
    let outside = |number: &dyn Display| {
        PyValueError::new_err(format!("{name}: expected {low} to {high}, got {number}"))
    };
    match number.extract::<i128>() {
        Ok(number) if range.contains(&number) => T::try_from(number).map_err(|_| outside(&number)),
        Ok(number) => Err(outside(&number)),
        Err(_) => {
            let bits: usize = number.call_method0("bit_length")?.extract()?;
            Err(outside(&format_args!("a number of {bits} bits")))
        }
    }
}

/// Reads a number, which may be infinite or NaN.
pub(crate) fn float(name: &str, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    value.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyOverflowError>(value.py()) {
            return PyValueError::new_err(format!("{name} is too large a number"));
        }
        replace_type_error(error, name, "a number", value)
    })
}

/// Reads a text.
pub(crate) fn text<'a>(name: &str, value: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    let text = value.cast::<PyString>();
    let text = text.map_err(|_| type_error(name, "a text", value))?;
    text.to_str().map_err(|error| {
        if error.is_instance_of::<PyUnicodeError>(value.py()) {
            return PyValueError::new_err(format!("{name} is not valid Unicode"));
        }
        error
    })
}

/// Reads a selectivity in percent.
pub(crate) fn selectivity_of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Selectivity> {
    let percent: i64 = integer(name, value, I64_RANGE)?;
    let known = u32::try_from(percent).ok();
    let known = known.and_then(Selectivity::of_percent);
    let message = || format!("{name}: expected 73, 87, 95, 98, 99 or 100, got {percent}");
    known.ok_or_else(|| PyValueError::new_err(message()))
}

/// Reads a time in seconds.
pub(crate) fn time_of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let seconds = float(name, value)?;
    let message = || format!("{name}: expected 0 or more seconds, got {seconds}");
    Duration::try_from_secs_f64(seconds).map_err(|_| PyValueError::new_err(message()))
}

/// Reads a pair of scores.
pub(crate) fn window_of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Window> {
    let ends = value.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>();
    let ends = ends.map_err(|_| type_error(name, "a pair of scores", value))?;
    let score = |score| integer::<i64>(name, score, I64_RANGE);
    let (alpha, beta) = (score(&ends.0)?, score(&ends.1)?);
    let (low, high) = (i32::try_from(alpha), i32::try_from(beta));
    let window = low.ok().zip(high.ok());
    let window = window.and_then(|(low, high)| Window::new(low, high));
    let message = || format!("{name}: expected -64 <= alpha < beta <= 64, got {alpha} and {beta}");
    window.ok_or_else(|| PyValueError::new_err(message()))
}

/// Reads `True` or `False`.
fn boolean(name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value
        .extract()
        .map_err(|error| replace_type_error(error, name, "True or False", value))
}

/// Reads the path of a file.
pub(crate) fn path(name: &str, value: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    value
        .extract()
        .map_err(|error| replace_type_error(error, name, "the path of a file", value))
}

/// Reads an object of a class of this package.
pub(crate) fn instance<'a, 'py, T: PyClass>(
    name: &str,
    value: &'a Bound<'py, PyAny>,
) -> PyResult<&'a Bound<'py, T>> {
    let instance = value.cast::<T>();
    instance.map_err(|_| type_error(name, format_args!("a {}", T::NAME), value))
}

/// Defines readers that are named after their arguments, for `from_py_with`.
macro_rules! readers {
    ($($name:ident: $type:ty = $read:ident($($range:expr)?);)*) => {
        $(
            pub(crate) fn $name(value: &Bound<'_, PyAny>) -> PyResult<$type> {
                $read(stringify!($name), value $(, $range)?)
            }
        )*
    };
}

/// Range of an unsigned 64-bit integer.
pub(crate) const U64_RANGE: RangeInclusive<i128> = 0..=u64::MAX as i128;

/// Range of a signed 64-bit integer.
pub(crate) const I64_RANGE: RangeInclusive<i128> = i64::MIN as i128..=i64::MAX as i128;

/// Range of depths in plies, and of levels.
pub(crate) const PLIES: RangeInclusive<i128> = 0..=60;

/// Range of a positive 32-bit integer.
const POSITIVE_U32: RangeInclusive<i128> = 1..=u32::MAX as i128;

readers! {
    player: u64 = integer(U64_RANGE);
    opponent: u64 = integer(U64_RANGE);
    seed: u64 = integer(U64_RANGE);
    lines: u32 = integer(POSITIVE_U32);
    hash_mib: usize = integer(POSITIVE_U32);
    threads: usize = integer(1..=MAX_THREADS as i128);
    level: u32 = integer(PLIES);
    tolerance: i32 = integer(0..=64);
    plies: usize = integer(1..=120);
    limit: usize = integer(POSITIVE_U32);
    leaf_empties: u32 = integer(0..=MAX_LEAF_EMPTIES as i128);
    passes: bool = boolean();
    moves: bool = boolean();
    keep_tables: bool = boolean();
}

/// Reads the minimum number of empty squares of the positions that a learner adds.
pub(crate) fn learner_empties(value: &Bound<'_, PyAny>) -> PyResult<u32> {
    integer("empties", value, 1..=60)
}

/// Defines readers of texts that are named after their arguments, for `from_py_with`.
macro_rules! text_readers {
    ($($name:ident)*) => {
        $(
            pub(crate) fn $name<'a>(value: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
                text(stringify!($name), value)
            }
        )*
    };
}

text_readers! { errors format geometry name reason side skill value }
