//! Databases of games.

use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{IntoPyArray, PyArray1};
use outflank::Board;
use outflank_games::{
    Addition, Filter, FilterError, GameDatabase, GameSummary, MoveStatistics, Winner, Writer,
};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::arguments::{self, OptionalArg};
use super::arrays::{column_of, numbers};
use super::errors::{FormatError, OrRaise};
use super::game::{PyGame, game_of};
use super::optional;
use super::position::position_of;
use super::result::record_class;

record_class! {
    /// Move that was played in a position, with the results of its games for the side that made it.
    PyGameMove = "GameMove", of statistics: &MoveStatistics {
        /// Move, such as "F5"; `None` for the games that ended here.
        r#move: Option<String> = statistics.square.map(|square| square.to_string());
        /// Number of games.
        games: u32 = statistics.games;
        /// Number of games that the side won.
        wins: u32 = statistics.wins;
        /// Number of draws.
        draws: u32 = statistics.draws;
        /// Number of games that the side lost. Games without a result are none of the three.
        losses: u32 = statistics.losses;
        /// Mean of the final scores in discs; `None` without results.
        mean_score: Option<f64> = statistics.mean_score;
        /// First and last year of the games; `None` if no year is known.
        years: Option<(u16, u16)> = statistics.years;
        /// Up to three of the strongest players who made the move, with the number of their games here.
        best_players: Vec<(String, u32)> = statistics.best_players.clone();
    }

    fn __repr__(&self) -> String {
        let name = self.r#move.as_deref().unwrap_or("end");
        format!("<outflank.GameMove {name} of {} games>", self.games)
    }
}

impl Hash for PyGameMove {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (&self.r#move, self.games, self.wins, self.draws, self.losses).hash(hasher);
    }
}

/// Database of games, open for reading. It has the games that were there when it was opened.
#[pyclass(name = "GameDatabase", frozen, module = "outflank")]
pub(crate) struct PyGameDatabase(Mutex<GameDatabase>);

impl PyGameDatabase {
    fn lock(&self) -> MutexGuard<'_, GameDatabase> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Raises an `IndexError` unless there is a game of this number.
fn check_number(number: u32, games: usize) -> PyResult<()> {
    match (number as usize) < games {
        true => Ok(()),
        false => Err(PyIndexError::new_err(format!(
            "no game has the number {number}: there are {games}, from 0 on"
        ))),
    }
}

#[pymethods]
impl PyGameDatabase {
    /// Opens the database at `path`.
    #[new]
    fn new(py: Python<'_>, path: Bound<'_, PyAny>) -> PyResult<PyGameDatabase> {
        let path = arguments::path("path", &path)?;
        let database = py.detach(|| GameDatabase::open(&path)).or_raise()?;
        Ok(PyGameDatabase(Mutex::new(database)))
    }

    /// Names of players by number. Number 0, "", is an unknown player.
    #[getter]
    fn players(&self) -> Vec<String> {
        self.lock().players().to_vec()
    }

    /// Names of tournaments by number. Number 0, "", is an unknown tournament.
    #[getter]
    fn tournaments(&self) -> Vec<String> {
        self.lock().tournaments().to_vec()
    }

    /// Data of all games as arrays by number: `black`, `white`, `tournament` (numbers of names, uint32), `year` (uint16,
    /// 0 if unknown), `score` (discs for black, int8, -128 if unknown), `moves` (uint8). A table of pandas or Arrow can
    /// be made of them.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        // Arrays are made without the lock, because other threads may run meanwhile.
        let games = self.lock().games().to_vec();
        let games = &games[..];
        let columns = PyDict::new(py);
        columns.set_item(
            "black",
            column_of(py, games, |game: &GameSummary| game.black),
        )?;
        columns.set_item("white", column_of(py, games, |game| game.white))?;
        columns.set_item("tournament", column_of(py, games, |game| game.tournament))?;
        columns.set_item("year", column_of(py, games, |game| game.year.unwrap_or(0)))?;
        columns.set_item(
            "score",
            column_of(py, games, |game| game.score.unwrap_or(i8::MIN)),
        )?;
        columns.set_item("moves", column_of(py, games, |game| game.moves))?;
        Ok(columns)
    }

    /// Game of this number, with its properties. Evaluations and times of its moves were not kept.
    fn game(&self, py: Python<'_>, number: Bound<'_, PyAny>) -> PyResult<PyGame> {
        let number: u32 = arguments::integer("number", &number, 0..=u32::MAX.into())?;
        check_number(number, self.__len__())?;
        let record = py.detach(|| self.lock().game(number)).or_raise()?;
        Ok(PyGame::of(record))
    }

