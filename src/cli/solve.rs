//! `outflank solve`: the positions of problem files, one after another.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use outflank::notation::obf::Problem;
use outflank::notation::{Contents, Format};
use outflank::{Engine, Limits, Window};

use super::answer::{Answer, Tally};
use super::convert::formats;
use super::engine::{EngineArguments, StrengthArguments, seconds};
use super::input::{InputError, Inputs, PositionArguments, game_name, problems};
use super::progress::Progress;
use super::{CommandError, FAILURE, INTERRUPTED, json, output, stop_on_interrupt, table};

/// Solve positions, exactly unless asked for less
///
/// A file has positions (OBF) or games (GGF, WTHOR, transcripts such as f5d6c3, a game a line). OBF is
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
/// Up to 20 empty squares take well under a second, 24 some seconds, and each further one about three
/// times as long.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files of positions or games; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The format of the files [default: what each looks like]
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    from: Option<Format>,

    #[command(flatten)]
    position: PositionArguments,

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
}

const EXAMPLES: &str = "\
Examples:
  outflank solve problems/ffo-20-39.obf            every position, its exact score and best play
  outflank solve --wld FILE                        only who wins, which is faster
  outflank solve --window -10 10 FILE              exact between -10 and 10, clipped outside
  outflank solve --level 21 problems/midgame.obf   as Edax at level 21
  outflank solve --lines 3 --time 2.5 FILE         the three best moves, as far as 2.5 s go
  outflank solve game.ggf --move 39                the position before move 39 of a game
  outflank solve WTH_2020.wtb --empties 14         a position of every game, with the players' names
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
    let mut inputs = Inputs::new(MOST_MIB, arguments.from);
    for path in &arguments.files {
        match Source::read(path, &mut inputs, arguments.position) {
            Ok(source) => {
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
    let progress = Progress::new(sources.iter().map(|source| source.problems.len()).sum());
    let several = arguments.files.len() > 1;
    for source in sources {
        let name_width = source.name_width();
        if !arguments.json {
            progress.aside(|| {
                if several {
                    output::line(format_args!("{}:", source.name))?;
                }
                output::line(table::header(name_width))
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
                false => table::row(&answer, name_width),
            };
            progress.aside(|| output::line(row))?;
            progress.advance();
        }
    }
    Ok(false)
}

/// The most that a file can have, in MiB.
const MOST_MIB: u64 = 256;

/// The positions of a file.
struct Source {
    name: String,
    problems: Vec<Problem>,
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
            let over = match finished {
                1 => "1 game is over".to_owned(),
                several => format!("{several} games are over"),
            };
            output::remark(format_args!(
                "{name}: {over}: choose a position with --empties N or --move N"
            ));
        }
        if without > 0 {
            output::remark(format_args!("{name}: {without} without such a position"));
        }
        Ok(Source {
            name,
            problems: chosen,
            malformed,
            finished,
        })
    }

    /// The width of the column of names; 0 where no position has one.
    fn name_width(&self) -> usize {
        let names = self.problems.iter().filter_map(|one| one.name.as_deref());
        table::name_width(names)
    }
}
