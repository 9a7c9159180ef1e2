//! `outflank weights import` and `export`: between Edax's files and ours.

use std::path::{Path, PathBuf};

use clap::Args;
use outflank::eval::ByteOrder;

use crate::CommandError;
use crate::output::remark;
use crate::outputs::{Files, ForceArgument, kind};
use crate::replace::Output;

/// Make a weights file of an eval.dat of Edax's
///
/// The byte order is found out. A weights file of outflank's is taken as well, and written anew.
#[derive(Args)]
#[command(after_help = IMPORT_EXAMPLES)]
pub(super) struct ImportArguments {
    /// What to read; - is standard input
    #[arg(value_name = "EVAL.DAT")]
    from: PathBuf,

    /// The file to write; older weights are replaced when the new ones are whole
    #[arg(value_name = "OUT")]
    to: PathBuf,

    #[command(flatten)]
    force: ForceArgument,
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

    /// The file to write; an older eval.dat is replaced when the new one is whole
    #[arg(value_name = "OUT.DAT")]
    to: PathBuf,

    #[command(flatten)]
    force: ForceArgument,

    /// Write the highest byte of a number first, for Edax on a machine that does
    #[arg(long)]
    big_endian: bool,
}

const EXPORT_EXAMPLES: &str = "\
Examples:
  outflank weights export my.weights eval.dat";

/// Reads an `eval.dat` and writes a weights file; the result is the exit status.
pub(super) fn import(arguments: &ImportArguments) -> Result<u8, CommandError> {
    let ImportArguments { from, to, force } = arguments;
    let files = Files::new().reading("EVAL.DAT", [from]);
    let out = files.writing_one("OUT", to, kind::WEIGHTS, *force)?;
    let model = super::load(from)?.model;
    write(out, to, &model.write())
}

/// Reads a weights file and writes an `eval.dat`; the result is the exit status.
pub(super) fn export(arguments: &ExportArguments) -> Result<u8, CommandError> {
    let ExportArguments {
        from, to, force, ..
    } = arguments;
    let files = Files::new().reading("FILE", [from]);
    let out = files.writing_one("OUT.DAT", to, kind::EDAX_WEIGHTS, *force)?;
    let model = super::load(from)?.model;
    let order = match arguments.big_endian {
        true => ByteOrder::Big,
        false => ByteOrder::Little,
    };
    let bytes = model.to_edax(order);
    let bytes = bytes.ok_or_else(|| CommandError::NotLinear(from.clone()))?;
    write(out, to, &bytes)
}

fn write(mut out: Output, path: &Path, bytes: &[u8]) -> Result<u8, CommandError> {
    out.write(bytes)?;
    // Not on standard output, which may be what was written to.
    remark(format_args!("{}: {} bytes", path.display(), bytes.len()));
    Ok(0)
}
