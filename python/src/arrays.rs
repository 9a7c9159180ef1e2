//! Arrays of NumPy as slices of Rust. An array is copied first unless its items are aligned, next to each other and
//! in the byte order of the machine.
//!
//! The interpreter runs other threads while a kernel works on these slices. As with NumPy's own functions, a
//! thread of Python must not write to an array that another one has given to a function.

use std::ops::Range;

use numpy::ndarray::{Dimension, IntoDimension};
use numpy::{
    Element, PyArray, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray, PyReadwriteArray,
    PyUntypedArray, PyUntypedArrayMethods,
};
use outflank::batch::Discs;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyTuple};

use super::errors::ArrayError;
use super::square::{ply, ply_number};

/// An argument of one type and number of dimensions, its items aligned and next to each other.
struct Items<'py, T: Element, D: Dimension>(PyReadonlyArray<'py, T, D>);

impl<'py, T: Element, D: Dimension> Items<'py, T, D> {
    /// The array `object`, or a copy; `None` if `object` is of another type or number of dimensions.
    fn of(object: &Bound<'py, PyAny>) -> PyResult<Option<Items<'py, T, D>>> {
        let Ok(array) = object.cast::<PyUntypedArray>() else {
            return Ok(None);
        };
        let (has, wanted) = (array.dtype(), T::get_dtype(object.py()));
        let is_native = has.is_equiv_to(&wanted);
        // Types such as `StringDType` have no byte order to change.
        let swapped = wanted.call_method1("newbyteorder", ("S",))?;
        if !is_native && !has.is_equiv_to(swapped.cast::<numpy::PyArrayDescr>()?) {
            return Ok(None);
        }
        let plain = object.cast::<PyArray<T, D>>().ok();
        let plain = plain.filter(|array| is_native && is_plain(array)).cloned();
        let array = match plain {
            Some(array) => array,
            // NumPy reads every layout and raises `MemoryError`. Methods of a subclass may do anything.
            None => {
                let py = object.py();
                let layout = [("copy", true), ("subok", false)].into_py_dict(py)?;
                layout.set_item("order", "C")?;
                let make = py.import("numpy")?.getattr("array")?;
                let copy = make.call((object, wanted), Some(&layout))?;
                match copy.cast_into::<PyArray<T, D>>() {
                    Ok(copy) if is_plain(&copy) => copy,
                    _ => return Ok(None),
                }
            }
        };
        let array = array.try_readonly();
        array
            .map(|array| Some(Items(array)))
            .map_err(|error| ArrayError::new_err(error.to_string()))
    }

    fn slice(&self) -> &[T] {
        match self.0.is_empty() {
            // It may have any address.
            true => &[],
            false => self.0.as_slice().expect("its items are in order"),
        }
    }
}

/// Returns `true` if a slice may stand for the array: its items are aligned and next to each other.
fn is_plain<T: Element, D: Dimension>(array: &Bound<'_, PyArray<T, D>>) -> bool {
    array.is_c_contiguous() && array.data().is_aligned()
}

/// Addresses of an argument, which an output must not share.
pub(crate) fn addresses<T>(slice: &[T]) -> Range<usize> {
    let Range { start, end } = slice.as_ptr_range();
    start as usize..end as usize
}

/// Boards: an array of uint64 of shape (N, 2), the discs of the side to move first.
pub(crate) struct Boards<'py>(Items<'py, u64, numpy::Ix2>);

impl Boards<'_> {
    pub(crate) fn discs(&self) -> &[Discs] {
        self.0.slice().as_chunks().0
    }
}

impl<'py> FromPyObject<'_, 'py> for Boards<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Boards<'py>> {
        match Items::of(&object)? {
            Some(items) if items.0.shape()[1] == 2 => Ok(Boards(items)),
            _ => Err(wrong_array("boards", "uint64", "(N, 2)", &object)),
        }
    }
}

/// Plies: an array of uint8 of shape (N,), or one ply for all boards.
pub(crate) enum Plies<'py> {
    Each(EachPly<'py>),
    Same(u8),
}

/// A ply for each board.
pub(crate) struct EachPly<'py>(Items<'py, u8, numpy::Ix1>);

