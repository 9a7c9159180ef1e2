//! `outflank convert`: conversion of games and positions between formats.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::iter;
use std::path::{Path, PathBuf};

use clap::Args;
use outflank::notation::obf::Problem;
use outflank::notation::wthor::{Database, Names};
use outflank::notation::{Contents, Format, GameRecord, UnsupportedGame, ggf, transcript};
use outflank_support::text::plural;

use super::console;
use super::error::{CommandError, FAILURE, USAGE, exit_status, for_each_file};
use super::input::{Inputs, PositionArguments, Remarks, game_name, names_in, problems};
use super::number_options::names;
use crate::output_files::{Files, ForceArgument, kind};
use crate::replace::OutputFile;

/// Convert games and positions: OBF, GGF, SGF, WTHOR, Othello Quest, transcripts
///
/// The format of a file is detected from its contents. SGF and the JSON of Othello Quest are only read. Transcripts
/// include PGN.
///
/// Games that the new format cannot hold are left out, reported and counted. Transcripts and WTHOR hold only games from
/// the usual starting position. WTHOR also needs the score of each game.
///
/// WTHOR stores players and tournaments as numbers. Their names are read from the files WTHOR.JOU (players) and
/// WTHOR.TRN (tournaments) beside the database, if they exist.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files of games or positions; - is standard input. Moves or a position are accepted in place of a file
    #[arg(required = true, value_name = "IN")]
    files: Vec<PathBuf>,

    /// Format of the files [default: detected from their contents]
    #[arg(long, value_name = "FORMAT", value_parser = names(&Format::ALL, Format::name))]
    from: Option<Format>,

    #[command(flatten)]
    output: OutputArguments,
}

/// Format and file to write, and the positions to take from games.
#[derive(Args)]
pub(super) struct OutputArguments {
    /// Format to write
    #[arg(long, value_name = "FORMAT", value_parser = names(&Format::WRITTEN, Format::name))]
    to: Format,

    /// File to write, completely or not at all [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgument,

    /// Write every position of each game as OBF, not only the last one
    #[arg(long, conflicts_with_all = ["empties", "before_move"])]
    every: bool,

    #[command(flatten)]
    position: PositionArguments,
}

const EXAMPLES: &str = "\
Examples:
  outflank convert WTH_2020.wtb --to transcript         moves only, one game per line
  outflank convert WTH_*.wtb --to ggf --out games.ggf   with players, results and scores
  outflank convert games.ggf --to wthor --out games.wtb
  outflank convert openings.txt --to obf                position after each opening
  outflank convert game.ggf --to obf --every            every position of each game
  outflank convert WTH_2020.wtb --to obf --empties 20 | outflank solve -
  echo f5d6c3d3 | outflank convert - --to obf

OBF positions get a score if the file has one: at the end of a game, and where WTHOR has a theoretical
score. If a side has to pass, the position after the pass is written.

The exit status is 1 if a file, line or game could not be read or was left out, else 0.";

/// Options of `convert` that contradict each other.
#[derive(Debug, thiserror::Error)]
enum ConvertError {
    #[error("--every, --empties and --move choose positions, so they need --to obf")]
    NotPositions,
    #[error("WTHOR is binary, and no terminal can show it: name a file with --out")]
    BinaryToTerminal,
}
exit_status!(USAGE; ConvertError);

