//! Input files: positions and games of any format. All commands report their faults in the same words.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Args;
use outflank::Game;
use outflank::notation::obf::Problem;
use outflank::notation::wthor::{Names, NamesError};
use outflank::notation::{
    self, Contents, FileEntry, Format, FormatError, GameRecord, ReadError, transcript,
};
use outflank_support::files;

use super::console::remark;
use super::error::{FAILURE, exit_status};
use super::number_options::whole;

/// Largest list of WTHOR's names in MiB: 65,535 names of 26 bytes.
const MAX_NAMES_MIB: u64 = 2;

/// The position taken from each game.
#[derive(Args, Clone, Copy, Default)]
pub(super) struct PositionArguments {
    /// Select the position with N empty squares from each game; from a file of positions, only those with N empty
    /// squares
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=60))]
    empties: Option<u32>,

    /// Select the position before move N of each game, counted from 1 without passes
    #[arg(long = "move", value_name = "N", value_parser = whole::<u32>(1..=61))]
    #[arg(conflicts_with = "empties")]
    before_move: Option<u32>,
}

impl PositionArguments {
    /// Returns `true` if an option selects a position.
    pub(super) fn selects_position(self) -> bool {
        self.empties.is_some() || self.before_move.is_some()
    }

    /// Selects one of the positions of a game, by default the last one. A single position counts as a game without
    /// moves.
    pub(super) fn choose(self, mut problems: impl Iterator<Item = Problem>) -> Option<Problem> {
        match (self.empties, self.before_move) {
            (Some(empties), _) => problems.find(|problem| problem.board.empty_count() == empties),
            (_, Some(number)) => problems.nth(number as usize - 1),
            (None, None) => problems.last(),
        }
    }

    /// Cuts a game off at the selected position; `None` if it has no such position.
    pub(super) fn up_to(self, mut game: Game) -> Option<Game> {
        let is_there = |game: &Game| match (self.empties, self.before_move) {
            (Some(empties), _) => game.board().empty_count() == empties,
            (_, Some(number)) => game.moves().count() == number as usize - 1,
            (None, None) => true,
        };
        while !is_there(&game) {
            game.undo()?;
        }
        Some(game)
    }
}

