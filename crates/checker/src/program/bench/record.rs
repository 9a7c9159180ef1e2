//! Records of measurements: the files that `bench --json` writes, read again.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::code;
use crate::bench::{Measure, Samples};

/// Version of the format of records. Records of version 1 have no key `format` and no quantiles.
pub(crate) const FORMAT: u32 = 2;

/// Number of quantiles of each cost in a record.
pub(super) const QUANTILES: usize = 21;

/// A record of one CPU.
pub(crate) struct Record {
    pub(crate) header: Header,
    pub(crate) rows: Vec<RecordRow>,
}

/// First line of a record.
#[derive(Deserialize, Clone)]
pub(crate) struct Header {
    pub(crate) cpu: String,
    /// Microarchitecture with family and model.
    #[serde(default)]
    pub(crate) core: String,
    pub(crate) date: String,
    pub(crate) version: String,
    #[serde(default)]
    pub(crate) format: u32,
    pub(crate) calls: usize,
    pub(crate) filled_mib: usize,
}

/// Further line of a record: an algorithm at a level, or the reference of a kernel.
#[derive(Deserialize)]
pub(crate) struct RecordRow {
    pub(crate) kernel: String,
    pub(crate) algorithm: String,
    /// `None` for the reference.
    pub(crate) isa: Option<String>,
    pub(crate) selected: bool,
    pub(crate) throughput: RecordCost,
    pub(crate) latency: Option<RecordCost>,
}

/// Cost in a record.
#[derive(Deserialize)]
pub(crate) struct RecordCost {
    /// Number of samples.
    pub(crate) samples: usize,
    pub(crate) cycles: Quartiles,
    /// Quantiles with equal distances, from minimum to maximum, in cycles.
    pub(crate) quantiles: Vec<f64>,
    /// Digest of the timed machine code. Earlier records lack it.
    pub(crate) code: Option<String>,
}

/// Quartiles in a record.
#[derive(Deserialize)]
pub(crate) struct Quartiles {
    pub(crate) median: f64,
}

/// Error of a file that is no record, or of another format.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum RecordError {
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("{}, line {line}: not a record that `bench --json` wrote: {problem}", path.display())]
    Broken {
        path: PathBuf,
        line: usize,
        problem: String,
    },
    #[error("{}: a record of format {found}; this program reads format {FORMAT}, so record again", path.display())]
    Format { path: PathBuf, found: u32 },
}

impl Record {
    /// Reads a record. Lines of a comparison are left out.
    pub(crate) fn read(path: &Path) -> Result<Record, RecordError> {
        let text = fs::read_to_string(path).map_err(|error| RecordError::File {
            path: path.to_owned(),
            error,
        })?;
        Record::parse(path, &text)
    }

    /// Parses the text of the record at `path`.
    pub(super) fn parse(path: &Path, text: &str) -> Result<Record, RecordError> {
        #[derive(Deserialize)]
        struct First {
            bench: Header,
        }
        let broken = |line: usize, problem: String| RecordError::Broken {
            path: path.to_owned(),
            line,
            problem,
        };
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty());
        let (number, first) = lines
            .next()
            .ok_or_else(|| broken(1, "the file is empty".to_owned()))?;
        let first: First =
            serde_json::from_str(first).map_err(|error| broken(number, error.to_string()))?;
        let header = first.bench;
        if header.format != FORMAT {
            return Err(RecordError::Format {
                path: path.to_owned(),
                found: header.format.max(1),
            });
        }
        let rows = lines.filter(|(_, line)| !line.starts_with("{\"change\""));
        let rows = rows.map(|(number, line)| {
            let row: RecordRow =
                serde_json::from_str(line).map_err(|error| broken(number, error.to_string()))?;
            let fault = row.costs().find_map(|(_, cost)| cost.fault());
            match fault {
                None => Ok(row),
                Some(fault) => Err(broken(number, fault.to_owned())),
            }
        });
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        Ok(Record { header, rows })
    }

    /// Rows by kernel, algorithm and level; references are left out.
    pub(super) fn by_name(&self) -> HashMap<(&str, &str, &str), &RecordRow> {
        let named = self.rows.iter().filter_map(|row| {
            let isa = row.isa.as_deref()?;
            Some(((&*row.kernel, &*row.algorithm, isa), row))
        });
        named.collect()
    }
}

impl RecordRow {
    /// The costs of the row with their names.
    pub(super) fn costs(&self) -> impl Iterator<Item = (Measure, &RecordCost)> {
        let latency = self.latency.as_ref().map(|cost| (Measure::Latency, cost));
        [(Measure::Throughput, &self.throughput)]
            .into_iter()
            .chain(latency)
    }
}

impl RecordCost {
    /// As many samples as were measured, made of the recorded quantiles.
    pub(super) fn restored(&self) -> Samples {
        Samples::from_quantiles(self.quantiles.iter().copied(), self.samples)
    }

    /// Finds what is wrong with the cost.
    fn fault(&self) -> Option<&'static str> {
        if self.quantiles.is_empty() || self.quantiles.iter().any(|&cost| cost < 0.0) {
            return Some("quantiles are missing or negative");
        }
        let is_digest = |code: &String| {
            code.len() == code::DIGITS && code.bytes().all(|digit| digit.is_ascii_hexdigit())
        };
        let is_wrong = self.code.as_ref().is_some_and(|code| !is_digest(code));
        is_wrong.then_some("the digest of the code has not 16 hexadecimal digits")
    }
}
