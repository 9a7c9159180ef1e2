//! Exceptions of the package (`package/outflank/_errors.py`), and the conversion of errors to them.

use outflank::batch;
use outflank::eval::LoadError;
use outflank::game::Overlap;
use outflank::notation::ggf::GgfError;
use outflank::notation::wthor::WthorError;
use outflank::notation::{ParseBoardError, PropertyError, UnknownFormat, UnsupportedGame};
use outflank::{IllegalMove, SearchError};
use outflank_book::{BookError, DatabaseError, Fault};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::{PyErr, import_exception};

import_exception!(outflank._errors, ArgumentError);
import_exception!(outflank._errors, ArrayError);
import_exception!(outflank._errors, BoardError);
import_exception!(outflank._errors, CertificateError);
import_exception!(outflank._errors, EngineError);
import_exception!(outflank._errors, FormatError);
import_exception!(outflank._errors, IllegalMoveError);
import_exception!(outflank._errors, IsaError);
import_exception!(outflank._errors, RowError);

/// Conversion of an error of the library to an exception.
pub(crate) trait ToException {
    fn exception(self) -> PyErr;
}

/// Converts errors of the library to exceptions with the same message.
macro_rules! exceptions {
    ($($error:ty => $exception:ident,)*) => {$(
        impl ToException for $error {
            fn exception(self) -> PyErr {
                $exception::new_err(self.to_string())
            }
        }
    )*};
}

exceptions! {
    GgfError => FormatError,
    IllegalMove => IllegalMoveError,
    Overlap => BoardError,
    ParseBoardError => BoardError,
    PropertyError => FormatError,
    UnsupportedGame => FormatError,
    UnknownFormat => PyValueError,
    WthorError => FormatError,
    outflank::kernels::IsaError => IsaError,
}

impl ToException for outflank::EngineError {
    fn exception(self) -> PyErr {
        match self {
            outflank::EngineError::Isa(error) => error.exception(),
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

impl ToException for DatabaseError {
    fn exception(self) -> PyErr {
        match self.fault {
            Fault::Io(error) => unreadable(&self.path.display().to_string(), error),
            _ => FormatError::new_err(self.to_string()),
        }
    }
}

impl ToException for BookError {
    fn exception(self) -> PyErr {
        match self {
            BookError::File(error) => error.exception(),
            error => FormatError::new_err(error.to_string()),
        }
    }
}

/// Converts the error of a file to the exception that Python raises for it, such as `FileNotFoundError`, with the path.
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

/// Converts the error of a kernel to a `RowError`.
pub(crate) fn bad_row(error: batch::RowError) -> PyErr {
    let column = match error.fault {
        batch::RowFault::NotASquare(_) => "squares",
        batch::RowFault::NotAPly(_) | batch::RowFault::Illegal(_) => "plies",
        _ => "boards",
    };
    row_error(error.row, column, &error.fault.to_string())
}

/// Makes a `RowError`, such as `row 7 of boards: both sides hold A1`.
pub(crate) fn row_error(row: usize, column: &'static str, fault: &str) -> PyErr {
    RowError::new_err((format!("row {row} of {column}: {fault}"), row, column))
}

/// Conversion of a result of the library to one of Python.
pub(crate) trait OrRaise<T> {
    fn or_raise(self) -> PyResult<T>;
}

impl<T, E: ToException> OrRaise<T> for Result<T, E> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(ToException::exception)
    }
}
