//! Kernels over arrays of boards, at a level that the caller chooses.

use numpy::ndarray::{Dimension, IntoDimension};
use numpy::{Element, IntoPyArray, PyArray, PyArray1, PyArray2, PyArrayMethods};
use outflank::Isa;
use outflank::batch::{self, Discs, FeatureSet};
use outflank::kernels::Token;
use outflank::search::Passes;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::arguments::{self as argument, Given, text};
use super::arrays::{Boards, Plies, addresses, output};
use super::errors::{OrRaise, bad_row};

/// The token of a level by its name; without one, of the level that `OUTFLANK_ISA` names, else the best.
pub(crate) fn token(isa: &Given<'_>) -> PyResult<Token> {
    let named = isa.as_ref().map(|isa| text("isa", isa)).transpose()?;
    let named = named.map(str::parse).transpose().or_raise()?;
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
    Ok(token(&None)?.isa().name())
}

/// Runs a kernel on boards whose output has the shape `(N, …per_board)`. `(plies, read)` is the name of the plies
/// argument, for errors, and its data, which the output must not overlap.
pub(crate) fn run<'py, T: Element + Send, D: Dimension>(
    py: Python<'py>,
    boards: &Boards<'py>,
    keywords: Keywords<'py>,
    shape: impl IntoDimension<Dim = D>,
    (plies, read): (&'static str, &[u8]),
    kernel: impl Fn(Token, &[Discs], &mut [T]) -> Result<(), batch::RowError> + Sync + Send,
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    let Keywords { isa, out, dtype } = keywords;
    let (token, discs) = (token(&isa)?, boards.discs());
    let read = [addresses(discs), addresses(read)];
    let mut array = output(py, shape, out.as_ref(), dtype, &read)?;
    let to = array.slice();
    let done = py.detach(|| kernel(token, discs, to));
    done.map_err(|error| bad_row(error, plies))?;
    Ok(array.array())
}

/// Arguments that every kernel has, and the type of its output.
pub(crate) struct Keywords<'py> {
    pub(crate) isa: Given<'py>,
    pub(crate) out: Given<'py>,
    pub(crate) dtype: &'static str,
}

/// Plies argument of kernels that take only boards.
pub(crate) const NO_PLIES: (&str, &[u8]) = ("boards", &[]);

fn words<'py>(
    py: Python<'py>,
    boards: &Boards<'py>,
    isa: Given<'py>,
    out: Given<'py>,
    plies: (&'static str, &[u8]),
    kernel: impl Fn(Token, &[Discs], &mut [u64]) -> Result<(), batch::RowError> + Sync + Send,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let dtype = "uint64";
    let keywords = Keywords { isa, out, dtype };
    run(py, boards, keywords, boards.discs().len(), plies, kernel)
}

fn pairs<'py>(
    py: Python<'py>,
    boards: &Boards<'py>,
    isa: Given<'py>,
    out: Given<'py>,
    plies: (&'static str, &[u8]),
    kernel: impl Fn(Token, &[Discs], &mut [Discs]) -> Result<(), batch::RowError> + Sync + Send,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let dtype = "uint64";
    let keywords = Keywords { isa, out, dtype };
    let shape = [boards.discs().len(), 2];
    run(py, boards, keywords, shape, plies, |token, boards, to| {
        kernel(token, boards, to.as_chunks_mut().0)
    })
}

/// Plies of a perft.
pub(crate) fn depth_of_perft(depth: &Bound<'_, PyAny>) -> PyResult<u32> {
    argument::whole("depth", depth, 0..=u32::MAX.into())
}

/// The squares where the side to move may play, as bitboards.
#[pyfunction]
#[pyo3(signature = (boards, *, isa=None, out=None))]
pub(crate) fn mobility<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    isa: Given<'py>,
    out: Given<'py>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    words(py, &boards, isa, out, NO_PLIES, batch::mobility)
}

/// The discs that a move on a square turns, as bitboards; 0 where the move is not legal.
#[pyfunction]
#[pyo3(signature = (boards, squares, *, isa=None, out=None))]
pub(crate) fn flip<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    squares: Bound<'py, PyAny>,
    isa: Given<'py>,
    out: Given<'py>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let squares = Plies::of("squares", &squares)?;
    let squares = squares.of_boards(boards.discs().len(), "squares")?;
    let plies = ("squares", &*squares);
    words(py, &boards, isa, out, plies, |token, boards, to| {
        batch::flip(token, boards, &squares, to)
    })
}

