//! How far to search, as keyword arguments say it.

use std::time::Duration;

use outflank::search::Strength;
use outflank::{Limits, Selectivity, Window};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The most plies, and the highest level.
const MAX: i64 = 60;

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
#[derive(Clone, Copy, Default)]
pub(crate) struct Depth {
    pub(crate) level: Option<i64>,
    pub(crate) depth: Option<i64>,
    pub(crate) selectivity: Option<i64>,
    pub(crate) exact: Option<i64>,
}

impl Depth {
    /// The strength that they ask for, if they do.
    pub(crate) fn strength(self) -> PyResult<Option<Strength>> {
        if self.level.is_some() && (self.depth.is_some() || self.selectivity.is_some()) {
            let message = "level says depth and selectivity: give it alone, or them";
            return Err(PyValueError::new_err(message));
        }
        let selectivity = match self.selectivity {
            None => None,
            Some(percent) => {
                let known = u32::try_from(percent)
                    .ok()
                    .and_then(Selectivity::of_percent);
                let message =
                    || format!("a selectivity is 73, 87, 95, 98, 99 or 100, unlike {percent}");
                Some(known.ok_or_else(|| PyValueError::new_err(message()))?)
            }
        };
        let depth = self.depth.map(|plies| within("depth", plies)).transpose()?;
        Ok(match (self.level, depth, selectivity) {
            (Some(level), ..) => Some(Strength::Level(within("level", level)?)),
            (None, None, None) => None,
            (None, depth, selectivity) => {
                let (depth, selectivity) = (depth.unwrap_or(60), selectivity.unwrap_or_default());
                Some(Strength::Depth(depth, selectivity))
            }
        })
    }
}

/// The number, if it is 0 to 60.
fn within(name: &str, number: i64) -> PyResult<u32> {
    match number {
        0..=MAX => Ok(number as u32),
        _ => {
            let message = format!("{name} is 0 to {MAX}, unlike {number}");
            Err(PyValueError::new_err(message))
        }
    }
}

impl Effort {
    pub(crate) fn new(depth: Depth) -> PyResult<Effort> {
        let exact = depth
            .exact
            .map(|exact| within("exact", exact))
            .transpose()?;
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
    pub(crate) fn within(mut self, seconds: Option<f64>, nodes: Option<u64>) -> PyResult<Effort> {
        self.nodes = nodes;
        self.time = match seconds {
            None => None,
            Some(seconds) => {
                let time = Duration::try_from_secs_f64(seconds);
                let message = || format!("time is in seconds, 0 or more, unlike {seconds}");
                Some(time.map_err(|_| PyValueError::new_err(message()))?)
            }
        };
        Ok(self)
    }

    /// With a window of scores.
    pub(crate) fn window(mut self, window: Option<(i32, i32)>) -> PyResult<Effort> {
        if let Some((alpha, beta)) = window {
            let message =
                || format!("a window has -64 <= alpha < beta <= 64, unlike {alpha} and {beta}");
            let window = Window::new(alpha, beta);
            self.window = window.ok_or_else(|| PyValueError::new_err(message()))?;
        }
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
    empties: u32,
    level: Option<i64>,
    depth: Option<i64>,
    selectivity: Option<i64>,
    exact: Option<i64>,
) -> PyResult<(u32, u32)> {
    let depth = Depth {
        level,
        depth,
        selectivity,
        exact,
    };
    let limits = Effort::new(depth)?.limits(empties);
    Ok((limits.depth.min(empties), limits.selectivity.percent()))
}
