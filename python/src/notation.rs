//! Files of games and positions.

use std::path::PathBuf;

use outflank::files;
use outflank::notation::obf::Problem as Line;
use outflank::notation::wthor::{Database, Names, NamesError};
use outflank::notation::{self, Contents, Format, GameRecord, ggf, transcript};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView};

use super::arguments::{self as argument, Given, whole};
use super::board::Board;
use super::errors::{BoardError, FormatError, unreadable};
use super::game::{Game, GameArgument};
use super::result::Restored;
use super::square::{ply as read_ply, ply_number};

/// The parts of a problem: its board, side, moves with scores, score, name and line.
type ProblemParts = (
    Board,
    String,
    Vec<(u8, i32)>,
    Option<i32>,
    Option<String>,
    usize,
);

/// A position of a problem file, with what is known of its moves.
#[pyclass(frozen, eq, module = "outflank")]
#[derive(Clone, PartialEq)]
pub(crate) struct Problem(Line);

#[pymethods]
impl Problem {
    /// A position with `side` to move, the exact scores of moves, and a name.
    #[new]
    #[pyo3(signature = (board, side="black", *, scores=None, score=None, name=None))]
    fn new(
        board: Bound<'_, PyAny>,
        #[pyo3(from_py_with = argument::side)] side: &str,
        scores: Given<'_>,
        score: Given<'_>,
        name: Given<'_>,
    ) -> PyResult<Problem> {
        let board = board
            .cast::<Board>()
            .map_err(|_| argument::unfit("board", "a Board", &board))?;
        let discs = |name, score: &Bound<'_, PyAny>| whole(name, score, -64..=64);
        let scores = argument::optional(&scores, |scores| {
            let pairs = scores.try_iter();
            let unfit = || argument::unfit("scores", "pairs of a move and its score", scores);
            pairs
                .map_err(|_| unfit())?
                .map(|pair| {
                    let pair = pair?.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>();
                    let (ply, score) = pair.map_err(|_| unfit())?;
                    Ok((read_ply("scores", &ply)?, discs("scores", &score)?))
                })
                .collect::<PyResult<Vec<_>>>()
        })?;
        let name = argument::optional(&name, |name| {
            argument::text("name", name).map(str::to_owned)
        });
        Ok(Problem(Line {
            moves: scores.unwrap_or_default(),
            score: argument::optional(&score, |score| discs("score", score))?,
            name: name?,
            ..super::game::line(board.get().0, super::board::side(side)?)
        }))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Restored<'py, ProblemParts>> {
        let Line {
            board,
            side,
            moves,
            score,
            name,
            line,
        } = &self.0;
        let moves = moves.iter().map(|&(ply, score)| (ply_number(ply), score));
        let parts = (
            Board(*board),
            side.to_string(),
            moves.collect(),
            *score,
            name.clone(),
            *line,
        );
        Ok((py.get_type::<Problem>().getattr("_restore")?, parts))
    }

    /// The problem of the parts that `__reduce__` gives.
    #[staticmethod]
    fn _restore(
        board: Bound<'_, PyAny>,
        #[pyo3(from_py_with = argument::side)] side: &str,
        scores: Given<'_>,
        score: Given<'_>,
        name: Given<'_>,
        line: usize,
    ) -> PyResult<Problem> {
        let mut problem = Problem::new(board, side, scores, score, name)?;
        problem.0.line = line;
        Ok(problem)
    }

    /// The position.
    #[getter]
    fn board(&self) -> Board {
        Board(self.0.board)
    }

    /// The side to move, "black" or "white".
    #[getter]
    fn side(&self) -> String {
        self.0.side.to_string()
    }

    /// The moves with their exact scores, in discs for the side to move.
    #[getter]
    fn scores(&self) -> Vec<(String, i32)> {
        let moves = self.0.moves.iter();
        moves
            .map(|&(ply, score)| (notation::ply_name(ply), score))
            .collect()
    }

    /// The best score that is known, in discs for the side to move.
    #[getter]
    fn score(&self) -> Option<i32> {
        self.0.best_score()
    }

    /// What the file calls it.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }

    /// The problem as a line of OBF.
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

/// The source of games: the path of a file, or its contents.
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
        let path = argument::path("source", &object);
        path.map(Source::Path)
            .map_err(|_| argument::unfit("source", "the path of a file, or bytes", &object))
    }
}

/// A game or a position.
#[derive(IntoPyObject)]
pub(crate) enum Entry {
    Game(Game),
    Problem(Problem),
}

/// The format of a name.
fn format_called(name: &str) -> PyResult<Format> {
    name.parse()
        .map_err(|error: notation::UnknownFormat| PyValueError::new_err(error.to_string()))
}