/// Reason why a game or position is left out.
#[derive(Debug, thiserror::Error)]
enum SkipReason {
    #[error(transparent)]
    UnsupportedGame(#[from] UnsupportedGame),
    #[error("{0} has no place for a position without a game")]
    Position(Format),
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let out = arguments
        .output
        .open(Files::new().reading("IN", &arguments.files))?;
    let mut conversion = Conversion::new(&arguments.output);
    let mut inputs = Inputs::new(arguments.from);
    let unreadable = for_each_file(&arguments.files, |path| conversion.file(path, &mut inputs))?;
    conversion.finish(out, unreadable)
}

impl OutputArguments {
    /// Checks the options and opens the file to write, if there is one.
    pub(super) fn open(&self, files: Files) -> Result<Option<OutputFile>, CommandError> {
        if self.to != Format::Obf && (self.every || self.position.selects_position()) {
            return Err(ConvertError::NotPositions.into());
        }
        if self.to == Format::Wthor && self.out.is_none() && io::stdout().is_terminal() {
            return Err(ConvertError::BinaryToTerminal.into());
        }
        let outputs = [("--out", self.out.as_ref(), kind::GAMES)];
        let [out] = files.writing(outputs, self.force)?;
        Ok(out)
    }
}

/// State of the conversion.
pub(super) struct Conversion<'a> {
    output: &'a OutputArguments,
    /// Output that is not written yet. With `--out` it holds the whole output.
    buffer: Vec<u8>,
    /// The games of a new WTHOR database.
    database: Database,
    /// Lists of names beside the new database. They map names of players and tournaments to numbers.
    names: Names,
    written: usize,
    skipped: usize,
    malformed: usize,
    /// Games without the selected position.
    too_short: usize,
    /// Games with properties that the new format cannot hold.
    abridged: usize,
}

