//! `outflank solve`: solves the positions of files.

mod certificate_file;
mod journal;
mod run;
mod score_file;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use outflank::notation::Format;
use outflank::{Limits, Window};
use outflank_support::text::plural;

use super::console;
use super::engine::{EngineArguments, StrengthArguments};
use super::error::{CommandError, FAILURE, USAGE, exit_status, for_each_file};
use super::input::{Inputs, PositionArguments};
use super::number_options::seconds;
use super::number_options::{ANY_U64, POSITIVE_U32, names, whole};
use super::output_files::{Files, ForceArgument};
use super::problem_choice::choose;
use super::problem_file::ProblemFile;
use super::problem_result::{Totals, json, table};
use super::progress::ProgressArgument;
use super::signals::{report_interrupted, stop_on_interrupt};
use certificate_file::{CertificateArguments, CertificateFile};
use run::Batch;
use score_file::ScoreFile;

/// Solve positions exactly, or search them within limits
///
/// A file has positions (OBF, printed boards) or games (GGF, SGF, WTHOR, Othello Quest, transcripts such as
/// f5d6c3). OBF has one position per line: the squares A1 to H8 (X black, O white, - empty), the side to move,
/// and optionally the scores of its moves, which the results are checked against:
///
///   ---...--- X; G8:+18; H1:+12; % the name of the position
///   ---...--- X; --:+18;                (only the score is known)
///
/// The last position of each game is solved, unless --empties or --move selects another. For finished games
/// one of them is required. Theoretical scores of games are checked, too.
///
/// Scores are discs for the side to move; empty squares go to the winner. The expected score of a position is
/// the best score that the file lists for it. The expected moves are those with this score.
///
/// A bound is marked: >=+10 is +10 or more, <=+4 is +4 or less. An upper bound comes without a best move,
/// because all moves failed low. A position is called solved if the search reached the end of the game without
/// selectivity, else searched. Ctrl-C ends the search and writes the best result so far, as --time does. On a
/// terminal, a running search shows its depth, score and best line.
///
/// Up to 20 empty squares take well under a second, 24 some seconds, and each further one about three times as
/// long.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files of positions or games; - is standard input. A position or moves are accepted in place of a file
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Format of the files [default: detected from their contents]
    #[arg(long, value_name = "FORMAT", value_parser = names(&Format::ALL, Format::name))]
    from: Option<Format>,

    #[command(flatten)]
    position: PositionArguments,

    /// Name or number of positions to solve, instead of all; may be given several times. Words of a name suffice: 'FFO
    /// 40', Tastet. Numbers count from 1 through all files
    #[arg(long, value_name = "NAME|N")]
    only: Vec<String>,

    /// Write JSON instead of a table: one object per position, then a summary
    #[arg(long)]
    json: bool,

    /// Search only for win, draw or loss (in JSON 1, 0 or -1). A position that is searched but not solved has a score
    /// in discs
    #[arg(long)]
    wld: bool,

    /// Search window in discs, from -64 to 64; a score outside the window becomes a bound [default: -64 64]
    #[arg(long, num_args = 2, value_names = ["LOW", "HIGH"], value_parser = whole::<i32>(-64..=64))]
    #[arg(conflicts_with = "wld")]
    window: Option<Vec<i32>>,

    #[command(flatten)]
    strength: StrengthArguments,

    /// Number of best moves to search, each with its own score
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = whole::<u32>(POSITIVE_U32))]
    lines: u32,

    /// Score all moves, and write the positions with these scores to a file (OBF), for `outflank suite`. Positions that are
    /// not solved are left out
    #[arg(long, value_name = "FILE", conflicts_with_all = ["wld", "window", "lines"])]
    save_scores: Option<PathBuf>,

    #[command(flatten)]
    certificate: CertificateArguments,

    #[command(flatten)]
    force: ForceArgument,

    /// Maximum number of nodes per search; at the limit the best result so far is written
    #[arg(long, value_name = "N", value_parser = whole::<u64>(ANY_U64))]
    nodes: Option<u64>,

    /// Maximum time per search in seconds; at the limit the best result so far is written
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,

    /// Positions to search at once, 1 to 512, each on one thread and with --hash / N MiB of the table. Faster than
    /// --threads for many easy positions [default: 1]
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u16>(1..=512))]
    #[arg(hide_default_value = true)]
    jobs: u16,

    #[command(flatten)]
    engine: EngineArguments,

    #[command(flatten)]
    progress: ProgressArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank solve data/problems/ffo-20-39.obf            exact score and best play of every position
  outflank solve --wld FILE                             only win, draw or loss, which is faster
  outflank solve --window -10 10 FILE                   exact scores between -10 and 10, else bounds
  outflank solve --level 21 data/problems/midgame.obf   a selective search at level 21 of Edax
  outflank solve --only 'FFO #23' FILE                  one position of a file, by name or number
  outflank solve --lines 3 --time 2.5 FILE              the three best moves, within 2.5 seconds
  outflank solve --save-scores all.obf FILE             the exact scores of all moves, as a file
  outflank solve --certificate proof.cert FILE          with proofs of the scores
  outflank solve --jobs 8 FILE                          many easy positions, eight at once
  outflank solve game.ggf --move 39                     the position before move 39 of a game
  outflank solve WTH_2020.wtb --empties 14              the position with 14 empty squares of each game
  outflank solve --json - < FILE                        one JSON object per position, and a summary
  outflank solve \"--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X\"";

