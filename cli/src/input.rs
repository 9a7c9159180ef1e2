//! What commands read: positions and games from files of any format. All commands tell what is wrong with a
//! file in the same words.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt::Display;
use std::fs;
use std::io;
use std::iter::Enumerate;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Args;
use outflank::files;
use outflank::notation::obf::Problem;
use outflank::notation::wthor::{Names, NamesError};
use outflank::notation::{
    self, Contents, Entry, Format, FormatError, GameRecord, ReadError, transcript,
};
use outflank::text::counted;

use super::numbers::whole;
use super::output::remark;

/// The most that a list of WTHOR's names can have, in MiB: 65,535 of 26 bytes.
const MAX_NAMES_MIB: u64 = 2;

/// Which position of each game is taken.
#[derive(Args, Clone, Copy)]
pub(super) struct PositionArguments {
    /// Take the position with N empty squares of each game; of positions only those with N
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=60))]
    empties: Option<u32>,

    /// Take the position before move N of each game, from 1, passes not counted
    #[arg(
        long = "move",
        value_name = "N",
        conflicts_with = "empties",
        value_parser = whole::<u32>(1..=61)
    )]
    before_move: Option<u32>,
}

impl PositionArguments {
    /// Whether one was chosen.
    pub(super) fn is_some(self) -> bool {
        self.empties.is_some() || self.before_move.is_some()
    }

    /// The position that is asked for among those of a game, else the last one; `None` if there is none.
    /// A position of its own is as a game of which nothing was played.
    pub(super) fn choose(self, mut problems: impl Iterator<Item = Problem>) -> Option<Problem> {
        match (self.empties, self.before_move) {
            (Some(empties), _) => problems.find(|one| one.board.empty_count() == empties),
            (_, Some(number)) => problems.nth(number as usize - 1),
            (None, None) => problems.last(),
        }
    }
}

/// Why a file cannot be used: its name, and what is wrong with it.
#[derive(Debug, thiserror::Error)]
pub(super) enum InputError {
    /// It cannot be read.
    #[error("{0}: {1}")]
    Io(String, io::Error),
    /// It is of another kind, or has nothing.
    #[error("{0}: {1}")]
    Format(String, FormatError),
    /// It is not in the format that `--from` says.
    #[error("{name}: expected {expected}, as --from says, but {looks}")]
    Unlike {
        name: String,
        expected: Format,
        looks: String,
    },
    /// What is asked for is malformed.
    #[error("{}", .1.of_file(.0))]
    Malformed(String, ReadError),
}

/// What opens the files of a command.
pub(super) struct Inputs {
    /// The format of all files; `None` where their contents say it.
    format: Option<Format>,
    lists: NameLists,
}

impl Inputs {
    pub(super) fn new(format: Option<Format>) -> Inputs {
        Inputs {
            format,
            lists: NameLists::default(),
        }
    }

    /// The file at `path`, `-` being standard input. Where there is no such file, `path` may be a position or
    /// the moves of a game itself.
    pub(super) fn open(&mut self, path: &Path) -> Result<Input, InputError> {
        let mut name = shown(path);
        let bytes = match (read(path), path.to_str()) {
            (Ok(bytes), _) => bytes,
            (Err(error), Some(text)) if is_absent(&error) && is_meant_as_text(text) => {
                name = "argument".to_owned();
                text.as_bytes().to_vec()
            }
            (Err(error), _) => return Err(InputError::Io(name, error)),
        };
        let format = match self.format {
            Some(format) => check_format(&bytes, format, &name).map(|()| format)?,
            None => Format::of(&bytes).map_err(|error| InputError::Format(name.clone(), error))?,
        };
        Ok(Input {
            name,
            bytes,
            format,
            names: match format {
                Format::Wthor => self.lists.beside(path),
                _ => Rc::default(),
            },
        })
    }
}

/// Returns `true` if an error says that there is no such file; the text of a game can be too long for a name.
fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::InvalidFilename | io::ErrorKind::NotADirectory
    )
}

