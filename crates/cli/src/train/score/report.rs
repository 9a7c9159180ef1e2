//! Errors by number of empty squares, as tables or JSON.

use std::io;

use outflank_train::score::ErrorRow;

use super::MeasuredErrors;
use crate::console::print_line;
use crate::json::{is_nothing, object, to_line};

/// Writes all errors.
pub(super) fn write(measured: &[MeasuredErrors], json: bool) -> io::Result<()> {
    let write = if json { objects } else { table };
    measured.iter().try_for_each(write)
}

fn objects(measured: &MeasuredErrors) -> io::Result<()> {
    for (empties, row) in measured.errors.rows() {
        print_line(to_line(&object! {
            #[serde(skip_serializing_if = "is_nothing")]
            file: &measured.file,
            #[serde(skip_serializing_if = "is_nothing")]
            weights: &measured.weights,
            empties,
            positions: row.positions,
            mae: row.mae,
            rmse: row.rmse,
        }))?;
    }
    Ok(())
}

fn table(measured: &MeasuredErrors) -> io::Result<()> {
    let name = measured.name();
    if !name.is_empty() {
        print_line(format_args!("{name}:"))?;
    }
    print_line("empties| positions |  MAE  |  RMSE")?;
    print_line("-------+-----------+-------+-------")?;
    let row = |stage: &str, row: ErrorRow| {
        print_line(format_args!(
            "{stage:>7}{:>12}{:>8.3}{:>8.3}",
            row.positions, row.mae, row.rmse
        ))
    };
    for (empties, errors) in measured.errors.rows() {
        row(&empties.to_string(), errors)?;
    }
    match measured.errors.all() {
        Some(all) => row("all", all),
        None => print_line("no positions with scores"),
    }
}
