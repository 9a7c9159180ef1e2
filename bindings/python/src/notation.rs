//! Reading and writing of files of games and positions.

use std::path::PathBuf;

use outflank::notation::obf::Problem;
use outflank::notation::wthor::{Database, Names, NamesError};
use outflank::notation::{self, Contents, Format, GameRecord, ggf, transcript};
use outflank::square::Ply;
use outflank_support::files;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyTuple};

use super::arguments::{self, OptionalArg, integer};
use super::board::{self, PyBoard};
use super::errors::{FormatError, OrRaise, unreadable};
use super::game::{PyGame, bare_problem};
use super::optional;
use super::square::{ply as read_ply, ply_number};

/// Position of a problem file, with known scores of moves.
#[pyclass(name = "Problem", frozen, eq, module = "outflank")]
#[derive(Clone, PartialEq)]
pub(crate) struct PyProblem(Problem);

#[pymethods]
impl PyProblem {
    /// Makes a problem with `side` to move, exact scores of moves, and a name.
    #[new]
    #[pyo3(signature = (board, side="black", *, scores=None, score=None, name=None))]
    fn new(
        board: Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::side)] side: &str,
        scores: OptionalArg<'_>,
        #[pyo3(from_py_with = optional::score)] score: Option<i32>,
        #[pyo3(from_py_with = optional::name)] name: Option<String>,
    ) -> PyResult<PyProblem> {
        let board = arguments::instance::<PyBoard>("board", &board)?.get().0;
        let scores = scores.map(|scores| scores_of(&scores)).transpose()?;
        Ok(PyProblem(Problem {
            moves: scores.unwrap_or_default(),
            score,
            name,
            ..bare_problem(board, board::side(side)?)
        }))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let problem = &self.0;
        let scores = problem.moves.iter();
        let scores = scores.map(|&(ply, score)| (ply_number(ply), score));
        let scores: Vec<_> = scores.collect();
        let (name, line) = (problem.name.as_deref(), problem.line);
        let fields = (self.board(), self.side(), scores, problem.score, name, line);
        let restore = py.get_type::<PyProblem>().getattr("_restore")?;
        (restore, fields).into_pyobject(py)
    }

    /// Makes the problem of the fields that `__reduce__` returns.
    #[staticmethod]
    fn _restore(
        board: Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::side)] side: &str,
        scores: OptionalArg<'_>,
        #[pyo3(from_py_with = optional::score)] score: Option<i32>,
        #[pyo3(from_py_with = optional::name)] name: Option<String>,
        line: usize,
    ) -> PyResult<PyProblem> {
        let mut problem = PyProblem::new(board, side, scores, score, name)?;
        problem.0.line = line;
        Ok(problem)
    }

    /// Position of the problem.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard(self.0.board)
    }

    /// Side to move, "black" or "white".
    #[getter]
    fn side(&self) -> String {
        self.0.side.to_string()
    }

    /// Moves with their exact scores, in discs for the side to move.
    #[getter]
    fn scores(&self) -> Vec<(String, i32)> {
        let moves = self.0.moves.iter();
        moves
            .map(|&(ply, score)| (notation::ply_name(ply), score))
            .collect()
    }

    /// Best known score, in discs for the side to move.
    #[getter]
    fn score(&self) -> Option<i32> {
        self.0.best_score()
    }

    /// Name of the problem in its file.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }

    /// Writes the problem as a line of OBF.
    fn to_obf(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<outflank.Problem {}>", self.0)
    }

    fn _repr_svg_(&self) -> String {
        outflank::diagram::Diagram::new(self.0.board, self.0.side).svg()
    }
}

/// Reads pairs of a move and its score.
fn scores_of(pairs: &Bound<'_, PyAny>) -> PyResult<Vec<(Ply, i32)>> {
    let mismatch = || arguments::type_error("scores", "pairs of a move and its score", pairs);
    let pairs = pairs.try_iter().map_err(|_| mismatch())?;
    pairs
        .map(|pair| {
            let pair = pair?.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>();
            let (ply, score) = pair.map_err(|_| mismatch())?;
            Ok((
                read_ply("scores", &ply)?,
                integer("scores", &score, -64..=64)?,
            ))
        })
        .collect()
}

/// Argument `source`: the path of a file, or its contents.
pub(crate) enum Source {
    Contents(Vec<u8>),
    Path(PathBuf),
}

/// Reads the argument `source`.
fn source_of(value: &Bound<'_, PyAny>) -> PyResult<Source> {
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(Source::Contents(bytes.as_bytes().to_vec()));
    }
    if value.is_instance_of::<PyByteArray>() || value.is_instance_of::<PyMemoryView>() {
        let bytes = value.py().get_type::<PyBytes>().call1((value,))?;
        return Ok(Source::Contents(bytes.extract()?));
    }
    let path = arguments::path("source", value);
    path.map(Source::Path)
        .map_err(|_| arguments::type_error("source", "the path of a file, or bytes", value))
}

/// Entry of a file: a game or a position.
#[derive(IntoPyObject)]
pub(crate) enum FileEntry {
    Game(PyGame),
    Problem(PyProblem),
}

/// Reads the name of a format.
fn read_format(name: &str) -> PyResult<Format> {
    name.parse::<Format>().or_raise()
}

