//! Arrays of NumPy as slices of Rust. An array is copied first unless its items are aligned, contiguous and in the
//! byte order of the machine.
//!
//! The interpreter runs other threads while a kernel works on these slices. As with NumPy's own functions, a
//! Python thread must not write to an array that another thread has passed to a function.

use std::borrow::Cow;
use std::ops::Range;

use numpy::ndarray::{Dimension, IntoDimension};
use numpy::{
    Element, IntoPyArray, PyArray, PyArray1, PyArray2, PyArrayDescrMethods, PyArrayMethods,
    PyReadonlyArray, PyReadwriteArray, PyUntypedArray, PyUntypedArrayMethods,
};
use outflank::batch::Discs;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyTuple};

use super::arguments::type_name;
use super::errors::ArrayError;
use super::square::{ply, ply_number};

/// Array argument with items of type `T` and dimensions `D`. The items are aligned and contiguous.
pub(crate) struct Items<'py, T: Element, D: Dimension>(PyReadonlyArray<'py, T, D>);

impl<'py, T: Element, D: Dimension> Items<'py, T, D> {
    /// Borrows the array `object`, or copies it. Raises an `ArrayError` with the name of the argument and the expected
    /// shape if it has another item type or number of dimensions.
    fn read(name: &str, shape: &str, object: &Bound<'py, PyAny>) -> PyResult<Items<'py, T, D>> {
        let mismatch = || wrong_array::<T>(name, shape, object);
        let Ok(array) = object.cast::<PyUntypedArray>() else {
            return Err(mismatch());
        };
        let (dtype, wanted) = (array.dtype(), T::get_dtype(object.py()));
        let is_native = dtype.is_equiv_to(&wanted);
        // Types such as `StringDType` have no byte order to change.
        let swapped = wanted.call_method1("newbyteorder", ("S",))?;
        if !is_native && !dtype.is_equiv_to(swapped.cast::<numpy::PyArrayDescr>()?) {
            return Err(mismatch());
        }
        let borrowed = object.cast::<PyArray<T, D>>().ok();
        let borrowed = borrowed
            .filter(|array| is_native && is_sliceable(array))
            .cloned();
        let array = match borrowed {
            Some(array) => array,
            // NumPy reads every layout and may raise `MemoryError`. `subok` is off: a subclass may override methods.
            None => {
                let py = object.py();
                let layout = [("copy", true), ("subok", false)].into_py_dict(py)?;
                layout.set_item("order", "C")?;
                let make = py.import("numpy")?.getattr("array")?;
                let copy = make.call((object, wanted), Some(&layout))?;
                match copy.cast_into::<PyArray<T, D>>() {
                    Ok(copy) if is_sliceable(&copy) => copy,
                    _ => return Err(mismatch()),
                }
            }
        };
        let array = array.try_readonly();
        array
            .map(Items)
            .map_err(|error| ArrayError::new_err(error.to_string()))
    }

    fn slice(&self) -> &[T] {
        match self.0.is_empty() {
            // An empty array may have any address.
            true => &[],
            false => self.0.as_slice().expect("its items are in order"),
        }
    }
}

/// Returns `true` if the items are aligned and contiguous, as a slice needs.
fn is_sliceable<T: Element, D: Dimension>(array: &Bound<'_, PyArray<T, D>>) -> bool {
    array.is_c_contiguous() && array.data().is_aligned()
}

/// Address range of an input, which an output must not overlap.
pub(crate) fn addresses<T>(slice: &[T]) -> Range<usize> {
    let Range { start, end } = slice.as_ptr_range();
    start as usize..end as usize
}

/// Argument `boards`: an array of uint64 of shape (N, 2), the discs of the side to move first.
pub(crate) struct Boards<'py>(Items<'py, u64, numpy::Ix2>);

impl Boards<'_> {
    pub(crate) fn discs(&self) -> &[Discs] {
        self.0.slice().as_chunks().0
    }

    pub(crate) fn count(&self) -> usize {
        self.discs().len()
    }
}

impl<'py> FromPyObject<'_, 'py> for Boards<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Boards<'py>> {
        let items: Items<'_, u64, _> = Items::read("boards", "(N, 2)", &object)?;
        match items.0.shape()[1] {
            2 => Ok(Boards(items)),
            _ => Err(wrong_array::<u64>("boards", "(N, 2)", &object)),
        }
    }
}

/// Argument of plies: an array of uint8 of shape (N,), or one ply for all boards.
pub(crate) enum Plies<'py> {
    /// Name of the argument, and its array.
    PerBoard(&'static str, Items<'py, u8, numpy::Ix1>),
    Uniform(u8),
}

