//! Detection of formats, and readers of files in any format.

use std::fmt;
use std::str::FromStr;

use super::ggf::GgfError;
use super::obf::{ObfError, Problem};
use super::quest::QuestError;
use super::transcript::TranscriptError;
use super::wthor::{Database, Names, WthorError};
use super::{
    GameRecord, LocatedGame, compact, ggf, obf, quest, squares, transcript, without_bom, wthor,
};
use crate::IllegalMove;
use crate::eval::FileKind;

/// A format of positions or games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Positions, one a line: [`obf`].
    Obf,
    /// Games with all their data: [`ggf`].
    Ggf,
    /// Games in the format of Go programs, `GM[2]`: read by [`ggf`], not written.
    Sgf,
    /// Database of the French federation: [`wthor`].
    Wthor,
    /// Games as lists of moves, PGN among them: [`transcript`].
    Transcript,
    /// JSON of the server Othello Quest; not written.
    OthelloQuest,
}

/// Error of an unknown format name.
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

    /// Formats that can be written.
    pub const WRITTEN: [Format; 4] = [Format::Obf, Format::Ggf, Format::Wthor, Format::Transcript];

    /// Name on the command line.
    pub const fn name(self) -> &'static str {
        self.names()[0]
    }

    /// Names on the command line and in messages.
    const fn names(self) -> [&'static str; 2] {
        match self {
            Format::Obf => ["obf", "OBF"],
            Format::Ggf => ["ggf", "GGF"],
            Format::Sgf => ["sgf", "SGF"],
            Format::Wthor => ["wthor", "WTHOR"],
            Format::Transcript => ["transcript", "a transcript"],
            Format::OthelloQuest => ["othello-quest", "a game of Othello Quest"],
        }
    }

    /// Detects the format of a file from its contents.
    ///
    /// Binary files must begin with a header of WTHOR. In a text, the first lines that are not blank or comments
    /// decide: `(;` begins GGF or SGF, `{` or `[` JSON, squares OBF, a move or a PGN tag a transcript. A few control
    /// characters do not make a text binary.
    ///
    /// ```
    /// use outflank::notation::Format;
    ///
    /// assert_eq!(Format::detect(b"% problems\n--XXXXX--OOOXX- X;"), Ok(Format::Obf));
    /// assert_eq!(Format::detect(b"1 (;GM[Othello]"), Ok(Format::Ggf));
    /// assert_eq!(Format::detect(b"(;FF[4]GM[2]"), Ok(Format::Sgf));
    /// assert_eq!(Format::detect(b"f5d6c3"), Ok(Format::Transcript));
    /// assert_eq!(Format::detect(&[20, 26, 2, 18, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0]), Ok(Format::Wthor));
    /// assert_eq!(
    ///     Format::detect(b"\x89PNG\r\n\x1a\n").unwrap_err().to_string(),
    ///     "expected positions (OBF) or games (GGF, SGF, WTHOR, transcripts, Othello Quest), but it is a PNG image"
    /// );
    /// ```
    pub fn detect(file: &[u8]) -> Result<Format, FormatError> {
        if wthor::is_whole(file) {
            return Ok(Format::Wthor);
        }
        if wthor::is_list_of_names(file) {
            return Err(FormatError::Foreign(FileKind::Other(
                "a list of WTHOR's names, which is read along with the games beside it",
            )));
        }
        match FileKind::detect(file) {
            FileKind::Empty => Err(FormatError::Empty),
            FileKind::Text(_) | FileKind::Bytes(_) if is_text(file) => detect_text(file),
            FileKind::Bytes(_) if wthor::has_header(file) => Ok(Format::Wthor),
            kind => Err(FormatError::Foreign(kind)),
        }
    }
}

/// Reason why a file has none of the formats.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file is empty or has only blank lines and comments.
    #[error("neither games nor positions in it")]
    Empty,
    /// The file has another format.
    #[error(
        "expected positions (OBF) or games (GGF, SGF, WTHOR, transcripts, Othello Quest), but {0}"
    )]
    Foreign(#[source] FileKind),
}

