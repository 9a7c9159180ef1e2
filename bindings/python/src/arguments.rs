//! Readers of arguments: numbers, texts, booleans, paths and functions. Their exceptions name the argument.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;

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

/// Checks that an optional argument can be called.
pub(crate) fn callable<'a, 'py>(
    name: &str,
    value: &'a OptionalArg<'py>,
) -> PyResult<Option<&'a Bound<'py, PyAny>>> {
    match value {
        Some(value) if !value.is_callable() => Err(type_error(name, "a function", value)),
        value => Ok(value.as_ref()),
    }
}

/// Reads an optional argument.
pub(crate) fn optional<'py, T>(
    value: &OptionalArg<'py>,
    read: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Option<T>> {
    value.as_ref().map(read).transpose()
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

/// Range of a positive 32-bit integer.
const POSITIVE_U32: RangeInclusive<i128> = 1..=u32::MAX as i128;

readers! {
    player: u64 = integer(U64_RANGE);
    opponent: u64 = integer(U64_RANGE);
    seed: u64 = integer(U64_RANGE);
    lines: u32 = integer(POSITIVE_U32);
    hash_mib: usize = integer(POSITIVE_U32);
    threads: usize = integer(1..=outflank::search::MAX_THREADS as i128);
    level: u32 = integer(0..=60);
    tolerance: i32 = integer(0..=64);
    passes: bool = boolean();
    moves: bool = boolean();
    keep_tables: bool = boolean();
}

/// Reads the fewest empty squares of a position that a learner adds.
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

text_readers! { errors format geometry name side value }