/// Returns `true` if an argument is a position or a game rather than the name of a file.
fn is_meant_as_text(argument: &str) -> bool {
    match Format::of(argument.as_bytes()) {
        // Names of files can begin with a move, too: d3.txt.
        Ok(Format::Transcript) => transcript::moves(argument).is_ok_and(|moves| !moves.is_empty()),
        // And with what may be squares: 2011-01-10.wtb.
        Ok(Format::Obf) => argument.chars().filter(|one| !one.is_whitespace()).count() >= 64,
        Ok(Format::Wthor) | Err(_) => false,
        Ok(_) => true,
    }
}

/// The name of a file in messages.
fn shown(path: &Path) -> String {
    match path == Path::new("-") {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    }
}

/// Refuses a file that has nothing in the format that `--from` says, and looks like another.
fn check_format(bytes: &[u8], expected: Format, name: &str) -> Result<(), InputError> {
    let looks = match Format::of(bytes) {
        Ok(format) if format != expected => format!("it looks like {format}"),
        Err(FormatError::Foreign(looks)) => looks.to_string(),
        _ => return Ok(()),
    };
    match notation::read(bytes, expected).any(|entry| entry.is_ok()) {
        true => Ok(()),
        false => Err(InputError::Unlike {
            name: name.to_owned(),
            expected,
            looks,
        }),
    }
}

/// A file of positions or games.
pub(super) struct Input {
    /// What it is called in messages.
    pub(super) name: String,
    bytes: Vec<u8>,
    format: Format,
    names: Rc<Names>,
}

impl Input {
    /// What it has, in its order. What is malformed is told and passed over.
    pub(super) fn entries(&self) -> Entries<'_> {
        self.entries_named(&self.names)
    }

    /// Reads the entries as [`Input::entries`] does, with numbers for the players and tournaments of WTHOR: a new database
    /// has the same lists.
    pub(super) fn numbered_entries(&self) -> Entries<'_> {
        self.entries_named(Names::none())
    }

    fn entries_named<'a>(&'a self, names: &'a Names) -> Entries<'a> {
        Entries {
            input: self,
            entries: notation::read_named(&self.bytes, self.format, names).enumerate(),
            malformed: Remarks::of(&self.name),
            seen: 0,
        }
    }

    /// The first position or game; one that is malformed is an error.
    pub(super) fn first(&self) -> Result<Contents, InputError> {
        let mut entries = notation::read_named(&self.bytes, self.format, &self.names);
        match entries.next() {
            Some(Ok(entry)) => Ok(entry.contents),
            Some(Err(error)) => Err(InputError::Malformed(self.name.clone(), error)),
            None => Err(self.empty()),
        }
    }

    fn empty(&self) -> InputError {
        InputError::Format(self.name.clone(), FormatError::Empty)
    }
}

/// What a file has: an iterator.
pub(super) struct Entries<'a> {
    input: &'a Input,
    entries: Enumerate<Box<dyn Iterator<Item = Result<Entry, ReadError>> + 'a>>,
    malformed: Remarks<'a>,
    seen: usize,
}

/// A position or game of a file.
pub(super) struct Item {
    /// Which one of the file it is, from 1; malformed ones are counted, too.
    pub(super) number: usize,
    /// The file, and where in it.
    pub(super) place: String,
    pub(super) contents: Contents,
}

impl Iterator for Entries<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            let (index, entry) = self.entries.next()?;
            self.seen += 1;
            match entry {
                Ok(Entry { place, contents }) => {
                    return Some(Item {
                        number: index + 1,
                        place: place.of_file(&self.input.name),
                        contents,
                    });
                }
                Err(error) => self.malformed.add(error.of_file(&self.input.name)),
            }
        }
    }
}

impl Entries<'_> {
    /// Ends the reading: how much was malformed, or that there was nothing at all.
    pub(super) fn finish(self) -> Result<usize, InputError> {
        match self.input.format {
            Format::Obf | Format::Transcript => {
                self.malformed.end("malformed line", "malformed lines")
            }
            Format::Ggf | Format::Sgf | Format::Wthor | Format::OthelloQuest => {
                self.malformed.end("malformed game", "malformed games")
            }
        }
        match self.seen {
            0 => Err(self.input.empty()),
            _ => Ok(self.malformed.count),
        }
    }
}