impl<'py> Plies<'py> {
    /// Reads the argument `name`.
    pub(crate) fn of(name: &str, object: &Bound<'py, PyAny>) -> PyResult<Plies<'py>> {
        if object.cast::<PyUntypedArray>().is_err() {
            return Ok(Plies::Same(ply_number(ply(name, object)?)));
        }
        let items = Items::of(object)?;
        let items = items.ok_or_else(|| wrong_array(name, "uint8", "(N,)", object))?;
        Ok(Plies::Each(EachPly(items)))
    }

    /// As many as there are boards; `name` is what the array is called.
    pub(crate) fn of_boards(
        &self,
        boards: usize,
        name: &str,
    ) -> PyResult<std::borrow::Cow<'_, [u8]>> {
        let plies = match self {
            Plies::Same(ply) => return Ok(vec![*ply; boards].into()),
            Plies::Each(plies) => plies.0.slice(),
        };
        match plies.len() == boards {
            true => Ok(plies.into()),
            false => {
                let count = plies.len();
                let message =
                    format!("{name}: expected one for each of {boards} boards, got {count}");
                Err(ArrayError::new_err(message))
            }
        }
    }
}

/// A one-dimensional array of another column.
pub(crate) fn column<'py, T: Element + Copy>(
    object: &Bound<'py, PyAny>,
    name: &str,
    dtype: &str,
) -> PyResult<Vec<T>> {
    let items = Items::<T, numpy::Ix1>::of(object)?;
    let items = items.ok_or_else(|| wrong_array(name, dtype, "(N,)", object))?;
    Ok(items.slice().to_vec())
}

/// The array that a function writes to: `out` where it was given, else a new one. It must not share the addresses
/// `read`.
pub(crate) fn output<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    shape: impl IntoDimension<Dim = D>,
    out: Option<&Bound<'py, PyAny>>,
    dtype: &str,
    read: &[Range<usize>],
) -> PyResult<Output<'py, T, D>> {
    let shape = shape.into_dimension();
    let Some(out) = out else {
        // An array that does not fit in memory is a `MemoryError` of NumPy's.
        let shape = PyTuple::new(py, shape.slice())?;
        let zeros = py.import("numpy")?.getattr("zeros")?;
        let array = zeros.call1((shape, T::get_dtype(py)))?;
        return Ok(Output(array.cast_into::<PyArray<T, D>>()?.try_readwrite()?));
    };
    let lengths: Vec<String> = shape.slice().iter().map(usize::to_string).collect();
    let expected = format!("({})", lengths.join(", "));
    let Ok(array) = out.cast::<PyArray<T, D>>() else {
        return Err(wrong_array("out", dtype, &expected, out));
    };
    if array.shape() != shape.slice() {
        return Err(wrong_array("out", dtype, &expected, out));
    }
    if !array.is_c_contiguous() {
        return Err(ArrayError::new_err("out: expected a contiguous array"));
    }
    if !array.is_empty() && !array.data().is_aligned() {
        return Err(ArrayError::new_err("out: expected an aligned array"));
    }
    let begin = array.data() as usize;
    let end = begin + array.len() * size_of::<T>();
    let is_shared = |read: &Range<usize>| read.start < end && begin < read.end;
    if read.iter().any(is_shared) {
        let message = "out: expected an array of its own, got the memory of another argument";
        return Err(ArrayError::new_err(message));
    }
    let array = array.try_readwrite();
    let array = array.map_err(|error| ArrayError::new_err(format!("out: {error}")))?;
    Ok(Output(array))
}

/// An array to write to.
pub(crate) struct Output<'py, T: Element, D: Dimension>(PyReadwriteArray<'py, T, D>);

impl<'py, T: Element, D: Dimension> Output<'py, T, D> {
    pub(crate) fn slice(&mut self) -> &mut [T] {
        match self.0.is_empty() {
            true => &mut [],
            false => self.0.as_slice_mut().expect("its items are in order"),
        }
    }

    pub(crate) fn array(self) -> Bound<'py, PyArray<T, D>> {
        (**self.0).clone()
    }
}

/// `boards: expected an array of uint64 of shape (N, 2), got int64 of shape (5,)`.
fn wrong_array(name: &str, dtype: &str, shape: &str, got: &Bound<'_, PyAny>) -> PyErr {
    let got = match got.cast::<PyUntypedArray>() {
        Ok(array) => match array.getattr("shape") {
            Ok(shape) => format!("{} of shape {shape}", array.dtype()),
            Err(_) => array.dtype().to_string(),
        },
        Err(_) => match got.get_type().name() {
            Ok(name) => name.to_string(),
            Err(_) => "something else".to_owned(),
        },
    };
    let message = format!("{name}: expected an array of {dtype} of shape {shape}, got {got}");
    ArrayError::new_err(message)
}