/// Error of an unusable input file. The message begins with the name of the file.
#[derive(Debug, thiserror::Error)]
pub(super) enum InputError {
    #[error("{0}: {1}")]
    Io(String, #[source] io::Error),
    /// A file of another kind, or an empty one.
    #[error("{0}: {1}")]
    Format(String, #[source] FormatError),
    /// A file in another format than `--from` says.
    #[error("{name}: expected {expected}, as --from says, but {detected}")]
    OtherFormat {
        name: String,
        expected: Format,
        detected: String,
    },
    #[error("{}", .1.in_file(.0))]
    Malformed(String, ReadError),
}
exit_status!(FAILURE; InputError);

/// Opens the input files of a command.
pub(super) struct Inputs {
    /// Format of all files; `None` to detect it.
    format: Option<Format>,
    /// Names of players and tournaments. The key is the folder of their lists.
    names: HashMap<PathBuf, Rc<Names>>,
}

impl Inputs {
    pub(super) fn new(format: Option<Format>) -> Inputs {
        Inputs {
            format,
            names: HashMap::new(),
        }
    }

    /// Opens the file at `path`; `-` is standard input. If there is no such file, `path` itself may be a position or the
    /// moves of a game.
    pub(super) fn open(&mut self, path: &Path) -> Result<Input, InputError> {
        let mut name = name_in_messages(path);
        let bytes = match (read(path), path.to_str()) {
            (Ok(bytes), _) => bytes,
            (Err(error), Some(text)) if is_absent(&error) && is_meant_as_text(text) => {
                name = "argument".to_owned();
                text.as_bytes().to_vec()
            }
            (Err(error), _) => return Err(InputError::Io(name, error)),
        };
        let format = match self.format {
            Some(format) => check_format(&bytes, format, &name).map(|()| format),
            None => Format::detect(&bytes).map_err(|error| InputError::Format(name.clone(), error)),
        }?;
        Ok(Input {
            name,
            bytes,
            format,
            names: match format {
                Format::Wthor => self.names_beside(path),
                _ => Rc::default(),
            },
        })
    }

    /// Names from the lists beside the database at `path`. Without usable lists the names stay numbers.
    fn names_beside(&mut self, path: &Path) -> Rc<Names> {
        if path == Path::new("-") {
            return Rc::default();
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let names = self.names.entry(folder.to_owned());
        names.or_insert_with(|| Rc::new(names_in(folder))).clone()
    }
}

/// Returns `true` if the error says that there is no such file, or that the path is too long for a file name.
fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::InvalidFilename | io::ErrorKind::NotADirectory
    )
}

/// Returns `true` if an argument is a position or a game rather than the name of a file.
fn is_meant_as_text(argument: &str) -> bool {
    match Format::detect(argument.as_bytes()) {
        // Names of files can begin with a move: d3.txt.
        Ok(Format::Transcript) => transcript::moves(argument).is_ok_and(|moves| !moves.is_empty()),
        // Names of files can begin like a board: 2011-01-10.wtb.
        Ok(Format::Obf) => {
            let words = argument.split_whitespace();
            let is_compact = argument.matches('/').count() == 7
                || words
                    .filter(|word| word.starts_with("0x") || word.starts_with("0X"))
                    .count()
                    >= 2;
            is_compact || argument.chars().filter(|c| !c.is_whitespace()).count() >= 64
        }
        Ok(Format::Wthor) | Err(_) => false,
        Ok(_) => true,
    }
}

/// Name of a file in messages.
fn name_in_messages(path: &Path) -> String {
    match path == Path::new("-") {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    }
}

/// Refuses a file that looks like another format than `--from` says, unless it has a valid entry in the expected
/// format.
fn check_format(bytes: &[u8], expected: Format, name: &str) -> Result<(), InputError> {
    let detected = match Format::detect(bytes) {
        Ok(format) if format != expected => format!("it looks like {format}"),
        Err(FormatError::Foreign(kind)) => kind.to_string(),
        _ => return Ok(()),
    };
    match notation::read(bytes, expected).any(|entry| entry.is_ok()) {
        true => Ok(()),
        false => Err(InputError::OtherFormat {
            name: name.to_owned(),
            expected,
            detected,
        }),
    }
}

/// A file of positions or games, read as a whole.
pub(super) struct Input {
    pub(super) name: String,
    bytes: Vec<u8>,
    format: Format,
    names: Rc<Names>,
}

impl Input {
    /// Iterates over the entries. Malformed ones are reported and skipped.
    pub(super) fn entries(&self) -> InputEntries<'_> {
        self.entries_named(&self.names)
    }

    /// Iterates over the entries without looking up names. WTHOR's players and tournaments stay numbers, which a new
    /// database with the same lists of names can keep.
    pub(super) fn numbered_entries(&self) -> InputEntries<'_> {
        self.entries_named(Names::none())
    }

    fn entries_named<'a>(&'a self, names: &'a Names) -> InputEntries<'a> {
        InputEntries {
            input: self,
            entries: notation::read_named(&self.bytes, self.format, names),
            malformed: Remarks::of(&self.name),
            seen: 0,
        }
    }

    /// The first position or game. A malformed one is an error.
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

/// Iterator over the valid entries of a file.
pub(super) struct InputEntries<'a> {
    input: &'a Input,
    entries: Box<dyn Iterator<Item = Result<FileEntry, ReadError>> + 'a>,
    malformed: Remarks<'a>,
    /// Number of entries, malformed ones included.
    seen: usize,
}

/// A position or game of a file.
pub(super) struct InputEntry {
    /// Number in the file, from 1; malformed entries count.
    pub(super) number: usize,
    /// File and line.
    pub(super) location: String,
    pub(super) contents: Contents,
}

impl Iterator for InputEntries<'_> {
    type Item = InputEntry;

    fn next(&mut self) -> Option<InputEntry> {
        loop {
            let entry = self.entries.next()?;
            self.seen += 1;
            match entry {
                Ok(FileEntry { location, contents }) => {
                    return Some(InputEntry {
                        number: self.seen,
                        location: location.in_file(&self.input.name),
                        contents,
                    });
                }
                Err(error) => self.malformed.add(error.in_file(&self.input.name)),
            }
        }
    }
}

