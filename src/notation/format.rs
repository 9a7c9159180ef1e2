//! Detects the format of a file and reads any format.

use std::fmt;
use std::str::FromStr;

use super::ggf::GgfError;
use super::obf::{ObfError, Problem};
use super::quest::QuestError;
use super::transcript::TranscriptError;
use super::wthor::{Database, Names, WthorError};
use super::{GameRecord, ggf, obf, quest, squares, transcript, without_mark, wthor};
use crate::IllegalMove;
use crate::eval::Looks;

/// A format of positions or games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Positions, one a line: [`obf`].
    Obf,
    /// Games with all that is known of them: [`ggf`].
    Ggf,
    /// Games of Othello in the format of Go programs, `GM[2]`: read by [`ggf`], not written.
    Sgf,
    /// The database of the French federation: [`wthor`].
    Wthor,
    /// Games as lists of moves, PGN among them: [`transcript`].
    Transcript,
    /// Games that the server Othello Quest hands out as JSON; not written.
    OthelloQuest,
}

/// A name of no format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no format: there are {formats}", formats = Format::ALL.map(Format::name).join(", "))]
pub struct UnknownFormat(String);

impl Format {
    /// All formats.
    pub const ALL: [Format; 6] = [
        Format::Obf,
        Format::Ggf,
        Format::Sgf,
        Format::Wthor,
        Format::Transcript,
        Format::OthelloQuest,
    ];

    /// The formats that are written, too.
    pub const WRITTEN: [Format; 4] = [Format::Obf, Format::Ggf, Format::Wthor, Format::Transcript];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Obf => "obf",
            Format::Ggf => "ggf",
            Format::Sgf => "sgf",
            Format::Wthor => "wthor",
            Format::Transcript => "transcript",
            Format::OthelloQuest => "othello-quest",
        }
    }

    /// The format that the contents of a file look like.
    ///
    /// Bytes that are no text have to begin as WTHOR does. A text is told by its first lines, without blank ones and
    /// comments: `(;` begins GGF or SGF, `{` or `[` JSON, squares OBF, a move or a tag of PGN a transcript. A few
    /// control characters do not make a text binary.
    ///
    /// ```
    /// use outflank::notation::Format;
    ///
    /// assert_eq!(Format::of(b"% problems\n--XXXXX--OOOXX- X;"), Ok(Format::Obf));
    /// assert_eq!(Format::of(b"1 (;GM[Othello]"), Ok(Format::Ggf));
    /// assert_eq!(Format::of(b"(;FF[4]GM[2]"), Ok(Format::Sgf));
    /// assert_eq!(Format::of(b"f5d6c3"), Ok(Format::Transcript));
    /// assert_eq!(Format::of(&[20, 26, 2, 18, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0]), Ok(Format::Wthor));
    /// assert_eq!(
    ///     Format::of(b"\x89PNG\r\n\x1a\n").unwrap_err().to_string(),
    ///     "expected positions (OBF) or games (GGF, SGF, WTHOR, transcripts), but it is a PNG image"
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
    #[error("expected positions (OBF) or games (GGF, SGF, WTHOR, transcripts), but {0}")]
    Foreign(Looks),
}

/// The format of a text.
fn of_text(file: &[u8]) -> Result<Format, FormatError> {
    /// The lines that are looked at: a file can begin with some of another kind.
    const LINES: usize = 8;
    let lines = without_mark(file).split(|&byte| byte == b'\n');
    let is_comment = |line: &[u8]| line.starts_with(b"%") || line.starts_with(b"#");
    let lines = lines.map(<[u8]>::trim_ascii);
    let lines = lines.filter(|line| !line.is_empty() && !is_comment(line));
    let lines: Vec<&[u8]> = lines.take(LINES).collect();
    let first = *lines.first().ok_or(FormatError::Empty)?;
    let first_where = |looks: fn(&[u8]) -> bool| lines.iter().position(|line| looks(line));
    match (first_where(looks_like_obf), first_where(begins_game)) {
        (Some(obf), game) if game.is_none_or(|game| obf <= game) => Ok(Format::Obf),
        (_, Some(_)) => Ok(match ggf::is_sgf(file) {
            true => Format::Sgf,
            false => Format::Ggf,
        }),
        _ if first_where(transcript::looks_like_transcript).is_some() => Ok(Format::Transcript),
        _ if quest::looks_like_json(file) => Ok(Format::OthelloQuest),
        _ => Err(FormatError::Foreign(Looks::of(first))),
    }
}

