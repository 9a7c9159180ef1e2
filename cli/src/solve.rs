//! `outflank solve`: the positions of problem files, one after another or several at once.

mod only;
mod run;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use outflank::notation::obf::Problem;
use outflank::notation::{Contents, Format};
use outflank::text::counted;
use outflank::{Limits, Window};

use super::answer::Tally;
use super::convert::formats;
use super::engine::{EngineArguments, StrengthArguments, seconds};
use super::input::{InputError, Inputs, PositionArguments, game_name, problems};
use super::numbers::{ANY, SOME, whole};
use super::progress::ProgressArgument;
use super::{CommandError, FAILURE, interrupted_status, json, output, stop_on_interrupt, table};
pub(super) use only::OnlyError;
use run::Batch;

/// Solve positions, exactly unless asked for less
///
/// A file has positions (OBF, printed boards) or games (GGF, SGF, WTHOR, transcripts such as f5d6c3). OBF is
/// one position a line: the squares A1 to H8 (X black, O white, - empty), the side to move, and if known
/// the scores of its moves, which the answers are checked against:
///
///   ---...--- X; G8:+18; H1:+12; % the name of the position
///   ---...--- X; --:+18;                (only the score is known)
///
/// Of each game the last position is solved, or the one that --empties or --move chooses; a game that is
/// over needs one of them. Theoretical scores of games are checked, too.
///
/// Scores are discs from the mover's side, with the empty squares going to the winner. The best score
/// that a file lists is taken to be the position's, and its moves to be the best ones.
///
/// A score that is only a bound says so: >=+10 is +10 or more, <=+4 is +4 or less; the latter has no best
/// move, because no move was found to reach more. A position counts as solved where it was searched to
/// the end of the game with nothing left out, otherwise as searched. Ctrl-C ends the search, and what was
/// found by then is written like that of a search that --time ended. While a search runs, a terminal
/// shows what it knows so far.
///
/// Up to 20 empty squares take well under a second, 24 some seconds, and each further one about three
/// times as long.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files of positions or games; - is standard input; or a position or moves themselves
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The format of the files [default: what each looks like]
    #[arg(long, value_name = "FORMAT", value_parser = formats(&Format::ALL))]
    from: Option<Format>,

    #[command(flatten)]
    position: PositionArguments,

    /// Solve only the positions of this name, or position N, counted from 1 through all files; may be given several
    /// times. Words of a name are enough: 'FFO 40', Tastet
    #[arg(long, value_name = "NAME|N")]
    only: Vec<String>,

    /// Write one JSON object a line instead of a table
    #[arg(long)]
    json: bool,

    /// Find out only whether the mover wins, draws or loses (in JSON 1, 0 or -1); a position that is not
    /// solved has a score in discs instead
    #[arg(long)]
    wld: bool,

    /// Find the exact score only between LOW and HIGH, in discs from -64 to 64; else which of the two it lies beyond
    /// [default: -64 64]
    #[arg(
        long,
        num_args = 2,
        value_names = ["LOW", "HIGH"],
        value_parser = whole::<i32>(-64..=64),
        conflicts_with = "wld"
    )]
    window: Option<Vec<i32>>,

    #[command(flatten)]
    strength: StrengthArguments,

    /// Search for the K best moves, each with its score
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = whole::<u32>(SOME))]
    lines: u32,

    /// End each search after N nodes, with the best result so far
    #[arg(long, value_name = "N", value_parser = whole::<u64>(ANY))]
    nodes: Option<u64>,

    /// End each search after so many seconds, with the best result so far
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,

    /// Search N positions at once, 1 to 512, each on one thread and with its part of the table, --hash / N MiB [default:
    /// 1]; answers are written in the order of the positions. This is faster than --threads for many easy positions
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        hide_default_value = true,
        value_parser = whole::<u16>(1..=512)
    )]
    jobs: u16,

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
  outflank solve --only 'FFO #23' FILE             one position of a file, by its name or number
  outflank solve --lines 3 --time 2.5 FILE         the three best moves, as far as 2.5 s go
  outflank solve --jobs 8 FILE                     many small positions, eight at once
  outflank solve game.ggf --move 39                the position before move 39 of a game
  outflank solve WTH_2020.wtb --empties 14         a position of every game, with the players' names
  outflank solve --json - < FILE                   one JSON object a position, and a summary
  outflank solve \"--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X\"";

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
    let mut engines = arguments.engine.engines(arguments.jobs.into())?;
    let (isa, stop) = (engines[0].isa(), engines[0].stop_handle());
    let mut tally = Tally::default();
    let mut unreadable = false;
    let mut sources = Vec::new();
    let mut numbered = 0;
    let mut inputs = Inputs::new(arguments.from);
    for path in &arguments.files {
        match Source::read(path, &mut inputs, arguments.position) {
            Ok(mut source) => {
                // They are numbered through all files.
                source.number_from(numbered);
                numbered += source.problems.len();
                tally.malformed += source.malformed;
                unreadable |= source.finished > 0;
                sources.push(source);
            }
            Err(error) => {
                output::complain(error);
                unreadable = true;
            }
        }
    }

    only::choose(&arguments.only, &mut sources)?;

    // From here on there is something finished to print; before, Ctrl-C just ends the program.
    stop_on_interrupt(&stop)?;
    let batch = Batch {
        arguments,
        sources: &sources,
        window,
    };
    tally.join(&batch.solve(&mut engines, &stop)?);

    let interrupted = stop.is_stopped();
    if interrupted {
        output::complain("interrupted");
    }
    match arguments.json {
        true => output::line(json::summary(&tally, isa))?,
        // Where no file could be read, there is nothing to sum up.
        false if sources.is_empty() => {}
        false => output::line(table::summary(&tally, isa))?,
    }
    Ok(match interrupted {
        true => interrupted_status(),
        false if unreadable || tally.malformed > 0 || tally.wrong > 0 => FAILURE,
        false => 0,
    })
}

