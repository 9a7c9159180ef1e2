//! Kernels over arrays of boards, at a level that the caller chooses.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use outflank::Isa;
use outflank::batch::{self, Discs, FeatureSet};
use outflank::kernels::Token;
use outflank::search::Passes;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::arrays::{Boards, Plies, output};
use super::errors::{OrRaise, bad_row};

/// The token of a level by its name; without one, of the level that `OUTFLANK_ISA` names, else the best.
pub(crate) fn token(isa: Option<&str>) -> PyResult<Token> {
    let named = isa.map(str::parse).transpose().or_raise()?;
    let isa = Isa::choose(named).or_raise()?;
    isa.token().or_raise()
}

/// The levels that this CPU has, the best last.
#[pyfunction]
pub(crate) fn isas() -> Vec<&'static str> {
    Isa::available().iter().map(|isa| isa.name()).collect()
}

/// The level that is used where none is named.
#[pyfunction]
pub(crate) fn selected_isa() -> PyResult<&'static str> {
    Ok(token(None)?.isa().name())
}

/// A kernel from boards to words.
type ToWords = fn(Token, &[Discs], &mut [u64]) -> Result<(), batch::RowError>;
/// A kernel from boards to boards.
type ToBoards = fn(Token, &[Discs], &mut [Discs]) -> Result<(), batch::RowError>;

fn words<'py>(
    py: Python<'py>,
    boards: &Boards<'py>,
    isa: Option<&str>,
    out: Option<&Bound<'py, PyAny>>,
    kernel: impl Fn(Token, &[Discs], &mut [u64]) -> Result<(), batch::RowError> + Sync + Send,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let (token, discs) = (token(isa)?, boards.discs());
    let mut array = output(py, discs.len(), out, "uint64")?;
    let to = array.as_slice_mut().expect("outputs are contiguous");
    let done = py.detach(|| kernel(token, discs, to));
    done.map_err(|error| bad_row(error, "squares"))?;
    Ok((**array).clone())
}

fn pairs<'py>(
    py: Python<'py>,
    boards: &Boards<'py>,
    isa: Option<&str>,
    out: Option<&Bound<'py, PyAny>>,
    plies: &'static str,
    kernel: impl Fn(Token, &[Discs], &mut [Discs]) -> Result<(), batch::RowError> + Sync + Send,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let (token, discs) = (token(isa)?, boards.discs());
    let mut array = output(py, [discs.len(), 2], out, "uint64")?;
    let to = array.as_slice_mut().expect("outputs are contiguous");
    let (to, _) = to.as_chunks_mut();
    let done = py.detach(|| kernel(token, discs, to));
    done.map_err(|error| bad_row(error, plies))?;
    Ok((**array).clone())
}

/// The squares where the side to move may play, as bitboards.
#[pyfunction]
#[pyo3(signature = (boards, *, isa=None, out=None))]
pub(crate) fn mobility<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    isa: Option<&str>,
    out: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    words(py, &boards, isa, out.as_ref(), batch::mobility as ToWords)
}

/// The discs that a move on a square turns, as bitboards; 0 where the move is not legal.
#[pyfunction]
#[pyo3(signature = (boards, squares, *, isa=None, out=None))]
pub(crate) fn flip<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    squares: Plies<'py>,
    isa: Option<&str>,
    out: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let squares = squares.of_boards(boards.discs().len(), "squares")?;
    words(py, &boards, isa, out.as_ref(), |token, boards, to| {
        batch::flip(token, boards, &squares, to)
    })
}

/// The boards after a ply each: a square (0 to 63), or a pass (64) where the side to move has to.
#[pyfunction]
#[pyo3(signature = (boards, plies, *, isa=None, out=None))]
pub(crate) fn apply<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    plies: Plies<'py>,
    isa: Option<&str>,
    out: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let plies = plies.of_boards(boards.discs().len(), "plies")?;
    pairs(
        py,
        &boards,
        isa,
        out.as_ref(),
        "plies",
        |token, boards, to| batch::apply(token, boards, &plies, to),
    )
}

/// The lowest of the eight images of each board under the symmetries of the square.
#[pyfunction]
#[pyo3(signature = (boards, *, isa=None, out=None))]
pub(crate) fn canonical<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    isa: Option<&str>,
    out: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    pairs(
        py,
        &boards,
        isa,
        out.as_ref(),
        "plies",
        batch::canonical as ToBoards,
    )
}

/// The hash of each board, the same at every level and in every release.
#[pyfunction]
#[pyo3(signature = (boards, *, isa=None, out=None))]
pub(crate) fn hash<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    isa: Option<&str>,
    out: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    words(py, &boards, isa, out.as_ref(), batch::hash as ToWords)
}

/// The leaves of the game tree `depth` plies below each board; a finished game is one leaf. With
/// `passes=False` a pass is not a ply.
#[pyfunction]
#[pyo3(signature = (boards, depth, *, passes=true, isa=None, out=None))]
pub(crate) fn perft<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    depth: u32,
    passes: bool,
    isa: Option<&str>,
    out: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let passes = if passes { Passes::Plies } else { Passes::Free };
    words(py, &boards, isa, out.as_ref(), |token, boards, to| {
        batch::perft(token, boards, depth, passes, to)
    })
}

/// The features of an evaluation, as uint16 of shape (N, 46) for "edax", the linear one, and (N, 32) for
/// "corner", the network's. Squares are digits in base 3: 0 the side to move, 1 empty, 2 the opponent.
#[pyfunction]
#[pyo3(signature = (boards, *, geometry="corner", isa=None, out=None))]
pub(crate) fn features<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    geometry: &str,
    isa: Option<&str>,
    out: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<u16>>> {
    let set = match geometry {
        "edax" => FeatureSet::Edax,
        "corner" => FeatureSet::Corner,
        other => {
            let message = format!("{other:?} is no geometry: there are edax and corner");
            return Err(PyValueError::new_err(message));
        }
    };
    let (token, discs) = (token(isa)?, boards.discs());
    let mut array = output(py, [discs.len(), set.count()], out.as_ref(), "uint16")?;
    let to = array.as_slice_mut().expect("outputs are contiguous");
    let done = py.detach(|| batch::features(token, set, discs, to));
    done.map_err(|error| bad_row(error, "boards"))?;
    Ok((**array).clone())
}

/// What `children` returns: boards, the rows of their parents, and the plies that lead to them.
type Children<'py> = (
    Bound<'py, PyArray2<u64>>,
    Bound<'py, PyArray1<u64>>,
    Bound<'py, PyArray1<u8>>,
);

/// All boards that one ply leads to: `(children, parents, plies)`, where `children[i]` is the board after
/// `plies[i]` of `boards[parents[i]]`. A side that has to pass has that ply alone; a finished game has none.
#[pyfunction]
#[pyo3(signature = (boards, *, isa=None))]
pub(crate) fn children<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    isa: Option<&str>,
) -> PyResult<Children<'py>> {
    let (token, discs) = (token(isa)?, boards.discs());
    let done = py.detach(|| batch::children(token, discs));
    let found = done.map_err(|error| bad_row(error, "boards"))?;
    let count = found.boards.len();
    let after = found.boards.into_flattened().into_pyarray(py);
    Ok((
        after.reshape([count, 2])?,
        found.parents.into_pyarray(py),
        found.plies.into_pyarray(py),
    ))
}
