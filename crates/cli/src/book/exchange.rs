//! `outflank book import`, `export` and `merge`.

use std::path::{Path, PathBuf};

use clap::Args;
use outflank::eval::FileKind;
use outflank_book::edax::{self, Date};
use outflank_book::{BookError, ForeignImport, Graph, Writer, egaroucid};
use outflank_support::files;
use outflank_support::text::plural;

use super::{open, writable_path};
use crate::console::print_line;
use crate::error::in_file;
use crate::input::Remarks;
use crate::number_options::grouped;
use crate::output_files::{Files, ForceArgument, kind};
use crate::{CommandError, FAILURE};

/// Import books of Edax and Egaroucid into a book, which is created if it does not exist
///
/// Files are books of Edax, version 4 (.dat), the text that Edax exports, or books of Egaroucid (.egbk3, .egbk2). Levels are
/// taken as levels of this engine.
/// If several books have a position, the deeper search is kept. Invalid positions are dropped and reported, and so are
/// Edax's counts of games. The import is a single transaction: all files or none.
///
/// The exit status is 1 if positions were dropped.
#[derive(Args)]
#[command(after_help = IMPORT_EXAMPLES)]
pub(crate) struct ImportArguments {
    /// Book file
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Book files of Edax or Egaroucid
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

const IMPORT_EXAMPLES: &str = "\
Examples:
  outflank book import my.book book.dat
  outflank book import my.book book.egbk3";

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

/// Maximum size of a book of another program in MiB, some hundred million positions.
const MAX_MIB: u64 = 8 << 10;

/// Book of another program.
enum Import {
    /// Book of Edax.
    Edax(edax::Import),
    /// Book of Egaroucid, or text that Edax exported.
    Other(ForeignImport),
}

impl Import {
    fn read(path: &Path) -> Result<Import, CommandError> {
        let is_book = |bytes: &[u8]| match FileKind::detect(bytes) {
            FileKind::EdaxBook | FileKind::EgaroucidBook => true,
            _ => edax::is_exported(bytes),
        };
        let bytes = files::read_if(path, MAX_MIB, "book of another program", is_book);
        let bytes = bytes.map_err(in_file(path))?;
        Ok(match FileKind::detect(&bytes) {
            FileKind::EgaroucidBook => {
                Import::Other(egaroucid::import(&bytes).map_err(in_file(path))?)
            }
            _ if edax::is_exported(&bytes) => Import::Other(edax::import_exported(&bytes)),
            _ => Import::Edax(edax::import(&bytes).map_err(in_file(path))?),
        })
    }

    fn graph(&mut self) -> &mut Graph {
        match self {
            Import::Edax(import) => &mut import.graph,
            Import::Other(import) => &mut import.graph,
        }
    }

    fn fault_count(&self) -> usize {
        match self {
            Import::Edax(import) => import.fault_count,
            Import::Other(import) => import.fault_count,
        }
    }

    /// Descriptions of the first invalid positions.
    fn faults(&self) -> Vec<String> {
        match self {
            Import::Edax(import) => import.faults.iter().map(ToString::to_string).collect(),
            Import::Other(import) => import.faults.iter().map(ToString::to_string).collect(),
        }
    }

    /// Size of the book, and the numbers of dropped and changed positions.
    fn summary(&self, path: &Path) -> String {
        let name = path.display().to_string();
        let faults = self.faults().into_iter();
        let faults = faults.map(|fault| format!("{name}: dropped: {fault}"));
        Remarks::list(&name, faults, ["fault", "faults"]);
        let (size, repeated, changed_values, dropped_line_counts) = match self {
            Import::Edax(import) => (
                format!("{} of level {}", positions(import.positions), import.level),
                import.repeated,
                import.changed_values,
                import.dropped_line_counts,
            ),
            Import::Other(import) => (
                positions(import.positions),
                import.repeated,
                import.changed_values,
                0,
            ),
        };
        let parts = [
            (self.fault_count(), "dropped"),
            (repeated, "repeated"),
            (changed_values, "with another value than their moves have"),
            (
                dropped_line_counts,
                "with counts of won, drawn or lost lines, which an export recomputes",
            ),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let parts = parts.map(|(count, what)| format!(", {} {what}", grouped(*count as u64)));
        format!("{name}: {size}{}", parts.collect::<String>())
    }
}

/// Imports books of other programs and returns the exit status.
pub(super) fn import(arguments: &ImportArguments) -> Result<u8, CommandError> {
    Files::new()
        .reading("FILE", &arguments.files)
        .updating("BOOK", [&arguments.book])?;
    let files = arguments.files.iter();
    let mut imports: Vec<Import> = files
        .map(|path| Import::read(path))
        .collect::<Result<_, _>>()?;
    let mut failed = false;
    for (path, import) in arguments.files.iter().zip(&imports) {
        failed |= import.fault_count() > 0;
        print_line(import.summary(path))?;
    }
    let mut writer = Writer::open_or_create(writable_path(&arguments.book)?)?;
    let (written, drops_settings) = match (&mut imports[..], writer.is_empty()?) {
        ([Import::Edax(import)], true) => {
            import.save(&mut writer)?;
            (import.graph.len(), false)
        }
        (imports, _) => {
            let mut graph = Graph::read(&writer)?;
            for import in imports.iter_mut() {
                import
                    .graph()
                    .entries()
                    .for_each(|entry| graph.merge(&entry));
            }
            graph.link_all_moves();
            graph.save(&mut writer)?;
            let has_settings = imports
                .iter()
                .any(|import| matches!(import, Import::Edax(_)));
            (graph.len(), has_settings)
        }
    };
    writer.commit()?;
    let settings = match drops_settings {
        false => "",
        true => {
            "; level, fewest empty squares and errors, which Edax keeps for a whole book, are dropped: only a new book \
from a single file has them"
        }
    };
    print_line(position_summary(&arguments.book, written) + settings)?;
    Ok(if failed { FAILURE } else { 0 })
}

fn positions(count: usize) -> String {
    plural(grouped(count as u64), "position", "positions")
}

pub(super) fn position_summary(path: &Path, count: usize) -> String {
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
    let manual_values = match export.manual_values {
        0 => String::new(),
        count => format!(
            ", {} with a value set by hand, whose reason is dropped",
            grouped(count as u64)
        ),
    };
    let written = position_summary(&arguments.out, export.positions);
    print_line(format_args!("{written}{lowered_levels}{manual_values}"))?;
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
