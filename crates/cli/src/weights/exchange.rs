//! `outflank weights import` and `export`: conversion between Edax's files and ours.

use std::path::PathBuf;

use clap::Args;
use outflank::eval::ByteOrder;

use crate::CommandError;
use crate::error::NotLinear;
use crate::output_files::{Files, ForceArgument, kind};

/// Convert an eval.dat of Edax to a weights file
///
/// The byte order of the eval.dat is detected. A weights file of Outflank is accepted, too, and is written in the
/// current version of the format.
#[derive(Args)]
#[command(after_help = IMPORT_EXAMPLES)]
pub(crate) struct ImportArguments {
    /// File to read; - is standard input
    #[arg(value_name = "EVAL.DAT")]
    from: PathBuf,

    /// File to write; existing weights are replaced when the new ones are complete
    #[arg(value_name = "OUT")]
    to: PathBuf,

    #[command(flatten)]
    force: ForceArgument,
}

const IMPORT_EXAMPLES: &str = "\
Examples:
  outflank weights import eval.dat my.weights
  outflank solve --weights my.weights data/problems/ffo-20-39.obf";

/// Convert a weights file to an eval.dat of Edax
///
/// Edax has weights for every number of empty squares. Where the weights file has none, they are interpolated and
/// rounded to 1/128 disc. Networks cannot be exported. An eval.dat is accepted, too, to change its byte order.
#[derive(Args)]
#[command(after_help = EXPORT_EXAMPLES)]
pub(crate) struct ExportArguments {
    /// File to read; - is standard input
    #[arg(value_name = "FILE")]
    from: PathBuf,

    /// File to write; an existing eval.dat is replaced when the new one is complete
    #[arg(value_name = "OUT.DAT")]
    to: PathBuf,

    #[command(flatten)]
    force: ForceArgument,

    /// Write numbers in big-endian byte order, for Edax on a big-endian machine
    #[arg(long)]
    big_endian: bool,
}

const EXPORT_EXAMPLES: &str = "\
Examples:
  outflank weights export my.weights eval.dat";

/// Reads an `eval.dat`, writes a weights file, and returns the exit status.
pub(super) fn import(arguments: &ImportArguments) -> Result<u8, CommandError> {
    let ImportArguments { from, to, force } = arguments;
    let files = Files::new().reading("EVAL.DAT", [from]);
    let out = files.writing_one("OUT", to, kind::WEIGHTS, *force)?;
    let model = super::load(from)?.model;
    super::write(out, to, &model.write())
}

/// Reads a weights file, writes an `eval.dat`, and returns the exit status.
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
    let bytes = bytes.ok_or_else(|| NotLinear(from.clone()))?;
    super::write(out, to, &bytes)
}