/// Returns `true` if a line begins with squares, which blanks and slashes may separate.
fn looks_like_obf(line: &[u8]) -> bool {
    /// A transcript can begin with a pass or two, `----`; a board is longer, even if cut off.
    const MIN_SQUARES: usize = 8;
    /// The bytes that are looked at.
    const BEGIN: usize = 256;
    let begin = String::from_utf8_lossy(&line[..line.len().min(BEGIN)]);
    let begin = squares::half_width(&begin);
    let is_between = |next: char| next.is_whitespace() || matches!(next, '/' | '|');
    let count = |text: &str| {
        let squares = text.chars().filter(|&next| !is_between(next));
        squares
            .take_while(|&next| squares::disc(next).is_some())
            .count()
    };
    // The number of a row is no square.
    let label = begin.strip_prefix(|first| matches!(first, '1'..='8'));
    let row = label
        .filter(|row| row.starts_with(is_between))
        .unwrap_or(&begin);
    let squares = count(row);
    // Dates and lines of dashes have a few such characters, too.
    let has_letters = row
        .chars()
        .take(squares)
        .any(|next| !matches!(next, '0' | '1' | '-' | '.' | '_') && !is_between(next));
    match has_letters {
        true => squares >= MIN_SQUARES,
        false => {
            squares >= 64
                || squares == 8
                    && row
                        .trim()
                        .chars()
                        .all(|next| is_between(next) || squares::disc(next).is_some())
        }
    }
}

/// Returns `true` if a game of GGF or SGF begins on a line.
fn begins_game(line: &[u8]) -> bool {
    line.windows(2).any(|two| two == b"(;")
}

impl fmt::Display for Format {
    /// As it is called in a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Format::Obf => "OBF",
            Format::Ggf => "GGF",
            Format::Sgf => "SGF",
            Format::Wthor => "WTHOR",
            Format::Transcript => "a transcript",
            Format::OthelloQuest => "a game of Othello Quest",
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

/// Returns `true` if the first bytes look like text in an ASCII-compatible encoding. A stray control character is an
/// error of its line, not a sign of another kind of file.
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
    /// A game of a transcript.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// A game of Othello Quest.
    #[error(transparent)]
    OthelloQuest(#[from] QuestError),
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
            ReadError::Obf(_)
            | ReadError::Ggf(_)
            | ReadError::Transcript(_)
            | ReadError::OthelloQuest(_) => format!("{name}:{self}"),
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

/// Reads a file as [`read`] does, with the names that `names` has for the numbers of players and tournaments in WTHOR.
pub fn read_named<'a>(
    file: &'a [u8],
    format: Format,
    names: &'a Names,
) -> Box<dyn Iterator<Item = Result<Entry, ReadError>> + 'a> {
    match format {
        Format::Obf => Box::new(obf::entries(file)),
        Format::Ggf | Format::Sgf => Box::new(ggf::read(file).map(|game| {
            let game = game.map_err(ReadError::Ggf)?;
            Ok(of_game(Place::Line(game.line), game.record))
        })),
        Format::Transcript => Box::new(transcript::read(file).map(|game| {
            let game = game.map_err(ReadError::Transcript)?;
            Ok(of_game(Place::Line(game.line), game.record))
        })),
        Format::OthelloQuest => Box::new(quest::read(file).map(|game| {
            let (line, record) = game.map_err(ReadError::OthelloQuest)?;
            Ok(of_game(Place::Line(line), record))
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

/// Reasons why a text is not one position or game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OneError {
    /// It is in none of the formats.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// It cannot be read.
    #[error("{}", .0.of_file("text"))]
    Read(#[from] ReadError),
    /// It has several.
    #[error("expected one position or game, found several")]
    Several,
}

/// Reads the one position or game of a text, in any format.
///
/// ```
/// use outflank::notation::{Contents, read_one};
///
/// let Contents::Game(record) = read_one("1. f5 d6 2. c3 34-30")? else { panic!() };
/// assert_eq!((record.game.plies().len(), record.score()), (3, Some(4)));
/// assert_eq!(read_one("f5d6 and more").unwrap_err().to_string(), "text:1:6: expected a move (A1 to H8, or PS), found \"an\"");
/// # Ok::<(), outflank::notation::OneError>(())
/// ```
pub fn read_one(text: &str) -> Result<Contents, OneError> {
    let bytes = text.as_bytes();
    let mut entries = read(bytes, Format::of(bytes)?);
    let entry = entries.next().ok_or(FormatError::Empty)??;
    match entries.next() {
        None => Ok(entry.contents),
        Some(Err(error)) => Err(error.into()),
        Some(Ok(_)) => Err(OneError::Several),
    }
}
