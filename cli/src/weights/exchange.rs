//! `outflank weights import` and `export`: between Edax's files and ours.

use std::path::{Path, PathBuf};

use clap::Args;
use outflank::eval::ByteOrder;

use crate::CommandError;
use crate::output::remark;
use crate::replace;

/// Make a weights file of an eval.dat of Edax's
///
/// The byte order is found out. A weights file of outflank's is taken as well, and written anew.
#[derive(Args)]
#[command(after_help = IMPORT_EXAMPLES)]
pub(super) struct ImportArguments {
    /// What to read; - is standard input
    #[arg(value_name = "EVAL.DAT")]
    from: PathBuf,

    /// What to write; an older file is replaced when the new one is whole
    #[arg(value_name = "OUT")]
    to: PathBuf,
}

const IMPORT_EXAMPLES: &str = "\
Examples:
  outflank weights import eval.dat my.weights
  outflank solve --weights my.weights problems/ffo-20-39.obf";

/// Make an eval.dat of Edax's of a weights file
///
/// Edax has weights for every number of empty squares: those between two that the file has weights for
/// are interpolated, and rounded to 1/128 disc. Another eval.dat is taken as well, to change its byte
/// order.
#[derive(Args)]
#[command(after_help = EXPORT_EXAMPLES)]
pub(super) struct ExportArguments {
    /// What to read; - is standard input
    #[arg(value_name = "FILE")]
    from: PathBuf,

    /// What to write; an older file is replaced when the new one is whole
    #[arg(value_name = "OUT.DAT")]
    to: PathBuf,

    /// Write the highest byte of a number first, for Edax on a machine that does
    #[arg(long)]
    big_endian: bool,
}

const EXPORT_EXAMPLES: &str = "\
Examples:
  outflank weights export my.weights eval.dat";

/// Reads an `eval.dat` and writes a weights file; the result is the exit status.
pub(super) fn import(arguments: &ImportArguments) -> Result<u8, CommandError> {
    let model = super::load(&arguments.from)?.model;
    write(&arguments.to, &model.write())
}

/// Reads a weights file and writes an `eval.dat`; the result is the exit status.
pub(super) fn export(arguments: &ExportArguments) -> Result<u8, CommandError> {
    let model = super::load(&arguments.from)?.model;
    let order = match arguments.big_endian {
        true => ByteOrder::Big,
        false => ByteOrder::Little,
    };
    let bytes = model.to_edax(order);
    let bytes = bytes.ok_or_else(|| CommandError::NotLinear(arguments.from.clone()))?;
    write(&arguments.to, &bytes)
}

fn write(path: &Path, bytes: &[u8]) -> Result<u8, CommandError> {
    replace::replace(path, bytes)?;
    // Not on standard output, which may be what was written to.
    remark(format_args!("{}: {} bytes", path.display(), bytes.len()));
    Ok(0)
}
