//! Which format a file has, and reading it whatever it is.

use std::fmt;
use std::str::FromStr;

use super::ggf::GgfError;
use super::obf::{ObfError, Problem};
use super::transcript::TranscriptError;
use super::wthor::{Database, WthorError};
use super::{GameRecord, ggf, obf, squares, transcript, without_mark};
use crate::IllegalMove;

/// A format of positions or games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Positions, one a line: [`obf`].
    Obf,
    /// Games with all that is known of them: [`ggf`].
    Ggf,
    /// The database of the French federation: [`super::wthor`].
    Wthor,
    /// Games, one a line: [`transcript`].
    Transcript,
}

/// A name of no format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no format: there are {formats}", formats = Format::ALL.map(Format::name).join(", "))]
pub struct UnknownFormat(String);

impl Format {
    /// All of them.
    pub const ALL: [Format; 4] = [Format::Obf, Format::Ggf, Format::Wthor, Format::Transcript];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Obf => "obf",
            Format::Ggf => "ggf",
            Format::Wthor => "wthor",
            Format::Transcript => "transcript",
        }
    }

    /// The format that the contents of a file look like. What is no text looks like WTHOR; a text with
    /// `(;` in one of its first lines looks like GGF, and one that begins with squares like OBF. Blank
    /// lines and comments are passed over.
    ///
    /// ```
    /// use outflank::notation::Format;
    ///
    /// assert_eq!(Format::of(b"% problems\n--XXXXX--OOOXX- X;"), Format::Obf);
    /// assert_eq!(Format::of(b"1 (;GM[Othello]"), Format::Ggf);
    /// assert_eq!(Format::of(b"f5d6c3"), Format::Transcript);
    /// assert_eq!(Format::of(&[20, 26, 2, 18]), Format::Wthor);
    /// ```
    pub fn of(file: &[u8]) -> Format {
        /// A transcript can begin with a pass or two, `----`; a board is longer, even if cut off.
        const LEAST_SQUARES: usize = 8;
        /// The lines that are looked at: a GGF file can begin with some of another kind.
        const LINES: usize = 8;
        if !is_text(file) {
            return Format::Wthor;
        }
        let lines = without_mark(file).split(|&byte| byte == b'\n');
        let mut told = lines
            .map(<[u8]>::trim_ascii)
            .filter(|line| !line.is_empty() && !line.starts_with(b"%") && !line.starts_with(b"#"))
            .take(LINES)
            .peekable();
        let first = told.peek().copied().unwrap_or_default();
        let (_, count) = squares::leading(first.iter().map(|&byte| char::from(byte)));
        if told.any(|line| line.windows(2).any(|two| two == b"(;")) {
            Format::Ggf
        } else if count >= LEAST_SQUARES {
            Format::Obf
        } else {
            Format::Transcript
        }
    }
}

impl fmt::Display for Format {
    /// As it is called in a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Format::Obf => "OBF",
            Format::Ggf => "GGF",
            Format::Wthor => "WTHOR",
            Format::Transcript => "a transcript",
        })
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    /// Reads [`Format::name`].
    fn from_str(text: &str) -> Result<Format, UnknownFormat> {
        let mut all = Format::ALL.into_iter();
        all.find(|format| format.name() == text)
            .ok_or_else(|| UnknownFormat(super::shown(text)))
    }
}

/// Whether a file is a text and not binary, as its first 512 bytes say.
///
/// ```
/// use outflank::notation::is_text;
///
/// assert!(is_text("Ünïcode\r\n".as_bytes()) && !is_text(b"\0"));
/// ```
pub fn is_text(file: &[u8]) -> bool {
    const LOOKED_AT: usize = 512;
    let is_text = |&byte: &u8| byte >= b' ' || byte.is_ascii_whitespace();
    file.iter().take(LOOKED_AT).all(is_text)
}

/// What a file has in one place.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Where.
    pub place: Place,
    /// What.
    pub contents: Contents,
}

