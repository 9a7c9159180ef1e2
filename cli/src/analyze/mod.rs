//! `outflank analyze`: what the moves of games cost, and what those of positions are worth.

mod arguments;
mod html;
mod json;
mod labels;
mod picture;
mod position;
mod table;

use std::io;
use std::path::Path;

use outflank::analysis::{Judgement, Mark, judge_from};
use outflank::book::OpeningBook;
use outflank::notation::{Contents, GameRecord};
use outflank::search::Strength;
use outflank::text::{counted, one_line};
use outflank::{Engine, Side};
use outflank_book::{BookPlayer, Tolerance};

use super::book::open_unless_none;
use super::input::{InputError, Inputs};
use super::output::cut;
use super::outputs::{Files, kind};
use super::{CommandError, FAILURE, interrupted_status, output, stop_on_interrupt};
use crate::replace::Output;
pub(super) use arguments::Arguments;
use position::Position;

/// Errors of `outflank analyze`.
#[derive(Debug, thiserror::Error)]
pub(super) enum AnalyzeError {
    /// A picture shows one game.
    #[error("--svg draws one game, and the files have {0}: choose one with --game")]
    Several(String),
    /// Nothing was played.
    #[error("{option} shows a game, and {place} is a position without moves")]
    NoMoves {
        /// The option.
        option: &'static str,
        /// Place of the position.
        place: String,
    },
    /// Nothing was played in any of them.
    #[error("{option} shows a game, and the files have {positions} without moves")]
    Positions {
        /// The option.
        option: &'static str,
        /// Number of the positions, as in `2 positions`.
        positions: String,
    },
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
    /// The number of the first move that is judged, from 1.
    first: usize,
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

    /// The number of moves of the game.
    fn moves(&self) -> usize {
        self.record.game.moves().count()
    }

    /// The number of the first move that is judged, one behind the last where none is.
    fn first(&self, arguments: &Arguments) -> usize {
        let moves = self.moves();
        let last = arguments.last.map_or(moves, |last| last as usize);
        let first = arguments.first().max(moves.saturating_sub(last) + 1);
        first.min(moves + 1)
    }

    /// The name of the player of `side` as one line, if the file has it.
    fn player(&self, side: Side) -> Option<String> {
        let name = self.record.property(match side {
            Side::Black => "PB",
            Side::White => "PW",
        })?;
        Some(one_line(name)).filter(|name| !name.is_empty())
    }

    /// The player's name in a table. A long one is cut and ends with `…`.
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
    refuse_pictures(arguments, &sources)?;
    let [picture, report] = match sources.is_empty() {
        true => [None, None],
        false => outputs(arguments)?,
    };
    // From here on there is something finished to print; before, Ctrl-C just ends the program.
    stop_on_interrupt(&engine.stop_handle())?;
    let (analyses, positions) = analyze(arguments, &sources, strength, &mut *book, &mut engine)?;
    if let (Some(mut picture), Some(analysis)) = (picture, analyses.last()) {
        picture.write(picture::draw(analysis).as_bytes())?;
    }
    if let Some(mut report) = report
        && !analyses.is_empty()
    {
        report.write(html::report(&analyses).as_bytes())?;
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

/// Opens the files for the picture and the report, where they were asked for.
fn outputs(arguments: &Arguments) -> Result<[Option<Output>; 2], CommandError> {
    Files::new()
        .reading("FILE", &arguments.files)
        .reading("--book", &arguments.book)
        .reading("--weights", arguments.engine.weights())
        .writing(
            [
                ("--svg", arguments.svg.as_ref(), kind::SVG),
                ("--html", arguments.html.as_ref(), kind::HTML),
            ],
            arguments.force,
        )
}

/// Refuses a picture of anything but one game, and a report without a game. No sources is no error here; reading has
/// reported it.
fn refuse_pictures(arguments: &Arguments, sources: &[Source]) -> Result<(), AnalyzeError> {
    let option = match (&arguments.svg, &arguments.html) {
        (Some(_), _) => "--svg",
        (None, Some(_)) => "--html",
        (None, None) => return Ok(()),
    };
    let positions = sources.iter().filter(|one| one.is_position()).count();
    let told = counted(positions, "position", "positions");
    match (sources, sources.len() - positions) {
        ([], _) | ([_], 1) => Ok(()),
        ([one], _) => {
            let place = one.place.clone();
            Err(AnalyzeError::NoMoves { option, place })
        }
        (_, 0) => Err(AnalyzeError::Positions {
            option,
            positions: told,
        }),
        (_, games) if arguments.svg.is_some() => {
            let games = counted(games, "game", "games");
            Err(AnalyzeError::Several(match positions {
                0 => games,
                _ => format!("{games} and {told}"),
            }))
        }
        _ => Ok(()),
    }
}

/// The games and positions of all files, and whether something could not be read.
fn sources(arguments: &Arguments) -> (Vec<Source>, bool) {
    let (mut sources, mut failed) = (Vec::new(), false);
    let mut inputs = Inputs::new(arguments.format());
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
    let steps = |source: &Source| match source.is_position() {
        true => 1,
        false => source.moves() + 1 - source.first(arguments),
    };
    let progress = arguments.progress.steps(sources.iter().map(steps).sum());
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
            let first = source.first(arguments);
            let moves = judge_from(book, engine, game, first, strength, judged);
            let moves = moves.expect("the reader takes no square held twice");
            let Some(moves) = moves else { break };
            let analysis = Analysis {
                source,
                first,
                moves,
            };
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
