//! Errors by number of empty squares, as tables or JSON.

use std::io;

use outflank_train::score::ErrorRow;
use serde::Serialize;

use super::MeasuredErrors;
use crate::console::print_line;

#[derive(Serialize)]
struct Object<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<&'a str>,
    empties: u32,
    positions: u64,
    mae: f64,
    rmse: f64,
}

/// Writes all errors.
pub(super) fn write(measured: &[MeasuredErrors], json: bool) -> io::Result<()> {
    let write = if json { objects } else { table };
    measured.iter().try_for_each(write)
}

fn objects(measured: &MeasuredErrors) -> io::Result<()> {
    for (empties, row) in measured.errors.rows() {
        let object = Object {
            file: measured.file.as_deref(),
            weights: measured.weights.as_deref(),
            empties,
            positions: row.positions,
            mae: row.mae,
            rmse: row.rmse,
        };
        print_line(crate::json::to_line(&object))?;
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
        let ErrorRow {
            positions,
            mae,
            rmse,
        } = row;
        print_line(format_args!(
            "{stage:>7}{positions:>12}{mae:>8.3}{rmse:>8.3}"
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