/// A position or a game.
#[derive(Clone, PartialEq, Debug)]
pub enum Contents {
    /// A position.
    Position(Problem),
    /// A game.
    Game(GameRecord),
}

/// A place of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A line, from 1.
    Line(usize),
    /// A game of a WTHOR database, from 1.
    Game(usize),
}

impl Place {
    /// The place in the file of this name: `games.txt:3`, `WTH_2020.wtb: game 3`.
    ///
    /// ```
    /// use outflank::notation::Place;
    ///
    /// assert_eq!(Place::Line(3).of_file("games.txt"), "games.txt:3");
    /// ```
    pub fn of_file(self, name: &str) -> String {
        match self {
            Place::Line(line) => format!("{name}:{line}"),
            Place::Game(game) => format!("{name}: game {game}"),
        }
    }
}

/// Something of a file that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A line of OBF.
    #[error(transparent)]
    Obf(#[from] ObfError),
    /// A game of a GGF file.
    #[error(transparent)]
    Ggf(#[from] GgfError),
    /// A line that is no transcript.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// A whole file of WTHOR.
    #[error("not WTHOR: {0}")]
    Wthor(#[from] WthorError),
    /// A game with moves that are not legal.
    #[error("{place}: {1}", place = .0.of_file("the file"))]
    Game(Place, IllegalMove),
}

impl ReadError {
    /// The error, in the file of this name: `games.txt:3:17: …`.
    pub fn of_file(&self, name: &str) -> String {
        match self {
            // They begin with line and column.
            ReadError::Obf(_) | ReadError::Ggf(_) | ReadError::Transcript(_) => {
                format!("{name}:{self}")
            }
            ReadError::Wthor(_) => format!("{name}: {self}"),
            ReadError::Game(place, error) => format!("{}: {error}", place.of_file(name)),
        }
    }
}

/// Reads all positions and games of a file of this format, each with its place. What is faulty is an
/// error of its own and leaves the others readable; only a WTHOR file is read whole or not at all.
///
/// ```
/// use outflank::notation::{self, Contents, Format};
///
/// let file = b"f5d6c3\nf5f5\n";
/// let mut entries = notation::read(file, Format::of(file));
/// let first = entries.next().unwrap().unwrap();
/// assert!(matches!(first.contents, Contents::Game(record) if record.game.plies().len() == 3));
/// let error = entries.next().unwrap().unwrap_err();
/// assert_eq!(
///     error.of_file("games.txt"),
///     "games.txt:2: move 2, F5, is not legal: the square is taken"
/// );
/// ```
pub fn read(
    file: &[u8],
    format: Format,
) -> Box<dyn Iterator<Item = Result<Entry, ReadError>> + '_> {
    match format {
        Format::Obf => Box::new(obf::read(file).map(|problem| {
            let problem = problem.map_err(ReadError::Obf)?;
            Ok(Entry {
                place: Place::Line(problem.line),
                contents: Contents::Position(problem),
            })
        })),
        Format::Ggf => Box::new(ggf::read(file).map(|game| {
            let game = game.map_err(ReadError::Ggf)?;
            Ok(of_game(Place::Line(game.line), game.record))
        })),
        Format::Transcript => Box::new(transcript::read(file).map(|game| {
            let game = game.map_err(ReadError::Transcript)?;
            let place = Place::Line(game.line);
            let game = game.game().map_err(|error| ReadError::Game(place, error))?;
            Ok(of_game(place, GameRecord::new(game)))
        })),
        Format::Wthor => match Database::read(file) {
            Ok(database) => Box::new((0..database.games.len()).map(move |index| {
                let place = Place::Game(index + 1);
                let record = database.record(&database.games[index]);
                let record = record.map_err(|error| ReadError::Game(place, error))?;
                Ok(of_game(place, record))
            })),
            Err(error) => Box::new(std::iter::once(Err(ReadError::Wthor(error)))),
        },
    }
}

fn of_game(place: Place, record: GameRecord) -> Entry {
    Entry {
        place,
        contents: Contents::Game(record),
    }
}