/// Detects the format of a text.
fn detect_text(file: &[u8]) -> Result<Format, FormatError> {
    /// Lines to inspect; the first ones can be remarks.
    const LINES: usize = 8;
    let lines = without_bom(file).split(|&byte| byte == b'\n');
    let is_comment = |line: &[u8]| line.starts_with(b"%") || line.starts_with(b"#");
    let lines = lines.map(<[u8]>::trim_ascii);
    let lines = lines.filter(|line| !line.is_empty() && !is_comment(line));
    let lines: Vec<&[u8]> = lines.take(LINES).collect();
    let first = *lines.first().ok_or(FormatError::Empty)?;
    let first_where = |is_kind: fn(&[u8]) -> bool| lines.iter().position(|line| is_kind(line));
    match (first_where(begins_with_squares), first_where(begins_game)) {
        (Some(obf), game) if game.is_none_or(|game| obf <= game) => Ok(Format::Obf),
        (_, Some(_)) => Ok(match ggf::is_sgf(file) {
            true => Format::Sgf,
            false => Format::Ggf,
        }),
        _ if first_where(transcript::is_transcript_line).is_some() => Ok(Format::Transcript),
        _ if quest::begins_json(file) => Ok(Format::OthelloQuest),
        _ => Err(FormatError::Foreign(FileKind::detect(first))),
    }
}

/// Returns `true` if a line begins with squares, with or without blanks and slashes between them.
fn begins_with_squares(line: &[u8]) -> bool {
    /// Minimum squares of a board line. Two passes at the start of a transcript, `----`, look like four squares.
    const MIN_SQUARES: usize = 8;
    /// Bytes to inspect.
    const BEGIN: usize = 256;
    let begin = String::from_utf8_lossy(&line[..line.len().min(BEGIN)]);
    let begin = squares::half_width(&begin);
    if compact::leading(begin.trim_start()).is_some() {
        return true;
    }
    let is_between = |next: char| next.is_whitespace() || matches!(next, '/' | '|');
    let count = |text: &str| {
        let squares = text.chars().filter(|&next| !is_between(next));
        squares
            .take_while(|&next| squares::disc(next).is_some())
            .count()
    };
    // The label of a row, 1 to 8, is not a square.
    let label = begin.strip_prefix(|first| matches!(first, '1'..='8'));
    let row = label
        .filter(|row| row.starts_with(is_between))
        .unwrap_or(&begin);
    let squares = count(row);
    // Dates and lines of dashes also consist of characters that can be squares.
    let has_letters = row
        .chars()
        .take(squares)
        .any(|next| !matches!(next, '0' | '1' | '-' | '.' | '_') && !is_between(next));
    let is_board = |next: char| is_between(next) || squares::disc(next).is_some();
    match has_letters {
        true => squares >= MIN_SQUARES,
        false => squares >= 64 || squares == 8 && row.trim().chars().all(is_board),
    }
}

/// Returns `true` if a game of GGF or SGF begins on a line.
fn begins_game(line: &[u8]) -> bool {
    line.windows(2).any(|two| two == b"(;")
}

impl fmt::Display for Format {
    /// Writes the name as messages use it: `OBF`, `a transcript`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.names()[1])
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    /// Reads [`Format::name`].
    fn from_str(text: &str) -> Result<Format, UnknownFormat> {
        let mut all = Format::ALL.into_iter();
        all.find(|format| format.name() == text)
            .ok_or_else(|| UnknownFormat(super::truncated(text)))
    }
}

/// Returns `true` if the first bytes are text in an ASCII-compatible encoding. A few control characters are allowed:
/// the reader reports them as errors of their lines.
fn is_text(file: &[u8]) -> bool {
    const BEGIN: usize = 512;
    let begin = &file[..file.len().min(BEGIN)];
    let is_control = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    // In WTHOR, one byte in four is a control character, because moves on the first two rows are. In compressed data,
    // one in nine is.
    begin.iter().filter(is_control).count() <= 2 + begin.len() / 16
}

/// A position or game of a file, with its location.
#[derive(Clone, PartialEq, Debug)]
pub struct FileEntry {
    /// Location in the file.
    pub location: Location,
    /// Position or game.
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

/// Location in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location {
    /// Line, from 1.
    Line(usize),
    /// Game of a WTHOR database, from 1.
    Game(usize),
}

impl Location {
    /// Formats the location with the name of its file: `games.txt:3`, `WTH_2020.wtb: game 3`.
    pub fn in_file(self, name: &str) -> String {
        match self {
            Location::Line(line) => format!("{name}:{line}"),
            Location::Game(game) => format!("{name}: game {game}"),
        }
    }
}

