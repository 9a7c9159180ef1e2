//! Kernels over arrays of boards, at a level that the caller chooses.

use numpy::ndarray::{Dimension, IntoDimension};
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArray3, PyArrayDescr, PyArrayDescrMethods,
    PyUntypedArrayMethods,
};
use outflank::Isa;
use outflank::batch::{self, Discs, FeatureSet, Planes};
use outflank::kernels::Token;
use outflank::search::Passes;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::arguments::{self, OptionalArg, text};
use super::arrays::{Boards, Plies, addresses, boards_array, column_of, output};
use super::errors::{ArgumentError, OrRaise, bad_row};

/// Token of the level that `isa` names. The default is the level in `OUTFLANK_ISA` or, without that variable, the best
/// one.
pub(crate) fn token(isa: &OptionalArg<'_>) -> PyResult<Token> {
    let named = isa.as_ref().map(|isa| text("isa", isa)).transpose()?;
    let named = named.map(str::parse).transpose().or_raise()?;
    let isa = Isa::choose(named).or_raise()?;
    isa.token().or_raise()
}

/// Names of the instruction-set levels that this CPU has, the best last.
#[pyfunction]
pub(crate) fn isas() -> Vec<&'static str> {
    Isa::available().iter().map(|isa| isa.name()).collect()
}

/// Name of the level that runs unless another one is named.
#[pyfunction]
pub(crate) fn selected_isa() -> PyResult<&'static str> {
    Ok(token(&None)?.isa().name())
}

/// Runs a kernel on boards, and on `plies` if it takes some. The output must not overlap these inputs. The first length
/// of `shape` is the number of boards. `isa` and `out` are arguments of the caller.
pub(crate) fn run_kernel<'py, T: Element + Send, D: Dimension>(
    py: Python<'py>,
    boards: &Boards<'py>,
    plies: &[&[u8]],
    (isa, out): (OptionalArg<'py>, OptionalArg<'py>),
    shape: impl IntoDimension<Dim = D>,
    kernel: impl Fn(Token, &[Discs], &mut [T]) -> Result<(), batch::RowError> + Sync + Send,
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    let (token, discs) = (token(&isa)?, boards.discs());
    let mut inputs = vec![addresses(discs)];
    inputs.extend(plies.iter().map(|plies| addresses(plies)));
    let mut array = output(py, shape, out.as_ref(), &inputs)?;
    let values = match array.is_empty() {
        // An empty array may have any address.
        true => &mut [],
        false => array.as_slice_mut().expect("its items are in order"),
    };
    let done = py.detach(|| kernel(token, discs, values));
    done.map_err(bad_row)?;
    Ok((**array).clone())
}