/// Reads the games and positions of a file, given by its path or its contents as bytes: OBF, GGF, SGF, WTHOR, transcripts, PGN
/// or games of Othello Quest, which its contents tell unless `format` does. With `errors="skip"` what cannot be read is left out instead of being
/// raised. WTHOR has numbers for names: `players` and `tournaments` are the files `WTHOR.JOU` and `WTHOR.TRN`.
#[pyfunction]
#[pyo3(signature = (source, format=None, *, errors="raise", players=None, tournaments=None))]
pub(crate) fn read(
    py: Python<'_>,
    source: Source,
    format: Given<'_>,
    #[pyo3(from_py_with = argument::errors)] errors: &str,
    players: Given<'_>,
    tournaments: Given<'_>,
) -> PyResult<Vec<Entry>> {
    let format = argument::optional(&format, |format| format_called(argument::format(format)?))?;
    let players = argument::optional(&players, |path| argument::path("players", path))?;
    let tournaments = argument::optional(&tournaments, |path| argument::path("tournaments", path))?;
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
        read_list(players, |file| names.read_players(file))?;
        read_list(tournaments, |file| names.read_tournaments(file))?;
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
            None => Format::of(&bytes)
                .map_err(|error| FormatError::new_err(format!("{name}: {error}")))?,
        };
        let entries = notation::read_named(&bytes, format, &names);
        let entries = entries.filter(|entry| !skips || entry.is_ok());
        entries
            .map(|entry| match entry {
                Ok(entry) => Ok(match entry.contents {
                    Contents::Game(record) => Entry::Game(Game::of(record)),
                    Contents::Position(line) => Entry::Problem(Problem(line)),
                }),
                Err(error) => Err(FormatError::new_err(error.of_file(&name))),
            })
            .collect()
    })
}

/// Reads a list of WTHOR's names.
fn read_list(
    path: Option<PathBuf>,
    take: impl FnOnce(&[u8]) -> Result<(), NamesError>,
) -> PyResult<()> {
    /// 65,536 tournaments take less.
    const MAX_MIB: u64 = 2;
    let Some(path) = path else {
        return Ok(());
    };
    let name = path.display().to_string();
    let bytes = files::read(&path, MAX_MIB, "list of names");
    let bytes = bytes.map_err(|error| unreadable(&name, error))?;
    take(&bytes).map_err(|error| FormatError::new_err(format!("{name}: {error}")))
}

/// A game or a position as an argument.
enum EntryArgument<'py> {
    Game(GameRecord),
    Problem(Bound<'py, Problem>),
}

/// The games and positions of an argument that is a sequence of them.
fn entries_of<'py>(given: &Bound<'py, PyAny>) -> PyResult<Vec<EntryArgument<'py>>> {
    let unfit = |given: &_| argument::unfit("entries", "Games and Problems", given);
    let entries = given.try_iter().map_err(|_| unfit(given))?;
    entries
        .map(|entry| {
            let entry = entry?;
            if let Ok(game) = entry.extract::<GameArgument<'_>>() {
                return Ok(EntryArgument::Game(game.record()));
            }
            let problem = entry.cast_into::<Problem>();
            let problem = problem.map_err(|error| unfit(&error.into_inner()))?;
            Ok(EntryArgument::Problem(problem))
        })
        .collect()
}

/// Games and positions as the bytes of a file: "obf" (of a game its last position), "ggf", "wthor" or "transcript".
#[pyfunction]
pub(crate) fn write<'py>(
    py: Python<'py>,
    entries: Bound<'py, PyAny>,
    #[pyo3(from_py_with = argument::format)] format: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let entries = entries_of(&entries)?;
    let format = format_called(format)?;
    if !Format::WRITTEN.contains(&format) {
        let message = format!("{format} is read, but not written");
        return Err(PyValueError::new_err(message));
    }
    let mut text = String::new();
    let mut database = Database::default();
    for (number, entry) in entries.iter().enumerate() {
        let unfit = |error: &dyn std::fmt::Display| {
            FormatError::new_err(format!("entry {number}: {error}"))
        };
        let line = match (format, entry) {
            (Format::Obf, EntryArgument::Game(game)) => {
                let (board, side) = game.game.position();
                super::game::line(board, side).to_string()
            }
            (Format::Obf, EntryArgument::Problem(problem)) => problem.get().0.to_string(),
            (Format::Ggf, EntryArgument::Game(game)) => ggf::write(game),
            (Format::Ggf, EntryArgument::Problem(problem)) => {
                let record = GameRecord::of_problem(&problem.get().0);
                let record = record.map_err(|error| BoardError::new_err(error.to_string()))?;
                ggf::write(&record)
            }
            (Format::Transcript, EntryArgument::Game(game)) => {
                transcript::write(&game.game).map_err(|error| unfit(&error))?
            }
            (Format::Wthor, EntryArgument::Game(game)) => {
                let added = database.add(game);
                added.map_err(|error| unfit(&error))?;
                continue;
            }
            (Format::Transcript | Format::Wthor, EntryArgument::Problem(_)) => {
                return Err(unfit(&format_args!("{format} has no place for a position")));
            }
            (Format::Sgf | Format::OthelloQuest, _) => unreachable!("it is not written"),
        };
        text += &line;
        text.push('\n');
    }
    let bytes = match format {
        Format::Wthor => {
            let bytes = database.write();
            bytes.map_err(|error| FormatError::new_err(error.to_string()))?
        }
        _ => text.into_bytes(),
    };
    Ok(PyBytes::new(py, &bytes))
}
