//! Reading and writing of files of games and positions.

use std::path::PathBuf;

use outflank::notation::obf::Problem;
use outflank::notation::wthor::{Database, Names, NamesError};
use outflank::notation::{self, Contents, Format, GameRecord, ggf, transcript};
use outflank_support::files;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView};

use super::arguments::{self, OptionalArg, integer};
use super::board::{self, PyBoard};
use super::errors::{FormatError, OrRaise, unreadable};
use super::game::{GameArgument, PyGame, bare_problem};
use super::result::Reduced;
use super::square::{ply as read_ply, ply_number};

/// Pickled fields of a problem: board, side, moves with scores, score, name and line number.
type ProblemFields = (
    PyBoard,
    String,
    Vec<(u8, i32)>,
    Option<i32>,
    Option<String>,
    usize,
);

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
        score: OptionalArg<'_>,
        name: OptionalArg<'_>,
    ) -> PyResult<PyProblem> {
        let board = board
            .cast::<PyBoard>()
            .map_err(|_| arguments::type_error("board", "a Board", &board))?;
        let discs = |name, score: &Bound<'_, PyAny>| integer(name, score, -64..=64);
        let scores = arguments::optional(&scores, |scores| {
            let pairs = scores.try_iter();
            let mismatch =
                || arguments::type_error("scores", "pairs of a move and its score", scores);
            pairs
                .map_err(|_| mismatch())?
                .map(|pair| {
                    let pair = pair?.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>();
                    let (ply, score) = pair.map_err(|_| mismatch())?;
                    Ok((read_ply("scores", &ply)?, discs("scores", &score)?))
                })
                .collect::<PyResult<Vec<_>>>()
        })?;
        let name = arguments::optional(&name, |name| {
            arguments::text("name", name).map(str::to_owned)
        });
        Ok(PyProblem(Problem {
            moves: scores.unwrap_or_default(),
            score: arguments::optional(&score, |score| discs("score", score))?,
            name: name?,
            ..bare_problem(board.get().0, board::side(side)?)
        }))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, ProblemFields>> {
        let Problem {
            board,
            side,
            moves,
            score,
            name,
            line,
        } = &self.0;
        let moves = moves.iter().map(|&(ply, score)| (ply_number(ply), score));
        let parts = (
            PyBoard(*board),
            side.to_string(),
            moves.collect(),
            *score,
            name.clone(),
            *line,
        );
        Ok((py.get_type::<PyProblem>().getattr("_restore")?, parts))
    }

    /// Makes the problem of the fields that `__reduce__` returns.
    #[staticmethod]
    fn _restore(
        board: Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::side)] side: &str,
        scores: OptionalArg<'_>,
        score: OptionalArg<'_>,
        name: OptionalArg<'_>,
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

/// Argument `source`: the path of a file, or its contents.
pub(crate) enum Source {
    Contents(Vec<u8>),
    Path(PathBuf),
}

impl<'py> FromPyObject<'_, 'py> for Source {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Source> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Source::Contents(bytes.as_bytes().to_vec()));
        }
        if object.is_instance_of::<PyByteArray>() || object.is_instance_of::<PyMemoryView>() {
            let bytes = object.py().get_type::<PyBytes>().call1((object,))?;
            return Ok(Source::Contents(bytes.extract()?));
        }
        let path = arguments::path("source", &object);
        path.map(Source::Path)
            .map_err(|_| arguments::type_error("source", "the path of a file, or bytes", &object))
    }
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
    source: Source,
    format: OptionalArg<'_>,
    #[pyo3(from_py_with = arguments::errors)] errors: &str,
    players: OptionalArg<'_>,
    tournaments: OptionalArg<'_>,
) -> PyResult<Vec<FileEntry>> {
    let format = arguments::optional(&format, |format| read_format(arguments::format(format)?))?;
    let players = arguments::optional(&players, |path| arguments::path("players", path))?;
    let tournaments =
        arguments::optional(&tournaments, |path| arguments::path("tournaments", path))?;
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

/// Reads a file of WTHOR's names, if there is one.
fn read_names(
    path: Option<PathBuf>,
    parse: impl FnOnce(&[u8]) -> Result<(), NamesError>,
) -> PyResult<()> {
    /// Size limit, above that of 65,536 tournaments.
    const MAX_MIB: u64 = 2;
    let Some(path) = path else {
        return Ok(());
    };
    let name = path.display().to_string();
    let bytes = files::read(&path, MAX_MIB, "list of names");
    let bytes = bytes.map_err(|error| unreadable(&name, error))?;
    parse(&bytes).map_err(|error| FormatError::new_err(format!("{name}: {error}")))
}

/// Entry of the argument `entries`.
enum EntryArgument<'py> {
    Game(GameRecord),
    Problem(Bound<'py, PyProblem>),
}

/// Reads a sequence of games and positions.
fn read_entries<'py>(entries: &Bound<'py, PyAny>) -> PyResult<Vec<EntryArgument<'py>>> {
    let mismatch = |value: &_| arguments::type_error("entries", "Games and Problems", value);
    let entries = entries.try_iter().map_err(|_| mismatch(entries))?;
    entries
        .map(|entry| {
            let entry = entry?;
            if let Ok(game) = entry.extract::<GameArgument<'_>>() {
                return Ok(EntryArgument::Game(game.record()));
            }
            let problem = entry.cast_into::<PyProblem>();
            let problem = problem.map_err(|error| mismatch(&error.into_inner()))?;
            Ok(EntryArgument::Problem(problem))
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
            (Format::Obf, EntryArgument::Game(game)) => {
                let (board, side) = game.game.position();
                bare_problem(board, side).to_string()
            }
            (Format::Obf, EntryArgument::Problem(problem)) => problem.get().0.to_string(),
            (Format::Ggf, EntryArgument::Game(game)) => ggf::write(game),
            (Format::Ggf, EntryArgument::Problem(problem)) => {
                let record = GameRecord::from_problem(&problem.get().0);
                ggf::write(&record.or_raise()?)
            }
            (Format::Transcript, EntryArgument::Game(game)) => {
                transcript::write(&game.game).map_err(|error| entry_error(&error))?
            }
            (Format::Wthor, EntryArgument::Game(game)) => {
                let added = database.add(game);
                added.map_err(|error| entry_error(&error))?;
                continue;
            }
            (Format::Transcript | Format::Wthor, EntryArgument::Problem(_)) => {
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
