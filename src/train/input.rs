//! Positions with what they are worth, from any kind of file that has such: problems (OBF), games
//! (WTHOR), records. Which kind a file is, its contents say.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::record::{Damage, Reader, Record, RecordError, Source, game_number};
use crate::board::Board;
use crate::eval::{DISC, Looks};
use crate::files;
use crate::notation::is_text;
use crate::notation::obf;
use crate::notation::wthor::{Database, Game, WthorError};
use crate::side::Side;
use crate::text::counted;

/// The most that a file of problems or games can have, in MiB.
const MOST_MIB: u64 = 1024;

/// A file of positions.
pub struct Input {
    name: String,
    contents: Contents,
}

enum Contents {
    Problems(Vec<u8>),
    Games(Database),
    Records(Box<Reader>),
}

/// Why a file has no positions.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// It cannot be read.
    #[error("cannot read {}: {}", .0.display(), .1)]
    Io(PathBuf, io::Error),
    /// Its records cannot be read.
    #[error(transparent)]
    Records(#[from] RecordError),
    /// It is of another kind.
    #[error("{}: expected problems (OBF), a WTHOR database or records, but {}", .0.display(), .1)]
    Foreign(PathBuf, Looks),
    /// It is no text, and no whole database either.
    #[error("{}: neither problems (OBF) nor records, and as a WTHOR database damaged: {}", .0.display(), .1)]
    Games(PathBuf, WthorError),
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
        let looks = Looks::of(&begin);
        let contents = match looks {
            Looks::Records if path != Path::new("-") => {
                Contents::Records(Box::new(Reader::open(path, Damage::Refuse)?))
            }
            Looks::Text(_) | Looks::Bytes(_) => {
                let kind = "file of problems or games";
                let bytes = files::read_to_end(begin.as_slice().chain(rest), MOST_MIB, kind)
                    .map_err(unreadable)?;
                match is_text(&begin) {
                    true => Contents::Problems(bytes),
                    false => Contents::Games(
                        Database::read(&bytes)
                            .map_err(|error| InputError::Games(path.to_owned(), error))?,
                    ),
                }
            }
            _ => return Err(InputError::Foreign(path.to_owned(), looks)),
        };
        Ok(Input {
            name: path.display().to_string(),
            contents,
        })
    }

    /// The year of its games; `None` where they are not from a database.
    pub fn year(&self) -> Option<u16> {
        match &self.contents {
            Contents::Games(database) => Some(database.year),
            _ => None,
        }
    }

    /// Gives every position to `each` with the best score that is known of it. Of the games in a database
    /// that is the position with the theoretical score, and with `results` the others of finished
    /// games, too, with what the game came to.
    pub fn each(self, results: bool, mut each: impl FnMut(Record)) -> Result<Unused, InputError> {
        let name = &self.name;
        let mut unused = Unused::default();
        match self.contents {
            Contents::Problems(bytes) => {
                for problem in obf::read(&bytes) {
                    match problem {
                        Ok(problem) => match problem.best_score() {
                            Some(score) => each(of_problem(problem.board, score)),
                            None => unused.without_score += 1,
                        },
                        Err(error) => unused.faults.push(format!("{name}:{error}")),
                    }
                }
            }
            Contents::Games(database) => {
                for (index, game) in database.games.iter().enumerate() {
                    let number = index + 1;
                    match game.positions() {
                        Ok(positions) => {
                            of_game(game, &positions, &database, results, &mut each);
                        }
                        Err(error) => unused
                            .faults
                            .push(format!("{name}: game {number}: {error}")),
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

/// The positions of a game.
fn of_game(
    game: &Game,
    positions: &[(Board, Side)],
    database: &Database,
    results: bool,
    each: &mut impl FnMut(Record),
) {
    let number = game_number(positions);
    let finished = positions
        .last()
        .is_some_and(|(last, _)| last.is_game_over());
    for &(board, side) in positions {
        let theoretical = board.empty_count() == u32::from(database.theoretical_empties);
        let (black, source) = match theoretical {
            true => (game.theoretical_score(), Source::Exact),
            false if results && finished => (game.score(), Source::Game),
            false => continue,
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