/// Defines Python functions of boards, and of plies if the kernel takes some. A line has the name, the inputs, the output
/// array, its shape per board and the kernel.
macro_rules! kernels {
    ($(
        $(#[doc = $doc:tt])*
        fn $name:ident($boards:ident $(, $plies:ident)?) -> $array:ident<$item:ty> [$($length:literal),*] =
            |$token:ident, $out:ident| $kernel:expr;
    )*) => {$(
        $(#[doc = $doc])*
        #[pyfunction]
        #[pyo3(signature = ($boards, $($plies,)? *, isa=None, out=None))]
        pub(crate) fn $name<'py>(
            py: Python<'py>,
            $boards: Boards<'py>,
            $($plies: Bound<'py, PyAny>,)?
            isa: OptionalArg<'py>,
            out: OptionalArg<'py>,
        ) -> PyResult<Bound<'py, $array<$item>>> {
            let count = $boards.count();
            $(
                let $plies = Plies::read(stringify!($plies), &$plies)?;
                let $plies = $plies.for_boards(count)?;
            )?
            let shape = [count $(, $length)*];
            let kernel = |$token: Token, $boards: &[Discs], $out: &mut [$item]| $kernel;
            run_kernel(py, &$boards, &[$(&$plies)?], (isa, out), shape, kernel)
        }
    )*};
}

kernels! {
    /// Legal moves of the side to move, as bitboards.
    fn mobility(boards) -> PyArray1<u64> [] = |token, out| batch::mobility(token, boards, out);

    /// Flipped discs of a move on each board, as bitboards; 0 if the move is not legal.
    fn flip(boards, squares) -> PyArray1<u64> [] = |token, out| batch::flip(token, boards, &squares, out);

    /// Boards after one ply each: a square (0 to 63), or a pass (64) if the side to move has to pass.
    fn apply(boards, plies) -> PyArray2<u64> [2] =
        |token, out| batch::apply(token, boards, &plies, out.as_chunks_mut().0);

    /// Lowest of the eight images of each board under the symmetries of the square.
    fn canonical(boards) -> PyArray2<u64> [2] =
        |token, out| batch::canonical(token, boards, out.as_chunks_mut().0);

    /// Stable discs of the side to move, as bitboards. Not all stable discs are found. Pass `boards[:, ::-1]` for the
    /// discs of the opponent.
    fn stability(boards) -> PyArray1<u64> [] = |token, out| batch::stability(token, boards, out);

    /// Potential mobility of the side to move, as bitboards: the empty squares beside a disc of the opponent.
    fn potential_mobility(boards) -> PyArray1<u64> [] =
        |token, out| batch::potential_mobility(token, boards, out);

    /// Scores of finished games as int8, in discs for the side to move; empty squares go to the winner. Raises `RowError`
    /// for a board where a side has a move.
    fn final_scores(boards) -> PyArray1<i8> [] = |token, out| batch::final_scores(token, boards, out);

    /// Hash of each board. It is equal at every level and in every release.
    fn hash(boards) -> PyArray1<u64> [] = |token, out| batch::hash(token, boards, out);

    /// Legal moves of the side to move as bool of shape (N, 64), A1 to H8. A row without a legal move has none set.
    fn move_masks(boards) -> PyArray2<bool> [64] = |token, out| batch::move_masks(token, boards, out);

    /// All eight images of each board under the symmetries of the square, of shape (N, 8, 2). Image 0 is the board. Image
    /// `s` exchanges rows and columns if `s & 4`, then mirrors left to right if `s & 1`, and upside down if `s & 2`.
    fn symmetries(boards) -> PyArray3<u64> [8, 2] =
        |token, out| batch::images(token, boards, out.as_chunks_mut().0);
}

/// Reads the depth of a perft.
pub(crate) fn perft_depth(depth: &Bound<'_, PyAny>) -> PyResult<u32> {
    arguments::integer("depth", depth, 0..=u32::MAX.into())
}

/// Number of leaves of the game tree `depth` plies below each board. A finished game is one leaf. With `passes=False` a
/// pass is not a ply.
#[pyfunction]
#[pyo3(signature = (boards, depth, *, passes=true, isa=None, out=None))]
pub(crate) fn perft<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    depth: Bound<'py, PyAny>,
    #[pyo3(from_py_with = arguments::passes)] passes: bool,
    isa: OptionalArg<'py>,
    out: OptionalArg<'py>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let depth = perft_depth(&depth)?;
    let passes = if passes { Passes::Plies } else { Passes::Free };
    let count = boards.count();
    run_kernel(py, &boards, &[], (isa, out), count, |token, boards, out| {
        batch::perft(token, boards, depth, passes, out)
    })
}

