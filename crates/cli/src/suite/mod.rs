//! `outflank suite`: tests engines by positions with known scores.

mod contender;
mod html;
mod json;
mod table;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use outflank::notation::obf::Problem;
use outflank::search::Strength;
use outflank::test_suite::{SuiteTotals, Verdict, has_all_scores};
use outflank::{Ply, Selectivity, StopHandle};
use outflank_support::text::plural;
use outflank_tournament::{EngineError, EngineFault, GameLimits, Limit};

use super::console::{print_line, remark};
use super::engine::{EngineArguments, selectivity};
use super::error::{CommandError, FAILURE, exit_status, for_each_file};
use super::in_order::work_in_order;
use super::input::Inputs;
use super::matches::{end_on_interrupt, is_stop};
use super::number_options::{seconds, whole};
use super::output_files::{Files, ForceArgument, kind};
use super::problem_choice::choose;
use super::problem_file::ProblemFile;
use super::progress::ProgressArgument;
use super::signals::{report_interrupted, status_unless_stopped};
use contender::{Contender, Examinee, OwnSearch};

/// Test engines by positions with known scores
///
/// The files are positions in OBF with the exact score of every legal move, such as the FFO endgame tests:
///
///   ---...--- X; G8:+18; H1:+12; A1:-4; % the name of the position
///
/// Other positions are left out. The engines are searches of this program, at each --level and at --depth, and the
/// programs of --engine, which speak GTP or NBoard's protocol. Without these options, level 16 is tested.
///
/// A move is best if no other has a higher listed score; else it loses discs. A score counts as within 3, 6 and 9 discs
/// of the exact one. Other programs tell scores and nodes only by NBoard's protocol. Over GTP, positions are set up by
/// an SGF file. The program must support loadsgf and read set-up stones. Edax and Egaroucid do not read them; Edax
/// speaks NBoard's protocol, too.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files of positions; - is standard input. A position is accepted in place of a file
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Name or number of positions to test, instead of all; may be given several times. Words of a name suffice: 'FFO
    /// 40'. Numbers count from 1 through all files
    #[arg(long, value_name = "NAME|N")]
    only: Vec<String>,

    /// Level to test, as in `outflank solve`; may be given several times [default: 16 without --engine; 60 with --nodes
    /// or --time]
    #[arg(long, value_name = "LEVEL", value_parser = whole::<u32>(0..=60))]
    level: Vec<u32>,

    /// Command of another engine to test, split into words as in a shell; may be given several times. {depth}, {nodes}
    /// and {time} in it are replaced by the limit
    #[arg(long = "engine", value_name = "COMMAND")]
    commands: Vec<String>,

    /// Search depth in plies to test, and the depth of other engines
    #[arg(long, value_name = "D", value_parser = whole::<u32>(1..=60), group = "control")]
    depth: Option<u32>,

    /// Confidence of selective cuts in percent: 73, 87, 95, 98, 99, or 100 for no such cuts
    #[arg(long, value_name = "S", value_parser = selectivity, default_value = "100", requires = "depth")]
    selectivity: Selectivity,

    /// Maximum number of nodes per position
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX.into()), group = "control")]
    nodes: Option<u64>,

    /// Maximum time per position in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, group = "control")]
    time: Option<Duration>,

    /// Maximum wait in seconds for another engine: for its start, and for its moves without --time
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "3600")]
    patience: Duration,

    /// Write JSON instead of tables: one object per engine and position, and one with the totals per engine
    #[arg(long)]
    json: bool,

    /// Write a self-contained HTML page: totals, boards of the worst moves, and tables
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgument,

    /// Positions to test at once, 1 to 512, each on one thread and with --hash / N MiB of the table [default: 1]
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
  outflank suite data/problems/ffo-20-39.obf --level 5 --level 10 --level 15
  outflank suite FILE --level 21 --jobs 8 --html report.html
  outflank suite FILE --depth 15 --selectivity 73           a search to 15 plies
  outflank suite FILE --engine 'edax -nboard -n 1 -l 21' --level 21
  outflank suite FILE --time 0.1 --engine './other gtp'     both with 0.1 seconds for a position

The exit status is 1 if a file or position could not be read, a position has not all scores, or an engine gave no valid
answer; else 0.";

