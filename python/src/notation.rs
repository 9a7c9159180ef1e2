//! Files of games and positions.

use std::path::PathBuf;

use outflank::files::{self, GAMES, MAX_GAMES_MIB};
use outflank::notation::obf::Problem as Line;
use outflank::notation::wthor::{Database, Names, NamesError};
use outflank::notation::{self, Contents, Format, GameRecord, ggf, transcript};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::board::Board;
use super::errors::{BoardError, FormatError, unreadable};
use super::game::Game;
use super::square::PlyArgument;

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
        board: Bound<'_, Board>,
        side: &str,
        scores: Option<Vec<(PlyArgument, i32)>>,
        score: Option<i32>,
        name: Option<String>,
    ) -> PyResult<Problem> {
        let moves = scores.unwrap_or_default().into_iter();
        Ok(Problem(Line {
            moves: moves.map(|(ply, score)| (ply.0, score)).collect(),
            score,
            name,
            ..super::game::line(board.get().0, super::board::side(side)?)
        }))
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

/// What is read: the path of a file, or its contents.
#[derive(FromPyObject)]
pub(crate) enum Source {
    Contents(Vec<u8>),
    Path(PathBuf),
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

/// Reads the games and positions of a file, given by its path or its contents as bytes: OBF, GGF, WTHOR or transcripts,
/// which its contents tell unless `format` does. With `errors="skip"` what cannot be read is left out instead of being
/// raised. WTHOR has numbers for names: `players` and `tournaments` are the files `WTHOR.JOU` and `WTHOR.TRN`.
#[pyfunction]
#[pyo3(signature = (source, format=None, *, errors="raise", players=None, tournaments=None))]
pub(crate) fn read(
    py: Python<'_>,
    source: Source,
    format: Option<&str>,
    errors: &str,
    players: Option<PathBuf>,
    tournaments: Option<PathBuf>,
) -> PyResult<Vec<Entry>> {
    let format = format.map(format_called).transpose()?;
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
                let bytes = files::read(&path, MAX_GAMES_MIB, GAMES);
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
                    Contents::Game(record) => Entry::Game(Game { record }),
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
#[derive(FromPyObject)]
pub(crate) enum EntryArgument<'py> {
    Game(Bound<'py, Game>),
    Problem(Bound<'py, Problem>),
}

/// Games and positions as the bytes of a file: "obf" (of a game its last position), "ggf", "wthor" or "transcript".
#[pyfunction]
pub(crate) fn write<'py>(
    py: Python<'py>,
    entries: Vec<EntryArgument<'py>>,
    format: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let format = format_called(format)?;
    let mut text = String::new();
    let mut database = Database::default();
    for (number, entry) in entries.iter().enumerate() {
        let unfit = |error: &dyn std::fmt::Display| {
            FormatError::new_err(format!("entry {number}: {error}"))
        };
        let line = match (format, entry) {
            (Format::Obf, EntryArgument::Game(game)) => game.borrow().obf(),
            (Format::Obf, EntryArgument::Problem(problem)) => problem.get().0.to_string(),
            (Format::Ggf, EntryArgument::Game(game)) => ggf::write(&game.borrow().record),
            (Format::Ggf, EntryArgument::Problem(problem)) => {
                let record = GameRecord::of_problem(&problem.get().0);
                let record = record.map_err(|error| BoardError::new_err(error.to_string()))?;
                ggf::write(&record)
            }
            (Format::Transcript, EntryArgument::Game(game)) => {
                transcript::write(&game.borrow().record.game).map_err(|error| unfit(&error))?
            }
            (Format::Wthor, EntryArgument::Game(game)) => {
                let added = database.add(&game.borrow().record);
                added.map_err(|error| unfit(&error))?;
                continue;
            }
            (format, EntryArgument::Problem(_)) => {
                return Err(unfit(&format_args!("{format} has no place for a position")));
            }
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
