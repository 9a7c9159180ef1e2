//! Tests of everything that a book claims.

use std::collections::HashMap;
use std::fmt;

use outflank::Board;
use outflank::notation::ply_name;

use crate::entry::{Entry, EntryError, after, plies};
pub use crate::setting::SETTINGS;
use crate::{Book, BookError};

/// Something that a book claims and that is not so.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// The pages of the file are not what the store wrote.
    Pages(String),
    /// An unknown, invalid, repeated or missing setting.
    Setting(String),
    /// A row is no position: this many bytes of data.
    Row(Board),
    /// A position cannot be.
    Position(Board, EntryError),
    /// A position is not the lowest of its eight images, so that it is never found.
    NotCanonical(Board),
    /// A link leads to a position that is not there.
    Nowhere(Board, crate::Move),
    /// A link says another value than the position that it leads to.
    Value {
        /// The position.
        board: Board,
        /// Its link.
        link: crate::Move,
        /// What the position that it leads to is worth, for the side that makes the move.
        expected: i32,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Pages(text) => write!(f, "the file: {text}"),
            Fault::Setting(text) => f.write_str(text),
            Fault::Row(board) => write!(f, "{board}: its data is no position's"),
            Fault::Position(board, error) => write!(f, "{board}: {error}"),
            Fault::NotCanonical(board) => write!(f, "{board}: not the lowest of its images"),
            Fault::Nowhere(board, link) => {
                let ply = ply_name(link.ply);
                write!(f, "{board}: {ply} leads to a position that is not there")
            }
            Fault::Value {
                board,
                link,
                expected,
            } => write!(
                f,
                "{board}: {} is said to be worth {:+}, and leads to a position worth {expected:+}",
                ply_name(link.ply),
                link.value
            ),
        }
    }
}

/// What a check found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Report {
    /// Positions looked at.
    pub positions: u64,
    /// Their links.
    pub links: u64,
    /// Moves to positions of the book that are no links: no fault, but `learn` or `correct` would make links of them.
    pub unlinked: u64,
    /// Faults, the first [`MAX_FAULTS`] of them.
    pub faults: Vec<Fault>,
    /// How many there are.
    pub fault_count: u64,
}

/// The most faults that a report has.
pub const MAX_FAULTS: usize = 1000;

impl Report {
    fn add(&mut self, fault: Fault) {
        self.fault_count += 1;
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(fault);
        }
    }
}

/// Reads all of a book and tests everything that it claims: pages, settings, positions, links, and the values of links, which
/// are those of the positions that they lead to.
pub fn check(book: &Book) -> Result<Report, BookError> {
    book.at_one_moment(|| look(book))
}

fn look(book: &Book) -> Result<Report, BookError> {
    let mut report = Report::default();
    let faults = book.page_faults()?;
    if !faults.is_empty() {
        // What is read from such pages says nothing.
        faults
            .into_iter()
            .map(Fault::Pages)
            .for_each(|fault| report.add(fault));
        return Ok(report);
    }
    let settings = book.setting_faults(MAX_FAULTS)?.into_iter();
    settings.for_each(|fault| report.add(Fault::Setting(fault)));
    let mut values: HashMap<Board, i8> = HashMap::new();
    book.for_each_row(|board, entry| {
        report.positions += 1;
        match entry? {
            None => report.add(Fault::Row(board)),
            Some(Err(error)) => report.add(Fault::Position(board, error)),
            Some(Ok(_)) if board.canonical().0 != board => report.add(Fault::NotCanonical(board)),
            Some(Ok(entry)) => {
                values.insert(board, entry.value() as i8);
            }
        }
        Ok::<(), BookError>(())
    })?;
    book.for_each_row(|_, entry| {
        if let Some(Ok(entry)) = entry? {
            links(&entry, &values, &mut report);
        }
        Ok::<(), BookError>(())
    })?;
    Ok(report)
}

/// Tests the links of a position.
fn links(entry: &Entry, values: &HashMap<Board, i8>, report: &mut Report) {
    let board = entry.board();
    for ply in plies(board) {
        let next = after(board, ply).expect("a ply of the board").canonical().0;
        let value = values.get(&next).map(|&value| -i32::from(value));
        let link = entry.links().iter().find(|link| link.ply == ply);
        report.links += u64::from(link.is_some());
        match (link, value) {
            (Some(&link), None) => report.add(Fault::Nowhere(board, link)),
            (Some(&link), Some(expected)) if link.value != expected => report.add(Fault::Value {
                board,
                link,
                expected,
            }),
            (None, Some(_)) => report.unlinked += 1,
            _ => {}
        }
    }
}
