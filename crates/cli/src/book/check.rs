//! `outflank book check`: verification of books.

use std::path::{Path, PathBuf};

use clap::Args;
use outflank_book::check::{CheckReport, check};
use outflank_support::text::plural;

use super::open;
use crate::console::print_line;
use crate::error::for_each_file;
use crate::input::Remarks;
use crate::number_options::grouped;
use crate::{CommandError, FAILURE};

/// Verify books: pages, settings, positions, links and values
///
/// Every link must lead to a position of the book and have the value of that position. No position is searched again,
/// and no book is changed. The exit status is 1 if a book has faults or cannot be read.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Book files; one of them can be built-in
    #[arg(required = true, value_name = "BOOK")]
    books: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  outflank book check my.book";

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let mut has_faults = false;
    let failures = for_each_file(&arguments.books, |path| {
        let report = check(&open(path)?)?;
        has_faults |= report.fault_count > 0;
        Ok(print_line(summary(path, &report))?)
    })?;
    Ok(if has_faults || failures > 0 {
        FAILURE
    } else {
        0
    })
}

/// Lists the faults and returns a summary.
fn summary(path: &Path, report: &CheckReport) -> String {
    let name = path.display().to_string();
    let faults = report.faults.iter().map(|fault| format!("{name}: {fault}"));
    Remarks::list(&name, faults, ["fault", "faults"]);
    let faults = match report.fault_count {
        0 => "no fault".to_owned(),
        count => plural(grouped(count), "fault", "faults"),
    };
    let unlinked = match report.unlinked {
        0 => String::new(),
        count => format!(
            "; {} that `outflank book correct` would link",
            plural(grouped(count), "move", "moves")
        ),
    };
    format!(
        "{name}: {}, {}: {faults}{unlinked}",
        plural(grouped(report.positions), "position", "positions"),
        plural(grouped(report.links), "link", "links"),
    )
}
