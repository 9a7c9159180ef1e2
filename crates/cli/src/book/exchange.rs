//! `outflank book import`, `export` and `merge`.

use std::path::{Path, PathBuf};

use clap::Args;
use outflank::eval::FileKind;
use outflank_book::edax::{self, Date, Import};
use outflank_book::{BookError, Graph, Writer};
use outflank_support::files;
use outflank_support::text::plural;

use super::{open, writable_path};
use crate::console::print_line;
use crate::error::in_file;
use crate::input::Remarks;
use crate::number_options::grouped;
use crate::output_files::{Files, ForceArgument, kind};
use crate::{CommandError, FAILURE};

/// Import Edax's books into a book, which is created if it does not exist
///
/// Files are books of Edax, version 4 (.dat). If several books have a position, the deeper search is kept. Invalid
/// positions are dropped and reported, and so are Edax's counts of games. The import is a single transaction: all files
/// or none.
///
/// The exit status is 1 if positions were dropped.
#[derive(Args)]
#[command(after_help = IMPORT_EXAMPLES)]
pub(crate) struct ImportArguments {
    /// Book file
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Book files of Edax
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

const IMPORT_EXAMPLES: &str = "\
Examples:
  outflank book import my.book book.dat";

/// Export a book to Edax
///
/// The file has Edax's format, version 4. Bounds and counts of lines are computed as Edax does. Edax keeps a level for
/// each position. A position whose search matches no level gets the highest level that does not exceed it. The number
/// of such positions is reported.
#[derive(Args)]
#[command(after_help = EXPORT_EXAMPLES)]
pub(crate) struct ExportArguments {
    /// Book file, or built-in
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// File to write; an existing book of Edax is replaced when the new one is complete
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    force: ForceArgument,
}

const EXPORT_EXAMPLES: &str = "\
Examples:
  outflank book export my.book --out book.dat";

/// Merge other books into a book, which is created if it does not exist
///
/// If several books have a position, the deeper search is kept. The merge is a single transaction: all books or
/// none.
#[derive(Args)]
#[command(after_help = MERGE_EXAMPLES)]
pub(crate) struct MergeArguments {
    /// Book file
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Book files to merge; one of them can be built-in
    #[arg(required = true, value_name = "OTHER")]
    others: Vec<PathBuf>,
}

const MERGE_EXAMPLES: &str = "\
Examples:
  outflank book merge my.book other.book
  outflank book merge my.book built-in";

/// Maximum size of a book of Edax's in MiB, some hundred million positions.
const MAX_EDAX_MIB: u64 = 8 << 10;

/// Imports Edax's books and returns the exit status.
pub(super) fn import(arguments: &ImportArguments) -> Result<u8, CommandError> {
    Files::new()
        .reading("FILE", &arguments.files)
        .updating("BOOK", [&arguments.book])?;
    let mut imports = Vec::new();
    for path in &arguments.files {
        let is_book = |bytes: &[u8]| matches!(FileKind::detect(bytes), FileKind::EdaxBook);
        let bytes = files::read_if(path, MAX_EDAX_MIB, "book of Edax's", is_book);
        let bytes = bytes.map_err(in_file(path))?;
        imports.push(edax::import(&bytes).map_err(in_file(path))?);
    }
    let mut failed = false;
    for (path, import) in arguments.files.iter().zip(&imports) {
        failed |= import.fault_count > 0;
        print_line(import_summary(path, import))?;
    }
    let mut writer = Writer::open_or_create(writable_path(&arguments.book)?)?;
    let (written, has_settings) = match (&mut imports[..], writer.is_empty()?) {
        ([import], true) => {
            import.save(&mut writer)?;
            (import.graph.len(), true)
        }
        (imports, _) => {
            let mut graph = Graph::read(&writer)?;
            for import in imports {
                import.graph.entries().for_each(|entry| graph.merge(&entry));
            }
            graph.link_all_moves();
            graph.save(&mut writer)?;
            (graph.len(), false)
        }
    };
    writer.commit()?;
    let settings = match has_settings {
        true => "",
        false => {
            "; level, fewest empty squares and errors, which Edax keeps for a whole book, are dropped: only a new book \
from a single file has them"
        }
    };
    print_line(position_summary(&arguments.book, written) + settings)?;
    Ok(if failed { FAILURE } else { 0 })
}

/// Summary of an imported book: its size, and the numbers of dropped and changed positions.
fn import_summary(path: &Path, import: &Import) -> String {
    let name = path.display().to_string();
    let faults = import.faults.iter();
    let faults = faults.map(|fault| format!("{name}: dropped: {fault}"));
    Remarks::list(&name, faults, ["fault", "faults"]);
    let parts = [
        (import.fault_count, "dropped"),
        (import.repeated, "repeated"),
        (
            import.changed_values,
            "with another value than their moves have",
        ),
        (
            import.dropped_line_counts,
            "with counts of won, drawn or lost lines, which an export recomputes",
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
    plural(grouped(count as u64), "position", "positions")
}

fn position_summary(path: &Path, count: usize) -> String {
    format!("{}: {}", path.display(), positions(count))
}

/// Exports a book to Edax and returns the exit status.
pub(super) fn export(arguments: &ExportArguments) -> Result<u8, CommandError> {
    let files = Files::new().reading("BOOK", [&arguments.book]);
    let mut out = files.writing_one("--out", &arguments.out, kind::EDAX_BOOK, arguments.force)?;
    let book = open(&arguments.book)?;
    let now = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
    let (date, time) = (now.date(), now.time());
    let rest = [
        date.month(),
        date.day(),
        time.hour(),
        time.minute(),
        time.second(),
    ];
    let date = Date {
        year: date.year(),
        rest: rest.map(|part| part as u8),
    };
    let export = edax::export(&book, date)?;
    out.write(&export.bytes)?;
    let lowered_levels = match export.lowered_levels {
        0 => String::new(),
        count => format!(
            ", {} whose search matches no level: the highest lower one",
            grouped(count as u64)
        ),
    };
    let written = position_summary(&arguments.out, export.positions);
    print_line(format_args!("{written}{lowered_levels}"))?;
    Ok(0)
}

/// Merges books and returns the exit status.
pub(super) fn merge(arguments: &MergeArguments) -> Result<u8, CommandError> {
    let path = writable_path(&arguments.book)?;
    Files::new()
        .reading("OTHER", &arguments.others)
        .updating("BOOK", [path])?;
    // All books are read first: an unreadable one must not create a book.
    let mut others = Graph::default();
    for path in &arguments.others {
        open(path)?.for_each(|entry| {
            others.merge(&entry);
            Ok::<(), BookError>(())
        })?;
    }
    let mut writer = Writer::open_or_create(path)?;
    let mut graph = Graph::read(&writer)?;
    others.entries().for_each(|entry| graph.merge(&entry));
    graph.link_all_moves();
    graph.save(&mut writer)?;
    writer.commit()?;
    print_line(position_summary(&arguments.book, graph.len()))?;
    Ok(0)
}
