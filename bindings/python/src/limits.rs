//! Limits of searches, as keyword arguments give them.

use std::ops::RangeInclusive;
use std::time::Duration;

use outflank::search::Strength;
use outflank::{Limits, Selectivity, Window};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::arguments::{I64_RANGE, OptionalArg, U64_RANGE, float, integer, optional, type_error};

/// Range of depths in plies, and of levels.
const PLIES: RangeInclusive<i128> = 0..=60;

/// Requested limits, before the board is known. Without a strength a search is exact.
#[derive(Clone, Copy)]
pub(crate) struct RequestedLimits {
    /// `None`: to the end of the game.
    pub(crate) strength: Option<Strength>,
    /// Positions with at most this many empty squares are searched to the end.
    exact: u32,
    /// Time limit of each search.
    pub(crate) time: Option<Duration>,
    /// Node limit of each search.
    pub(crate) nodes: Option<u64>,
    pub(crate) window: Window,
    pub(crate) lines: u32,
    /// Squares that are excluded as moves of the position.
    pub(crate) without: u64,
}

/// Arguments for the depth of a search.
#[derive(Default)]
pub(crate) struct DepthArguments<'py> {
    level: OptionalArg<'py>,
    depth: OptionalArg<'py>,
    selectivity: OptionalArg<'py>,
    exact: OptionalArg<'py>,
}

impl<'py> DepthArguments<'py> {
    pub(crate) fn new(
        level: OptionalArg<'py>,
        depth: OptionalArg<'py>,
        selectivity: OptionalArg<'py>,
        exact: OptionalArg<'py>,
    ) -> DepthArguments<'py> {
        DepthArguments {
            level,
            depth,
            selectivity,
            exact,
        }
    }

    /// Reads the strength; `None` if neither level, depth nor selectivity is given.
    pub(crate) fn strength(&self) -> PyResult<Option<Strength>> {
        if self.level.is_some() && (self.depth.is_some() || self.selectivity.is_some()) {
            let message = "level says depth and selectivity: give it alone, or them";
            return Err(PyValueError::new_err(message));
        }
        let level = optional(&self.level, |level| integer("level", level, PLIES))?;
        let depth = optional(&self.depth, |depth| integer("depth", depth, PLIES))?;
        let selectivity = optional(&self.selectivity, |percent| {
            let percent: i64 = integer("selectivity", percent, I64_RANGE)?;
            let known = u32::try_from(percent).ok();
            let known = known.and_then(Selectivity::of_percent);
            let message =
                || format!("selectivity: expected 73, 87, 95, 98, 99 or 100, got {percent}");
            known.ok_or_else(|| PyValueError::new_err(message()))
        })?;
        Ok(match (level, depth, selectivity) {
            (Some(level), ..) => Some(Strength::Level(level)),
            (None, None, None) => None,
            (None, depth, selectivity) => {
                let (depth, selectivity) = (depth.unwrap_or(60), selectivity.unwrap_or_default());
                Some(Strength::Depth(depth, selectivity))
            }
        })
    }

    /// Reads all limits. `time` is in seconds, `window` a pair of scores.
    pub(crate) fn limits(
        &self,
        time: &OptionalArg<'_>,
        nodes: &OptionalArg<'_>,
        window: &OptionalArg<'_>,
    ) -> PyResult<RequestedLimits> {
        let exact = optional(&self.exact, |exact| integer("exact", exact, PLIES))?;
        Ok(RequestedLimits {
            strength: self.strength()?,
            exact: exact.unwrap_or(0),
            nodes: optional(nodes, |nodes| integer("nodes", nodes, U64_RANGE))?,
            time: optional(time, read_time)?,
            window: optional(window, read_window)?.unwrap_or(Window::EXACT),
            lines: 1,
            without: 0,
        })
    }
}

fn read_time(seconds: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let seconds = float("time", seconds)?;
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        PyValueError::new_err(format!("time: expected 0 or more seconds, got {seconds}"))
    })
}

fn read_window(window: &Bound<'_, PyAny>) -> PyResult<Window> {
    let ends = window.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>();
    let ends = ends.map_err(|_| type_error("window", "a pair of scores", window))?;
    let score = |score| integer::<i64>("window", score, I64_RANGE);
    let (alpha, beta) = (score(&ends.0)?, score(&ends.1)?);
    let (low, high) = (i32::try_from(alpha), i32::try_from(beta));
    let window = low.ok().zip(high.ok());
    let window = window.and_then(|(low, high)| Window::new(low, high));
    window.ok_or_else(|| {
        let message = format!("window: expected -64 <= alpha < beta <= 64, got {alpha} and {beta}");
        PyValueError::new_err(message)
    })
}

impl RequestedLimits {
    /// Returns `true` if a strength, a time limit or a node limit is given.
    pub(crate) fn is_limited(&self) -> bool {
        self.strength.is_some() || self.time.is_some() || self.nodes.is_some()
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
    level: OptionalArg<'_>,
    depth: OptionalArg<'_>,
    selectivity: OptionalArg<'_>,
    exact: OptionalArg<'_>,
) -> PyResult<(u32, u32)> {
    let empties = integer("empties", &empties, 0..=64)?;
    let depth = DepthArguments::new(level, depth, selectivity, exact);
    let limits = depth.limits(&None, &None, &None)?.limits(empties);
    Ok((limits.depth.min(empties), limits.selectivity.percent()))
}
