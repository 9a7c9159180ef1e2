//! How far to search, as keyword arguments say it.

use std::ops::RangeInclusive;
use std::time::Duration;

use outflank::search::Strength;
use outflank::{Limits, Selectivity, Window};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::arguments::{Given, WORDS, optional, real, unfit, whole};

/// Plies of a search, and levels.
const PLIES: RangeInclusive<i128> = 0..=60;

/// How far positions are searched: exactly, where nothing else is asked for.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// `None`: to the end of the game.
    pub(crate) strength: Option<Strength>,
    /// Positions with no more empty squares are searched to the end.
    exact: u32,
    /// Limits of each search besides depth.
    pub(crate) time: Option<Duration>,
    pub(crate) nodes: Option<u64>,
    pub(crate) window: Window,
    pub(crate) lines: u32,
    /// Squares that are not looked at as moves of the position.
    pub(crate) without: u64,
}

/// The arguments that say how deep.
#[derive(Default)]
pub(crate) struct Depth<'py> {
    pub(crate) level: Given<'py>,
    pub(crate) depth: Given<'py>,
    pub(crate) selectivity: Given<'py>,
    pub(crate) exact: Given<'py>,
}

impl Depth<'_> {
    /// The strength that they ask for, if they do.
    pub(crate) fn strength(&self) -> PyResult<Option<Strength>> {
        if self.level.is_some() && (self.depth.is_some() || self.selectivity.is_some()) {
            let message = "level says depth and selectivity: give it alone, or them";
            return Err(PyValueError::new_err(message));
        }
        let level = optional(&self.level, |level| whole("level", level, PLIES))?;
        let depth = optional(&self.depth, |depth| whole("depth", depth, PLIES))?;
        let selectivity = optional(&self.selectivity, |percent| {
            let percent: i64 = whole("selectivity", percent, i64::MIN.into()..=i64::MAX.into())?;
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
}

impl Effort {
    pub(crate) fn new(depth: &Depth<'_>) -> PyResult<Effort> {
        let exact = optional(&depth.exact, |exact| whole("exact", exact, PLIES))?;
        Ok(Effort {
            strength: depth.strength()?,
            exact: exact.unwrap_or(0),
            time: None,
            nodes: None,
            window: Window::EXACT,
            lines: 1,
            without: 0,
        })
    }

    /// With limits of time, in seconds, and nodes.
    pub(crate) fn within(mut self, seconds: &Given<'_>, nodes: &Given<'_>) -> PyResult<Effort> {
        self.nodes = optional(nodes, |nodes| whole("nodes", nodes, WORDS))?;
        self.time = optional(seconds, |seconds| {
            let seconds = real("time", seconds)?;
            let message = || format!("time: expected 0 or more seconds, got {seconds}");
            let time = Duration::try_from_secs_f64(seconds);
            time.map_err(|_| PyValueError::new_err(message()))
        })?;
        Ok(self)
    }

    /// With a window of scores.
    pub(crate) fn window(mut self, window: &Given<'_>) -> PyResult<Effort> {
        let Some(window) = window else {
            return Ok(self);
        };
        let ends = window.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>();
        let ends = ends.map_err(|_| unfit("window", "a pair of scores", window))?;
        let score = |score| whole::<i64>("window", score, i64::MIN.into()..=i64::MAX.into());
        let (alpha, beta) = (score(&ends.0)?, score(&ends.1)?);
        let message =
            || format!("window: expected -64 <= alpha < beta <= 64, got {alpha} and {beta}");
        let (low, high) = (i32::try_from(alpha), i32::try_from(beta));
        let window = low.ok().zip(high.ok());
        let window = window.and_then(|(alpha, beta)| Window::new(alpha, beta));
        self.window = window.ok_or_else(|| PyValueError::new_err(message()))?;
        Ok(self)
    }

    /// The limits of a board with so many empty squares.
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

/// How far a position with so many empty squares is searched: plies (as many as empty squares: to the end of the
/// game), and the selectivity in percent.
#[pyfunction]
#[pyo3(signature = (empties, *, level=None, depth=None, selectivity=None, exact=None))]
pub(crate) fn search_depth(
    empties: Bound<'_, PyAny>,
    level: Given<'_>,
    depth: Given<'_>,
    selectivity: Given<'_>,
    exact: Given<'_>,
) -> PyResult<(u32, u32)> {
    let empties = whole("empties", &empties, 0..=64)?;
    let depth = Depth {
        level,
        depth,
        selectivity,
        exact,
    };
    let limits = Effort::new(&depth)?.limits(empties);
    Ok((limits.depth.min(empties), limits.selectivity.percent()))
}