impl<'a> Conversion<'a> {
    pub(super) fn new(output: &'a OutputArguments) -> Conversion<'a> {
        Conversion {
            output,
            buffer: Vec::new(),
            database: Database::default(),
            names: match (output.to, &output.out) {
                (Format::Wthor, Some(out)) => names_in(out.parent().unwrap_or(Path::new(""))),
                _ => Names::default(),
            },
            written: 0,
            skipped: 0,
            malformed: 0,
            too_short: 0,
            abridged: 0,
        }
    }

    /// Converts the file at `path`.
    fn file(&mut self, path: &Path, inputs: &mut Inputs) -> Result<(), CommandError> {
        let input = inputs.open(path)?;
        let mut entries = match self.output.to {
            // The numbers refer to the same lists in the new database.
            Format::Wthor => input.numbered_entries(),
            _ => input.entries(),
        };
        let mut left_out = Remarks::of(&input.name);
        for entry in entries.by_ref() {
            self.add(entry.number, entry.contents, &entry.location, &mut left_out)?;
        }
        self.end(&left_out);
        self.malformed += entries.finish()?;
        Ok(())
    }

    /// Converts an entry with its number in the file, or reports that it is left out.
    pub(super) fn add(
        &mut self,
        number: usize,
        contents: Contents,
        location: &str,
        left_out: &mut Remarks,
    ) -> io::Result<()> {
        if let Err(skip) = self.convert(number, contents) {
            left_out.add(format_args!("{location}: left out: {skip}"));
        }
        self.flush(1 << 16)
    }

    /// Counts what was left out of a file.
    pub(super) fn end(&mut self, left_out: &Remarks) {
        left_out.end("left out", "left out");
        self.skipped += left_out.count;
    }

    /// Converts an entry with its number in the file.
    fn convert(&mut self, number: usize, contents: Contents) -> Result<(), SkipReason> {
        match (self.output.to, contents) {
            (Format::Obf, Contents::Position(problem)) => self.positions(iter::once(problem)),
            (Format::Obf, Contents::Game(record)) => {
                self.positions(problems(&record, game_name(&record, number)));
            }
            (Format::Ggf, Contents::Position(problem)) => {
                let record = GameRecord::from_problem(&problem);
                let record = record.expect("the reader takes no square held twice");
                self.write_line(ggf::write(&with_result(record)))
            }
            (Format::Ggf, Contents::Game(record)) => {
                self.write_line(ggf::write(&with_result(record)))
            }
            (format @ (Format::Transcript | Format::Wthor), Contents::Position(_)) => {
                return Err(SkipReason::Position(format));
            }
            (Format::Transcript, Contents::Game(record)) => {
                self.write_line(transcript::write(&record.game)?);
                self.abridged += usize::from(loses_properties(&record, |name, _| name == "TY"));
            }
            (Format::Wthor, Contents::Game(record)) => {
                self.database.add_named(&record, &self.names)?;
                self.written += 1;
                let is_abridged = loses_properties(&record, |name, value| {
                    Database::keeps(name, value, &self.names)
                });
                self.abridged += usize::from(is_abridged);
            }
            (Format::Sgf | Format::OthelloQuest, _) => unreachable!("--to offers no such format"),
        }
        Ok(())
    }

    /// Writes the selected positions of a game.
    fn positions(&mut self, problems: impl Iterator<Item = Problem>) {
        if self.output.every {
            return problems.for_each(|problem| self.write_line(problem));
        }
        match self.output.position.choose(problems) {
            Some(problem) => self.write_line(problem),
            None => self.too_short += 1,
        }
    }

    fn write_line(&mut self, text: impl Display) {
        writeln!(self.buffer, "{text}").expect("writing to memory cannot fail");
        self.written += 1;
    }

    /// Writes the buffer to standard output if it has more than `most` bytes. With `--out` does nothing.
    fn flush(&mut self, most: usize) -> io::Result<()> {
        if self.output.out.is_none() && self.buffer.len() > most {
            let mut stdout = io::stdout().lock();
            stdout.write_all(&self.buffer)?;
            stdout.flush()?;
            self.buffer.clear();
        }
        Ok(())
    }

    /// Writes the rest to `out` or standard output. Reports the counts.
    pub(super) fn finish(
        mut self,
        out: Option<OutputFile>,
        unreadable: usize,
    ) -> Result<u8, CommandError> {
        if self.output.to == Format::Wthor && self.written > 0 {
            let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
            let made = &mut self.database.made;
            made.year = today.year() as u16;
            made.month = today.month() as u8;
            made.day = today.day() as u8;
            let database = self.database.write();
            self.buffer = database.expect("only fitting games were added");
        }
        self.flush(0)?;
        let mut summary = match (&self.output.out, out) {
            // An older file is kept.
            (Some(_), _) if self.written == 0 => "nothing written".to_owned(),
            (Some(path), Some(mut out)) => {
                out.write(&self.buffer)?;
                format!("{}: {} written", path.display(), self.written)
            }
            _ => format!("{} written", self.written),
        };
        let lossy = [
            "game loses properties that the format cannot hold",
            "games lose properties that the format cannot hold",
        ];
        for (count, [singular, plural_noun]) in [
            (self.skipped, ["left out"; 2]),
            (self.malformed, ["malformed"; 2]),
            (unreadable, ["file not usable", "files not usable"]),
            (self.too_short, ["without such a position"; 2]),
            (self.abridged, lossy),
        ] {
            if count > 0 {
                summary += &format!(", {}", plural(count, singular, plural_noun));
            }
        }
        console::remark(summary);
        let failed = self.skipped + self.malformed + unreadable > 0;
        Ok(if failed { FAILURE } else { 0 })
    }
}

/// Returns `true` if a game has notes, or a property that `keeps` rejects.
fn loses_properties(record: &GameRecord, keeps: impl Fn(&str, &str) -> bool) -> bool {
    let has_notes = record.notes.iter().any(|&note| note != Default::default());
    has_notes || record.properties().any(|(name, value)| !keeps(name, value))
}

/// Adds the properties that every GGF file has: result and type.
pub(super) fn with_result(mut record: GameRecord) -> GameRecord {
    let score = record.score();
    let result = score.map_or("?".to_owned(), |score| format!("{score:+}"));
    for (name, value) in [("RE", result.as_str()), ("TY", "8")] {
        if record.property(name).is_none() {
            record.set(name, value).expect("a name of a property");
        }
    }
    record
}