/// The positions of a file.
struct Source {
    name: String,
    /// Each with its number.
    problems: Vec<(usize, Problem)>,
    malformed: usize,
    /// Games that are over, of which no position was chosen.
    finished: usize,
}

impl Source {
    /// Reads the file at `path`, `-` being standard input, and reports what cannot be solved of it.
    fn read(
        path: &Path,
        inputs: &mut Inputs,
        position: PositionArguments,
    ) -> Result<Source, InputError> {
        let input = inputs.open(path)?;
        let (mut chosen, mut finished, mut without) = (Vec::new(), 0, 0);
        let mut entries = input.entries();
        for item in entries.by_ref() {
            let problem = match item.contents {
                Contents::Position(problem) => position.choose(std::iter::once(problem)),
                Contents::Game(record) if record.game.is_over() && !position.is_some() => {
                    finished += 1;
                    continue;
                }
                Contents::Game(record) => {
                    let number = item.number;
                    let name = game_name(&record, number).or(Some(format!("game {number}")));
                    position.choose(problems(&record, name))
                }
            };
            without += usize::from(problem.is_none());
            chosen.extend(problem);
        }
        let malformed = entries.finish()?;
        let name = input.name;
        if finished > 0 {
            let over = counted(finished, "game is over", "games are over");
            output::remark(format_args!(
                "{name}: {over}: choose a position with --empties N or --move N"
            ));
        }
        if without > 0 {
            output::remark(format_args!("{name}: {without} without such a position"));
        }
        Ok(Source {
            name,
            problems: (1..).zip(chosen).collect(),
            malformed,
            finished,
        })
    }

    /// Numbers the problems on from those before them.
    fn number_from(&mut self, before: usize) {
        let problems = self.problems.iter_mut();
        problems.for_each(|(number, _)| *number += before);
    }

    /// The width of the column of names; 0 where no position has one.
    fn name_width(&self) -> usize {
        let problems = self.problems.iter();
        let names = problems.filter_map(|(_, problem)| problem.name.as_deref());
        table::name_width(names)
    }
}
