//! `outflank book check`: verification of books.

use std::path::{Path, PathBuf};

use clap::Args;
use outflank_book::check::{CheckReport, check};
use outflank_support::text::plural;

use super::open;
use crate::console::print_line;
use crate::input::Remarks;
use crate::number_options::grouped;
use crate::{CommandError, FAILURE};

/// Verify books: pages, settings, positions, links and values
///
/// Every link must lead to a position of the book and have the value of that position. No position is searched again,
/// and no book is changed. The exit status is 1 if a book has faults or cannot be read.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Book files; one of them can be built-in
    #[arg(required = true, value_name = "BOOK")]
    books: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  outflank book check my.book";

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let mut status = 0;
    for path in &arguments.books {
        match open(path).and_then(|book| check(&book)) {
            Ok(report) => {
                print_line(summary(path, &report))?;
                if report.fault_count > 0 {
                    status = FAILURE;
                }
            }
            Err(error) => {
                crate::error::report(&error);
                status = FAILURE;
            }
        }
    }
    Ok(status)
}

/// Lists the faults and returns a summary.
fn summary(path: &Path, report: &CheckReport) -> String {
    let name = path.display().to_string();
    let mut faults = Remarks::of(&name);
    for fault in &report.faults {
        faults.add(format_args!("{name}: {fault}"));
    }
    faults.end("fault", "faults");
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
