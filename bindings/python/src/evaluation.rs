//! Weights, and static values of boards.

use std::path::PathBuf;
use std::sync::Arc;

use numpy::PyArray1;
use outflank::batch;
use outflank::eval::{DISC, Evaluation, Parameters, WeightsFile};
use pyo3::prelude::*;

use super::arguments::{self, OptionalArg};
use super::arrays::Boards;
use super::errors::OrRaise;
use super::kernels::KernelCall;

/// Weights of an evaluation: the bundled ones, or those of a file.
#[pyclass(name = "Weights", frozen, module = "outflank")]
pub(crate) struct PyWeights {
    pub(crate) evaluation: Arc<Evaluation>,
    /// Kind of the evaluation, "network" or "linear".
    #[pyo3(get)]
    kind: &'static str,
    /// Origin of the weights, in the words of their maker.
    #[pyo3(get)]
    about: String,
}

impl PyWeights {
    pub(crate) fn load(path: PathBuf) -> PyResult<PyWeights> {
        Ok(PyWeights::of(WeightsFile::load(&path).or_raise()?))
    }

    fn of(file: WeightsFile) -> PyWeights {
        PyWeights {
            kind: match file.model.parameters {
                Parameters::Linear(_) => "linear",
                Parameters::Network(_) => "network",
            },
            about: file.model.about.clone(),
            evaluation: Arc::new(Evaluation::new(file.model)),
        }
    }
}

#[pymethods]
impl PyWeights {
    /// Reads a file of weights, Outflank's or Edax's `eval.dat`. The default is the bundled weights.
    #[new]
    #[pyo3(signature = (path=None))]
    fn new(py: Python<'_>, path: OptionalArg<'_>) -> PyResult<PyWeights> {
        let path = arguments::optional(&path, |path| arguments::path("path", path))?;
        py.detach(|| match path {
            Some(path) => PyWeights::load(path),
            None => {
                let file = WeightsFile::embedded().expect("the wheel has weights");
                let evaluation = Evaluation::embedded();
                Ok(PyWeights {
                    evaluation,
                    ..PyWeights::of(file)
                })
            }
        })
    }

    fn __repr__(&self) -> String {
        format!("<outflank.Weights {}: {}>", self.kind, self.about)
    }
}

/// Argument `weights`: an object, or the path of a file.
pub(crate) enum WeightsArgument<'py> {
    Object(Bound<'py, PyWeights>),
    Path(PathBuf),
}

impl<'py> FromPyObject<'_, 'py> for WeightsArgument<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<WeightsArgument<'py>> {
        if let Ok(weights) = object.cast::<PyWeights>() {
            return Ok(WeightsArgument::Object(weights.to_owned()));
        }
        let path = arguments::path("weights", &object);
        path.map(WeightsArgument::Path)
            .map_err(|_| arguments::type_error("weights", "Weights or the path of a file", &object))
    }
}

/// Evaluation with `weights`, by default the bundled ones.
pub(crate) fn evaluation(
    py: Python<'_>,
    weights: Option<WeightsArgument<'_>>,
) -> PyResult<Arc<Evaluation>> {
    match weights {
        None => Ok(Evaluation::embedded()),
        Some(WeightsArgument::Object(weights)) => Ok(weights.get().evaluation.clone()),
        Some(WeightsArgument::Path(path)) => Ok(py.detach(|| PyWeights::load(path))?.evaluation),
    }
}

/// Static values in discs for the side to move, as float32. Nothing is searched.
#[pyfunction]
#[pyo3(signature = (boards, *, weights=None, isa=None, out=None))]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    weights: Option<WeightsArgument<'py>>,
    isa: OptionalArg<'py>,
    out: OptionalArg<'py>,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    let evaluation = evaluation(py, weights)?;
    let call = KernelCall::new(&boards, isa, out);
    call.run(py, boards.count(), |token, boards, out| {
        let mut values = vec![0; boards.len()];
        batch::evaluate(token, &evaluation, boards, &mut values)?;
        for (out, value) in out.iter_mut().zip(values) {
            *out = value as f32 / DISC as f32;
        }
        Ok(())
    })
}