/// What a game is called, the one of this number in its file: `17. Tastet - Feinstein`; `None` where its
/// players are not known.
pub(super) fn game_name(record: &GameRecord, number: usize) -> Option<String> {
    let players = record.players()?;
    Some(format!("{number}. {players}"))
}

/// The problems of a game of this name.
pub(super) fn problems(record: &GameRecord, name: Option<String>) -> impl Iterator<Item = Problem> {
    record.problems().map(move |problem| Problem {
        name: name.clone(),
        ..problem
    })
}

/// Remarks about a file, of which there can be thousands: the first ten are written, the others counted.
pub(super) struct Remarks<'a> {
    file: &'a str,
    pub(super) count: usize,
}

impl Remarks<'_> {
    /// The most that are written.
    const MAX: usize = 10;

    /// None so far about the file of this name.
    pub(super) fn of(file: &str) -> Remarks<'_> {
        Remarks { file, count: 0 }
    }

    pub(super) fn add(&mut self, told: impl Display) {
        self.count += 1;
        if self.count <= Self::MAX {
            remark(told);
        }
    }

    /// Says how many were not written, and what they are about: of one thing, and of several.
    pub(super) fn end(&self, one: &str, several: &str) {
        let more = self.count.saturating_sub(Self::MAX);
        if more > 0 {
            let things = counted(more, &format!("more {one}"), &format!("more {several}"));
            remark(format_args!("{}: … and {things}", self.file));
        }
    }
}

/// The names of players and tournaments in the folders of databases, each read once.
#[derive(Default)]
struct NameLists(HashMap<PathBuf, Rc<Names>>);

impl NameLists {
    /// Those beside the database at `path`. Where there are none, or they are damaged, which is told, its
    /// numbers have no names.
    fn beside(&mut self, path: &Path) -> Rc<Names> {
        if path == Path::new("-") {
            return Rc::default();
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let names = self.0.entry(folder.to_owned());
        names.or_insert_with(|| Rc::new(names_in(folder))).clone()
    }
}

/// The names of the lists in a folder: `WTHOR.JOU` and `WTHOR.TRN`, else `WTH.JOU` and `WTH.TRN`. A list that is
/// damaged, or is no regular file, is told and ignored.
pub(super) fn names_in(folder: &Path) -> Names {
    let mut names = Names::default();
    let mut read_list =
        |ending: &str, of: &str, take: fn(&mut Names, &[u8]) -> Result<(), NamesError>| {
            let lists = ["WTHOR", "WTH"].map(|name| format!("{name}.{ending}"));
            let Some(path) = lists.iter().find_map(|name| file_called(folder, name)) else {
                return;
            };
            let told = match is_regular(&path) {
                // A pipe may have no end.
                false => "ignored, as it is no regular file".to_owned(),
                true => match files::read(&path, MAX_NAMES_MIB, "list of names") {
                    Ok(bytes) => match take(&mut names, &bytes) {
                        Ok(()) => return,
                        Err(error) => format!("damaged: {error}"),
                    },
                    Err(error) => error.to_string(),
                },
            };
            let path = path.display();
            remark(format_args!("{path}: {told}; {of} are shown as numbers"));
        };
    read_list("JOU", "players", Names::read_players);
    read_list("TRN", "tournaments", Names::read_tournaments);
    names
}

/// Whether there is a regular file at `path`, or a link to one.
fn is_regular(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// The file of this name in a folder, in upper case, lower case or a mixture: systems differ. Something else
/// of this name is taken only where there is no such file.
fn file_called(folder: &Path, name: &str) -> Option<PathBuf> {
    // The folder of a file that is named without one is the current one.
    let listed = match folder == Path::new("") {
        true => Path::new("."),
        false => folder,
    };
    let files = fs::read_dir(listed).ok()?.flatten();
    let names = files.map(|file| file.file_name());
    let called = names.filter(|other: &OsString| other.eq_ignore_ascii_case(name));
    let called = called.map(|name| folder.join(name));
    called.min_by_key(|path| (!is_regular(path), path.clone()))
}

/// Reads the file of games or positions at `path`, `-` being standard input.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    match path == Path::new("-") {
        true => files::read_games_to_end(io::stdin().lock()),
        false => files::read_games(path),
    }
}
