//! Limits of searches, as keyword arguments give them.

use std::time::Duration;

use outflank::search::Strength;
use outflank::{Limits, Selectivity, Window};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::arguments::integer;
use super::optional;

/// Requested limits, before the board is known. Without a strength a search is exact.
#[derive(Clone, Copy)]
pub(crate) struct RequestedLimits {
    /// `None` is an exact search.
    strength: Option<Strength>,
    /// Positions with at most this many empty squares are searched to the end.
    exact: u32,
    /// Time limit of each search.
    time: Option<Duration>,
    /// Node limit of each search.
    nodes: Option<u64>,
    pub(crate) window: Window,
    pub(crate) lines: u32,
    /// Squares that are excluded as moves of the position.
    pub(crate) without: u64,
}

/// Reads a strength; `None` if neither level, depth nor selectivity is given. A selectivity without a depth applies to
/// a search to the end of the game.
pub(crate) fn strength(
    level: Option<u32>,
    depth: Option<u32>,
    selectivity: Option<Selectivity>,
) -> PyResult<Option<Strength>> {
    match (level, depth, selectivity) {
        (None, None, None) => Ok(None),
        (Some(level), None, None) => Ok(Some(Strength::Level(level))),
        (Some(_), ..) => {
            let message = "level says depth and selectivity: give it alone, or them";
            Err(PyValueError::new_err(message))
        }
        (None, depth, selectivity) => {
            let selectivity = selectivity.unwrap_or_default();
            Ok(Some(Strength::Depth(depth.unwrap_or(60), selectivity)))
        }
    }
}

/// Reads a strength. The default is level 16, or `None` if `is_limited`: time or nodes then end the search. A
/// selectivity needs a depth or such a limit, because it does not end a search.
pub(crate) fn strength_or_default(
    level: Option<u32>,
    depth: Option<u32>,
    selectivity: Option<Selectivity>,
    is_limited: bool,
) -> PyResult<Option<Strength>> {
    if selectivity.is_some() && level.or(depth).is_none() && !is_limited {
        let message = "selectivity alone does not say how far to search: give a depth, too";
        return Err(PyValueError::new_err(message));
    }
    let strength = strength(level, depth, selectivity)?;
    Ok(strength.or((!is_limited).then(Strength::default)))
}

impl RequestedLimits {
    pub(crate) fn new(
        strength: Option<Strength>,
        exact: Option<u32>,
        time: Option<Duration>,
        nodes: Option<u64>,
        window: Option<Window>,
    ) -> RequestedLimits {
        RequestedLimits {
            strength,
            exact: exact.unwrap_or(0),
            time,
            nodes,
            window: window.unwrap_or(Window::EXACT),
            lines: 1,
            without: 0,
        }
    }

    /// Limits of a search of a board with `empties` empty squares.
    pub(crate) fn limits(&self, empties: u32) -> Limits {
        let limits = match self.strength {
            Some(strength) if empties > self.exact => strength.limits(empties),
            _ => Limits::EXACT,
        };
        Limits {
            time: self.time,
            nodes: self.nodes,
            window: self.window,
            lines: self.lines,
            without: self.without,
            ..limits
        }
    }
}

/// Depth in plies and selectivity in percent of a search of a board with `empties` empty squares. A depth equal to
/// `empties` reaches the end of the game.
#[pyfunction]
#[pyo3(signature = (empties, *, level=None, depth=None, selectivity=None, exact=None))]
pub(crate) fn search_depth(
    empties: Bound<'_, PyAny>,
    #[pyo3(from_py_with = optional::level)] level: Option<u32>,
    #[pyo3(from_py_with = optional::depth)] depth: Option<u32>,
    #[pyo3(from_py_with = optional::selectivity)] selectivity: Option<Selectivity>,
    #[pyo3(from_py_with = optional::exact)] exact: Option<u32>,
) -> PyResult<(u32, u32)> {
    let empties = integer("empties", &empties, 0..=64)?;
    let strength = strength(level, depth, selectivity)?;
    let limits = RequestedLimits::new(strength, exact, None, None, None).limits(empties);
    Ok((limits.depth.min(empties), limits.selectivity.percent()))
}
