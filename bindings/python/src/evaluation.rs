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
use super::kernels::run_kernel;
use super::optional;

/// Weights of an evaluation: the bundled ones, or those of a file.
#[pyclass(name = "Weights", frozen, module = "outflank")]
pub(crate) struct PyWeights {
    evaluation: Arc<Evaluation>,
    /// Kind of the evaluation, "network" or "linear".
    #[pyo3(get)]
    kind: &'static str,
    /// Origin of the weights, in the words of their maker.
    #[pyo3(get)]
    about: String,
}

impl PyWeights {
    fn load(path: PathBuf) -> PyResult<PyWeights> {
        Ok(PyWeights::of(WeightsFile::load(&path).or_raise()?))
    }

    fn of(file: WeightsFile) -> PyWeights {
        PyWeights {
            kind: match file.model.parameters {
                Parameters::Linear(_) => "linear",
                Parameters::Networks(_) => "network",
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
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = optional::path)] path: Option<PathBuf>,
    ) -> PyResult<PyWeights> {
        py.detach(|| match path {
            Some(path) => PyWeights::load(path),
            None => {
                let file = WeightsFile::embedded().expect("the wheel has weights");
                let mut weights = PyWeights::of(file);
                weights.evaluation = Evaluation::embedded();
                Ok(weights)
            }
        })
    }

    fn __repr__(&self) -> String {
        format!("<outflank.Weights {}: {}>", self.kind, self.about)
    }
}

/// Reads the argument `weights`: an object, or the path of a file. `None` means the bundled weights.
pub(crate) fn evaluation_of(value: &Bound<'_, PyAny>) -> PyResult<Option<Arc<Evaluation>>> {
    if value.is_none() {
        return Ok(None);
    }
    if let Ok(weights) = value.cast::<PyWeights>() {
        return Ok(Some(weights.get().evaluation.clone()));
    }
    let expected = "Weights or the path of a file";
    let path = arguments::path("weights", value);
    let path = path.map_err(|_| arguments::type_error("weights", expected, value))?;
    let weights = value.py().detach(|| PyWeights::load(path))?;
    Ok(Some(weights.evaluation))
}

/// Static values in discs for the side to move, as float32. Nothing is searched.
#[pyfunction]
#[pyo3(signature = (boards, *, weights=None, isa=None, out=None))]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    #[pyo3(from_py_with = evaluation_of)] weights: Option<Arc<Evaluation>>,
    isa: OptionalArg<'py>,
    out: OptionalArg<'py>,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    let evaluation = weights.unwrap_or_else(Evaluation::embedded);
    let count = boards.count();
    run_kernel(py, &boards, &[], (isa, out), count, |token, boards, out| {
        let mut values = vec![0; boards.len()];
        batch::evaluate(token, &evaluation, boards, &mut values)?;
        for (out, value) in out.iter_mut().zip(values) {
            *out = value as f32 / DISC as f32;
        }
        Ok(())
    })
}
