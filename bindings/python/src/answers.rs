//! Results of searches over many positions, as columns, and reports of their progress.

use std::time::{Duration, Instant};

use outflank::batch::Discs;
use outflank::{Board, Engine, SearchResult};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::arguments::OptionalArg;
use super::arrays::column_of;
use super::board::invalid_reason;
use super::errors::row_error;
use super::limits::RequestedLimits;
use super::result::is_solved;
use super::square::ply_number;
use super::worker::POLL_INTERVAL;

/// Minimum time between two calls of a `progress` function.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// Value of the column `best` if there is no best move. Values 0..=64 are plies.
const NO_PLY: u8 = 255;

/// Outcome of a row, with the numbers of `outflank.Status`.
#[derive(Clone, Copy)]
enum RowStatus {
    NotSearched = 0,
    Solved = 1,
    Searched = 2,
    Incomplete = 3,
    Invalid = 4,
}

/// Search result of a row.
#[derive(Clone, Copy)]
pub(crate) struct RowResult {
    score: i8,
    best: u8,
    depth: u8,
    /// In percent.
    selectivity: u8,
    status: RowStatus,
    nodes: u64,
    seconds: f64,
}

impl RowResult {
    pub(crate) const NOT_SEARCHED: RowResult = RowResult {
        score: 0,
        best: NO_PLY,
        depth: 0,
        selectivity: 0,
        status: RowStatus::NotSearched,
        nodes: 0,
        seconds: 0.0,
    };

    /// Searches the board of a row, unless it is invalid.
    pub(crate) fn search(
        engine: &mut Engine,
        [player, opponent]: Discs,
        requested: &RequestedLimits,
    ) -> RowResult {
        let board = Board { player, opponent };
        let empties = board.empty_count();
        if invalid_reason(board).is_some() {
            return RowResult {
                status: RowStatus::Invalid,
                ..RowResult::NOT_SEARCHED
            };
        }
        match engine.search(board, &requested.limits(empties)) {
            Ok(result) => RowResult::new(&result, empties, requested),
            Err(error) => unreachable!("only an invalid board makes a search fail: {error}"),
        }
    }

    fn new(result: &SearchResult, empties: u32, requested: &RequestedLimits) -> RowResult {
        RowResult {
            score: requested.window.clamp(result.score) as i8,
            best: result.line.first().map_or(NO_PLY, |&ply| ply_number(ply)),
            depth: result.depth as u8,
            selectivity: result.selectivity.percent() as u8,
            status: match result.complete {
                false => RowStatus::Incomplete,
                true if is_solved(result, empties) => RowStatus::Solved,
                true => RowStatus::Searched,
            },
            nodes: result.nodes,
            seconds: result.time.as_secs_f64(),
        }
    }
}

/// Makes an `outflank.Solutions` of the rows.
pub(crate) fn solutions<'py>(py: Python<'py>, rows: &[RowResult]) -> PyResult<Bound<'py, PyAny>> {
    let columns = (
        column_of(py, rows, |row| row.score),
        column_of(py, rows, |row| row.best),
        column_of(py, rows, |row| row.depth),
        column_of(py, rows, |row| row.selectivity),
        column_of(py, rows, |row| row.status as u8),
        column_of(py, rows, |row| row.nodes),
        column_of(py, rows, |row| row.seconds),
    );
    py.import("outflank._solutions")?
        .getattr("Solutions")?
        .call1(columns)
}

/// Raises a `RowError` for the first invalid board, unless `errors` is "mark".
pub(crate) fn check_rows(boards: &[Discs], errors: &str) -> PyResult<()> {
    match errors {
        "mark" => return Ok(()),
        "raise" => {}
        other => {
            let message = format!("{other:?}: errors are \"raise\" or \"mark\"");
            return Err(PyValueError::new_err(message));
        }
    }
    for (row, &[player, opponent]) in boards.iter().enumerate() {
        if let Some(reason) = invalid_reason(Board { player, opponent }) {
            return Err(row_error(row, "boards", &reason));
        }
    }
    Ok(())
}

/// Calls `progress(done, all, nodes)` of the caller at most ten times a second.
pub(crate) struct Progress<'py> {
    function: OptionalArg<'py>,
    total: usize,
    done: usize,
    nodes: u64,
    last_report: Instant,
}

impl<'py> Progress<'py> {
    pub(crate) fn new(function: OptionalArg<'py>, total: usize) -> Progress<'py> {
        Progress {
            function,
            total,
            done: 0,
            nodes: 0,
            last_report: Instant::now(),
        }
    }

    pub(crate) fn add(&mut self, rows: &[RowResult]) {
        self.done += rows.len();
        self.nodes += rows.iter().map(|row| row.nodes).sum::<u64>();
    }

    /// Calls the function if a report is due or all rows are done. Returns `false` if the search must end: the function
    /// returned `False`. Other false values, such as 0, do not end it.
    pub(crate) fn report(&mut self) -> PyResult<bool> {
        let Some(function) = &self.function else {
            return Ok(true);
        };
        if self.last_report.elapsed() < REPORT_INTERVAL && self.done < self.total {
            return Ok(true);
        }
        self.last_report = Instant::now();
        let returned = function.call1((self.done, self.total, self.nodes))?;
        let is_false = returned.extract::<bool>().is_ok_and(|go_on| !go_on);
        Ok(!is_false)
    }
}

/// Searches boards in their order on one engine. Passes finished rows to `report` every `POLL_INTERVAL`.
pub(crate) fn search_in_order(
    engine: &mut Engine,
    boards: &[Discs],
    requested: &RequestedLimits,
    report: &dyn Fn(Vec<RowResult>),
) {
    let stop = engine.stop_handle();
    let mut last_report = Instant::now();
    let mut rows = Vec::new();
    for &board in boards {
        if stop.is_stopped() {
            break;
        }
        rows.push(RowResult::search(engine, board, requested));
        if last_report.elapsed() >= POLL_INTERVAL {
            last_report = Instant::now();
            report(std::mem::take(&mut rows));
        }
    }
    report(rows);
}