impl<'py> Plies<'py> {
    /// Reads the argument `name`.
    pub(crate) fn read(name: &'static str, object: &Bound<'py, PyAny>) -> PyResult<Plies<'py>> {
        if object.cast::<PyUntypedArray>().is_err() {
            return Ok(Plies::Uniform(ply_number(ply(name, object)?)));
        }
        Ok(Plies::PerBoard(name, Items::read(name, "(N,)", object)?))
    }

    /// Returns a ply for each of `boards` boards.
    pub(crate) fn for_boards(&self, boards: usize) -> PyResult<Cow<'_, [u8]>> {
        match self {
            Plies::Uniform(ply) => Ok(vec![*ply; boards].into()),
            Plies::PerBoard(name, plies) => {
                check_length(name, plies.slice().len(), boards)?;
                Ok(plies.slice().into())
            }
        }
    }
}

/// Raises an `ArrayError` unless the argument `name` has one item for each board.
fn check_length(name: &str, count: usize, boards: usize) -> PyResult<()> {
    match count == boards {
        true => Ok(()),
        false => Err(ArrayError::new_err(format!(
            "{name}: expected one for each of {boards} boards, got {count}"
        ))),
    }
}

/// Reads a one-dimensional array of numbers.
pub(crate) fn numbers(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<u32>> {
    Ok(Items::<u32, numpy::Ix1>::read(name, "(N,)", object)?
        .slice()
        .to_vec())
}

/// Reads a one-dimensional array of `boards` items.
pub(crate) fn column<T: Element + Copy>(
    object: &Bound<'_, PyAny>,
    name: &str,
    boards: usize,
) -> PyResult<Vec<T>> {
    let items = Items::<T, numpy::Ix1>::read(name, "(N,)", object)?;
    check_length(name, items.slice().len(), boards)?;
    Ok(items.slice().to_vec())
}

/// Makes an array of one field of each row.
pub(crate) fn column_of<'py, R, T: Element>(
    py: Python<'py>,
    rows: &[R],
    field: impl Fn(&R) -> T,
) -> Bound<'py, PyArray1<T>> {
    rows.iter().map(field).collect::<Vec<T>>().into_pyarray(py)
}

/// Makes an array of uint64 of shape (N, 2).
pub(crate) fn boards_array(
    py: Python<'_>,
    boards: Vec<Discs>,
) -> PyResult<Bound<'_, PyArray2<u64>>> {
    let count = boards.len();
    let words = boards.into_flattened().into_pyarray(py);
    words.reshape([count, 2])
}

/// Returns the array that a function writes to: `out`, or a new one. It must not overlap `inputs`.
pub(crate) fn output<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    shape: impl IntoDimension<Dim = D>,
    out: Option<&Bound<'py, PyAny>>,
    inputs: &[Range<usize>],
) -> PyResult<PyReadwriteArray<'py, T, D>> {
    let shape = shape.into_dimension();
    let Some(out) = out else {
        // NumPy raises `MemoryError` if the array does not fit in memory.
        let shape = PyTuple::new(py, shape.slice())?;
        let zeros = py.import("numpy")?.getattr("zeros")?;
        let array = zeros.call1((shape, T::get_dtype(py)))?;
        return Ok(array.cast_into::<PyArray<T, D>>()?.try_readwrite()?);
    };
    let lengths: Vec<String> = shape.slice().iter().map(usize::to_string).collect();
    let expected = format!("({})", lengths.join(", "));
    let Ok(array) = out.cast::<PyArray<T, D>>() else {
        return Err(wrong_array::<T>("out", &expected, out));
    };
    if array.shape() != shape.slice() {
        return Err(wrong_array::<T>("out", &expected, out));
    }
    if !array.is_c_contiguous() {
        return Err(ArrayError::new_err("out: expected a contiguous array"));
    }
    if !array.is_empty() && !array.data().is_aligned() {
        return Err(ArrayError::new_err("out: expected an aligned array"));
    }
    let begin = array.data() as usize;
    let end = begin + array.len() * size_of::<T>();
    let overlaps = |input: &Range<usize>| input.start < end && begin < input.end;
    if inputs.iter().any(overlaps) {
        let message = "out: expected an array of its own, got the memory of another argument";
        return Err(ArrayError::new_err(message));
    }
    let array = array.try_readwrite();
    array.map_err(|error| ArrayError::new_err(format!("out: {error}")))
}

/// Makes an `ArrayError`, such as `boards: expected an array of uint64 of shape (N, 2), got int64 of shape (5,)`.
fn wrong_array<T: Element>(name: &str, shape: &str, got: &Bound<'_, PyAny>) -> PyErr {
    let dtype = T::get_dtype(got.py());
    let got = match got.cast::<PyUntypedArray>() {
        Ok(array) => match array.getattr("shape") {
            Ok(shape) => format!("{} of shape {shape}", array.dtype()),
            Err(_) => array.dtype().to_string(),
        },
        Err(_) => type_name(got),
    };
    let message = format!("{name}: expected an array of {dtype} of shape {shape}, got {got}");
    ArrayError::new_err(message)
}
