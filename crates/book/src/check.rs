//! Verification of books.

use std::collections::HashMap;

use outflank::Board;
use outflank::notation::ply_name;

use crate::entry::{BookEntry, EntryError, after, plies};
pub use crate::setting::SETTINGS;
use crate::{Book, BookError};

/// Fault of a book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookFault {
    /// Pages of the file are damaged.
    #[error("the file: {0}")]
    DamagedPages(String),
    /// A setting is unknown, invalid, repeated or missing.
    #[error("{0}")]
    Setting(String),
    /// A position has invalid data.
    #[error("{0}: {1}")]
    Position(Board, EntryError),
    /// A board is not canonical, so lookups miss it.
    #[error("{0}: not the lowest of its images")]
    NotCanonical(Board),
    /// A link leads to a missing position.
    #[error("{}: {} leads to a position that is not there", .0, ply_name(.1.ply))]
    MissingTarget(Board, crate::ValuedMove),
    /// A link has another value than its target.
    #[error(
        "{board}: {} is said to be worth {:+}, and leads to a position worth {expected:+}",
        ply_name(link.ply), link.value
    )]
    WrongValue {
        /// Position.
        board: Board,
        /// Link of the position.
        link: crate::ValuedMove,
        /// Negamax value of the target.
        expected: i32,
    },
}

/// Result of a check.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CheckReport {
    /// Number of positions.
    pub positions: u64,
    /// Number of links.
    pub links: u64,
    /// Number of moves that lead to positions of the book, but are no links. `learn` and `correct` turn them into
    /// links.
    pub unlinked: u64,
    /// First faults, at most [`MAX_FAULTS`].
    pub faults: Vec<BookFault>,
    /// Number of all faults.
    pub fault_count: u64,
}

/// Maximum number of faults in a report.
pub const MAX_FAULTS: usize = 1000;

impl CheckReport {
    fn add(&mut self, fault: BookFault) {
        self.fault_count += 1;
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(fault);
        }
    }
}

/// Verifies a book: pages, settings, positions, links and their values.
pub fn check(book: &Book) -> Result<CheckReport, BookError> {
    book.with_snapshot(|| check_snapshot(book))
}

fn check_snapshot(book: &Book) -> Result<CheckReport, BookError> {
    let mut report = CheckReport::default();
    let faults = book.page_faults()?;
    if !faults.is_empty() {
        // Contents of damaged pages are meaningless.
        let faults = faults.into_iter().map(BookFault::DamagedPages);
        faults.for_each(|fault| report.add(fault));
        return Ok(report);
    }
    let faults = book.setting_faults(MAX_FAULTS)?.into_iter();
    faults.for_each(|fault| report.add(BookFault::Setting(fault)));
    let mut values: HashMap<Board, i8> = HashMap::new();
    book.for_each_row(|board, entry| {
        report.positions += 1;
        match entry {
            Err(error) => report.add(BookFault::Position(board, error)),
            Ok(_) if board.canonical().0 != board => report.add(BookFault::NotCanonical(board)),
            Ok(entry) => _ = values.insert(board, entry.value() as i8),
        }
        Ok::<(), BookError>(())
    })?;
    book.for_each_row(|_, entry| {
        if let Ok(entry) = entry {
            check_links(&entry, &values, &mut report);
        }
        Ok::<(), BookError>(())
    })?;
    Ok(report)
}

fn check_links(entry: &BookEntry, values: &HashMap<Board, i8>, report: &mut CheckReport) {
    let board = entry.board();
    for ply in plies(board) {
        let next = after(board, ply).expect("a ply of the board").canonical().0;
        let value = values.get(&next).map(|&value| -i32::from(value));
        let link = entry.links().iter().find(|link| link.ply == ply);
        report.links += u64::from(link.is_some());
        match (link, value) {
            (Some(&link), None) => report.add(BookFault::MissingTarget(board, link)),
            (Some(&link), Some(expected)) if link.value != expected => {
                report.add(BookFault::WrongValue {
                    board,
                    link,
                    expected,
                })
            }
            (None, Some(_)) => report.unlinked += 1,
            _ => {}
        }
    }
}
