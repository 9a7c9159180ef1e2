//! Games.

use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use outflank::diagram::Diagram;
use outflank::notation::{GameRecord, ggf, obf::Problem as Line, transcript};
use outflank::{Board as Discs, Game as Played, Side};
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::board::{Board, from_text};
use super::errors::{BoardError, FormatError, OrRaise};
use super::square::{PlyArgument, SquareArgument, names};

/// A game as far as it was played, with what a file says about it. Every ply is legal; passes that are due are
/// inserted before a move.
#[pyclass(module = "outflank")]
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) record: GameRecord,
}

/// What a game begins with: a text such as "f5d6c3", or squares.
#[derive(FromPyObject)]
enum Moves {
    Text(String),
    Squares(Vec<PlyArgument>),
}

/// The position that a game begins with: a text with the side to move, or a board.
#[derive(FromPyObject)]
enum Start<'py> {
    Text(String),
    Board(Bound<'py, Board>),
}

impl Game {
    fn game(&self) -> &Played {
        &self.record.game
    }

    /// The position now as a line of OBF.
    pub(crate) fn obf(&self) -> String {
        let (board, side) = self.game().position();
        line(board, side).to_string()
    }

    /// Changes the game; what was said of plies that are no longer there goes with them.
    fn change<T>(&mut self, change: impl FnOnce(&mut Played) -> T) -> T {
        let result = change(&mut self.record.game);
        let plies = self.record.game.plies().len();
        self.record.notes.truncate(plies);
        result
    }
}

#[pymethods]
impl Game {
    /// A game: `Game("f5d6c3")`. `start` is another position than the usual one, a board with `side` to move or a text
    /// with its side.
    #[new]
    #[pyo3(signature = (moves=None, *, start=None, side="black"))]
    fn new(moves: Option<Moves>, start: Option<Start<'_>>, side: &str) -> PyResult<Game> {
        let mover = super::board::side(side)?;
        let (board, mover) = match start {
            None => (Discs::START, mover),
            Some(Start::Board(board)) => (board.get().0, mover),
            Some(Start::Text(text)) => from_text(&text)?,
        };
        let game = Played::from_start(board, mover);
        let mut game = game.map_err(|error| BoardError::new_err(error.to_string()))?;
        match moves {
            None => {}
            Some(Moves::Text(text)) => {
                for line in transcript::read(text.as_bytes()) {
                    let line = line.map_err(|error| FormatError::new_err(error.to_string()))?;
                    line.moves
                        .iter()
                        .try_for_each(|&square| game.play(square))
                        .or_raise()?;
                }
            }
            Some(Moves::Squares(plies)) => {
                for PlyArgument(ply) in plies {
                    match ply {
                        Some(square) => game.play(square),
                        None => game.pass(),
                    }
                    .or_raise()?;
                }
            }
        }
        Ok(Game {
            record: GameRecord::new(game),
        })
    }

    /// Reads one game of GGF.
    #[classmethod]
    fn from_ggf(_: &Bound<'_, PyType>, text: &str) -> PyResult<Game> {
        let game = ggf::read(text.as_bytes()).next();
        let game = game.ok_or_else(|| FormatError::new_err("no game of GGF in the text"))?;
        let game = game.map_err(|error| FormatError::new_err(error.to_string()))?;
        Ok(Game {
            record: game.record,
        })
    }

    /// Plays on a square for the side whose turn it is; a pass that is due is inserted.
    fn play(&mut self, square: SquareArgument) -> PyResult<()> {
        self.change(|game| game.play(square.0)).or_raise()
    }

    /// Passes, where the side to move has to.
    #[pyo3(name = "pass_")]
    fn pass(&mut self) -> PyResult<()> {
        self.change(Played::pass).or_raise()
    }

    /// Takes back the last ply and returns it; `None` at the start.
    fn undo(&mut self) -> Option<String> {
        let ply = self.change(Played::undo)?;
        Some(outflank::notation::ply_name(ply))
    }

    /// The position now.
    #[getter]
    fn board(&self) -> Board {
        Board(self.game().board())
    }

