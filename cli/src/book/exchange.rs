//! `outflank book import`, `export` and `merge`.

use std::path::{Path, PathBuf};

use clap::Args;
use outflank::eval::Looks;
use outflank::files;
use outflank::text::counted;
use outflank_book::edax::{self, Date, Import};
use outflank_book::{BookError, Graph, Writer};

use super::{BookCommandError, open, to_be_written};
use crate::input::Remarks;
use crate::numbers::grouped;
use crate::output::line;
use crate::outputs::{Files, ForceArgument, kind};
use crate::{CommandError, FAILURE};

/// Put the positions of Edax's books into a book, which is made where there is none
///
/// Edax's book files (.dat, version 4) are read. Of positions that are in both books the values that were
/// searched further are kept. What is not carried over is told: counts of games, and positions that cannot be.
/// All of it is put in, or nothing.
///
/// The exit status is 1 where positions were left out.
#[derive(Args)]
#[command(after_help = IMPORT_EXAMPLES)]
pub(super) struct ImportArguments {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Files of Edax's
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

const IMPORT_EXAMPLES: &str = "\
Examples:
  outflank book import my.book book.dat";

/// Write a book as Edax reads it
///
/// The file is Edax's book format, version 4. Bounds and counts of lines are computed as Edax does. Positions
/// that were searched as no level of Edax's searches them get the highest level that is less, which is told.
#[derive(Args)]
#[command(after_help = EXPORT_EXAMPLES)]
pub(super) struct ExportArguments {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// The file to write; an older book of Edax's is replaced when the new one is whole
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    force: ForceArgument,
}

const EXPORT_EXAMPLES: &str = "\
Examples:
  outflank book export my.book --out book.dat";

/// Put the positions of other books into a book, which is made where there is none
///
/// Of positions that are in both books the values that were searched further are kept. All of it is put in, or
/// nothing.
#[derive(Args)]
#[command(after_help = MERGE_EXAMPLES)]
pub(super) struct MergeArguments {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// The books that it is to know, too; one of them can be built-in
    #[arg(required = true, value_name = "OTHER")]
    others: Vec<PathBuf>,
}

const MERGE_EXAMPLES: &str = "\
Examples:
  outflank book merge my.book other.book
  outflank book merge my.book built-in";

/// The most that a book of Edax's can have, in MiB: some hundred million positions.
const MAX_EDAX_MIB: u64 = 8 << 10;

/// Reads Edax's books; the result is the exit status.
pub(super) fn import(arguments: &ImportArguments) -> Result<u8, CommandError> {
    Files::new()
        .reading("FILE", &arguments.files)
        .updating("BOOK", [&arguments.book])?;
    let mut imports = Vec::new();
    for path in &arguments.files {
        let is_book = |bytes: &[u8]| matches!(Looks::of(bytes), Looks::EdaxBook);
        let bytes = files::read_if(path, MAX_EDAX_MIB, "book of Edax's", is_book)
            .map_err(|error| BookCommandError::Unreadable(path.clone(), error))?;
        let import = edax::import(&bytes);
        imports.push(import.map_err(|error| BookCommandError::Edax(path.clone(), error))?);
    }
    let mut failed = false;
    for (path, import) in arguments.files.iter().zip(&imports) {
        failed |= import.fault_count > 0;
        line(told(path, import))?;
    }
    let mut writer = Writer::open_or_create(to_be_written(&arguments.book)?)?;
    let (written, has_settings) = match (&mut imports[..], writer.is_empty()?) {
        ([import], true) => {
            import.save(&mut writer)?;
            (import.graph.len(), true)
        }
        (imports, _) => {
            let mut graph = Graph::of(&writer)?;
            for import in imports {
                import.graph.entries().for_each(|entry| graph.merge(&entry));
            }
            graph.link();
            graph.save(&mut writer)?;
            (graph.len(), false)
        }
    };
    writer.commit()?;
    let settings = match has_settings {
        true => "",
        false => {
            "; level, fewest empty squares and errors, which Edax keeps for a whole book, are not carried over: only a \
             new book of a single one has them"
        }
    };
    line(has_now(&arguments.book, written) + settings)?;
    Ok(if failed { FAILURE } else { 0 })
}

/// What was read of a book of Edax's, and what was not carried over.
fn told(path: &Path, import: &Import) -> String {
    let name = path.display().to_string();
    let mut faults = Remarks::of(&name);
    for fault in &import.faults {
        faults.add(format_args!("{name}: left out: {fault}"));
    }
    let parts = [
        (import.fault_count, "left out"),
        (import.repeated, "there twice"),
        (import.revalued, "with another value than its moves have"),
        (
            import.counted,
            "with counts of games, which an export computes anew",
        ),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts = parts.map(|(count, what)| format!(", {} {what}", grouped(*count as u64)));
    format!(
        "{name}: {} of level {}{}",
        positions(import.positions),
        import.level,
        parts.collect::<String>()
    )
}

fn positions(count: usize) -> String {
    counted(grouped(count as u64), "position", "positions")
}

fn has_now(path: &Path, count: usize) -> String {
    format!("{}: {}", path.display(), positions(count))
}

/// Writes a book of Edax's; the result is the exit status.
pub(super) fn export(arguments: &ExportArguments) -> Result<u8, CommandError> {
    let files = Files::new().reading("BOOK", [&arguments.book]);
    let mut out = files.writing_one("--out", &arguments.out, kind::EDAX_BOOK, arguments.force)?;
    let book = open(&arguments.book)?;
    let now = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
    let rest = [
        now.month(),
        now.day(),
        now.hour(),
        now.minute(),
        now.second(),
    ];
    let date = Date {
        year: now.year(),
        rest: rest.map(|part| part as u8),
    };
    let export = edax::export(&book, date)?;
    out.write(&export.bytes)?;
    let relevelled = match export.relevelled {
        0 => String::new(),
        count => format!(
            ", {} searched as no level does: the highest that is less",
            grouped(count as u64)
        ),
    };
    let written = has_now(&arguments.out, export.positions);
    line(format_args!("{written}{relevelled}"))?;
    Ok(0)
}

/// Puts books into one; the result is the exit status.
pub(super) fn merge(arguments: &MergeArguments) -> Result<u8, CommandError> {
    let path = to_be_written(&arguments.book)?;
    Files::new()
        .reading("OTHER", &arguments.others)
        .updating("BOOK", [path])?;
    // All of them are read before: one that cannot be is no reason to make a book.
    let mut known = Graph::default();
    for path in &arguments.others {
        open(path)?.for_each(|entry| {
            known.merge(&entry);
            Ok::<(), BookError>(())
        })?;
    }
    let mut writer = Writer::open_or_create(path)?;
    let mut graph = Graph::of(&writer)?;
    known.entries().for_each(|entry| graph.merge(&entry));
    graph.link();
    graph.save(&mut writer)?;
    writer.commit()?;
    line(has_now(&arguments.book, graph.len()))?;
    Ok(0)
}
