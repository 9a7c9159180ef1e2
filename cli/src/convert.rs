//! `outflank convert`: games and positions from one format to another.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use outflank::notation::obf::Problem;
use outflank::notation::wthor::{Database, Names};
use outflank::notation::{Contents, Format, GameRecord, Unfit, ggf, transcript};
use outflank::text::counted;

use super::input::{
    InputError, Inputs, Item, PositionArguments, Remarks, game_name, names_in, problems,
};
use super::{CommandError, FAILURE, output};
use crate::outputs::{Files, ForceArgument, kind};
use crate::replace::Output;

/// Convert games and positions: OBF, GGF, WTHOR, transcripts
///
/// The format of a file is found out from its contents. Games that the new format cannot hold are named, counted and
/// left out: transcripts and WTHOR databases have games from the usual start only, and WTHOR needs the score of each
/// game. WTHOR has numbers in place of names. The names are read from the files WTHOR.JOU (players) and WTHOR.TRN
/// (tournaments) beside the database, if they exist.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files of games or positions; - is standard input; or moves or a position themselves
    #[arg(required = true, value_name = "IN")]
    files: Vec<PathBuf>,

    /// The format to write
    #[arg(long, value_name = "FORMAT", value_parser = formats(&Format::WRITTEN))]
    to: Format,

    /// The format of the files [default: what each looks like]
    #[arg(long, value_name = "FORMAT", value_parser = formats(&Format::ALL))]
    from: Option<Format>,

    /// The file to write, whole or not at all [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgument,

    /// Write every position of each game as OBF, from the start to the last one, instead of the last one alone
    #[arg(long, conflicts_with_all = ["empties", "before_move"])]
    every: bool,

    #[command(flatten)]
    position: PositionArguments,
}

const EXAMPLES: &str = "\
Examples:
  outflank convert WTH_2020.wtb --to transcript          the moves, one game a line
  outflank convert WTH_*.wtb --to ggf --out games.ggf    with players, results and scores
  outflank convert games.ggf --to wthor --out games.wtb
  outflank convert openings.txt --to obf                 the position after each opening
  outflank convert game.ggf --to obf --every             every position of each game
  outflank convert WTH_2020.wtb --to obf --empties 20 | outflank solve -
  echo f5d6c3d3 | outflank convert - --to obf

In OBF a position has its score where the file says it: at the end of a game, and where WTHOR has the
theoretical score. Where a side has to pass, it is the position after the pass.

The exit status is 1 where a file, line or game could not be read or was left out, else 0.";

/// A parser of the names of formats.
pub(super) fn formats(formats: &[Format]) -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(formats.iter().map(|format| format.name()))
        .map(|name| name.parse().expect("one of the names"))
}

/// Why nothing can be converted as it was asked for.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConvertError {
    /// The options for OBF do nothing for others.
    #[error("--every, --empties and --move choose positions, so they need --to obf")]
    NotPositions,
    /// A terminal cannot show it.
    #[error("WTHOR is binary, and no terminal can show it: name a file with --out")]
    Terminal,
}

/// Why a game or position is not written.
#[derive(Debug, thiserror::Error)]
enum Skip {
    #[error(transparent)]
    Unfit(#[from] Unfit),
    #[error("{0} has no place for a position without a game")]
    Position(Format),
}

/// Converts and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    if arguments.to != Format::Obf && (arguments.every || arguments.position.is_some()) {
        return Err(ConvertError::NotPositions.into());
    }
    if arguments.to == Format::Wthor && arguments.out.is_none() && io::stdout().is_terminal() {
        return Err(ConvertError::Terminal.into());
    }
    let [out] = Files::new().reading("IN", &arguments.files).writing(
        [("--out", arguments.out.as_ref(), kind::GAMES)],
        arguments.force,
    )?;
    let mut conversion = Conversion::new(arguments);
    let mut inputs = Inputs::new(arguments.from);
    for path in &arguments.files {
        if let Err(error) = conversion.file(path, &mut inputs)? {
            output::complain(error);
            conversion.unreadable += 1;
        }
    }
    conversion.finish(out)
}

/// What is converted, and how it went so far.
struct Conversion<'a> {
    arguments: &'a Arguments,
    /// What is not written yet: all of it where it goes to a file.
    buffer: Vec<u8>,
    /// The games where they become a database.
    database: Database,
    /// The names that belong to it.
    names: Names,
    written: usize,
    skipped: usize,
    malformed: usize,
    unreadable: usize,
    /// Games without the position that was asked for.
    too_short: usize,
    /// Games that say more than their new format has place for.
    abridged: usize,
}