    /// Numbers of the games that meet all conditions. A name needs only some of its words or their parts. `years` are the
    /// first and the last one; `winner` is "black", "white" or "draw".
    #[pyo3(signature = (*, player=None, black=None, white=None, tournament=None, years=None, winner=None))]
    #[allow(clippy::too_many_arguments, reason = "one for each condition")]
    fn select<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = optional::player)] player: Option<String>,
        #[pyo3(from_py_with = optional::black)] black: Option<String>,
        #[pyo3(from_py_with = optional::white)] white: Option<String>,
        #[pyo3(from_py_with = optional::tournament)] tournament: Option<String>,
        #[pyo3(from_py_with = optional::years)] years: Option<(u16, u16)>,
        #[pyo3(from_py_with = optional::winner)] winner: Option<String>,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let winner = match winner.as_deref() {
            None => None,
            Some("black") => Some(Winner::Black),
            Some("white") => Some(Winner::White),
            Some("draw") => Some(Winner::Nobody),
            Some(other) => {
                let message =
                    format!("winner: expected \"black\", \"white\" or \"draw\", got {other:?}");
                return Err(PyValueError::new_err(message));
            }
        };
        let filter = Filter {
            player,
            black,
            white,
            tournament,
            years,
            winner,
        };
        let games = py.detach(|| {
            let database = self.lock();
            Ok(database.select(&filter)?.games().collect::<Vec<_>>())
        });
        let games = games.map_err(|error: FilterError| PyValueError::new_err(error.to_string()))?;
        Ok(games.into_pyarray(py))
    }

    /// Numbers of the games that reach a position, or one that is symmetric to it.
    fn at<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = position_of)] position: Board,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let visits = py.detach(|| self.lock().visits(position)).or_raise()?;
        Ok(column_of(py, &visits, |visit| visit.game))
    }

    /// Moves that were played in a position or in one that is symmetric to it, the most frequent first. `games` are the
    /// numbers of the games to count, by default all.
    #[pyo3(signature = (position, games=None))]
    fn moves(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = position_of)] position: Board,
        games: OptionalArg<'_>,
    ) -> PyResult<Vec<PyGameMove>> {
        let counted = match games {
            None => None,
            Some(games) => {
                let mut counted = vec![false; self.lock().games().len()];
                for game in numbers(&games, "games")? {
                    check_number(game, counted.len())?;
                    counted[game as usize] = true;
                }
                Some(counted)
            }
        };
        let selects = |game: u32| {
            counted
                .as_ref()
                .is_none_or(|counted| counted[game as usize])
        };
        let moves = py
            .detach(|| self.lock().moves_at(position, selects))
            .or_raise()?;
        Ok(moves.iter().map(PyGameMove::new).collect())
    }

    /// Number of games.
    fn __len__(&self) -> usize {
        self.lock().games().len()
    }

    fn __repr__(&self) -> String {
        format!("<outflank.GameDatabase of {} games>", self.__len__())
    }
}

/// Adds games to the database at `path`, which is made if there is none. Games that are there are left out: those with
/// the same moves, up to symmetry, whose players and years do not contradict each other. Many games, over
/// 100,000, are committed in parts. Returns the number of added games. A game without moves is an error.
#[pyfunction]
pub(crate) fn add_games(
    py: Python<'_>,
    path: Bound<'_, PyAny>,
    games: Bound<'_, PyAny>,
) -> PyResult<usize> {
    let path: PathBuf = arguments::path("path", &path)?;
    let not_games = |_| arguments::type_error("games", "games, such as those of `read`", &games);
    let records = games
        .try_iter()
        .map_err(not_games)?
        .map(|game| Ok(game_of(&game?)?.get().lock().clone()))
        .collect::<PyResult<Vec<_>>>()?;
    if let Some(number) = records
        .iter()
        .position(|record| record.game.moves().next().is_none())
    {
        return Err(FormatError::new_err(format!("game {number} has no moves")));
    }
    py.detach(|| {
        let mut writer = Writer::open_or_create(&path).or_raise()?;
        let mut added = 0;
        for record in &records {
            added += usize::from(matches!(writer.add(record).or_raise()?, Addition::New(_)));
        }
        writer.commit().or_raise()?;
        Ok(added)
    })
}