/// Reason why there is nothing to test.
#[derive(Debug, thiserror::Error)]
enum SuiteError {
    #[error("no position has the scores of all its moves")]
    NoPosition,
}
exit_status!(FAILURE; SuiteError);

impl Arguments {
    /// Strengths of this program to test.
    fn strengths(&self) -> Vec<Strength> {
        let levels = self.level.iter().map(|&level| Strength::Level(level));
        let depth = self
            .depth
            .map(|depth| Strength::Depth(depth, self.selectivity));
        let strengths: Vec<_> = levels.chain(depth).collect();
        if !strengths.is_empty() || !self.commands.is_empty() {
            return strengths;
        }
        vec![match self.nodes.is_some() || self.time.is_some() {
            true => Strength::Level(60),
            false => Strength::default(),
        }]
    }

    /// Limits of other engines.
    fn limits(&self) -> GameLimits {
        let limit = match (self.depth, self.nodes, self.time) {
            (Some(depth), ..) => Limit::Depth(depth),
            (_, Some(nodes), _) => Limit::Nodes(nodes),
            (_, _, Some(time)) => Limit::Move(time),
            _ => Limit::EngineDefault,
        };
        GameLimits {
            limit,
            margin: Duration::ZERO,
            patience: self.patience,
        }
    }

    fn contenders(&self, stop: &StopHandle) -> Result<Vec<Contender>, CommandError> {
        let own = self.strengths().into_iter().map(|strength| {
            Ok(Contender::Own(OwnSearch {
                strength,
                nodes: self.nodes,
                time: self.time,
            }))
        });
        let commands = self.commands.iter();
        let others = commands.map(|command| Contender::start(command, self.limits(), stop));
        own.chain(others).collect()
    }
}

/// A position of the suite with its number, counted from 1 through all files.
struct Position {
    number: usize,
    problem: Problem,
}

/// A valid answer to a position.
struct SuiteAnswer {
    ply: Ply,
    verdict: Verdict,
    /// Score in discs for the mover, if it is known.
    score: Option<f64>,
    /// Depth of a search of this program.
    depth: Option<(u32, Selectivity)>,
    nodes: Option<u64>,
    time: Duration,
}

/// Answer to a position, or the reason why there is none.
type Reply = Result<SuiteAnswer, EngineFault>;

/// Replies of a contender, in the order of the positions. There are fewer after an interruption.
struct Report {
    name: String,
    replies: Vec<Reply>,
    totals: SuiteTotals,
    /// Nodes of all answers; `None` if an answer does not tell, or there is none.
    nodes: Option<u64>,
    time: Duration,
}

impl Report {
    fn new(name: String) -> Report {
        Report {
            name,
            replies: Vec::new(),
            totals: SuiteTotals::default(),
            nodes: None,
            time: Duration::ZERO,
        }
    }

    fn add(&mut self, reply: Reply) {
        let answer = reply.as_ref().ok();
        self.totals.add(answer.map(|answer| &answer.verdict));
        if let Some(answer) = answer {
            let is_first = self.totals.positions - self.totals.unanswered == 1;
            let sum = if is_first { Some(0) } else { self.nodes };
            self.nodes = sum
                .zip(answer.nodes)
                .map(|(sum, nodes)| sum.saturating_add(nodes));
            self.time += answer.time;
        }
        self.replies.push(reply);
    }

    /// Share of best moves, 0 to 1.
    fn best_share(&self) -> f64 {
        share(self.totals.best, self.totals.positions)
    }

    /// Shares of scores within the bounds, 0 to 1; `None` without scores.
    fn within_shares(&self) -> Option<[f64; 3]> {
        let SuiteTotals { scored, within, .. } = self.totals;
        (scored > 0).then(|| within.map(|count| share(count, scored)))
    }
}

fn share(count: u32, all: u32) -> f64 {
    f64::from(count) / f64::from(all.max(1))
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let stop = StopHandle::default();
    end_on_interrupt(&stop)?;
    match test(arguments, &stop) {
        Err(error) if is_interruption(&error) => Ok(report_interrupted()),
        result => result,
    }
}

