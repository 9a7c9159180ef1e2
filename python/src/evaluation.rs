//! Weights, and static values by them.

use std::path::PathBuf;
use std::sync::Arc;

use numpy::PyArray1;
use outflank::batch;
use outflank::eval::{DISC, Evaluation, Parameters, WeightsFile};
use pyo3::prelude::*;

use super::arrays::{Boards, output};
use super::errors::{OrRaise, bad_row};
use super::kernels::token;

/// Weights of an evaluation: those that are bundled, or those of a file.
#[pyclass(frozen, module = "outflank")]
pub(crate) struct Weights {
    pub(crate) evaluation: Arc<Evaluation>,
    /// "network" or "linear".
    #[pyo3(get)]
    kind: &'static str,
    /// Where they come from, as their maker put it.
    #[pyo3(get)]
    about: String,
}

impl Weights {
    pub(crate) fn load(path: PathBuf) -> PyResult<Weights> {
        Ok(Weights::of(WeightsFile::load(&path).or_raise()?))
    }

    fn of(file: WeightsFile) -> Weights {
        Weights {
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
impl Weights {
    /// Reads a file of weights, Outflank's or Edax's `eval.dat`; without a path, those that are bundled.
    #[new]
    #[pyo3(signature = (path=None))]
    fn new(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Weights> {
        py.detach(|| match path {
            Some(path) => Weights::load(path),
            None => {
                let file = WeightsFile::embedded().expect("the wheel has weights");
                let evaluation = Evaluation::embedded();
                Ok(Weights {
                    evaluation,
                    ..Weights::of(file)
                })
            }
        })
    }

    fn __repr__(&self) -> String {
        format!("<outflank.Weights {}: {}>", self.kind, self.about)
    }
}

/// Weights as an argument: an object, the path of a file, or `None` for the bundled ones.
#[derive(FromPyObject)]
pub(crate) enum WeightsArgument<'py> {
    Object(Bound<'py, Weights>),
    Path(PathBuf),
}

/// The evaluation that was asked for.
pub(crate) fn evaluation(
    py: Python<'_>,
    weights: Option<WeightsArgument<'_>>,
) -> PyResult<Arc<Evaluation>> {
    match weights {
        None => Ok(Evaluation::embedded()),
        Some(WeightsArgument::Object(weights)) => Ok(weights.get().evaluation.clone()),
        Some(WeightsArgument::Path(path)) => Ok(py.detach(|| Weights::load(path))?.evaluation),
    }
}

/// Static values in discs from the side to move, as float32; nothing is searched.
#[pyfunction]
#[pyo3(signature = (boards, *, weights=None, isa=None, out=None))]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    weights: Option<WeightsArgument<'py>>,
    isa: Option<&str>,
    out: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    let (token, discs) = (token(isa)?, boards.discs());
    let evaluation = evaluation(py, weights)?;
    let mut array = output::<f32, _>(py, discs.len(), out.as_ref(), "float32")?;
    let to = array.as_slice_mut().expect("outputs are contiguous");
    let done = py.detach(|| {
        let mut values = vec![0; discs.len()];
        batch::evaluate(token, &evaluation, discs, &mut values)?;
        for (to, value) in to.iter_mut().zip(values) {
            *to = value as f32 / DISC as f32;
        }
        Ok(())
    });
    done.map_err(|error| bad_row(error, "boards"))?;
    Ok((**array).clone())
}