/// Reads the games and positions of a file, given by its path or its contents as bytes. Formats are OBF, GGF, SGF,
/// WTHOR, transcripts, PGN and games of Othello Quest; the default is detected from the contents. `errors="skip"`
/// leaves out entries that cannot be read, instead of raising. WTHOR files have numbers instead of names. `players` and
/// `tournaments` are the paths of `WTHOR.JOU` and `WTHOR.TRN`, which have the names.
#[pyfunction]
#[pyo3(signature = (source, format=None, *, errors="raise", players=None, tournaments=None))]
pub(crate) fn read(
    py: Python<'_>,
    #[pyo3(from_py_with = source_of)] source: Source,
    #[pyo3(from_py_with = optional::format)] format: Option<String>,
    #[pyo3(from_py_with = arguments::errors)] errors: &str,
    #[pyo3(from_py_with = optional::players)] players: Option<PathBuf>,
    #[pyo3(from_py_with = optional::tournaments)] tournaments: Option<PathBuf>,
) -> PyResult<Vec<FileEntry>> {
    let format = format.as_deref().map(read_format).transpose()?;
    let skips = match errors {
        "raise" => false,
        "skip" => true,
        other => {
            let message = format!("{other:?}: errors are \"raise\" or \"skip\"");
            return Err(PyValueError::new_err(message));
        }
    };
    py.detach(|| {
        let mut names = Names::default();
        read_names(players, |file| names.read_players(file))?;
        read_names(tournaments, |file| names.read_tournaments(file))?;
        let (bytes, name) = match source {
            Source::Contents(bytes) => (bytes, "<bytes>".to_owned()),
            Source::Path(path) => {
                let name = path.display().to_string();
                let bytes = files::read_games(&path);
                (bytes.map_err(|error| unreadable(&name, error))?, name)
            }
        };
        let format = match format {
            Some(format) => format,
            None => Format::detect(&bytes)
                .map_err(|error| FormatError::new_err(format!("{name}: {error}")))?,
        };
        let entries = notation::read_named(&bytes, format, &names);
        let entries = entries.filter(|entry| !skips || entry.is_ok());
        entries
            .map(|entry| match entry {
                Ok(entry) => Ok(match entry.contents {
                    Contents::Game(record) => FileEntry::Game(PyGame::of(record)),
                    Contents::Position(line) => FileEntry::Problem(PyProblem(line)),
                }),
                Err(error) => Err(FormatError::new_err(error.in_file(&name))),
            })
            .collect()
    })
}

/// Reads a file of WTHOR's names, if a path is given.
fn read_names(
    path: Option<PathBuf>,
    parse: impl FnOnce(&[u8]) -> Result<(), NamesError>,
) -> PyResult<()> {
    /// Size limit, above the size of a list of 65,536 tournaments.
    const MAX_MIB: u64 = 2;
    let Some(path) = path else {
        return Ok(());
    };
    let name = path.display().to_string();
    let bytes = files::read(&path, MAX_MIB, "list of names");
    let bytes = bytes.map_err(|error| unreadable(&name, error))?;
    parse(&bytes).map_err(|error| FormatError::new_err(format!("{name}: {error}")))
}

/// Reads a sequence of games and positions.
fn read_entries(entries: &Bound<'_, PyAny>) -> PyResult<Vec<Contents>> {
    let mismatch = |value: &_| arguments::type_error("entries", "Games and Problems", value);
    let entries = entries.try_iter().map_err(|_| mismatch(entries))?;
    entries
        .map(|entry| {
            let entry = entry?;
            if let Ok(game) = entry.cast::<PyGame>() {
                return Ok(Contents::Game(game.get().lock().clone()));
            }
            let problem = entry.cast::<PyProblem>().map_err(|_| mismatch(&entry))?;
            Ok(Contents::Position(problem.get().0.clone()))
        })
        .collect()
}

/// Writes games and positions as the bytes of a file: "obf" (the last position of a game), "ggf", "wthor" or "transcript".
#[pyfunction]
pub(crate) fn write<'py>(
    py: Python<'py>,
    entries: Bound<'py, PyAny>,
    #[pyo3(from_py_with = arguments::format)] format: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let entries = read_entries(&entries)?;
    let format = read_format(format)?;
    if !Format::WRITTEN.contains(&format) {
        let message = format!("{format} is read, but not written");
        return Err(PyValueError::new_err(message));
    }
    let mut text = String::new();
    let mut database = Database::default();
    for (number, entry) in entries.iter().enumerate() {
        let entry_error = |error: &dyn std::fmt::Display| {
            FormatError::new_err(format!("entry {number}: {error}"))
        };
        let line = match (format, entry) {
            (Format::Obf, Contents::Game(game)) => {
                let (board, side) = game.game.position();
                bare_problem(board, side).to_string()
            }
            (Format::Obf, Contents::Position(problem)) => problem.to_string(),
            (Format::Ggf, Contents::Game(game)) => ggf::write(game),
            (Format::Ggf, Contents::Position(problem)) => {
                let record = GameRecord::from_problem(problem);
                ggf::write(&record.or_raise()?)
            }
            (Format::Transcript, Contents::Game(game)) => {
                transcript::write(&game.game).map_err(|error| entry_error(&error))?
            }
            (Format::Wthor, Contents::Game(game)) => {
                let added = database.add(game);
                added.map_err(|error| entry_error(&error))?;
                continue;
            }
            (Format::Transcript | Format::Wthor, Contents::Position(_)) => {
                return Err(entry_error(&format_args!(
                    "{format} has no place for a position"
                )));
            }
            (Format::Sgf | Format::OthelloQuest, _) => unreachable!("the format is not written"),
        };
        text += &line;
        text.push('\n');
    }
    let bytes = match format {
        Format::Wthor => database.write().or_raise()?,
        _ => text.into_bytes(),
    };
    Ok(PyBytes::new(py, &bytes))
}