/// A search was interrupted.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
struct Interrupted;
exit_status!(FAILURE; Interrupted);

/// Returns `true` if the error means only that `stop` was used.
fn is_interruption(error: &CommandError) -> bool {
    is_stop(error) || matches!(error.downcast_ref(), Some(Interrupted))
}

/// Returns `true` if another engine cannot go on.
fn is_engine_error(error: &CommandError) -> bool {
    !is_stop(error) && error.downcast_ref::<EngineError>().is_some()
}

/// Tests all contenders, until `stop` is used.
fn test(arguments: &Arguments, stop: &StopHandle) -> Result<u8, CommandError> {
    let jobs = usize::from(arguments.jobs);
    let mut engines = match arguments.strengths().is_empty() {
        true => Vec::new(),
        false => arguments.engine.engines_with_stop(jobs, stop)?,
    };
    let (positions, mut failed) = read(arguments)?;
    if positions.is_empty() {
        return Ok(FAILURE);
    }
    let [page] = Files::new().reading("FILE", &arguments.files).writing(
        [("--html", arguments.html.as_ref(), kind::HTML)],
        arguments.force,
    )?;
    let mut reports = Vec::new();
    for contender in &arguments.contenders(stop)? {
        if stop.is_stopped() {
            break;
        }
        let mut report = Report::new(contender.name());
        if !arguments.json {
            print_line(table::header(&report.name))?;
        }
        let progress = arguments.progress.steps(positions.len());
        let mut examinees = contender.examinees(&mut engines, jobs, stop);
        let ask =
            |examinee: &mut Examinee, index: usize| examinee.answer(&positions[index].problem);
        let add = |reply: Reply| -> Result<(), CommandError> {
            let position = &positions[report.replies.len()];
            let row = match arguments.json {
                true => json::row(&report.name, position, &reply),
                false => table::row(position, &reply),
            };
            report.add(reply);
            progress.suspend(|| print_line(row))?;
            progress.advance();
            Ok(())
        };
        let result = work_in_order(&mut examinees, positions.len(), stop, ask, add);
        drop(progress);
        match result {
            // The other engines are tested all the same.
            Err(error) if is_engine_error(&error) => {
                stop.reset();
                failed = true;
                error.report();
            }
            // An interruption ends other engines, too.
            Err(error) if !is_interruption(&error) => return Err(error),
            _ => {}
        }
        failed |= report.totals.unanswered > 0;
        if arguments.json {
            print_line(json::totals(&report))?;
        }
        reports.push(report);
    }
    if !arguments.json {
        print_line(table::totals(&reports))?;
    }
    if let Some(mut page) = page {
        page.write(html::report(&positions, &reports).as_bytes())?;
    }
    let status = if failed { FAILURE } else { 0 };
    Ok(status_unless_stopped(stop, status))
}

/// Reads the positions. Returns `true` with them if something could not be read or is left out. There are none only if no
/// file could be read.
fn read(arguments: &Arguments) -> Result<(Vec<Position>, bool), CommandError> {
    let mut inputs = Inputs::new(None);
    let (mut files, mut numbered, mut failed) = (Vec::new(), 0, false);
    let failures = for_each_file(&arguments.files, |path| {
        let file = ProblemFile::read(path, &mut inputs, Default::default(), numbered)?;
        numbered += file.problems.len();
        failed |= file.malformed + file.finished > 0;
        files.push(file);
        Ok(())
    })?;
    choose(&arguments.only, &mut files)?;
    let mut positions = Vec::new();
    for file in files {
        let all = file.problems.len();
        let complete = file.problems.into_iter();
        let complete = complete.filter(|(_, problem)| has_all_scores(problem));
        let before = positions.len();
        positions.extend(complete.map(|(number, problem)| Position { number, problem }));
        let left_out = all + before - positions.len();
        if left_out > 0 {
            failed = true;
            let left_out = plural(left_out, "position", "positions");
            remark(format_args!(
                "{}: {left_out} left out: no legal move, or moves without scores",
                file.name
            ));
        }
    }
    match positions.is_empty() {
        true if failures > 0 => Ok((positions, true)),
        true => Err(SuiteError::NoPosition.into()),
        false => Ok((positions, failed || failures > 0)),
    }
}
