//! Errors by number of empty squares, as tables or as JSON.

use std::io;

use outflank_train::score::Row;
use serde::Serialize;

use super::Measured;
use crate::output::line;

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

/// Writes what was measured.
pub(super) fn write(measured: &[Measured], json: bool) -> io::Result<()> {
    for one in measured {
        match json {
            true => objects(one)?,
            false => table(one)?,
        }
    }
    Ok(())
}

fn objects(one: &Measured) -> io::Result<()> {
    for (empties, row) in one.scores.rows() {
        let object = Object {
            file: one.file.as_deref(),
            weights: one.weights.as_deref(),
            empties,
            positions: row.positions,
            mae: row.mae,
            rmse: row.rmse,
        };
        line(crate::json::text(&object))?;
    }
    Ok(())
}

fn table(one: &Measured) -> io::Result<()> {
    let name = one.name();
    if !name.is_empty() {
        line(format_args!("{name}:"))?;
    }
    line("empties| positions |  MAE  |  RMSE")?;
    line("-------+-----------+-------+-------")?;
    let row = |stage: &str, row: Row| {
        let Row {
            positions,
            mae,
            rmse,
        } = row;
        line(format_args!(
            "{stage:>7}{positions:>12}{mae:>8.3}{rmse:>8.3}"
        ))
    };
    for (empties, of_stage) in one.scores.rows() {
        row(&empties.to_string(), of_stage)?;
    }
    match one.scores.all() {
        Some(all) => row("all", all),
        None => line("no positions with scores"),
    }
}
