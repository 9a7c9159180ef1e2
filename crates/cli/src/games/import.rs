//! `outflank games import`: addition of games to a database.

use std::path::{Path, PathBuf};

use clap::Args;
use outflank::StopHandle;
use outflank::notation::{Contents, Format};
use outflank_games::{Addition, DatabaseError, Writer};
use outflank_support::text::plural;

use crate::CommandError;
use crate::console::{print_line, remark};
use crate::error::FAILURE;
use crate::input::{InputError, Inputs, Remarks};
use crate::json::{object, to_line};
use crate::number_options::{grouped, names};
use crate::output_files::Files;
use crate::signals::{report_interrupted, stop_on_interrupt};

/// Add the games of files to a database
///
/// A file that does not exist becomes a new database. Formats are detected: WTHOR, GGF, SGF, PGN and other transcripts,
/// Othello Quest. WTHOR's players and tournaments get their names from WTHOR.JOU and WTHOR.TRN beside the files. All
/// properties of a game are kept, but not the evaluations and times of its moves.
///
/// Games that are there are left out: those with the same moves up to symmetry whose players and years do not contradict
/// each other. Unknown players (`#8`) and years contradict nothing. So a command that was interrupted can be repeated.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Database, a new or an existing file
    #[arg(value_name = "DB")]
    database: PathBuf,

    /// Files of games; - is standard input. Moves are accepted in place of a file
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Format of the files [default: detected from their contents]
    #[arg(long, value_name = "FORMAT", value_parser = names(&Format::ALL, Format::name))]
    from: Option<Format>,

    /// Write the counts as a JSON object
    ///
    /// {added, duplicates, left_out, malformed, unusable_files, games, bytes}. The last two are those of the database,
    /// null without one.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  outflank games import my.games WTH_*.wtb
  outflank games import my.games mine.ggf club.pgn
  outflank games import my.games - < games.txt

The exit status is 1 if a file, line or game could not be read, else 0.";

/// Counts of an import.
#[derive(Default)]
struct Counts {
    added: usize,
    duplicates: usize,
    left_out: usize,
    malformed: usize,
}

/// State of an import.
struct Import<'a> {
    path: &'a Path,
    writer: Option<Writer>,
    counts: Counts,
    stop: StopHandle,
}

impl Import<'_> {
    /// Adds the games of a file, until the command is interrupted.
    fn file(&mut self, file: &Path, inputs: &mut Inputs) -> Result<(), CommandError> {
        let input = inputs.open(file)?;
        let mut entries = input.entries();
        let mut left_out = Remarks::of(&input.name);
        for entry in entries.by_ref() {
            let addition = match entry.contents {
                Contents::Game(record) => self.writer()?.add(&record)?,
                Contents::Position(_) => Addition::NoMoves,
            };
            match addition {
                Addition::New(_) => self.counts.added += 1,
                Addition::Duplicate(_) => self.counts.duplicates += 1,
                Addition::NoMoves => {
                    left_out.add(format_args!("{}: left out: no moves", entry.location))
                }
            }
            if self.stop.is_stopped() {
                break;
            }
        }
        left_out.end("left out", "left out");
        self.counts.left_out += left_out.count;
        self.counts.malformed += entries.finish()?;
        Ok(())
    }

    fn writer(&mut self) -> Result<&mut Writer, DatabaseError> {
        if self.writer.is_none() {
            self.writer = Some(Writer::create(self.path)?);
        }
        Ok(self.writer.as_mut().expect("it is open"))
    }
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    Files::new()
        .reading("FILE", &arguments.files)
        .updating("DB", [&arguments.database])?;
    let path = &arguments.database;
    let mut import = Import {
        path,
        // Created for the first game, so that a mistake leaves no empty file.
        writer: match path.try_exists() {
            Ok(false) => None,
            _ => Some(Writer::open(path)?),
        },
        counts: Counts::default(),
        stop: StopHandle::default(),
    };
    stop_on_interrupt(&import.stop)?;
    let mut inputs = Inputs::new(arguments.from);
    let mut unusable = 0;
    for file in &arguments.files {
        if import.stop.is_stopped() {
            break;
        }
        match import.file(file, &mut inputs) {
            Err(error) if error.downcast_ref::<InputError>().is_some() => {
                error.report();
                unusable += 1;
            }
            result => result?,
        }
    }
    let Import {
        writer,
        counts,
        stop,
        ..
    } = import;
    let size = match writer {
        Some(mut writer) => {
            writer.commit()?;
            Some((writer.games().len(), writer.size()?))
        }
        None => None,
    };
    let Counts {
        added,
        duplicates,
        left_out,
        malformed,
    } = counts;
    match arguments.json {
        true => print_line(to_line(&object! {
            added,
            duplicates,
            left_out,
            malformed,
            unusable_files: unusable,
            games: size.map(|(games, _)| games),
            bytes: size.map(|(_, bytes)| bytes),
        }))?,
        false => {
            let mut text = format!("{} added", grouped(added as u64));
            for (count, what) in [
                (duplicates, "already there"),
                (left_out, "left out"),
                (malformed, "malformed"),
            ] {
                if count > 0 {
                    text += &format!(", {} {what}", grouped(count as u64));
                }
            }
            let path = path.display();
            match size {
                Some((games, bytes)) => {
                    let games = plural(grouped(games as u64), "game", "games");
                    remark(format_args!(
                        "{path}: {text}; {games}, {} bytes",
                        grouped(bytes)
                    ));
                }
                None => remark(format_args!("{path}: {text}; no database was made")),
            }
        }
    }
    Ok(match stop.is_stopped() {
        true => report_interrupted(),
        false if malformed + unusable > 0 => FAILURE,
        false => 0,
    })
}
