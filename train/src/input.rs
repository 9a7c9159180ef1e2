//! Positions with what they are worth, from any kind of file that has such: problems (OBF), games (GGF,
//! WTHOR, transcripts), records. Which kind a file is, its contents say.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::record::{Damage, Reader, Record, RecordError, Source, game_number};
use outflank::Side;
use outflank::board::Board;
use outflank::eval::{DISC, Looks};
use outflank::files;
use outflank::notation::wthor::Database;
use outflank::notation::{self, Contents as Notated, Format, FormatError, ReadError};
use outflank::text::counted;

/// A file of positions.
pub struct Input {
    name: String,
    contents: Contents,
}

enum Contents {
    /// Positions or games in a format other than WTHOR.
    Text(Vec<u8>, Format),
    Games(Database),
    Records(Box<Reader>),
}

/// Why a file has no positions.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// It cannot be read.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, io::Error),
    /// Its records cannot be read.
    #[error(transparent)]
    Records(#[from] RecordError),
    /// It is empty, or in no format that can be read.
    #[error("{}: {}", .0.display(), .1)]
    Format(PathBuf, FormatError),
    /// It is of another kind.
    #[error("{}: expected records, positions (OBF) or games (GGF, SGF, WTHOR, transcripts), but {}", .0.display(), .1)]
    Foreign(PathBuf, Looks),
    /// It is a database, but damaged.
    #[error("{}", .1.of_file(&.0.display().to_string()))]
    Games(PathBuf, ReadError),
}

/// What was not used of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unused {
    /// Lines, games and parts of the file that are faulty: file, place, and what is wrong.
    pub faults: Vec<String>,
    /// Problems without a score.
    pub without_score: usize,
}

impl Input {
    /// Opens the file at `path`; `-` is standard input, which cannot have records.
    pub fn open(path: &Path) -> Result<Input, InputError> {
        let unreadable = |error| InputError::Io(path.to_owned(), error);
        let (begin, rest): (_, Box<dyn Read>) = if path == Path::new("-") {
            begin(io::stdin()).map_err(unreadable)?
        } else {
            begin(File::open(path).map_err(unreadable)?).map_err(unreadable)?
        };
        let contents = match Looks::of(&begin) {
            Looks::Records if path != Path::new("-") => {
                Contents::Records(Box::new(Reader::open(path, Damage::Refuse)?))
            }
            Looks::Empty => return Err(InputError::Format(path.to_owned(), FormatError::Empty)),
            Looks::Text(_) | Looks::Bytes(_) => {
                let whole = begin.as_slice().chain(rest);
                let bytes = files::read_games_to_end(whole).map_err(unreadable)?;
                match Format::of(&bytes) {
                    Ok(Format::Wthor) => Contents::Games(
                        Database::read(&bytes)
                            .map_err(|error| InputError::Games(path.to_owned(), error.into()))?,
                    ),
                    Ok(format) => Contents::Text(bytes, format),
                    Err(FormatError::Foreign(looks)) => {
                        return Err(InputError::Foreign(path.to_owned(), looks));
                    }
                    Err(error) => return Err(InputError::Format(path.to_owned(), error)),
                }
            }
            looks => return Err(InputError::Foreign(path.to_owned(), looks)),
        };
        Ok(Input {
            name: path.display().to_string(),
            contents,
        })
    }

    /// The year of its games, the last one where they are of several; `None` where it is not known.
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

    /// Gives every position to `each` with the best score that is known of it. Of a game that is the
    /// position with the theoretical score, if it has one, and with `results` the others of finished games,
    /// too, with what the game came to.
    pub fn each(self, results: bool, mut each: impl FnMut(Record)) -> Result<Unused, InputError> {
        let name = &self.name;
        let mut unused = Unused::default();
        match self.contents {
            Contents::Text(bytes, format) => {
                for entry in notation::read(&bytes, format) {
                    match entry.map(|entry| entry.contents) {
                        Ok(Notated::Position(problem)) => match problem.best_score() {
                            Some(score) => each(of_problem(problem.board, score)),
                            None => unused.without_score += 1,
                        },
                        Ok(Notated::Game(record)) => {
                            let positions: Vec<_> = record.game.turns().collect();
                            let scores = Scores {
                                theoretical: record.theoretical_score(),
                                result: record.game.score().filter(|_| results),
                            };
                            of_game(&positions, scores, &mut each);
                        }
                        Err(error) => unused.faults.push(error.of_file(name)),
                    }
                }
            }
            Contents::Games(database) => {
                for (index, game) in database.games.iter().enumerate() {
                    let place = notation::Place::Game(index + 1);
                    match game.positions() {
                        Ok(positions) => {
                            let theoretical = game.theoretical_score();
                            let scores = Scores {
                                theoretical: Some((database.theoretical_empties, theoretical)),
                                result: positions
                                    .last()
                                    .filter(|(last, _)| results && last.is_game_over())
                                    .map(|_| game.score()),
                            };
                            of_game(&positions, scores, &mut each);
                        }
                        Err(error) => {
                            let error = ReadError::Game(place, error);
                            unused.faults.push(error.of_file(name));
                        }
                    }
                }
            }
            Contents::Records(mut reader) => {
                for block in reader.by_ref() {
                    block?.records.into_iter().for_each(&mut each);
                }
                let left_out = reader.left_out().iter().map(|part| {
                    let bytes = counted(part.to - part.from, "byte", "bytes");
                    format!(
                        "{name}: {bytes} behind the last whole block ({})",
                        part.what
                    )
                });
                unused.faults.extend(left_out);
            }
        }
        Ok(unused)
    }
}

/// What a file begins with, as much as its kind is told from, and the rest of it.
fn begin(file: impl Read + 'static) -> io::Result<(Vec<u8>, Box<dyn Read>)> {
    let mut begin = Vec::new();
    let mut file = file.take(512);
    file.read_to_end(&mut begin)?;
    Ok((begin, Box::new(file.into_inner())))
}

/// A problem as a game of its own.
fn of_problem(board: Board, score: i32) -> Record {
    Record {
        board,
        value: (score * DISC) as i16,
        source: Source::Exact,
        game: game_number(&[(board, Side::Black)]),
    }
}

/// What is known of a game, in discs from black's side.
struct Scores {
    /// The number of empty squares of a position, and what that is worth.
    theoretical: Option<(u8, i32)>,
    /// What the game came to, where the other positions are to have that.
    result: Option<i32>,
}

/// The positions of a game.
fn of_game(positions: &[(Board, Side)], scores: Scores, each: &mut impl FnMut(Record)) {
    let number = game_number(positions);
    for &(board, side) in positions {
        let theoretical = scores.theoretical;
        let theoretical = theoretical.filter(|&(at, _)| board.empty_count() == u32::from(at));
        let (black, source) = match (theoretical, scores.result) {
            (Some((_, score)), _) => (score, Source::Exact),
            (None, Some(score)) => (score, Source::Game),
            (None, None) => continue,
        };
        let score = side.black_score(black);
        each(Record {
            board,
            value: (score * DISC) as i16,
            source,
            game: number,
        });
    }
}
