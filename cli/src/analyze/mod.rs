//! `outflank analyze`: what the moves of games cost, and what those of positions are worth.

mod json;
mod labels;
mod picture;
mod position;
mod table;

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use outflank::analysis::{Judgement, Mark, judge_by_book};
use outflank::book::OpeningBook;
use outflank::notation::{Contents, Format, GameRecord};
use outflank::search::Strength;
use outflank::text::counted;
use outflank::{Engine, Side};
use outflank_book::{BookPlayer, Tolerance};

use super::book::open_unless_none;
use super::convert::formats;
use super::engine::{EngineArguments, StrengthArguments};
use super::input::{InputError, Inputs};
use super::output::cut;
use super::picture::Picture;
use super::progress::ProgressArgument;
use super::{CommandError, FAILURE, interrupted_status, output, stop_on_interrupt};
use crate::numbers::whole;
use position::Position;

/// Judge the moves of games: what each cost, and what would have been better
///
/// A FILE has games: transcripts (f5d6c3…, a game a line), GGF or WTHOR; or positions (OBF), of which every
/// move gets its score. Every position of a game is searched, the last first, and so is what was played where it is not the best move. A move's loss is what the best
/// one gets more, in discs for who moves; `?!` marks 3 discs and more, `?` 6, `??` 12. Scores are those
/// of perfect play where the search is to the end of the game and nothing is left out, which the depth
/// shows: `24`, but `24@98%` and `16@73%`.
///
/// Without --level and --depth positions are searched at level 16: exactly with up to 21 empty squares,
/// and some seconds a game.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files of games or positions; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The format of the files [default: what each looks like]
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    from: Option<Format>,

    /// Only game or position N of the files, from 1, as they are numbered without it
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX.into()))]
    game: Option<u64>,

    /// Write one JSON object a game or position instead of tables, and one of the sums
    #[arg(long)]
    json: bool,

    /// Draw the score along the game, with the mistakes, as an SVG file; for one game
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Take the values of an opening book, a file or built-in, for the moves that it knows, instead of searching
    #[arg(long, value_name = "BOOK")]
    book: Option<PathBuf>,

    #[command(flatten)]
    strength: StrengthArguments,

    #[command(flatten)]
    engine: EngineArguments,

    #[command(flatten)]
    progress: ProgressArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank analyze game.ggf
  echo f5d6c3d3c4f4f6 | outflank analyze -
  outflank analyze WTH_2020.wtb --game 17 --level 21 --svg game.svg
  outflank analyze WTH_2020.wtb --depth 6 --json > losses.json    many games, quickly
  outflank analyze problems/ffo-1-19.obf    every move of every position

The exit status is 1 where a file, line or game could not be read, else 0.";

/// Why games cannot be analysed as it was asked for.
#[derive(Debug, thiserror::Error)]
pub(super) enum AnalyzeError {
    /// A picture shows one game.
    #[error("--svg draws one game, and the files have {0}: choose one with --game")]
    Several(String),
    /// Nothing was played.
    #[error("--svg draws a game, and {0} is a position without moves")]
    NoMoves(String),
    /// Nothing was played in any of them.
    #[error("--svg draws a game, and the files have {0} without moves")]
    Positions(String),
    /// There are fewer games.
    #[error("there is no game {asked}: the files have {games}")]
    NoGame {
        /// The number of the game.
        asked: u64,
        /// How many there are.
        games: usize,
    },
}

/// A game of a file, or a position, which is a game of which nothing was played.
struct Source {
    /// The number among all games and positions of the command, from 1.
    index: usize,
    /// File and line.
    place: String,
    /// What the file calls a position.
    name: Option<String>,
    record: GameRecord,
}

/// What a game came to.
struct Analysis<'a> {
    source: &'a Source,
    moves: Vec<Judgement>,
}

/// The sum over some moves.
#[derive(Clone, Copy, Default)]
struct Losses {
    moves: usize,
    /// Discs that they cost.
    discs: i32,
    /// How many of them are marked [`Mark::Inaccurate`], [`Mark::Mistake`], [`Mark::Blunder`].
    marked: [usize; 3],
}

impl Losses {
    fn of<'a>(moves: impl Iterator<Item = &'a Judgement>) -> Losses {
        let mut losses = Losses::default();
        moves.for_each(|judgement| losses.add(judgement));
        losses
    }

    fn add(&mut self, judgement: &Judgement) {
        self.moves += 1;
        self.discs += judgement.loss();
        match judgement.mark() {
            Mark::Good => {}
            mark => self.marked[mark as usize - 1] += 1,
        }
    }

    /// Discs a move.
    fn mean(&self) -> f64 {
        f64::from(self.discs) / self.moves.max(1) as f64
    }
}

impl Source {
    fn is_position(&self) -> bool {
        self.record.game.plies().is_empty()
    }

    /// The name of who has `side`, if it is known, as it can be shown: files have all kinds of bytes.
    fn player(&self, side: Side) -> Option<String> {
        let name = self.record.property(match side {
            Side::Black => "PB",
            Side::White => "PW",
        })?;
        let shown = |letter: char| match letter {
            letter if letter.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&letter) => ' ',
            letter => letter,
        };
        Some(name.chars().map(shown).collect())
    }

    /// The same, as long as a line has room for; one that is cut ends with `…`.
    fn short_player(&self, side: Side) -> Option<String> {
        /// The most characters that are shown.
        const MAX: usize = 40;
        self.player(side).map(|name| cut(&name, MAX))
    }
}

