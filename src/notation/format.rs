//! Which format a file has, and reading it whatever it is.

use std::fmt;
use std::str::FromStr;

use super::ggf::GgfError;
use super::obf::{ObfError, Problem};
use super::transcript::TranscriptError;
use super::wthor::{Database, Names, WthorError};
use super::{GameRecord, ggf, obf, squares, transcript, without_mark, wthor};
use crate::IllegalMove;
use crate::eval::Looks;

/// A format of positions or games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Positions, one a line: [`obf`].
    Obf,
    /// Games with all that is known of them: [`ggf`].
    Ggf,
    /// The database of the French federation: [`wthor`].
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

    /// The format that the contents of a file look like. What is no text has to begin as WTHOR does; a text
    /// with `(;` in one of its first lines is GGF, one with a line that begins with squares OBF, and one with
    /// a line that begins with a move has transcripts. Blank lines and comments are passed over, and a few
    /// control characters do not make a text binary.
    ///
    /// ```
    /// use outflank::notation::Format;
    ///
    /// assert_eq!(Format::of(b"% problems\n--XXXXX--OOOXX- X;"), Ok(Format::Obf));
    /// assert_eq!(Format::of(b"1 (;GM[Othello]"), Ok(Format::Ggf));
    /// assert_eq!(Format::of(b"f5d6c3"), Ok(Format::Transcript));
    /// assert_eq!(Format::of(&[20, 26, 2, 18, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0]), Ok(Format::Wthor));
    /// assert_eq!(
    ///     Format::of(b"\x89PNG\r\n\x1a\n").unwrap_err().to_string(),
    ///     "expected positions (OBF) or games (GGF, WTHOR, transcripts), but it is a PNG image"
    /// );
    /// ```
    pub fn of(file: &[u8]) -> Result<Format, FormatError> {
        if wthor::is_whole(file) {
            return Ok(Format::Wthor);
        }
        if wthor::is_list_of_names(file) {
            return Err(FormatError::Foreign(Looks::Other(
                "a list of WTHOR's names, which is read along with the games beside it",
            )));
        }
        match Looks::of(file) {
            Looks::Empty => Err(FormatError::Empty),
            Looks::Text(_) | Looks::Bytes(_) if is_text(file) => of_text(file),
            Looks::Bytes(_) if wthor::has_header(file) => Ok(Format::Wthor),
            looks => Err(FormatError::Foreign(looks)),
        }
    }
}

/// Why a file can be read in none of the formats.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// It has nothing, or only blank lines and comments.
    #[error("neither games nor positions in it")]
    Empty,
    /// It is of another kind.
    #[error("expected positions (OBF) or games (GGF, WTHOR, transcripts), but {0}")]
    Foreign(Looks),
}

/// The format of a text.
fn of_text(file: &[u8]) -> Result<Format, FormatError> {
    /// The lines that are looked at: a file can begin with some of another kind.
    const LINES: usize = 8;
    let lines = without_mark(file).split(|&byte| byte == b'\n');
    let is_comment = |line: &[u8]| line.starts_with(b"%") || line.starts_with(b"#");
    let told = lines.map(<[u8]>::trim_ascii);
    let told = told.filter(|line| !line.is_empty() && !is_comment(line));
    let told: Vec<&[u8]> = told.take(LINES).collect();
    let first = *told.first().ok_or(FormatError::Empty)?;
    let begins = |is_meant: fn(&[u8]) -> bool| told.iter().position(|line| is_meant(line));
    match (begins(is_obf), begins(is_ggf)) {
        (Some(obf), ggf) if ggf.is_none_or(|ggf| obf <= ggf) => Ok(Format::Obf),
        (_, Some(_)) => Ok(Format::Ggf),
        _ if begins(transcript::is_meant).is_some() => Ok(Format::Transcript),
        _ => Err(FormatError::Foreign(Looks::of(first))),
    }
}

/// Whether a line begins with squares.
fn is_obf(line: &[u8]) -> bool {
    /// A transcript can begin with a pass or two, `----`; a board is longer, even if cut off.
    const MIN_SQUARES: usize = 8;
    squares::leading(line.iter().map(|&byte| char::from(byte))).1 >= MIN_SQUARES
}

/// Whether a game of GGF begins on a line.
fn is_ggf(line: &[u8]) -> bool {
    line.windows(2).any(|two| two == b"(;")
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

/// Whether a file is a text, in any encoding that has ASCII's characters, as its first bytes say: a stray
/// control character is an error of its line, not a sign of another kind of file.
fn is_text(file: &[u8]) -> bool {
    const LOOKED_AT: usize = 512;
    let begin = &file[..file.len().min(LOOKED_AT)];
    let is_control = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    // One byte of four in WTHOR is one, the moves on the first two rows, and one of nine in compressed data.
    begin.iter().filter(is_control).count() <= 2 + begin.len() / 16
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
/// let mut entries = notation::read(file, Format::of(file)?);
/// let first = entries.next().unwrap().unwrap();
/// assert!(matches!(first.contents, Contents::Game(record) if record.game.plies().len() == 3));
/// let error = entries.next().unwrap().unwrap_err();
/// assert_eq!(
///     error.of_file("games.txt"),
///     "games.txt:2: move 2, F5, is not legal: the square is taken"
/// );
/// # Ok::<(), outflank::notation::FormatError>(())
/// ```
pub fn read(
    file: &[u8],
    format: Format,
) -> Box<dyn Iterator<Item = Result<Entry, ReadError>> + '_> {
    read_named(file, format, Names::none())
}

/// The same, with the names that `names` has for the numbers of players and tournaments in WTHOR.
pub fn read_named<'a>(
    file: &'a [u8],
    format: Format,
    names: &'a Names,
) -> Box<dyn Iterator<Item = Result<Entry, ReadError>> + 'a> {
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
                let record = database.named_record(&database.games[index], names);
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
