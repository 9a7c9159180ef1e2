//! Kernels over arrays of boards, at a level that the caller chooses.

use numpy::ndarray::{Dimension, IntoDimension};
use numpy::{Element, PyArray, PyArray1, PyArray2, PyArray3};
use outflank::Isa;
use outflank::batch::{self, Discs, FeatureSet};
use outflank::kernels::Token;
use outflank::search::Passes;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::arguments::{self, OptionalArg, text};
use super::arrays::{Boards, Plies, addresses, boards_array, column_of, output};
use super::errors::{OrRaise, bad_row};

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

/// Call of a kernel, with the arguments that all kernels have.
pub(crate) struct KernelCall<'a, 'py> {
    pub(crate) boards: &'a Boards<'py>,
    isa: OptionalArg<'py>,
    out: OptionalArg<'py>,
    /// Plies argument: its name, for errors, and its data, which the output must not overlap.
    plies: (&'static str, &'a [u8]),
}

impl<'a, 'py> KernelCall<'a, 'py> {
    /// Makes the call of a kernel that takes no plies.
    pub(crate) fn new(
        boards: &'a Boards<'py>,
        isa: OptionalArg<'py>,
        out: OptionalArg<'py>,
    ) -> KernelCall<'a, 'py> {
        KernelCall {
            boards,
            isa,
            out,
            plies: ("boards", &[]),
        }
    }

    /// Adds the plies argument of the kernel. `name` is the name of that argument, for errors.
    fn with_plies(mut self, name: &'static str, plies: &'a [u8]) -> KernelCall<'a, 'py> {
        self.plies = (name, plies);
        self
    }

    /// Runs the kernel. The first length of `shape` is the number of boards.
    pub(crate) fn run<T: Element + Send, D: Dimension>(
        self,
        py: Python<'py>,
        shape: impl IntoDimension<Dim = D>,
        kernel: impl Fn(Token, &[Discs], &mut [T]) -> Result<(), batch::RowError> + Sync + Send,
    ) -> PyResult<Bound<'py, PyArray<T, D>>> {
        let (token, discs) = (token(&self.isa)?, self.boards.discs());
        let (plies_name, plies) = self.plies;
        let inputs = [addresses(discs), addresses(plies)];
        let mut array = output(py, shape, self.out.as_ref(), &inputs)?;
        let values = array.slice();
        let done = py.detach(|| kernel(token, discs, values));
        done.map_err(|error| bad_row(error, plies_name))?;
        Ok(array.array())
    }
}

/// Defines Python functions whose only input is boards. A line has the name, the output array, its shape per board and
/// the kernel.
macro_rules! board_kernels {
    ($($(#[doc = $doc:tt])* fn $name:ident -> $array:ident<$item:ty> [$($length:literal),*] = $kernel:expr;)*) => {$(
        $(#[doc = $doc])*
        #[pyfunction]
        #[pyo3(signature = (boards, *, isa=None, out=None))]
        pub(crate) fn $name<'py>(
            py: Python<'py>,
            boards: Boards<'py>,
            isa: OptionalArg<'py>,
            out: OptionalArg<'py>,
        ) -> PyResult<Bound<'py, $array<$item>>> {
            KernelCall::new(&boards, isa, out).run(py, [boards.count() $(, $length)*], $kernel)
        }
    )*};
}

board_kernels! {
    /// Legal moves of the side to move, as bitboards.
    fn mobility -> PyArray1<u64> [] = batch::mobility;

    /// Lowest of the eight images of each board under the symmetries of the square.
    fn canonical -> PyArray2<u64> [2] = |token, boards, out| batch::canonical(token, boards, out.as_chunks_mut().0);

    /// Stable discs of the side to move, as bitboards. Not all stable discs are found. Pass `boards[:, ::-1]` for the
    /// discs of the opponent.
    fn stability -> PyArray1<u64> [] = batch::stability;

    /// Potential mobility of the side to move, as bitboards: the empty squares beside a disc of the opponent.
    fn potential_mobility -> PyArray1<u64> [] = batch::potential_mobility;

    /// Scores of finished games as int8, in discs for the side to move; empty squares go to the winner. Raises `RowError`
    /// for a board where a side has a move.
    fn final_scores -> PyArray1<i8> [] = batch::final_scores;

    /// Hash of each board. It is equal at every level and in every release.
    fn hash -> PyArray1<u64> [] = batch::hash;

    /// Legal moves of the side to move as bool of shape (N, 64), A1 to H8. A row without a legal move has none set.
    fn move_masks -> PyArray2<bool> [64] = batch::move_masks;

    /// All eight images of each board under the symmetries of the square, of shape (N, 8, 2). Image 0 is the board. Image
    /// `s` exchanges rows and columns if `s & 4`, then mirrors left to right if `s & 1`, and upside down if `s & 2`.
    fn symmetries -> PyArray3<u64> [8, 2] = |token, boards, out| batch::images(token, boards, out.as_chunks_mut().0);
}

/// Flipped discs of a move on each board, as bitboards; 0 if the move is not legal.
#[pyfunction]
#[pyo3(signature = (boards, squares, *, isa=None, out=None))]
pub(crate) fn flip<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    squares: Bound<'py, PyAny>,
    isa: OptionalArg<'py>,
    out: OptionalArg<'py>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let squares = Plies::read("squares", &squares)?;
    let squares = squares.for_boards(boards.count(), "squares")?;
    let call = KernelCall::new(&boards, isa, out).with_plies("squares", &squares);
    call.run(py, boards.count(), |token, boards, out| {
        batch::flip(token, boards, &squares, out)
    })
}

/// Boards after one ply each: a square (0 to 63), or a pass (64) if the side to move has to pass.
#[pyfunction]
#[pyo3(signature = (boards, plies, *, isa=None, out=None))]
pub(crate) fn apply<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    plies: Bound<'py, PyAny>,
    isa: OptionalArg<'py>,
    out: OptionalArg<'py>,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let plies = Plies::read("plies", &plies)?;
    let plies = plies.for_boards(boards.count(), "plies")?;
    let call = KernelCall::new(&boards, isa, out).with_plies("plies", &plies);
    call.run(py, [boards.count(), 2], |token, boards, out| {
        batch::apply(token, boards, &plies, out.as_chunks_mut().0)
    })
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
    let call = KernelCall::new(&boards, isa, out);
    call.run(py, boards.count(), |token, boards, out| {
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
    let call = KernelCall::new(&boards, isa, out);
    call.run(py, [boards.count(), set.count()], |token, boards, out| {
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
    let children = children.map_err(|error| bad_row(error, "boards"))?;
    Ok((
        boards_array(py, children.boards)?,
        column_of(py, &children.parents, |&parent| parent),
        column_of(py, &children.plies, |&ply| ply),
    ))
}