impl Analysis<'_> {
    fn losses(&self, side: Side) -> Losses {
        Losses::of(self.moves.iter().filter(|one| one.side == side))
    }
}

/// Analyses and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let strength = arguments.strength.strength().unwrap_or_default();
    let mut engine = arguments.engine.engine()?;
    let mut book: Box<dyn OpeningBook> = match &arguments.book {
        Some(path) => match open_unless_none(path)? {
            Some(book) => {
                let player = BookPlayer::new(book, Tolerance::default(), 0);
                Box::new(player.telling(output::complain))
            }
            None => Box::new(()),
        },
        None => Box::new(()),
    };
    let (mut sources, failed) = sources(arguments);
    let games = sources.len();
    if let Some(asked) = arguments.game {
        sources.retain(|source| source.index as u64 == asked);
        if sources.is_empty() && games > 0 {
            return Err(AnalyzeError::NoGame { asked, games }.into());
        }
    }
    if arguments.svg.is_some() {
        refuse_picture(&sources)?;
    }
    let picture = match sources.is_empty() {
        true => None,
        false => Picture::prepare(arguments.svg.as_deref())?,
    };
    // From here on there is something finished to print; before, Ctrl-C just ends the program.
    stop_on_interrupt(&engine.stop_handle())?;
    let (analyses, positions) = analyze(arguments, &sources, strength, &mut *book, &mut engine)?;
    if let (Some(picture), Some(analysis)) = (picture, analyses.last()) {
        picture.write(&picture::draw(analysis))?;
    }
    let interrupted = engine.stop_handle().is_stopped();
    if interrupted {
        output::complain("interrupted");
    }
    let losses = Losses::of(analyses.iter().flat_map(|analysis| &analysis.moves));
    match arguments.json {
        true => output::line(json::summary(analyses.len(), positions, losses))?,
        false if analyses.len() > 1 => output::line(table::summary(analyses.len(), losses))?,
        false => {}
    }
    Ok(match interrupted {
        true => interrupted_status(),
        false if failed => FAILURE,
        false => 0,
    })
}

/// Refuses to draw anything but one game; where there is nothing at all, that was told.
fn refuse_picture(sources: &[Source]) -> Result<(), AnalyzeError> {
    let positions = sources.iter().filter(|one| one.is_position()).count();
    let told = counted(positions, "position", "positions");
    match (sources, sources.len() - positions) {
        ([], _) | ([_], 1) => Ok(()),
        ([one], _) => Err(AnalyzeError::NoMoves(one.place.clone())),
        (_, 0) => Err(AnalyzeError::Positions(told)),
        (_, games) => {
            let games = counted(games, "game", "games");
            Err(AnalyzeError::Several(match positions {
                0 => games,
                _ => format!("{games} and {told}"),
            }))
        }
    }
}

/// The games and positions of all files, and whether something could not be read.
fn sources(arguments: &Arguments) -> (Vec<Source>, bool) {
    let (mut sources, mut failed) = (Vec::new(), false);
    let mut inputs = Inputs::new(arguments.from);
    for path in &arguments.files {
        match read(path, &mut inputs, &mut sources) {
            Ok(malformed) => failed |= malformed > 0,
            Err(error) => {
                output::complain(error);
                failed = true;
            }
        }
    }
    (sources, failed)
}

/// Adds the games and positions of the file at `path`; returns how many are malformed.
fn read(path: &Path, inputs: &mut Inputs, sources: &mut Vec<Source>) -> Result<usize, InputError> {
    let input = inputs.open(path)?;
    let mut entries = input.entries();
    for item in entries.by_ref() {
        let (name, record) = match item.contents {
            Contents::Game(record) => (None, record),
            Contents::Position(problem) => {
                let record = GameRecord::of_problem(&problem);
                let record = record.expect("the reader takes no square held twice");
                (problem.name, record)
            }
        };
        sources.push(Source {
            index: sources.len() + 1,
            place: item.place,
            name,
            record,
        });
    }
    entries.finish()
}

/// Analyses the games and positions and tells each, until the engine is stopped: what the games came to, and
/// how many positions there were.
fn analyze<'a>(
    arguments: &Arguments,
    sources: &'a [Source],
    strength: Strength,
    book: &mut dyn OpeningBook,
    engine: &mut Engine,
) -> io::Result<(Vec<Analysis<'a>>, usize)> {
    let moves = |source: &Source| source.record.game.moves().count().max(1);
    let progress = arguments.progress.steps(sources.iter().map(moves).sum());
    let (mut analyses, mut positions) = (Vec::new(), 0);
    for source in sources {
        let told = if source.is_position() {
            let Some(position) = Position::judge(book, engine, source, strength) else {
                break;
            };
            positions += 1;
            progress.advance();
            match arguments.json {
                true => position.json(),
                false => position.table(),
            }
        } else {
            let judged = |_: &_| progress.advance();
            let game = &source.record.game;
            let moves = judge_by_book(book, engine, game, strength, judged);
            let moves = moves.expect("the reader takes no square held twice");
            let Some(moves) = moves else { break };
            let analysis = Analysis { source, moves };
            let told = match arguments.json {
                true => json::game(&analysis),
                false => table::game(&analysis),
            };
            analyses.push(analysis);
            told
        };
        progress.aside(|| output::line(told))?;
    }
    Ok((analyses, positions))
}
