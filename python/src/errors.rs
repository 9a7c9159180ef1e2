//! The exceptions of the package, which are classes of Python (`package/outflank/_errors.py`), and what becomes one.

use outflank::batch;
use outflank::eval::LoadError;
use outflank::kernels::IsaError as NoIsa;
use outflank::{EngineError as NoEngine, IllegalMove, SearchError};
use outflank_book::BookError;
use pyo3::prelude::*;
use pyo3::{PyErr, import_exception};

import_exception!(outflank._errors, ArgumentError);
import_exception!(outflank._errors, ArrayError);
import_exception!(outflank._errors, BoardError);
import_exception!(outflank._errors, EngineError);
import_exception!(outflank._errors, FormatError);
import_exception!(outflank._errors, IllegalMoveError);
import_exception!(outflank._errors, IsaError);
import_exception!(outflank._errors, RowError);

/// An error of the library as an exception.
pub(crate) trait ToException {
    fn exception(self) -> PyErr;
}

impl ToException for NoIsa {
    fn exception(self) -> PyErr {
        IsaError::new_err(self.to_string())
    }
}

impl ToException for NoEngine {
    fn exception(self) -> PyErr {
        match self {
            NoEngine::Isa(error) => error.exception(),
            error => EngineError::new_err(error.to_string()),
        }
    }
}

impl ToException for SearchError {
    fn exception(self) -> PyErr {
        match self {
            SearchError::Overlap { .. } => BoardError::new_err(self.to_string()),
            error => EngineError::new_err(error.to_string()),
        }
    }
}

impl ToException for LoadError {
    fn exception(self) -> PyErr {
        match self {
            LoadError::Io(path, error) => unreadable(&path.display().to_string(), error),
            error => FormatError::new_err(error.to_string()),
        }
    }
}

impl ToException for BookError {
    fn exception(self) -> PyErr {
        match self {
            BookError::Io(path, error) => unreadable(&path.display().to_string(), error),
            error => FormatError::new_err(error.to_string()),
        }
    }
}

impl ToException for IllegalMove {
    fn exception(self) -> PyErr {
        IllegalMoveError::new_err(self.to_string())
    }
}

/// A file that the system does not give, as Python has it: `FileNotFoundError` and so on, with the name.
pub(crate) fn unreadable(path: &str, error: std::io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let text = error.to_string();
            let text = text
                .split(" (os error")
                .next()
                .unwrap_or_default()
                .to_owned();
            pyo3::exceptions::PyOSError::new_err((number, text, path.to_owned()))
        }
        None => FormatError::new_err(format!("{path}: {error}")),
    }
}

/// A row of an array that a kernel cannot be asked about; `plies` names the array of plies.
pub(crate) fn bad_row(error: batch::RowError, plies: &'static str) -> PyErr {
    let column = match error.fault {
        batch::Fault::Overlap(_) | batch::Fault::NotOver => "boards",
        _ => plies,
    };
    row_error(error.row, column, &error.fault.to_string())
}

/// `row 7 of boards: both sides hold A1`.
pub(crate) fn row_error(row: usize, column: &'static str, what: &str) -> PyErr {
    RowError::new_err((format!("row {row} of {column}: {what}"), row, column))
}

/// The value, or the library's error as an exception.
pub(crate) trait OrRaise<T> {
    fn or_raise(self) -> PyResult<T>;
}

impl<T, E: ToException> OrRaise<T> for Result<T, E> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(ToException::exception)
    }
}