/// The boards after a ply each: a square (0 to 63), or a pass (64) where the side to move has to.
#[pyfunction]
#[pyo3(signature = (boards, plies, *, isa=None, out=None))]
pub(crate) fn apply<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    plies: Bound<'py, PyAny>,
    isa: Given<'py>,
    out: Given<'py>,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let plies = Plies::of("plies", &plies)?;
    let plies = plies.of_boards(boards.discs().len(), "plies")?;
    let named = ("plies", &*plies);
    pairs(py, &boards, isa, out, named, |token, boards, to| {
        batch::apply(token, boards, &plies, to)
    })
}

/// The lowest of the eight images of each board under the symmetries of the square.
#[pyfunction]
#[pyo3(signature = (boards, *, isa=None, out=None))]
pub(crate) fn canonical<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    isa: Given<'py>,
    out: Given<'py>,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    pairs(py, &boards, isa, out, NO_PLIES, batch::canonical)
}

/// The discs of the side to move that are known never to turn, as bitboards. For the opponent's give `boards[:, ::-1]`.
#[pyfunction]
#[pyo3(signature = (boards, *, isa=None, out=None))]
pub(crate) fn stability<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    isa: Given<'py>,
    out: Given<'py>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    words(py, &boards, isa, out, NO_PLIES, batch::stability)
}

/// The empty squares beside a disc of the opponent, as bitboards: where the side to move may play some day.
#[pyfunction]
#[pyo3(signature = (boards, *, isa=None, out=None))]
pub(crate) fn potential_mobility<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    isa: Given<'py>,
    out: Given<'py>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    words(py, &boards, isa, out, NO_PLIES, batch::potential_mobility)
}

/// The scores of finished games as int8, in discs for the side to move, empty squares to the winner. A board where a side
/// has a move is a `RowError`.
#[pyfunction]
#[pyo3(signature = (boards, *, isa=None, out=None))]
pub(crate) fn final_scores<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    isa: Given<'py>,
    out: Given<'py>,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let dtype = "int8";
    let keywords = Keywords { isa, out, dtype };
    let shape = boards.discs().len();
    run(py, &boards, keywords, shape, NO_PLIES, batch::final_scores)
}

/// The hash of each board, the same at every level and in every release.
#[pyfunction]
#[pyo3(signature = (boards, *, isa=None, out=None))]
pub(crate) fn hash<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    isa: Given<'py>,
    out: Given<'py>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    words(py, &boards, isa, out, NO_PLIES, batch::hash)
}

/// The leaves of the game tree `depth` plies below each board; a finished game is one leaf. With
/// `passes=False` a pass is not a ply.
#[pyfunction]
#[pyo3(signature = (boards, depth, *, passes=true, isa=None, out=None))]
pub(crate) fn perft<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    depth: Bound<'py, PyAny>,
    #[pyo3(from_py_with = argument::passes)] passes: bool,
    isa: Given<'py>,
    out: Given<'py>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let depth = depth_of_perft(&depth)?;
    let passes = if passes { Passes::Plies } else { Passes::Free };
    words(py, &boards, isa, out, NO_PLIES, |token, boards, to| {
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
    #[pyo3(from_py_with = argument::geometry)] geometry: &str,
    isa: Given<'py>,
    out: Given<'py>,
) -> PyResult<Bound<'py, PyArray2<u16>>> {
    let set = match geometry {
        "edax" => FeatureSet::Edax,
        "corner" => FeatureSet::Corner,
        other => {
            let message = format!("{other:?} is no geometry: there are edax and corner");
            return Err(PyValueError::new_err(message));
        }
    };
    let dtype = "uint16";
    let keywords = Keywords { isa, out, dtype };
    let shape = [boards.discs().len(), set.count()];
    run(
        py,
        &boards,
        keywords,
        shape,
        NO_PLIES,
        |token, boards, to| batch::features(token, set, boards, to),
    )
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
    isa: Given<'py>,
) -> PyResult<Children<'py>> {
    let (token, discs) = (token(&isa)?, boards.discs());
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
