//! `outflank solve`: the positions of problem files, one after another.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use outflank::notation::obf::{self, Problem};
use outflank::{Engine, Limits, Window};

use super::answer::{Answer, Tally};
use super::engine::{EngineArguments, StrengthArguments, seconds};
use super::live::{self, Watched};
use super::progress::ProgressArgument;
use super::{CommandError, FAILURE, INTERRUPTED, input, json, output, stop_on_interrupt, table};

/// Solve the positions of problem files, exactly unless asked for less
///
/// A file has one position a line: the squares A1 to H8 (X black, O white, - empty), the side to
/// move, and if known the scores of its moves, which the answers are checked against:
///
///   ---...--- X; G8:+18; H1:+12;
///   ---...--- X; --:+18;                (only the score is known)
///
/// Scores are discs from the mover's side, with the empty squares going to the winner. The best score
/// that a file lists is taken to be the position's, and its moves to be the best ones.
///
/// Up to 20 empty squares take well under a second, 24 some seconds, and each further one about three
/// times as long.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Problem files (OBF); - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write one JSON object a line instead of a table
    #[arg(long)]
    json: bool,

    /// Find out only whether the mover wins, draws or loses (in JSON 1, 0 or -1)
    #[arg(long)]
    wld: bool,

    /// Tell apart only the scores between these, in discs from -64 to 64 [default: all]
    #[arg(
        long,
        num_args = 2,
        value_names = ["LOW", "HIGH"],
        allow_negative_numbers = true,
        conflicts_with = "wld"
    )]
    window: Option<Vec<i32>>,

    #[command(flatten)]
    strength: StrengthArguments,

    /// Search for so many of the best moves, each with its score
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    lines: u32,

    /// Answer what was found after so many nodes a position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Answer what was found after so many seconds a position
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,

    #[command(flatten)]
    engine: EngineArguments,

    #[command(flatten)]
    progress: ProgressArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank solve problems/ffo-20-39.obf            every position, its exact score and best play
  outflank solve --wld FILE                        only who wins, which is faster
  outflank solve --window -10 10 FILE              exact between -10 and 10, clipped outside
  outflank solve --level 21 problems/midgame.obf   as Edax at level 21
  outflank solve --lines 3 --time 2.5 FILE         the three best moves, as far as 2.5 s go
  outflank solve --json - < FILE                   one JSON object a position, and a summary";

impl Arguments {
    /// How far a position with `empties` empty squares is searched.
    fn limits(&self, empties: u32, window: Window) -> Limits {
        let strength = self.strength.strength();
        Limits {
            window,
            lines: self.lines,
            nodes: self.nodes,
            time: self.time,
            ..strength.map_or(Limits::EXACT, |strength| strength.limits(empties))
        }
    }

    fn window(&self) -> Result<Window, CommandError> {
        match self.window.as_deref() {
            Some(&[low, high]) => Window::new(low, high).ok_or(CommandError::Window { low, high }),
            _ if self.wld => Ok(Window::WLD),
            _ => Ok(Window::EXACT),
        }
    }
}

/// Solves and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let window = arguments.window()?;
    let mut engine = arguments.engine.engine()?;
    let mut tally = Tally::default();
    let mut unreadable = false;
    let mut sources = Vec::new();
    for path in &arguments.files {
        match Source::read(path) {
            Ok(source) => {
                tally.malformed += source.malformed;
                sources.push(source);
            }
            Err(error) => {
                output::complain(format_args!("{}: {error}", path.display()));
                unreadable = true;
            }
        }
    }

    // From here on there is something finished to print; before, Ctrl-C just ends the program.
    stop_on_interrupt(&engine.stop_handle())?;
    let interrupted = solve_all(arguments, &sources, &mut engine, window, &mut tally)?;

    if interrupted {
        output::complain("interrupted");
    }
    output::line(match arguments.json {
        true => json::summary(&tally, engine.level()),
        false => table::summary(&tally, engine.level()),
    })?;
    Ok(match interrupted {
        true => INTERRUPTED,
        false if unreadable || tally.malformed > 0 || tally.wrong > 0 => FAILURE,
        false => 0,
    })
}

/// Solves the problems of all sources and adds them to `tally`; returns whether Ctrl-C ended it.
fn solve_all(
    arguments: &Arguments,
    sources: &[Source],
    engine: &mut Engine,
    window: Window,
    tally: &mut Tally,
) -> io::Result<bool> {
    let count: usize = sources.iter().map(|source| source.problems.len()).sum();
    let monitor = engine.monitor();
    let progress = live::show(&arguments.progress, move || {
        Some(Watched {
            heading: format!("{count} positions"),
            monitor: monitor.clone(),
            side: outflank::Side::Black,
        })
    });
    let several = arguments.files.len() > 1;
    for source in sources {
        if !arguments.json {
            progress.aside(|| {
                if several {
                    output::line(format_args!("{}:", source.name))?;
                }
                output::line(table::HEADER)
            })?;
        }
        for problem in &source.problems {
            // The node count of a position must not depend on those before it.
            engine.clear();
            let limits = arguments.limits(problem.board.empty_count(), window);
            let found = engine.search(problem.board, &limits);
            let found = found.expect("the reader takes no square held twice");
            // What is left of a search that Ctrl-C ended was not asked for, and small positions are
            // solved before a search looks whether it is to end.
            if engine.stop_handle().is_stopped() {
                return Ok(true);
            }
            let answer = Answer {
                index: tally.positions + 1,
                problem,
                window,
                found,
            };
            tally.add(&answer);
            let row = match arguments.json {
                true => json::row(&answer, several.then_some(&source.name)),
                false => table::row(&answer),
            };
            progress.aside(|| output::line(row))?;
        }
    }
    Ok(false)
}

/// The most that a file of problems can have, in MiB.
const MOST_MIB: u64 = 256;

/// A file of problems.
struct Source {
    name: String,
    problems: Vec<Problem>,
    malformed: usize,
}

impl Source {
    /// Reads the file at `path`, `-` being standard input, and reports its malformed lines.
    fn read(path: &Path) -> io::Result<Source> {
        let bytes = input::read(path, MOST_MIB, "problem file")?;
        let mut source = Source {
            name: path.display().to_string(),
            problems: Vec::new(),
            malformed: 0,
        };
        for problem in obf::read(&bytes) {
            match problem {
                Ok(problem) => source.problems.push(problem),
                Err(error) => {
                    output::remark(format_args!("{}:{error}", source.name));
                    source.malformed += 1;
                }
            }
        }
        Ok(source)
    }
}
