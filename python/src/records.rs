//! Files of training records as arrays.

use std::ffi::CString;

use numpy::{IntoPyArray, PyArrayMethods};
use outflank::{Board, eval::DISC};
use outflank_train::record::{
    Block, Damage, Fault, MAX_RECORDS, Reader, Record, RecordError, RecordSettings, Source, Writer,
};
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;

use super::arguments as argument;
use super::arrays::{Boards, column};
use super::board::fault_of;
use super::errors::{ArrayError, FormatError, row_error, unreadable};

fn unusable(error: RecordError) -> PyErr {
    match error.fault {
        Fault::Read(fault) | Fault::Make(fault) | Fault::Write { error: fault, .. } => {
            unreadable(&error.file.display().to_string(), fault)
        }
        _ => FormatError::new_err(error.to_string()),
    }
}

/// Reads a file of training records: a dictionary with "boards", "values" (1/128 disc), "sources" (255 exact, 254 a
/// game's result, else the plies of a search), "games", and "settings".
#[pyfunction]
pub(crate) fn read_records<'py>(
    py: Python<'py>,
    path: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let path = argument::path("path", &path)?;
    let (settings, records, left_out) = py.detach(|| {
        let mut reader = Reader::open(&path, Damage::Refuse).map_err(unusable)?;
        let mut records = Vec::new();
        for block in reader.by_ref() {
            records.extend(block.map_err(unusable)?.records);
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
        // What a killed run leaves of its last block is no error, but nothing is lost in silence.
        let path = path.display();
        let message =
            format!("{path}: {left_out} bytes at the end are no whole block and were left out");
        let category = py.get_type::<PyUserWarning>();
        PyErr::warn(py, &category, &CString::new(message).unwrap_or_default(), 1)?;
    }
    let words = records
        .iter()
        .flat_map(|one| [one.board.player, one.board.opponent]);
    let boards = words.collect::<Vec<u64>>().into_pyarray(py);
    let columns = (
        boards.reshape([records.len(), 2])?,
        records
            .iter()
            .map(|one| one.value)
            .collect::<Vec<i16>>()
            .into_pyarray(py),
        records
            .iter()
            .map(|one| one.source.to_byte())
            .collect::<Vec<u8>>()
            .into_pyarray(py),
        records
            .iter()
            .map(|one| one.game)
            .collect::<Vec<u32>>()
            .into_pyarray(py),
        settings,
    );
    py.import("outflank._solutions")?
        .getattr("Records")?
        .call1(columns)
}

/// Pairs of names and values, each a line.
fn settings_of(given: &Bound<'_, PyAny>) -> PyResult<Vec<(String, String)>> {
    let unfit = || argument::unfit("settings", "pairs of a name and a value, texts", given);
    let pairs: Vec<(String, String)> = given
        .try_iter()
        .map_err(|_| unfit())?
        .map(|pair| pair?.extract().map_err(|_| unfit()))
        .collect::<PyResult<_>>()?;
    for (name, _) in &pairs {
        if name.trim() != name || name.is_empty() || name.contains(['\r', '\n', '=']) {
            let message = format!("settings: a name is a line without '=', unlike {name:?}");
            return Err(PyValueError::new_err(message));
        }
    }
    Ok(pairs)
}

/// Writes a new file of training records; `settings` say how they were made. An older file of this name is an error.
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
    let path = argument::path("path", &path)?;
    let boards = boards.discs();
    let values: Vec<i16> = column(&values, "values", "int16")?;
    let sources: Vec<u8> = column(&sources, "sources", "uint8")?;
    let games: Vec<u32> = match games {
        Some(games) => column(&games, "games", "uint32")?,
        None => vec![0; boards.len()],
    };
    for (name, count) in [
        ("values", values.len()),
        ("sources", sources.len()),
        ("games", games.len()),
    ] {
        if count != boards.len() {
            let all = boards.len();
            let message = format!("{name}: expected one for each of {all} boards, got {count}");
            return Err(ArrayError::new_err(message));
        }
    }
    let record = |row: usize| {
        let [player, opponent] = boards[row];
        let board = Board { player, opponent };
        if let Some(fault) = fault_of(board) {
            return Err(row_error(row, "boards", &fault));
        }
        if i32::from(values[row]).abs() > 64 * DISC {
            return Err(row_error(row, "values", "more than 64 discs"));
        }
        let source = Source::from_byte(sources[row]).ok_or_else(|| {
            let what =
                "a source is 255 (exact), 254 (a game's result) or the plies of a search, 0 to 60";
            row_error(row, "sources", what)
        })?;
        Ok(Record {
            board,
            value: values[row],
            source,
            game: games[row],
        })
    };
    let records = (0..boards.len())
        .map(record)
        .collect::<PyResult<Vec<Record>>>()?;
    py.detach(|| {
        let mut said = RecordSettings::default();
        for (name, value) in &settings {
            said.set(name, value);
        }
        if path.exists() {
            let message = format!("{}: there is such a file already", path.display());
            return Err(FormatError::new_err(message));
        }
        let (mut writer, _) = Writer::open(&path, &said).map_err(unusable)?;
        for block in records.chunks(MAX_RECORDS) {
            let block = Block {
                number: writer.next(),
                records: block.to_vec(),
            };
            writer.write(&block.encode()).map_err(unusable)?;
        }
        writer.finish().map_err(unusable)
    })
}