/// Bound above the number of moves of any position.
const MAX_MOVES: u32 = 64;

impl Arguments {
    /// The files that the command reads.
    fn inputs(&self) -> Files {
        Files::new()
            .reading("FILE", &self.files)
            .reading("--weights", &self.engine.weights)
    }

    fn limits(&self, empties: u32, window: Window) -> Limits {
        let strength = self.strength.strength();
        Limits {
            window,
            lines: match &self.save_scores {
                Some(_) => MAX_MOVES,
                None => self.lines,
            },
            nodes: self.nodes,
            time: self.time,
            ..strength.map_or(Limits::EXACT, |strength| strength.limits(empties))
        }
    }

    fn window(&self) -> Result<Window, WindowError> {
        match self.window.as_deref() {
            Some(&[low, high]) => Window::new(low, high).ok_or(WindowError { low, high }),
            _ if self.wld => Ok(Window::WLD),
            _ => Ok(Window::EXACT),
        }
    }
}

/// Error of an impossible `--window`.
#[derive(Debug, thiserror::Error)]
#[error("a window has -64 <= LOW < HIGH <= 64, unlike {low} and {high}")]
struct WindowError {
    low: i32,
    high: i32,
}
exit_status!(USAGE; WindowError);

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let window = arguments.window()?;
    let mut engines = arguments.engine.engines(arguments.jobs.into())?;
    let (isa, stop) = (engines[0].isa(), engines[0].stop_handle());
    let mut totals = Totals::default();
    let (mut files, mut finished, mut numbered) = (Vec::new(), 0, 0);
    let mut inputs = Inputs::new(arguments.from);
    let failures = for_each_file(&arguments.files, |path| {
        let file = ProblemFile::read(path, &mut inputs, arguments.position, numbered)?;
        numbered += file.problems.len();
        totals.malformed += file.malformed;
        finished += file.finished;
        files.push(file);
        Ok(())
    })?;

    choose(&arguments.only, &mut files)?;
    let mut score_file = ScoreFile::open(arguments)?;
    let mut certificate_file =
        CertificateFile::open(&arguments.certificate, arguments.inputs(), arguments.force)?;
    if let Some(file) = &certificate_file {
        file.leave_out_proven(&mut files, window);
    }

    // Until here, Ctrl-C ends the program at once. From here on, the results so far are written first.
    stop_on_interrupt(&stop)?;
    let batch = Batch {
        arguments,
        files: &files,
        window,
    };
    totals.join(&batch.solve(
        &mut engines,
        &stop,
        score_file.as_mut(),
        certificate_file.as_mut(),
    )?);
    let unsaved = score_file.map_or(0, |file| file.unsaved);
    if unsaved > 0 {
        let unsaved = plural(unsaved, "position is", "positions are");
        console::remark(format_args!(
            "{unsaved} not saved: not solved, or without a move"
        ));
    }

    let uncertified = certificate_file.map_or(0, |file| {
        file.report();
        file.uncertified
    });

    let faults = failures + finished + totals.malformed + totals.wrong + unsaved + uncertified;
    let status = match stop.is_stopped() {
        true => report_interrupted(),
        false if faults > 0 => FAILURE,
        false => 0,
    };
    match arguments.json {
        true => console::print_line(json::summary(&totals, isa))?,
        false if files.is_empty() => {}
        false => {
            console::print_line(table::summary(&totals, isa))?;
            if let Some(line) = table::thread_work(&totals.thread_work) {
                console::print_line(line)?;
            }
        }
    }
    Ok(status)
}

/// Width of the column of names; 0 without names.
fn name_width(file: &ProblemFile) -> usize {
    let problems = file.problems.iter();
    let names = problems.filter_map(|(_, problem)| problem.name.as_deref());
    table::name_width(names)
}
