//! `outflank train records`: contents of record files.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use outflank::eval::DISC;
use outflank_train::record::{Damage, Reader, Record, SkippedRange, Source};

use crate::console::{print_line, remark};
use crate::error::for_each_file;
use crate::json::{object, to_line};
use crate::number_options::grouped;
use crate::{CommandError, FAILURE};
use outflank_support::text::plural;

/// Show the contents of record files: settings, positions by empty squares and source, damage
///
/// A killed run leaves an incomplete last block. It is skipped with a message. Other damage ends the file with an error
/// or, with --skip-damage, is skipped. The exit status is 1 in both cases.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Record files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write one JSON object per file
    ///
    /// {file, bytes, blocks, positions, games, settings: {name: value}, empties: [{empties, exact, searched, game,
    /// mean, spread}], depths: {depth of search: positions}, left_out: [{from, to, tail, what}]}. Mean and spread (the
    /// standard deviation) of the labels are in discs. from and to are byte offsets.
    #[arg(long)]
    json: bool,

    /// Write the positions as problems (OBF) with scores but without moves. Inexact scores are rounded, and a comment
    /// has their origin
    #[arg(long, conflicts_with = "json")]
    obf: bool,

    /// Skip damaged parts of a file and report them
    #[arg(long)]
    skip_damage: bool,
}

const EXAMPLES: &str = "\
Examples:
  outflank train records a.records                 settings, positions by empty squares, damage
  outflank train records --json a.records
  outflank train records --obf a.records > a.obf   positions as problems";

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let mut damaged = false;
    let failures = for_each_file(&arguments.files, |path| {
        damaged |= list(arguments, path)?;
        Ok(())
    })?;
    Ok(if damaged || failures > 0 { FAILURE } else { 0 })
}

/// Lists a file. Returns `true` if it is damaged.
fn list(arguments: &Arguments, path: &Path) -> Result<bool, CommandError> {
    let damage = match arguments.skip_damage {
        true => Damage::Skip,
        false => Damage::Refuse,
    };
    let mut reader = Reader::open(path, damage)?;
    let mut contents = Contents::default();
    let mut output = BufWriter::new(io::stdout().lock());
    // If the reader fails, dropping the output still writes the positions before the damage.
    for block in reader.by_ref() {
        contents.blocks += 1;
        for record in &block?.records {
            if arguments.obf {
                writeln!(output, "{}", problem(record))?;
            } else {
                contents.add(record);
            }
        }
    }
    output.flush()?;
    drop(output);
    if arguments.json {
        print_line(contents.json(path, &reader))?;
    } else if !arguments.obf {
        print_line(contents.table(path, &reader))?;
    }
    for part in reader.left_out() {
        remark(format_args!("{}: {}", path.display(), damage_message(part)));
    }
    Ok(reader.left_out().iter().any(|part| !part.is_tail))
}

fn damage_message(part: &SkippedRange) -> String {
    let SkippedRange {
        from, to, fault, ..
    } = part;
    let bytes = plural(grouped(to - from), "byte", "bytes");
    match part.is_tail {
        true => format!("{bytes} behind the last whole block left out ({fault})"),
        false => format!("damaged: {bytes} from byte {from} on left out ({fault})"),
    }
}

/// OBF line of a record.
fn problem(record: &Record) -> String {
    let (board, discs) = (record.board, record.discs());
    match record.source {
        Source::Exact => format!("{board} X; --:{discs:+};"),
        Source::Search { depth } => {
            let exactly = f64::from(record.value) / f64::from(DISC);
            format!("{board} X; --:{discs:+}; % {exactly:+.2} by a search of {depth}")
        }
        Source::Game => format!("{board} X; --:{discs:+}; % the result of a game"),
    }
}

/// Statistics of a file.
#[derive(Default)]
struct Contents {
    blocks: u64,
    rows: BTreeMap<u32, Row>,
    depths: BTreeMap<u8, u64>,
    games: HashSet<u32>,
}

/// Statistics of one number of empty squares.
#[derive(Default)]
struct Row {
    exact: u64,
    searched: u64,
    game: u64,
    /// Sum of the labels in discs.
    sum: f64,
    /// Sum of the squared labels.
    squares: f64,
}

impl Contents {
    fn add(&mut self, record: &Record) {
        let row = self.rows.entry(record.board.empty_count()).or_default();
        match record.source {
            Source::Exact => row.exact += 1,
            Source::Game => row.game += 1,
            Source::Search { depth } => {
                row.searched += 1;
                *self.depths.entry(depth).or_default() += 1;
            }
        }
        let discs = f64::from(record.value) / f64::from(DISC);
        row.sum += discs;
        row.squares += discs * discs;
        self.games.insert(record.game);
    }

    fn positions(&self) -> u64 {
        self.rows.values().map(Row::positions).sum()
    }

    fn table(&self, path: &Path, reader: &Reader) -> String {
        let positions = self.positions();
        let mut text = format!(
            "{}: {} of {} in {}, {}, {:.2} a position\n",
            path.display(),
            plural(grouped(positions), "position", "positions"),
            plural(grouped(self.games.len() as u64), "game", "games"),
            plural(grouped(self.blocks), "block", "blocks"),
            plural(grouped(reader.bytes()), "byte", "bytes"),
            reader.bytes() as f64 / positions.max(1) as f64,
        );
        for (name, value) in reader.settings().iter() {
            text += &format!("  {name} = {value}\n");
        }
        for (depth, count) in &self.depths {
            let count = plural(grouped(*count), "position", "positions");
            text += &format!("  searched to {depth}: {count}\n");
        }
        text += "empties|     exact |  searched |      game |  mean | spread\n";
        text += "-------+-----------+-----------+-----------+-------+-------";
        for (empties, row) in &self.rows {
            let [exact, searched, game] = [row.exact, row.searched, row.game].map(grouped);
            let (mean, spread) = row.mean_and_spread();
            text += &format!(
                "\n{empties:>7} {exact:>11} {searched:>11} {game:>11} {mean:>+7.2} {spread:>7.2}"
            );
        }
        text
    }

    fn json(&self, path: &Path, reader: &Reader) -> String {
        let rows = self.rows.iter().map(|(&empties, row)| {
            let (mean, spread) = row.mean_and_spread();
            object! {
                empties,
                exact: row.exact,
                searched: row.searched,
                game: row.game,
                mean,
                spread,
            }
        });
        let left_out = reader.left_out().iter().map(|part| {
            object! { from: part.from, to: part.to, tail: part.is_tail, what: part.fault }
        });
        to_line(&object! {
            file: path.display().to_string(),
            bytes: reader.bytes(),
            blocks: self.blocks,
            positions: self.positions(),
            games: self.games.len(),
            settings: reader.settings().iter().collect::<BTreeMap<_, _>>(),
            empties: rows.collect::<Vec<_>>(),
            depths: &self.depths,
            left_out: left_out.collect::<Vec<_>>(),
        })
    }
}

impl Row {
    fn positions(&self) -> u64 {
        self.exact + self.searched + self.game
    }

    /// Mean and standard deviation of the labels, in discs.
    fn mean_and_spread(&self) -> (f64, f64) {
        let count = self.positions() as f64;
        let mean = self.sum / count;
        (mean, (self.squares / count - mean * mean).max(0.0).sqrt())
    }
}
