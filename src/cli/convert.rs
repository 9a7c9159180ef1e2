//! `outflank convert`: games and positions from one format to another.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use outflank::notation::obf::Problem;
use outflank::notation::wthor::Database;
use outflank::notation::{self, Contents, Entry, Format, GameRecord, Unfit, ggf, transcript};
use outflank::{Board, Game, Side, files};

use super::{CommandError, FAILURE, input, output};

/// Convert games and positions: OBF, GGF, WTHOR, transcripts
///
/// What a file is, its contents say. What the other format has no place for is named, counted and left
/// out: a transcript and a WTHOR database have no other start than the usual one; a WTHOR database needs
/// a score for every game, and has numbers in place of names.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files of games or positions; - is standard input
    #[arg(required = true, value_name = "IN")]
    files: Vec<PathBuf>,

    /// The format to write
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    to: Format,

    /// The format of the files [default: what each looks like]
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    from: Option<Format>,

    /// The file to write, replaced when the new one is whole [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// To OBF: every position of a game, from the start to the last one, instead of the last one
    #[arg(long, conflicts_with = "empties")]
    every: bool,

    /// To OBF: the position of a game with so many empty squares, instead of the last one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=60))]
    empties: Option<u32>,
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

/// The names of all formats.
pub(super) fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .map(|name| name.parse().expect("one of the names"))
}

/// Why nothing can be converted as it was asked for.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConvertError {
    /// The options for OBF do nothing for others.
    #[error("--every and --empties choose positions, so they need --to obf")]
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

/// The most that a file can have, in MiB.
const MOST_MIB: u64 = 1024;

/// Converts and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    if arguments.to != Format::Obf && (arguments.every || arguments.empties.is_some()) {
        return Err(ConvertError::NotPositions.into());
    }
    if arguments.to == Format::Wthor && arguments.out.is_none() && io::stdout().is_terminal() {
        return Err(ConvertError::Terminal.into());
    }
    if let Some(out) = &arguments.out {
        files::can_replace(out)?;
    }
    let mut conversion = Conversion::new(arguments);
    for path in &arguments.files {
        conversion.file(path)?;
    }
    conversion.finish()
}

