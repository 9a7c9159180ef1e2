//! Weights, and static values by them.

use std::path::PathBuf;
use std::sync::Arc;

use numpy::PyArray1;
use outflank::batch;
use outflank::eval::{DISC, Evaluation, Parameters, WeightsFile};
use pyo3::prelude::*;

use super::arguments::{self as argument, Given};
use super::arrays::Boards;
use super::errors::OrRaise;
use super::kernels::{Keywords, NO_PLIES, run};

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
    fn new(py: Python<'_>, path: Given<'_>) -> PyResult<Weights> {
        let path = argument::optional(&path, |path| argument::path("path", path))?;
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
pub(crate) enum WeightsArgument<'py> {
    Object(Bound<'py, Weights>),
    Path(PathBuf),
}

impl<'py> FromPyObject<'_, 'py> for WeightsArgument<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<WeightsArgument<'py>> {
        if let Ok(weights) = object.cast::<Weights>() {
            return Ok(WeightsArgument::Object(weights.to_owned()));
        }
        let path = argument::path("weights", &object);
        path.map(WeightsArgument::Path)
            .map_err(|_| argument::unfit("weights", "Weights or the path of a file", &object))
    }
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
    isa: Given<'py>,
    out: Given<'py>,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    let evaluation = evaluation(py, weights)?;
    let dtype = "float32";
    let keywords = Keywords { isa, out, dtype };
    let shape = boards.discs().len();
    run(
        py,
        &boards,
        keywords,
        shape,
        NO_PLIES,
        |token, boards, to| {
            let mut values = vec![0; boards.len()];
            batch::evaluate(token, &evaluation, boards, &mut values)?;
            for (to, value) in to.iter_mut().zip(values) {
                *to = value as f32 / DISC as f32;
            }
            Ok(())
        },
    )
}
