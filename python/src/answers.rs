//! The answers for many positions, and how they are told.

use std::time::{Duration, Instant};

use numpy::IntoPyArray;
use outflank::batch::Discs;
use outflank::{Board, Engine, SearchResult};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::arguments::{self as argument, Given};
use super::board::fault_of;
use super::errors::row_error;
use super::limits::Effort;
use super::result::is_solved;
use super::square::ply_number;
use super::worker::POLL;

/// How often progress is told, at most.
const TELL: Duration = Duration::from_millis(100);

/// What stands for no best move, where 0..=64 are plies.
const NO_PLY: u8 = 255;

/// What came of a row: as `outflank.Status` has it.
#[derive(Clone, Copy)]
enum Status {
    NotSearched = 0,
    Solved = 1,
    Searched = 2,
    Incomplete = 3,
    Invalid = 4,
}

/// What was found for a row.
#[derive(Clone, Copy)]
pub(crate) struct Answer {
    score: i8,
    best: u8,
    depth: u8,
    selectivity: u8,
    status: Status,
    nodes: u64,
    seconds: f64,
}

impl Answer {
    pub(crate) const NONE: Answer = Answer {
        score: 0,
        best: NO_PLY,
        depth: 0,
        selectivity: 0,
        status: Status::NotSearched,
        nodes: 0,
        seconds: 0.0,
    };

    /// The answer of `engine` for a board.
    pub(crate) fn find(engine: &mut Engine, [player, opponent]: Discs, effort: &Effort) -> Answer {
        let board = Board { player, opponent };
        let empties = board.empty_count();
        if fault_of(board).is_some() {
            return Answer {
                status: Status::Invalid,
                ..Answer::NONE
            };
        }
        match engine.search(board, &effort.limits(empties)) {
            Ok(found) => Answer::of(&found, empties, effort),
            Err(error) => unreachable!("a search says only what is wrong with its board: {error}"),
        }
    }

    fn of(found: &SearchResult, empties: u32, effort: &Effort) -> Answer {
        Answer {
            score: effort.window.clamp(found.score) as i8,
            best: found.line.first().map_or(NO_PLY, |&ply| ply_number(ply)),
            depth: found.depth as u8,
            selectivity: found.selectivity.percent() as u8,
            status: match found.complete {
                false => Status::Incomplete,
                true if is_solved(found, empties) => Status::Solved,
                true => Status::Searched,
            },
            nodes: found.nodes,
            seconds: found.time.as_secs_f64(),
        }
    }
}

/// The answers as columns: an `outflank.Solutions`.
pub(crate) fn solutions(py: Python<'_>, answers: Vec<Answer>) -> PyResult<Bound<'_, PyAny>> {
    let columns = (
        answers
            .iter()
            .map(|one| one.score)
            .collect::<Vec<i8>>()
            .into_pyarray(py),
        answers
            .iter()
            .map(|one| one.best)
            .collect::<Vec<u8>>()
            .into_pyarray(py),
        answers
            .iter()
            .map(|one| one.depth)
            .collect::<Vec<u8>>()
            .into_pyarray(py),
        answers
            .iter()
            .map(|one| one.selectivity)
            .collect::<Vec<u8>>()
            .into_pyarray(py),
        answers
            .iter()
            .map(|one| one.status as u8)
            .collect::<Vec<u8>>()
            .into_pyarray(py),
        answers
            .iter()
            .map(|one| one.nodes)
            .collect::<Vec<u64>>()
            .into_pyarray(py),
        answers
            .iter()
            .map(|one| one.seconds)
            .collect::<Vec<f64>>()
            .into_pyarray(py),
    );
    py.import("outflank._solutions")?
        .getattr("Solutions")?
        .call1(columns)
}

/// Refuses rows with squares that both sides hold, and rows without discs, unless errors are "mark".
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
        if let Some(fault) = fault_of(Board { player, opponent }) {
            return Err(row_error(row, "boards", &fault));
        }
    }
    Ok(())
}

/// Tells a function of Python how far the work is: `progress(done, all, nodes)`. What it returns is whether to go
/// on; `None` is yes.
pub(crate) struct Progress<'a, 'py> {
    function: Option<&'a Bound<'py, PyAny>>,
    all: usize,
    done: usize,
    nodes: u64,
    told: Instant,
}

impl<'a, 'py> Progress<'a, 'py> {
    pub(crate) fn new(function: &'a Given<'py>, all: usize) -> PyResult<Progress<'a, 'py>> {
        Ok(Progress {
            function: argument::function("progress", function)?,
            all,
            done: 0,
            nodes: 0,
            told: Instant::now(),
        })
    }

    pub(crate) fn add(&mut self, answers: &[Answer]) {
        self.done += answers.len();
        self.nodes += answers.iter().map(|one| one.nodes).sum::<u64>();
    }

    /// Whether all answers are there.
    pub(crate) fn is_done(&self) -> bool {
        self.done == self.all
    }

    /// Whether to go on. The function is called if it is time to, or all is done.
    pub(crate) fn tell(&mut self) -> PyResult<bool> {
        let Some(function) = self.function else {
            return Ok(true);
        };
        if self.told.elapsed() < TELL && !self.is_done() {
            return Ok(true);
        }
        self.told = Instant::now();
        let said = function.call1((self.done, self.all, self.nodes))?;
        Ok(said.is_none() || said.is_truthy()?)
    }
}

/// Searches boards one after another on an engine, and hands over the answers now and then.
pub(crate) fn one_by_one(
    engine: &mut Engine,
    boards: &[Discs],
    effort: &Effort,
    tell: &dyn Fn(Vec<Answer>),
) {
    let stop = engine.stop_handle();
    let mut told = Instant::now();
    let mut answers = Vec::new();
    for &board in boards {
        if stop.is_stopped() {
            break;
        }
        answers.push(Answer::find(engine, board, effort));
        if told.elapsed() >= POLL {
            told = Instant::now();
            tell(std::mem::take(&mut answers));
        }
    }
    tell(answers);
}