/// Features of an evaluation as uint16. The shape is (N, 46) for "edax", the linear evaluation, and (N, 32) for
/// "corner", the network. A feature is a number in base 3 with a digit for each square: 0 the side to move, 1 empty, 2
/// the opponent.
#[pyfunction]
#[pyo3(signature = (boards, *, geometry="corner", isa=None, out=None))]
pub(crate) fn features<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    #[pyo3(from_py_with = arguments::geometry)] geometry: &str,
    isa: OptionalArg<'py>,
    out: OptionalArg<'py>,
) -> PyResult<Bound<'py, PyArray2<u16>>> {
    let set = match geometry {
        "edax" => FeatureSet::Edax,
        "corner" => FeatureSet::Corner,
        other => {
            let message = format!("{other:?} is no geometry: there are edax and corner");
            return Err(PyValueError::new_err(message));
        }
    };
    let shape = [boards.count(), set.count()];
    run_kernel(py, &boards, &[], (isa, out), shape, |token, boards, out| {
        batch::features(token, set, boards, out)
    })
}

/// Result of `children`: boards, rows of their parents, and the plies that lead to them.
type ChildArrays<'py> = (
    Bound<'py, PyArray2<u64>>,
    Bound<'py, PyArray1<u64>>,
    Bound<'py, PyArray1<u8>>,
);

/// All boards one ply below: `(children, parents, plies)`, where `children[i]` is the board after `plies[i]` of
/// `boards[parents[i]]`. A board whose side to move has to pass has one child, after the pass. A finished game has no
/// children.
#[pyfunction]
#[pyo3(signature = (boards, *, isa=None))]
pub(crate) fn children<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    isa: OptionalArg<'py>,
) -> PyResult<ChildArrays<'py>> {
    let (token, discs) = (token(&isa)?, boards.discs());
    let children = py.detach(|| batch::children(token, discs));
    let children = children.map_err(bad_row)?;
    Ok((
        boards_array(py, children.boards)?,
        column_of(py, &children.parents, |&parent| parent),
        column_of(py, &children.plies, |&ply| ply),
    ))
}

/// Item types that planes can have.
const PLANE_TYPES: &str = "float32, uint8 or bool";

/// Discs as planes of shape (N, 2, 8, 8): those of the side to move, then those of the opponent; 1 is a disc. Rows are
/// ranks 1 to 8, columns files A to H. With `moves=True` a third plane has the legal moves. `dtype` is "float32", "uint8"
/// or "bool".
#[pyfunction]
#[pyo3(signature = (boards, *, moves=false, dtype=None, isa=None, out=None))]
pub(crate) fn planes<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    #[pyo3(from_py_with = arguments::moves)] moves: bool,
    dtype: OptionalArg<'py>,
    isa: OptionalArg<'py>,
    out: OptionalArg<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let set = match moves {
        true => Planes::DiscsAndMoves,
        false => Planes::Discs,
    };
    let item = match &dtype {
        None => numpy::dtype::<f32>(py),
        Some(dtype) => PyArrayDescr::new(py, dtype)
            .map_err(|_| arguments::type_error("dtype", PLANE_TYPES, dtype))?,
    };
    if item.is_equiv_to(&numpy::dtype::<f32>(py)) {
        planes_of::<f32>(py, &boards, set, (isa, out))
    } else if item.is_equiv_to(&numpy::dtype::<u8>(py)) {
        planes_of::<u8>(py, &boards, set, (isa, out))
    } else if item.is_equiv_to(&numpy::dtype::<bool>(py)) {
        planes_of::<bool>(py, &boards, set, (isa, out))
    } else {
        let message = format!("dtype: expected {PLANE_TYPES}, got {item}");
        Err(ArgumentError::new_err(message))
    }
}

fn planes_of<'py, T: Element + Send + From<bool>>(
    py: Python<'py>,
    boards: &Boards<'py>,
    set: Planes,
    options: (OptionalArg<'py>, OptionalArg<'py>),
) -> PyResult<Bound<'py, PyAny>> {
    let shape = [boards.count(), set.count(), 8, 8];
    let planes = run_kernel(py, boards, &[], options, shape, |token, boards, out| {
        batch::planes::<T>(token, set, boards, out)
    })?;
    Ok(planes.into_any())
}