impl InputEntries<'_> {
    /// Reports the number of malformed entries that were not listed. Returns the number of all malformed entries; an
    /// empty file is an error.
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

/// Name of a game, with its number in the file: `17. Tastet - Feinstein`. `None` if the players are not known.
pub(super) fn game_name(record: &GameRecord, number: usize) -> Option<String> {
    let players = record.players()?;
    Some(format!("{number}. {players}"))
}

/// The positions of a game, with its name.
pub(super) fn problems(record: &GameRecord, name: Option<String>) -> impl Iterator<Item = Problem> {
    record.problems().map(move |problem| Problem {
        name: name.clone(),
        ..problem
    })
}

/// Remarks about a file. The first ten are written, the others counted.
pub(super) struct Remarks<'a> {
    file: &'a str,
    pub(super) count: usize,
}

impl Remarks<'_> {
    const MAX: usize = 10;

    pub(super) fn of(file: &str) -> Remarks<'_> {
        Remarks { file, count: 0 }
    }

    pub(super) fn add(&mut self, text: impl Display) {
        self.count += 1;
        if self.count <= Self::MAX {
            remark(text);
        }
    }

    /// Writes the first ten of `texts` and the number of the others, with the noun in singular or plural.
    pub(super) fn list(
        file: &str,
        texts: impl IntoIterator<Item: Display>,
        [singular, plural_noun]: [&str; 2],
    ) {
        let mut remarks = Remarks::of(file);
        texts.into_iter().for_each(|text| remarks.add(text));
        remarks.end(singular, plural_noun);
    }

    /// Reports the number of remarks beyond the first ten, with the noun in singular or plural.
    pub(super) fn end(&self, singular: &str, plural_noun: &str) {
        let more = self.count.saturating_sub(Self::MAX);
        if more > 0 {
            let things = if more == 1 { singular } else { plural_noun };
            remark(format_args!("{}: … and {more} more {things}", self.file));
        }
    }
}

/// Reads the lists of names in a folder: `WTHOR.JOU` and `WTHOR.TRN`, else `WTH.JOU` and `WTH.TRN`. A damaged list is
/// reported and ignored.
pub(super) fn names_in(folder: &Path) -> Names {
    let mut names = Names::default();
    let mut read_list =
        |extension: &str,
         noun: &str,
         read_into: fn(&mut Names, &[u8]) -> Result<(), NamesError>| {
            let lists = ["WTHOR", "WTH"].map(|name| format!("{name}.{extension}"));
            let Some(path) = lists.iter().find_map(|name| file_called(folder, name)) else {
                return;
            };
            let fault = match is_regular(&path) {
                // A pipe may have no end.
                false => "ignored, as it is no regular file".to_owned(),
                true => match files::read(&path, MAX_NAMES_MIB, "list of names") {
                    Ok(bytes) => match read_into(&mut names, &bytes) {
                        Ok(()) => return,
                        Err(error) => format!("damaged: {error}"),
                    },
                    Err(error) => error.to_string(),
                },
            };
            let path = path.display();
            remark(format_args!("{path}: {fault}; {noun} are shown as numbers"));
        };
    read_list("JOU", "players", Names::read_players);
    read_list("TRN", "tournaments", Names::read_tournaments);
    names
}

fn is_regular(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// Finds the file with this name in a folder, ignoring case. A regular file is preferred to anything else.
fn file_called(folder: &Path, name: &str) -> Option<PathBuf> {
    // A path without a folder is in the current one.
    let listed = match folder == Path::new("") {
        true => Path::new("."),
        false => folder,
    };
    let files = fs::read_dir(listed).ok()?.flatten();
    let names = files.map(|file| file.file_name());
    let matching = names.filter(|entry: &OsString| entry.eq_ignore_ascii_case(name));
    let matching = matching.map(|name| folder.join(name));
    matching.min_by_key(|path| (!is_regular(path), path.clone()))
}

/// Reads the file of games or positions at `path`; `-` is standard input.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    match path == Path::new("-") {
        true => files::read_games_to_end(io::stdin().lock()),
        false => files::read_games(path),
    }
}