impl<'a> Conversion<'a> {
    fn new(arguments: &'a Arguments) -> Conversion<'a> {
        Conversion {
            arguments,
            buffer: Vec::new(),
            database: Database::default(),
            names: match (arguments.to, &arguments.out) {
                (Format::Wthor, Some(out)) => names_in(out.parent().unwrap_or(Path::new(""))),
                _ => Names::default(),
            },
            written: 0,
            skipped: 0,
            malformed: 0,
            unreadable: 0,
            too_short: 0,
            abridged: 0,
        }
    }

    /// Converts what the file at `path` has.
    fn file(&mut self, path: &Path, inputs: &mut Inputs) -> io::Result<Result<(), InputError>> {
        let input = match inputs.open(path) {
            Ok(input) => input,
            Err(error) => return Ok(Err(error)),
        };
        let mut entries = match self.arguments.to {
            // Its numbers are those of the list beside it, which are the ones of the new database, too.
            Format::Wthor => input.numbered_entries(),
            _ => input.entries(),
        };
        let mut left_out = Remarks::of(&input.name);
        for item in entries.by_ref() {
            let Item {
                number,
                place,
                contents,
            } = item;
            if let Err(skip) = self.entry(number, contents) {
                left_out.add(format_args!("{place}: left out: {skip}"));
            }
            self.pour(1 << 16)?;
        }
        left_out.end("left out", "left out");
        self.skipped += left_out.count;
        Ok(entries
            .finish()
            .map(|malformed| self.malformed += malformed))
    }

    /// Converts the entry of this number in its file.
    fn entry(&mut self, number: usize, contents: Contents) -> Result<(), Skip> {
        match (self.arguments.to, contents) {
            (Format::Obf, Contents::Position(problem)) => {
                self.positions(std::iter::once(problem));
            }
            (Format::Obf, Contents::Game(record)) => {
                self.positions(problems(&record, game_name(&record, number)));
            }
            (Format::Ggf, Contents::Position(problem)) => {
                let record = GameRecord::of_problem(&problem);
                let record = record.expect("the reader takes no square held twice");
                self.line(ggf::write(&with_result(record)))
            }
            (Format::Ggf, Contents::Game(record)) => self.line(ggf::write(&with_result(record))),
            (format @ (Format::Transcript | Format::Wthor), Contents::Position(_)) => {
                return Err(Skip::Position(format));
            }
            (Format::Transcript, Contents::Game(record)) => {
                self.line(transcript::write(&record.game)?);
                self.abridged += usize::from(says_more(&record, |name, _| name == "TY"));
            }
            (Format::Wthor, Contents::Game(record)) => {
                self.database.add_named(&record, &self.names)?;
                self.written += 1;
                let is_abridged = says_more(&record, |name, value| {
                    Database::keeps(name, value, &self.names)
                });
                self.abridged += usize::from(is_abridged);
            }
            (Format::Sgf | Format::OthelloQuest, _) => unreachable!("--to offers no such format"),
        }
        Ok(())
    }

    /// Writes those of the positions that were asked for.
    fn positions(&mut self, problems: impl Iterator<Item = Problem>) {
        if self.arguments.every {
            return problems.for_each(|problem| self.line(problem));
        }
        match self.arguments.position.choose(problems) {
            Some(problem) => self.line(problem),
            None => self.too_short += 1,
        }
    }

    fn line(&mut self, text: impl Display) {
        writeln!(self.buffer, "{text}").expect("memory takes all");
        self.written += 1;
    }

    /// Writes to standard output, if that is where it goes, what is more than `most` bytes.
    fn pour(&mut self, most: usize) -> io::Result<()> {
        if self.arguments.out.is_none() && self.buffer.len() > most {
            let mut stdout = io::stdout().lock();
            stdout.write_all(&self.buffer)?;
            stdout.flush()?;
            self.buffer.clear();
        }
        Ok(())
    }

    /// Writes what is left, to `out` or standard output, and tells how it went.
    fn finish(mut self, out: Option<Output>) -> Result<u8, CommandError> {
        if self.arguments.to == Format::Wthor && self.written > 0 {
            let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
            self.database.made.year = today.year() as u16;
            self.database.made.month = today.month() as u8;
            self.database.made.day = today.day() as u8;
            self.buffer = self.database.write().expect("only what fits was added");
        }
        self.pour(0)?;
        let mut told = match (&self.arguments.out, out) {
            // An older file is better than none.
            (Some(_), _) if self.written == 0 => "nothing written".to_owned(),
            (Some(path), Some(mut out)) => {
                out.write(&self.buffer)?;
                format!("{}: {} written", path.display(), self.written)
            }
            _ => format!("{} written", self.written),
        };
        for (count, [one, several]) in [
            (self.skipped, ["left out"; 2]),
            (self.malformed, ["malformed"; 2]),
            (self.unreadable, ["file not usable", "files not usable"]),
            (self.too_short, ["without such a position"; 2]),
            (
                self.abridged,
                [
                    "game loses properties that the format cannot hold",
                    "games lose properties that the format cannot hold",
                ],
            ),
        ] {
            if count > 0 {
                told += &format!(", {}", counted(count, one, several));
            }
        }
        output::remark(told);
        let failed = self.skipped + self.malformed + self.unreadable > 0;
        Ok(if failed { FAILURE } else { 0 })
    }
}

/// Whether a game says more than what is kept of it.
fn says_more(record: &GameRecord, keeps: impl Fn(&str, &str) -> bool) -> bool {
    let has_notes = record.notes.iter().any(|&note| note != Default::default());
    has_notes || record.properties().any(|(name, value)| !keeps(name, value))
}

/// The record with what a GGF file always says.
pub(super) fn with_result(mut record: GameRecord) -> GameRecord {
    if record.property("RE").is_none() {
        let result = record
            .score()
            .map_or("?".to_owned(), |score| format!("{score:+}"));
        set(&mut record, "RE", &result);
    }
    if record.property("TY").is_none() {
        set(&mut record, "TY", "8");
    }
    record
}

fn set(record: &mut GameRecord, name: &str, value: &str) {
    record.set(name, value).expect("a name of a property");
}
