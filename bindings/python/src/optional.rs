//! Readers of optional arguments, which may be `None`, for `from_py_with`.

use std::path::PathBuf;
use std::time::Duration;

use outflank::search::MAX_THREADS;
use outflank::{Selectivity, Square, Window};
use pyo3::prelude::*;

use super::arguments::{
    self, OptionalArg, PLIES, U64_RANGE, integer, selectivity_of, text, time_of, type_error,
    window_of,
};
use super::skill::PySkillPlayer;
use super::square::squares_of;

macro_rules! readers {
    ($($name:ident: $type:ty = $read:path $(, $range:expr)?;)*) => {$(
        pub(crate) fn $name(value: &Bound<'_, PyAny>) -> PyResult<Option<$type>> {
            match value.is_none() {
                true => Ok(None),
                false => $read(stringify!($name), value $(, $range)?).map(Some),
            }
        }
    )*};
}

readers! {
    level: u32 = integer, PLIES;
    depth: u32 = integer, PLIES;
    selectivity: Selectivity = selectivity_of;
    exact: u32 = integer, PLIES;
    time: Duration = time_of;
    nodes: u64 = integer, U64_RANGE;
    window: Window = window_of;
    without: Vec<Square> = squares_of;
    threads: usize = integer, 1..=MAX_THREADS as i128;
    positions: usize = integer, U64_RANGE;
    game_tolerance: i32 = integer, 0..=128;
    score: i32 = integer, -64..=64;
    value: i32 = integer, -64..=64;
    name: String = owned_text;
    format: String = owned_text;
    player: String = owned_text;
    black: String = owned_text;
    white: String = owned_text;
    tournament: String = owned_text;
    winner: String = owned_text;
    years: (u16, u16) = years_of;
    path: PathBuf = arguments::path;
    players: PathBuf = arguments::path;
    tournaments: PathBuf = arguments::path;
}

fn owned_text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    text(name, value).map(str::to_owned)
}

fn years_of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<(u16, u16)> {
    let mismatch = |_| type_error(name, "a first and a last year", value);
    let years = value
        .try_iter()
        .map_err(mismatch)?
        .collect::<PyResult<Vec<_>>>()?;
    let [first, last] = &years[..] else {
        return Err(type_error(name, "a first and a last year", value));
    };
    let year = |year| integer(name, year, 0..=9999);
    Ok((year(first)?, year(last)?))
}

/// Reads a player of `Engine.play`.
pub(crate) fn skill<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PySkillPlayer>>> {
    match value.is_none() {
        true => Ok(None),
        false => arguments::instance("skill", value).cloned().map(Some),
    }
}

/// Reads a function that receives reports of progress.
pub(crate) fn progress<'py>(value: &Bound<'py, PyAny>) -> PyResult<OptionalArg<'py>> {
    match value.is_none() {
        true => Ok(None),
        false if value.is_callable() => Ok(Some(value.clone())),
        false => Err(type_error("progress", "a function", value)),
    }
}
