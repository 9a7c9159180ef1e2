//! Labelled positions of problems (OBF), games (GGF, SGF, WTHOR, transcripts, Othello Quest) and records. The contents
//! of a file decide its format.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::record::{Damage, Reader, Record, RecordError, Source, game_number};
use outflank::Side;
use outflank::board::Board;
use outflank::eval::{DISC, FileKind};
use outflank::notation::wthor::Database;
use outflank::notation::{self, Contents as Notated, Format, FormatError, ReadError};
use outflank_support::files;
use outflank_support::text::plural;

/// Opened file of labelled positions.
pub struct Input {
    name: String,
    contents: Contents,
}

enum Contents {
    /// Any text format.
    Text(Vec<u8>, Format),
    Games(Database),
    Records(Box<Reader>),
}

/// Reason why no positions can be read from a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// Reading fails.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, io::Error),
    /// The record file is invalid.
    #[error(transparent)]
    Records(#[from] RecordError),
    /// The file is empty or of an unknown format.
    #[error("{}: {}", .0.display(), .1)]
    Format(PathBuf, #[source] FormatError),
    /// The file has another format.
    #[error("{}: expected records, positions (OBF) or games (GGF, SGF, WTHOR, transcripts, Othello Quest), but {}", .0.display(), .1)]
    Foreign(PathBuf, #[source] FileKind),
    /// The database is damaged.
    #[error("{}", .1.in_file(&.0.display().to_string()))]
    Games(PathBuf, ReadError),
}

/// Parts of a file that were skipped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SkippedInput {
    /// Messages about faulty lines, games and byte ranges, with file and location.
    pub faults: Vec<String>,
    /// Number of problems without a score.
    pub without_score: usize,
}

impl Input {
    /// Opens the file at `path`. `-` is standard input, which cannot have records.
    pub fn open(path: &Path) -> Result<Input, InputError> {
        let unreadable = |error| InputError::Io(path.to_owned(), error);
        let file: Box<dyn Read> = match path == Path::new("-") {
            true => Box::new(io::stdin()),
            false => Box::new(File::open(path).map_err(unreadable)?),
        };
        // The first bytes, enough to recognise the format.
        let (mut begin, mut file) = (Vec::new(), file.take(512));
        file.read_to_end(&mut begin).map_err(unreadable)?;
        let contents = match FileKind::detect(&begin) {
            FileKind::Records if path != Path::new("-") => {
                Contents::Records(Box::new(Reader::open(path, Damage::Refuse)?))
            }
            FileKind::Empty => return Err(InputError::Format(path.to_owned(), FormatError::Empty)),
            FileKind::Text(_) | FileKind::Bytes(_) => {
                let whole = begin.as_slice().chain(file.into_inner());
                let bytes = files::read_games_to_end(whole).map_err(unreadable)?;
                match Format::detect(&bytes) {
                    Ok(Format::Wthor) => Contents::Games(
                        Database::read(&bytes)
                            .map_err(|error| InputError::Games(path.to_owned(), error.into()))?,
                    ),
                    Ok(format) => Contents::Text(bytes, format),
                    Err(FormatError::Foreign(kind)) => {
                        return Err(InputError::Foreign(path.to_owned(), kind));
                    }
                    Err(error) => return Err(InputError::Format(path.to_owned(), error)),
                }
            }
            kind => return Err(InputError::Foreign(path.to_owned(), kind)),
        };
        Ok(Input {
            name: path.display().to_string(),
            contents,
        })
    }

    /// Latest year of the games, if known.
    pub fn year(&self) -> Option<u16> {
        match &self.contents {
            Contents::Games(database) => Some(database.year),
            Contents::Text(bytes, format) => {
                let entries = notation::read(bytes, *format).flatten();
                let years = entries.filter_map(|entry| match entry.contents {
                    Notated::Game(record) => record.year(),
                    Notated::Position(_) => None,
                });
                years.max()
            }
            Contents::Records(_) => None,
        }
    }

    /// Passes every labelled position to `each`.
    ///
    /// A game yields its position with the theoretical score, if it has one. If `results` is `true`, the other
    /// positions of finished games are labelled with the result.
    pub fn each(
        self,
        results: bool,
        mut each: impl FnMut(Record),
    ) -> Result<SkippedInput, InputError> {
        let name = &self.name;
        let mut skipped = SkippedInput::default();
        match self.contents {
            Contents::Text(bytes, format) => {
                for entry in notation::read(&bytes, format) {
                    match entry.map(|entry| entry.contents) {
                        Ok(Notated::Position(problem)) => match problem.best_score() {
                            Some(score) => {
                                // A problem has a game number of its own.
                                let position = (problem.board, Side::Black);
                                let empties = problem.board.empty_count() as u8;
                                each_of_game(&[position], Some((empties, score)), None, &mut each);
                            }
                            None => skipped.without_score += 1,
                        },
                        Ok(Notated::Game(record)) => {
                            let positions: Vec<_> = record.game.turns().collect();
                            let result = record.game.score().filter(|_| results);
                            each_of_game(&positions, record.theoretical_score(), result, &mut each);
                        }
                        Err(error) => skipped.faults.push(error.in_file(name)),
                    }
                }
            }
            Contents::Games(database) => {
                for (index, game) in database.games.iter().enumerate() {
                    let location = notation::Location::Game(index + 1);
                    match game.positions() {
                        Ok(positions) => {
                            let score = game.theoretical_score();
                            let theoretical = Some((database.theoretical_empties, score));
                            let is_over =
                                positions.last().is_some_and(|last| last.0.is_game_over());
                            let result = (results && is_over).then(|| game.score());
                            each_of_game(&positions, theoretical, result, &mut each);
                        }
                        Err(error) => {
                            let error = ReadError::Game(location, error);
                            skipped.faults.push(error.in_file(name));
                        }
                    }
                }
            }
            Contents::Records(mut reader) => {
                for block in reader.by_ref() {
                    block?.records.into_iter().for_each(&mut each);
                }
                let left_out = reader.left_out().iter().map(|part| {
                    let bytes = plural(part.to - part.from, "byte", "bytes");
                    let fault = part.fault;
                    format!("{name}: {bytes} behind the last whole block ({fault})")
                });
                skipped.faults.extend(left_out);
            }
        }
        Ok(skipped)
    }
}

/// Passes the labelled positions of a game to `each`.
///
/// `theoretical` is a number of empty squares and the theoretical score there. `result` labels the other positions.
/// Scores are from Black's side, in discs.
fn each_of_game(
    positions: &[(Board, Side)],
    theoretical: Option<(u8, i32)>,
    result: Option<i32>,
    each: &mut impl FnMut(Record),
) {
    let game = game_number(positions);
    for &(board, side) in positions {
        let exact = theoretical.filter(|&(at, _)| board.empty_count() == u32::from(at));
        let (black, source) = match (exact, result) {
            (Some((_, score)), _) => (score, Source::Exact),
            (None, Some(score)) => (score, Source::Game),
            (None, None) => continue,
        };
        let value = (side.black_score(black) * DISC) as i16;
        each(Record {
            board,
            value,
            source,
            game,
        });
    }
}
