//! Arguments that are numbers, texts, truth values, paths and functions. One that does not fit is an exception with
//! the name of the argument.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyUnicodeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::errors::ArgumentError;

/// An argument that may be left out, and whose type is not known yet.
pub(crate) type Given<'py> = Option<Bound<'py, PyAny>>;

/// Makes an `ArgumentError`, such as `level: expected a whole number, got str`.
pub(crate) fn unfit(name: &str, expected: impl Display, got: &Bound<'_, PyAny>) -> PyErr {
    let got = match got.is_none() {
        true => "None".to_owned(),
        false => match got.get_type().name() {
            Ok(name) => name.to_string(),
            Err(_) => "something else".to_owned(),
        },
    };
    ArgumentError::new_err(format!("{name}: expected {expected}, got {got}"))
}

/// Replaces a `TypeError` of a conversion by `unfit`; passes on other exceptions.
pub(crate) fn refused(error: PyErr, name: &str, expected: &str, given: &Bound<'_, PyAny>) -> PyErr {
    match error.is_instance_of::<PyTypeError>(given.py()) {
        true => unfit(name, expected, given),
        false => error,
    }
}

/// Reads an integer in `range`. `T` must be able to hold the whole range.
pub(crate) fn whole<T: TryFrom<i128>>(
    name: &str,
    given: &Bound<'_, PyAny>,
    range: RangeInclusive<i128>,
) -> PyResult<T> {
    let index = given.py().import("operator")?.getattr("index")?;
    let number = index.call1((given,));
    let number = number.map_err(|error| refused(error, name, "a whole number", given))?;
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

/// A number, perhaps not finite.
pub(crate) fn real(name: &str, given: &Bound<'_, PyAny>) -> PyResult<f64> {
    given.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyOverflowError>(given.py()) {
            return PyValueError::new_err(format!("{name} is too large a number"));
        }
        refused(error, name, "a number", given)
    })
}

/// A text.
pub(crate) fn text<'a>(name: &str, given: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    let text = given.cast::<PyString>();
    let text = text.map_err(|_| unfit(name, "a text", given))?;
    text.to_str().map_err(|error| {
        if error.is_instance_of::<PyUnicodeError>(given.py()) {
            return PyValueError::new_err(format!("{name} is not valid Unicode"));
        }
        error
    })
}

/// `True` or `False`.
fn truth(name: &str, given: &Bound<'_, PyAny>) -> PyResult<bool> {
    given
        .extract()
        .map_err(|error| refused(error, name, "True or False", given))
}

/// The path of a file.
pub(crate) fn path(name: &str, given: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    given
        .extract()
        .map_err(|error| refused(error, name, "the path of a file", given))
}

/// A function, where one is given.
pub(crate) fn function<'a, 'py>(
    name: &str,
    given: &'a Given<'py>,
) -> PyResult<Option<&'a Bound<'py, PyAny>>> {
    match given {
        Some(given) if !given.is_callable() => Err(unfit(name, "a function", given)),
        given => Ok(given.as_ref()),
    }
}

/// The value of an argument that is given.
pub(crate) fn optional<'py, T>(
    given: &Given<'py>,
    read: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Option<T>> {
    given.as_ref().map(read).transpose()
}

/// Readers of arguments by the names of the arguments, for `from_py_with`.
macro_rules! named {
    ($($(#[$attribute:meta])* $name:ident: $type:ty = $read:ident($($range:expr)?);)*) => {
        $(
            $(#[$attribute])*
            pub(crate) fn $name(given: &Bound<'_, PyAny>) -> PyResult<$type> {
                $read(stringify!($name), given $(, $range)?)
            }
        )*
    };
}

/// All numbers of 64 bits without a sign.
pub(crate) const WORDS: RangeInclusive<i128> = 0..=u64::MAX as i128;

/// Positive 32-bit integers.
const POSITIVE_U32: RangeInclusive<i128> = 1..=u32::MAX as i128;

named! {
    player: u64 = whole(WORDS);
    opponent: u64 = whole(WORDS);
    seed: u64 = whole(WORDS);
    lines: u32 = whole(POSITIVE_U32);
    hash_mib: usize = whole(POSITIVE_U32);
    threads: usize = whole(1..=outflank::search::MAX_THREADS as i128);
    level: u32 = whole(0..=60);
    tolerance: i32 = whole(0..=64);
    passes: bool = truth();
    moves: bool = truth();
    keep_tables: bool = truth();
}

/// The fewest empty squares of a position that a learner adds.
pub(crate) fn learner_empties(given: &Bound<'_, PyAny>) -> PyResult<u32> {
    whole("empties", given, 1..=60)
}

/// Readers of texts by the names of the arguments, for `from_py_with`.
macro_rules! texts {
    ($($name:ident)*) => {
        $(
            pub(crate) fn $name<'a>(given: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
                text(stringify!($name), given)
            }
        )*
    };
}

texts! { errors format geometry name side value }
