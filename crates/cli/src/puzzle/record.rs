//! File of `--record`: positions that were asked, with the days on which they come again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::ToSpan as _;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use outflank::notation::{read_position, write_position};
use outflank::{Board, Side};

use crate::replace::{OutputFile, ReplaceError};

/// First line of the file.
const HEADER: &str = "# outflank practice 1: position, stage, due, right, wrong";

/// Days after which a position comes again, by its stage.
const DAYS: [i64; 8] = [0, 1, 3, 7, 14, 30, 60, 120];

/// Size limit of the file in bytes: a million positions.
const MAX_BYTES: u64 = 100 << 20;

/// Error of an unusable file.
#[derive(Debug, thiserror::Error)]
pub(super) enum RecordError {
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, #[source] io::Error),
    #[error("{}: no file of --record, whose first line is \"{HEADER}\"", .0.display())]
    Foreign(PathBuf),
    #[error("{}:{line}: expected a position, a stage from 0 to 7, a date and two counts", .path.display())]
    Malformed { path: PathBuf, line: usize },
}

/// Practice state of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Card {
    /// Index of [`DAYS`]: the number of right answers since the last wrong one.
    stage: usize,
    /// Day on which the position comes again.
    due: Date,
    right: u32,
    wrong: u32,
}

/// Practice states of all positions.
#[derive(Default)]
pub(super) struct PracticeRecord {
    /// File; `None` to forget everything at the end.
    path: Option<PathBuf>,
    /// Cards by canonical position, whose mover is written as black.
    cards: BTreeMap<String, Card>,
}

/// Key of a canonical position.
fn key_of(board: Board) -> String {
    write_position(board, Side::Black)
}

impl PracticeRecord {
    /// Reads the file at `path`, or begins a new one.
    pub(super) fn open(path: &Path) -> Result<PracticeRecord, RecordError> {
        let io_error = |error| RecordError::Io(path.to_owned(), error);
        let text = match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(io_error(error)),
            Ok(metadata) if metadata.is_file() && metadata.len() <= MAX_BYTES => {
                Some(fs::read(path).map_err(io_error)?)
            }
            Ok(_) => return Err(RecordError::Foreign(path.to_owned())),
        };
        let mut record = PracticeRecord {
            path: Some(path.to_owned()),
            ..PracticeRecord::default()
        };
        // An empty file is a new one.
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return Ok(record);
        };
        let text = String::from_utf8_lossy(&text);
        let mut lines = text.lines();
        if lines.next() != Some(HEADER) {
            return Err(RecordError::Foreign(path.to_owned()));
        }
        for (number, line) in (2..).zip(lines) {
            let (key, card) = parse(line).ok_or_else(|| RecordError::Malformed {
                path: path.to_owned(),
                line: number,
            })?;
            record.cards.insert(key, card);
        }
        Ok(record)
    }

    /// Returns `true` if a position is new, or comes again today.
    pub(super) fn is_due(&self, board: Board) -> bool {
        let card = self.cards.get(&key_of(board));
        card.is_none_or(|card| card.due <= today())
    }

    /// First day on which one of these positions comes again; `None` without positions.
    pub(super) fn next_due(&self, boards: impl Iterator<Item = Board>) -> Option<Date> {
        let cards = boards.filter_map(|board| self.cards.get(&key_of(board)));
        cards.map(|card| card.due).min()
    }

    /// Adds an answer.
    pub(super) fn add(&mut self, board: Board, is_right: bool) {
        let card = self.cards.entry(key_of(board)).or_insert(Card {
            stage: 0,
            due: today(),
            right: 0,
            wrong: 0,
        });
        *card = card.after(is_right, today());
    }

    /// Writes the file, as a whole or not at all.
    pub(super) fn save(&self) -> Result<(), ReplaceError> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let mut text = format!("{HEADER}\n");
        for (position, card) in &self.cards {
            let Card {
                stage,
                due,
                right,
                wrong,
            } = card;
            writeln!(text, "{position}\t{stage}\t{due}\t{right}\t{wrong}").expect("memory");
        }
        OutputFile::open(path)?.write(text.as_bytes())
    }
}

impl Card {
    /// Card after another answer.
    fn after(self, is_right: bool, today: Date) -> Card {
        let stage = match is_right {
            // A right answer before the day tells nothing new.
            true if self.due > today => self.stage,
            true => (self.stage + 1).min(DAYS.len() - 1),
            false => 0,
        };
        let due = match is_right && self.due > today {
            true => self.due,
            false => today.saturating_add(DAYS[stage].days()),
        };
        Card {
            stage,
            due,
            right: self.right.saturating_add(is_right.into()),
            wrong: self.wrong.saturating_add((!is_right).into()),
        }
    }
}

/// Parses a line of the file.
fn parse(line: &str) -> Option<(String, Card)> {
    let mut fields = line.split('\t');
    let position = fields.next()?;
    read_position(position).ok()?;
    let stage = fields
        .next()?
        .parse()
        .ok()
        .filter(|&stage| stage < DAYS.len())?;
    let due = fields.next()?.parse().ok()?;
    let (right, wrong) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    let card = Card {
        stage,
        due,
        right,
        wrong,
    };
    fields.next().is_none().then(|| (position.to_owned(), card))
}

/// Today's date in UTC.
fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_positions_come_ever_later() {
        let today: Date = "2026-11-28".parse().unwrap();
        let mut card = Card {
            stage: 0,
            due: today,
            right: 0,
            wrong: 0,
        };
        for days in [1, 3, 7, 14, 30, 60, 120, 120] {
            let day = card.due;
            card = card.after(true, day);
            assert_eq!(card.due, day.saturating_add(days.days()));
            let early = card.after(true, day);
            assert_eq!((early.stage, early.due), (card.stage, card.due));
        }
        card = card.after(false, today);
        assert_eq!(
            (card.stage, card.due, card.right, card.wrong),
            (0, today, 8, 1)
        );
        assert_eq!(card.after(true, today).due.to_string(), "2026-11-29");
    }
}
