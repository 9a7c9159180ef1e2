//! Files of training records, read and written as arrays.

use std::ffi::CString;

use outflank::{Board, eval::DISC};
use outflank_train::record::{
    Block, Damage, MAX_RECORDS, Reader, Record, RecordError, RecordFault, RecordSettings, Source,
    Writer,
};
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;

use super::arguments;
use super::arrays::{Boards, boards_array, column, column_of};
use super::board::invalid_reason;
use super::errors::{FormatError, row_error, unreadable};

/// Converts an error of a record file to an exception.
fn record_exception(error: RecordError) -> PyErr {
    match error.fault {
        RecordFault::Read(fault)
        | RecordFault::Make(fault)
        | RecordFault::Write { error: fault, .. } => {
            unreadable(&error.file.display().to_string(), fault)
        }
        _ => FormatError::new_err(error.to_string()),
    }
}

/// Reads a file of training records: boards, values in 1/128 disc, sources (255 exact, 254 the result of a game, else
/// the plies of a search), games, and settings.
#[pyfunction]
pub(crate) fn read_records<'py>(
    py: Python<'py>,
    path: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let path = arguments::path("path", &path)?;
    let (settings, records, left_out) = py.detach(|| {
        let mut reader = Reader::open(&path, Damage::Refuse).map_err(record_exception)?;
        let mut records = Vec::new();
        for block in reader.by_ref() {
            records.extend(block.map_err(record_exception)?.records);
        }
        let settings = reader.settings().iter();
        let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let left_out = reader
            .left_out()
            .iter()
            .map(|part| part.to - part.from)
            .sum::<u64>();
        PyResult::Ok((settings.collect::<Vec<_>>(), records, left_out))
    })?;
    if left_out > 0 {
        // A killed run leaves a part of its last block. That is no error, but data is not dropped silently.
        let path = path.display();
        let message =
            format!("{path}: {left_out} bytes at the end are no whole block and were left out");
        let category = py.get_type::<PyUserWarning>();
        PyErr::warn(py, &category, &CString::new(message).unwrap_or_default(), 1)?;
    }
    let boards = records.iter();
    let boards = boards.map(|record| [record.board.player, record.board.opponent]);
    let columns = (
        boards_array(py, boards.collect())?,
        column_of(py, &records, |record| record.value),
        column_of(py, &records, |record| record.source.to_byte()),
        column_of(py, &records, |record| record.game),
        settings,
    );
    py.import("outflank._solutions")?
        .getattr("Records")?
        .call1(columns)
}

/// Reads pairs of a name and a value.
fn settings_of(pairs: &Bound<'_, PyAny>) -> PyResult<Vec<(String, String)>> {
    let mismatch =
        || arguments::type_error("settings", "pairs of a name and a value, texts", pairs);
    let pairs: Vec<(String, String)> = pairs
        .try_iter()
        .map_err(|_| mismatch())?
        .map(|pair| pair?.extract().map_err(|_| mismatch()))
        .collect::<PyResult<_>>()?;
    for (name, _) in &pairs {
        if name.trim() != name || name.is_empty() || name.contains(['\r', '\n', '=']) {
            let message = format!("settings: a name is a line without '=', unlike {name:?}");
            return Err(PyValueError::new_err(message));
        }
    }
    Ok(pairs)
}

/// Writes a new file of training records. `settings` say how they were made. An existing file is an error.
#[pyfunction]
#[pyo3(signature = (path, boards, values, sources, games=None, *, settings=Vec::new()))]
pub(crate) fn write_records(
    py: Python<'_>,
    path: Bound<'_, PyAny>,
    boards: Boards<'_>,
    values: Bound<'_, PyAny>,
    sources: Bound<'_, PyAny>,
    games: Option<Bound<'_, PyAny>>,
    #[pyo3(from_py_with = settings_of)] settings: Vec<(String, String)>,
) -> PyResult<()> {
    let path = arguments::path("path", &path)?;
    let boards = boards.discs();
    let count = boards.len();
    let values: Vec<i16> = column(&values, "values", count)?;
    let sources: Vec<u8> = column(&sources, "sources", count)?;
    let games: Vec<u32> = match games {
        Some(games) => column(&games, "games", count)?,
        None => vec![0; count],
    };
    let record = |row: usize| {
        let [player, opponent] = boards[row];
        let board = Board { player, opponent };
        if let Some(reason) = invalid_reason(board) {
            return Err(row_error(row, "boards", &reason));
        }
        if i32::from(values[row]).abs() > 64 * DISC {
            return Err(row_error(row, "values", "more than 64 discs"));
        }
        let source = Source::from_byte(sources[row]).ok_or_else(|| {
            let expected =
                "a source is 255 (exact), 254 (a game's result) or the plies of a search, 0 to 60";
            row_error(row, "sources", expected)
        })?;
        Ok(Record {
            board,
            value: values[row],
            source,
            game: games[row],
        })
    };
    let records = (0..count).map(record).collect::<PyResult<Vec<Record>>>()?;
    py.detach(|| {
        let mut header = RecordSettings::default();
        for (name, value) in &settings {
            header.set(name, value);
        }
        if path.exists() {
            let message = format!("{}: there is such a file already", path.display());
            return Err(FormatError::new_err(message));
        }
        let (mut writer, _) = Writer::open(&path, &header).map_err(record_exception)?;
        for block in records.chunks(MAX_RECORDS) {
            let block = Block {
                number: writer.next(),
                records: block.to_vec(),
            };
            writer.write(&block.encode()).map_err(record_exception)?;
        }
        writer.finish().map_err(record_exception)
    })
}