/// What is converted, and how it went so far.
struct Conversion<'a> {
    arguments: &'a Arguments,
    /// What is not written yet: all of it where it goes to a file.
    buffer: Vec<u8>,
    /// The games where they become a database.
    database: Database,
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
            written: 0,
            skipped: 0,
            malformed: 0,
            unreadable: 0,
            too_short: 0,
            abridged: 0,
        }
    }

    /// Converts what the file at `path` has.
    fn file(&mut self, path: &Path) -> io::Result<()> {
        let name = path.display().to_string();
        let kind = "file of games or positions";
        let bytes = match input::read(path, MOST_MIB, kind) {
            Ok(bytes) => bytes,
            Err(error) => {
                output::complain(format_args!("{name}: {error}"));
                self.unreadable += 1;
                return Ok(());
            }
        };
        let format = self.arguments.from.unwrap_or_else(|| Format::of(&bytes));
        let mut is_empty = true;
        for entry in notation::read(&bytes, format) {
            is_empty = false;
            match entry {
                Ok(Entry { place, contents }) => {
                    if let Err(skip) = self.entry(contents) {
                        output::remark(format_args!("{}: left out: {skip}", place.of_file(&name)));
                        self.skipped += 1;
                    }
                }
                Err(error) => {
                    output::remark(error.of_file(&name));
                    self.malformed += 1;
                }
            }
            self.pour(1 << 16)?;
        }
        if is_empty {
            output::complain(format_args!("{name}: neither games nor positions in it"));
            self.unreadable += 1;
        }
        Ok(())
    }

    fn entry(&mut self, contents: Contents) -> Result<(), Skip> {
        match (self.arguments.to, contents) {
            (Format::Obf, Contents::Position(problem)) => self.positions([problem].into_iter()),
            (Format::Obf, Contents::Game(record)) => {
                match self.arguments.every || self.arguments.empties.is_some() {
                    true => self.positions(problems(&record)),
                    false => self.positions(problems(&record).last().into_iter()),
                }
            }
            (Format::Ggf, Contents::Position(problem)) => {
                self.line(ggf::write(&of_problem(&problem)))
            }
            (Format::Ggf, Contents::Game(record)) => self.line(ggf::write(&with_result(record))),
            (format, Contents::Position(_)) => return Err(Skip::Position(format)),
            (Format::Transcript, Contents::Game(record)) => {
                self.line(transcript::write(&record.game)?);
                self.count_abridged(&record, |name, _| name == "TY");
            }
            (Format::Wthor, Contents::Game(record)) => {
                self.database.add(&record)?;
                self.written += 1;
                self.count_abridged(&record, Database::keeps);
            }
        }
        Ok(())
    }

    /// Writes those of the positions that were asked for.
    fn positions(&mut self, problems: impl Iterator<Item = Problem>) {
        let before = self.written;
        let asked_for = self.arguments.empties;
        let is_asked_for = |problem: &Problem| {
            asked_for.is_none_or(|empties| problem.board.empty_count() == empties)
        };
        problems
            .filter(is_asked_for)
            .for_each(|problem| self.line(problem));
        self.too_short += usize::from(self.written == before);
    }

    fn line(&mut self, text: impl Display) {
        writeln!(self.buffer, "{text}").expect("memory takes all");
        self.written += 1;
    }

    /// Counts a game that says more than what is kept.
    fn count_abridged(&mut self, record: &GameRecord, keeps: impl Fn(&str, &str) -> bool) {
        let has_notes = record.notes.iter().any(|&note| note != Default::default());
        let has_more = record.properties().any(|(name, value)| !keeps(name, value));
        self.abridged += usize::from(has_notes || has_more);
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

    /// Writes what is left, and tells how it went.
    fn finish(mut self) -> Result<u8, CommandError> {
        if self.arguments.to == Format::Wthor && self.written > 0 {
            let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
            self.database.made.year = today.year() as u16;
            self.database.made.month = today.month() as u8;
            self.database.made.day = today.day() as u8;
            self.buffer = self.database.write().expect("only what fits was added");
        }
        self.pour(0)?;
        let mut told = match &self.arguments.out {
            // An older file is better than none.
            Some(_) if self.written == 0 => "nothing written".to_owned(),
            Some(out) => {
                files::replace(out, &self.buffer)?;
                format!("{}: {} written", out.display(), self.written)
            }
            None => format!("{} written", self.written),
        };
        for (count, what) in [
            (self.skipped, "left out"),
            (self.malformed, "malformed"),
            (
                self.unreadable,
                if self.unreadable == 1 {
                    "file not usable"
                } else {
                    "files not usable"
                },
            ),
            (self.too_short, "without such a position"),
            (self.abridged, "say more than there is place for"),
        ] {
            if count > 0 {
                told += &format!(", {count} {what}");
            }
        }
        output::remark(told);
        let failed = self.skipped + self.malformed + self.unreadable > 0;
        Ok(if failed { FAILURE } else { 0 })
    }
}

/// The positions of a game, with the scores that are known.
fn problems(record: &GameRecord) -> impl Iterator<Item = Problem> {
    record.game.turns().map(|(board, side)| Problem {
        board,
        side,
        moves: Vec::new(),
        score: known_score(record, board, side),
        line: 0,
    })
}

/// The exact score of a position of a game, from the side to move.
fn known_score(record: &GameRecord, board: Board, side: Side) -> Option<i32> {
    if board.is_game_over() {
        return Some(board.final_score());
    }
    let (empties, score) = record.theoretical_score()?;
    (u32::from(empties) == board.empty_count()).then(|| side.black_score(score))
}

/// A position as a game of which nothing was played.
fn of_problem(problem: &Problem) -> GameRecord {
    let start = Game::from_start(problem.board, problem.side);
    let mut record = GameRecord::new(start.expect("the reader saw to it"));
    if let Some(score) = problem.best_score() {
        let score = problem.side.black_score(score);
        set(
            &mut record,
            "TS",
            &format!("{} {score:+}", problem.board.empty_count()),
        );
    }
    with_result(record)
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
