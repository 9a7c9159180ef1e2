//! `outflank book check`.

use std::path::{Path, PathBuf};

use clap::Args;
use outflank::text::counted;
use outflank_book::check::{Report, check};

use super::open;
use crate::input::Remarks;
use crate::numbers::grouped;
use crate::output::{complain, line};
use crate::{CommandError, FAILURE};

/// Test all that books claim: pages, positions, links, values
///
/// Every link has to lead to a position of the book and to be worth what that is. Nothing is changed.
///
/// The exit status is 1 where something is wrong.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The books; one of them can be built-in
    #[arg(required = true, value_name = "BOOK")]
    books: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  outflank book check my.book";

/// Checks and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let mut status = 0;
    for path in &arguments.books {
        match open(path).and_then(|book| check(&book)) {
            Ok(report) => {
                line(told(path, &report))?;
                if report.fault_count > 0 {
                    status = FAILURE;
                }
            }
            Err(error) => {
                complain(error);
                status = FAILURE;
            }
        }
    }
    Ok(status)
}

fn told(path: &Path, report: &Report) -> String {
    let name = path.display().to_string();
    let mut faults = Remarks::of(&name);
    for fault in &report.faults {
        faults.add(format_args!("{name}: {fault}"));
    }
    faults.end("fault", "faults");
    let faults = match report.fault_count {
        0 => "no fault".to_owned(),
        count => counted(grouped(count), "fault", "faults"),
    };
    let unlinked = match report.unlinked {
        0 => String::new(),
        count => format!(
            "; {} that `outflank book correct` would link",
            counted(grouped(count), "move", "moves")
        ),
    };
    format!(
        "{name}: {}, {}: {faults}{unlinked}",
        counted(grouped(report.positions), "position", "positions"),
        counted(grouped(report.links), "link", "links"),
    )
}