/// Error of a faulty position or game of a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Faulty line of OBF.
    #[error(transparent)]
    Obf(#[from] ObfError),
    /// Faulty game of a GGF or SGF file.
    #[error(transparent)]
    Ggf(#[from] GgfError),
    /// Faulty game of a transcript.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// Faulty game of Othello Quest.
    #[error(transparent)]
    OthelloQuest(#[from] QuestError),
    /// Faulty file of WTHOR, none of whose games is read.
    #[error("not WTHOR: {0}")]
    Wthor(#[from] WthorError),
    /// Game of WTHOR with an illegal move.
    #[error("{location}: {1}", location = .0.in_file("the file"))]
    Game(Location, IllegalMove),
}

impl ReadError {
    /// Formats the error with the name of its file: `games.txt:3:17: …`.
    pub fn in_file(&self, name: &str) -> String {
        match self {
            // These errors begin with line and column.
            ReadError::Obf(_)
            | ReadError::Ggf(_)
            | ReadError::Transcript(_)
            | ReadError::OthelloQuest(_) => format!("{name}:{self}"),
            ReadError::Wthor(_) => format!("{name}: {self}"),
            ReadError::Game(location, error) => format!("{}: {error}", location.in_file(name)),
        }
    }
}

/// Reads all positions and games of a file, each with its location.
///
/// A faulty entry is an error; the other entries are still read. Only a malformed WTHOR file is a single error.
///
/// ```
/// use outflank::notation::{self, Contents, Format};
///
/// let file = b"f5d6c3\nf5f5\n";
/// let mut entries = notation::read(file, Format::detect(file)?);
/// let first = entries.next().unwrap().unwrap();
/// assert!(matches!(first.contents, Contents::Game(record) if record.game.plies().len() == 3));
/// let error = entries.next().unwrap().unwrap_err();
/// assert_eq!(
///     error.in_file("games.txt"),
///     "games.txt:2: move 2, F5, is not legal: the square is taken"
/// );
/// # Ok::<(), outflank::notation::FormatError>(())
/// ```
pub fn read(
    file: &[u8],
    format: Format,
) -> Box<dyn Iterator<Item = Result<FileEntry, ReadError>> + '_> {
    read_named(file, format, Names::none())
}

/// Reads a file as [`read`] does, and replaces numbers of players and tournaments in WTHOR by `names`.
pub fn read_named<'a>(
    file: &'a [u8],
    format: Format,
    names: &'a Names,
) -> Box<dyn Iterator<Item = Result<FileEntry, ReadError>> + 'a> {
    match format {
        Format::Obf => Box::new(obf::entries(file)),
        Format::Ggf | Format::Sgf => Box::new(ggf::read(file).map(located_entry)),
        Format::Transcript => Box::new(transcript::read(file).map(located_entry)),
        Format::OthelloQuest => Box::new(quest::read(file).map(located_entry)),
        Format::Wthor => match Database::read(file) {
            Ok(database) => Box::new((0..database.games.len()).map(move |index| {
                let location = Location::Game(index + 1);
                let record = database.named_record(&database.games[index], names);
                let record = record.map_err(|error| ReadError::Game(location, error))?;
                Ok(game_entry(location, record))
            })),
            Err(error) => Box::new(std::iter::once(Err(ReadError::Wthor(error)))),
        },
    }
}

fn located_entry<E: Into<ReadError>>(game: Result<LocatedGame, E>) -> Result<FileEntry, ReadError> {
    let LocatedGame { line, record } = game.map_err(E::into)?;
    Ok(game_entry(Location::Line(line), record))
}

fn game_entry(location: Location, record: GameRecord) -> FileEntry {
    FileEntry {
        location,
        contents: Contents::Game(record),
    }
}

/// Reason why a text is not exactly one position or game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadOneError {
    /// The text has none of the formats.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The text is faulty.
    #[error("{}", .0.in_file("text"))]
    Read(#[from] ReadError),
    /// The text has several positions or games.
    #[error("expected one position or game, found several")]
    Several,
}

/// Reads a text with exactly one position or game, in any format.
///
/// ```
/// use outflank::notation::{Contents, read_one};
///
/// let Contents::Game(record) = read_one("1. f5 d6 2. c3 34-30")? else { panic!() };
/// assert_eq!((record.game.plies().len(), record.score()), (3, Some(4)));
/// assert_eq!(read_one("f5d6 and more").unwrap_err().to_string(), "text:1:6: expected a move (A1 to H8, or PS), found \"an\"");
/// # Ok::<(), outflank::notation::ReadOneError>(())
/// ```
pub fn read_one(text: &str) -> Result<Contents, ReadOneError> {
    let bytes = text.as_bytes();
    let mut entries = read(bytes, Format::detect(bytes)?);
    let entry = entries.next().ok_or(FormatError::Empty)??;
    match entries.next() {
        None => Ok(entry.contents),
        Some(Err(error)) => Err(error.into()),
        Some(Ok(_)) => Err(ReadOneError::Several),
    }
}