    /// The side to move, "black" or "white".
    #[getter]
    fn side(&self) -> String {
        self.game().side().to_string()
    }

    /// The position that the game began with, and the side to move.
    #[getter]
    fn start(&self) -> (Board, String) {
        let (board, side) = self.game().start();
        (Board(board), side.to_string())
    }

    /// What was played, passes as "PS".
    #[getter]
    fn plies(&self) -> Vec<String> {
        names(self.game().plies())
    }

    /// The moves, without passes.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.game()
            .moves()
            .map(|square| square.to_string())
            .collect()
    }

    /// The start and the position after each ply, with the side to move.
    #[getter]
    fn positions(&self) -> Vec<(Board, String)> {
        let positions = self.game().positions().iter();
        positions
            .map(|&(board, side)| (Board(board), side.to_string()))
            .collect()
    }

    /// The boards of `positions` as an array of uint64 of shape (N, 2).
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let positions = self.game().positions();
        let words = positions
            .iter()
            .flat_map(|(board, _)| [board.player, board.opponent]);
        let words: Vec<u64> = words.collect();
        words.into_pyarray(py).reshape([positions.len(), 2])
    }

    /// Whether neither side can move.
    #[getter]
    fn is_over(&self) -> bool {
        self.game().is_over()
    }

    /// The result in discs from black's side, empty squares to the winner; where the game is not over, what a file says,
    /// or `None`.
    #[getter]
    fn score(&self) -> Option<i32> {
        self.record.score()
    }

    /// What a file says about the game: names as in GGF ("PB" and "PW" are the players), and texts.
    #[getter]
    fn properties(&self) -> Vec<(String, String)> {
        let properties = self.record.properties();
        properties
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    /// The value of a property; `None` where it has none.
    fn property(&self, name: &str) -> Option<&str> {
        self.record.property(name)
    }

    /// Sets a property.
    fn set_property(&mut self, name: &str, value: &str) -> PyResult<()> {
        let set = self.record.set(name, value);
        set.map_err(|error| FormatError::new_err(error.to_string()))
    }

    /// The game as GGF, with all that is known about it.
    fn to_ggf(&self) -> String {
        ggf::write(&self.record)
    }

    /// The game as a transcript, "f5d6c3".
    fn to_transcript(&self) -> PyResult<String> {
        let text = transcript::write(self.game());
        text.map_err(|error| FormatError::new_err(error.to_string()))
    }

    /// The position now as a line of OBF.
    fn to_obf(&self) -> String {
        self.obf()
    }

    fn __len__(&self) -> usize {
        self.game().plies().len()
    }

    fn __eq__(&self, other: &Game) -> bool {
        // Plies of which nothing is said may have an empty note, or none.
        let (own, others) = (&self.record, &other.record);
        own.game == others.game
            && own.properties().eq(others.properties())
            && own.noted_plies().eq(others.noted_plies())
    }

    fn __copy__(&self) -> Game {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let read = py.get_type::<Game>().getattr("from_ggf")?;
        Ok((read, (self.to_ggf(),)))
    }

    fn __repr__(&self) -> String {
        let moves: String = self
            .game()
            .moves()
            .map(|square| format!("{square:#}"))
            .collect();
        match self.game().has_usual_start() {
            true => format!("Game({moves:?})"),
            false => {
                let (board, side) = self.game().start();
                let start = outflank::notation::position(board, side);
                format!("Game({moves:?}, start={start:?})")
            }
        }
    }

    /// A picture of the position, with the last move marked and the legal moves as dots.
    fn _repr_svg_(&self) -> String {
        let (board, side) = self.game().position();
        let last = self.game().plies().last().copied().flatten();
        Diagram::new(board, side).last(last).svg()
    }
}

/// A position as a line of OBF of which nothing else is known.
pub(crate) fn line(board: Discs, side: Side) -> Line {
    Line {
        board,
        side,
        moves: Vec::new(),
        score: None,
        name: None,
        line: 0,
    }
}
