//! `outflank analyze`: losses of the moves of games, and scores of the moves of positions.

mod arguments;
mod html;
mod json;
mod labels;
mod mistakes;
mod novelty;
mod picture;
mod position;
mod table;

use std::io;

use outflank::analysis::{Judgement, Mark, judge_from};
use outflank::book::OpeningBook;
use outflank::notation::{Contents, GameRecord};
use outflank::opening_names::{NamedOpening, opening_of};
use outflank::search::Strength;
use outflank::{Engine, Side};
use outflank_book::{BookPlayer, Tolerance};
use outflank_games::GameDatabase;
use outflank_support::text::{one_line, plural};

use super::book::open_unless_none;
use super::console;
use super::console::shortened;
use super::error::{CommandError, FAILURE, USAGE, exit_status, for_each_file, report};
use super::input::Inputs;
use super::output_files::{Files, OutputError, kind};
use super::signals::{report_interrupted, stop_on_interrupt};
use crate::replace::OutputFile;
pub(super) use arguments::Arguments;
use mistakes::MistakeFile;
use novelty::Novelty;
use position::JudgedPosition;

/// Error of a selection or an output that does not fit the input files.
#[derive(Debug, thiserror::Error)]
enum AnalyzeError {
    #[error("--svg draws one game, and the files have {0}: choose one with --game")]
    Several(String),
    #[error("{option} shows a game, and {location} is a position without moves")]
    NoMoves {
        option: &'static str,
        /// File and line of the position.
        location: String,
    },
    #[error("{option} shows a game, and the files have {positions} without moves")]
    Positions {
        option: &'static str,
        /// Count with its noun, as in `2 positions`.
        positions: String,
    },
    #[error("there is no game {asked}: the files have {games}")]
    NoGame {
        asked: u64,
        /// Number of games in the files.
        games: usize,
    },
}
exit_status!(USAGE; AnalyzeError);

/// A game or position of a file. A position is a game without moves.
struct InputGame {
    /// Number among all games and positions of the command, from 1.
    number: usize,
    /// File and line.
    location: String,
    /// Name that the file gives a position.
    name: Option<String>,
    record: GameRecord,
    /// Last position that other games of a database have. `None` without a database.
    novelty: Option<Novelty>,
}

/// A judged game.
struct Analysis<'a> {
    game: &'a InputGame,
    /// Number of the first judged move, from 1.
    first: usize,
    moves: Vec<Judgement>,
}

/// Sums over judged moves.
#[derive(Clone, Copy, Default)]
struct Losses {
    moves: usize,
    /// Lost discs.
    discs: i32,
    /// Numbers of inaccuracies, mistakes and blunders.
    marked: [usize; 3],
}

impl Losses {
    fn of<'a>(moves: impl Iterator<Item = &'a Judgement>) -> Losses {
        let mut losses = Losses::default();
        for judgement in moves {
            losses.moves += 1;
            losses.discs += judgement.loss();
            match judgement.mark() {
                Mark::Good => {}
                mark => losses.marked[mark as usize - 1] += 1,
            }
        }
        losses
    }

    /// Lost discs per move.
    fn mean(&self) -> f64 {
        f64::from(self.discs) / self.moves.max(1) as f64
    }
}

impl InputGame {
    fn is_position(&self) -> bool {
        self.record.game.plies().is_empty()
    }

    fn move_count(&self) -> usize {
        self.record.game.moves().count()
    }

    /// Number of the first judged move, from 1. If no move is judged, it is one more than the number of moves.
    fn first_judged(&self, arguments: &Arguments) -> usize {
        let moves = self.move_count();
        let last = arguments.last.map_or(moves, |last| last as usize);
        let first = arguments.first().max(moves.saturating_sub(last) + 1);
        first.min(moves + 1)
    }

    /// The most specific named opening of the game.
    fn opening(&self) -> Option<&'static NamedOpening> {
        opening_of(&self.record.game)
    }

    /// Name of a player as one line, if the file has it.
    fn player(&self, side: Side) -> Option<String> {
        let name = self.record.property(match side {
            Side::Black => "PB",
            Side::White => "PW",
        })?;
        Some(one_line(name)).filter(|name| !name.is_empty())
    }

    /// Name of a player for tables. A long one is cut and ends with `…`.
    fn short_player(&self, side: Side) -> Option<String> {
        const MAX: usize = 40;
        self.player(side).map(|name| shortened(&name, MAX))
    }
}

impl Analysis<'_> {
    fn losses(&self, side: Side) -> Losses {
        Losses::of(self.moves.iter().filter(|judged| judged.side == side))
    }
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let strength = arguments.strength.strength().unwrap_or_default();
    let mut engine = arguments.engine.engine()?;
    let book = arguments.book.as_deref().map(open_unless_none);
    let mut book: Box<dyn OpeningBook> = match book.transpose()?.flatten() {
        Some(book) => {
            let player = BookPlayer::new(book, Tolerance::default(), 0);
            Box::new(player.on_error(|error| report(&error)))
        }
        None => Box::new(()),
    };
    let known_games = arguments.games.as_deref().map(GameDatabase::open);
    let known_games = known_games.transpose()?;
    let (mut inputs, failed) = read_inputs(arguments)?;
    let games = inputs.len();
    if let Some(asked) = arguments.game {
        inputs.retain(|input| input.number as u64 == asked);
        if inputs.is_empty() && games > 0 {
            return Err(AnalyzeError::NoGame { asked, games }.into());
        }
    }
    check_outputs(arguments, &inputs)?;
    if let Some(database) = known_games {
        for input in inputs.iter_mut().filter(|input| !input.is_position()) {
            input.novelty = Some(Novelty::of(&input.record, &database)?);
        }
    }
    let mut mistakes = match &arguments.save_mistakes {
        Some(path) => Some(MistakeFile::open(path, inputs_of(arguments))?),
        None => None,
    };
    let [picture, page] = match inputs.is_empty() {
        true => [None, None],
        false => open_outputs(arguments)?,
    };
    // Until here, Ctrl-C ends the program at once. From here on, the results so far are written first.
    stop_on_interrupt(&engine.stop_handle())?;
    let (analyses, positions) = analyze(arguments, &inputs, strength, &mut *book, &mut engine)?;
    if let Some(mistakes) = &mut mistakes {
        let added = mistakes.add(&analyses, arguments.mistakes_of.as_ref())?;
        if !arguments.json {
            console::print_line(added)?;
        }
    }
    if let (Some(mut picture), Some(analysis)) = (picture, analyses.last()) {
        picture.write(picture::draw(analysis).as_bytes())?;
    }
    if let Some(mut page) = page
        && !analyses.is_empty()
    {
        page.write(html::report(&analyses).as_bytes())?;
    }
    let status = match engine.stop_handle().is_stopped() {
        true => report_interrupted(),
        false if failed => FAILURE,
        false => 0,
    };
    let losses = Losses::of(analyses.iter().flat_map(|analysis| &analysis.moves));
    match arguments.json {
        true => console::print_line(json::summary(analyses.len(), positions, losses))?,
        false if analyses.len() > 1 => console::print_line(table::summary(analyses.len(), losses))?,
        false => {}
    }
    Ok(status)
}

/// Opens the files of `--svg` and `--html`.
fn open_outputs(arguments: &Arguments) -> Result<[Option<OutputFile>; 2], OutputError> {
    inputs_of(arguments)
        .reading("--save-mistakes", &arguments.save_mistakes)
        .writing(
            [
                ("--svg", arguments.svg.as_ref(), kind::SVG),
                ("--html", arguments.html.as_ref(), kind::HTML),
            ],
            arguments.force,
        )
}

/// Files that the command reads.
fn inputs_of(arguments: &Arguments) -> Files {
    Files::new()
        .reading("FILE", &arguments.files)
        .reading("--book", &arguments.book)
        .reading("--games", &arguments.games)
        .reading("--weights", &arguments.engine.weights)
}

/// Refuses a picture unless there is exactly one game, and a page unless there is a game. Accepts empty input, because
/// reading has reported it.
fn check_outputs(arguments: &Arguments, inputs: &[InputGame]) -> Result<(), AnalyzeError> {
    let option = match (&arguments.svg, &arguments.html) {
        (Some(_), _) => "--svg",
        (None, Some(_)) => "--html",
        (None, None) => return Ok(()),
    };
    let position_count = inputs.iter().filter(|input| input.is_position()).count();
    let positions = plural(position_count, "position", "positions");
    match (inputs, inputs.len() - position_count) {
        ([], _) | ([_], 1) => Ok(()),
        ([position], _) => {
            let location = position.location.clone();
            Err(AnalyzeError::NoMoves { option, location })
        }
        (_, 0) => Err(AnalyzeError::Positions { option, positions }),
        (_, games) if arguments.svg.is_some() => {
            let games = plural(games, "game", "games");
            Err(AnalyzeError::Several(match position_count {
                0 => games,
                _ => format!("{games} and {positions}"),
            }))
        }
        _ => Ok(()),
    }
}

/// Reads the games and positions of all files. The flag is `true` if something could not be read.
fn read_inputs(arguments: &Arguments) -> Result<(Vec<InputGame>, bool), CommandError> {
    let (mut games, mut malformed) = (Vec::new(), 0);
    let mut inputs = Inputs::new(arguments.format());
    let failures = for_each_file(&arguments.files, |path| {
        let input = inputs.open(path)?;
        let mut entries = input.entries();
        for entry in entries.by_ref() {
            let (name, record) = match entry.contents {
                Contents::Game(record) => (None, record),
                Contents::Position(problem) => {
                    let record = GameRecord::from_problem(&problem);
                    let record = record.expect("the reader takes no square held twice");
                    (problem.name, record)
                }
            };
            games.push(InputGame {
                number: games.len() + 1,
                location: entry.location,
                name,
                record,
                novelty: None,
            });
        }
        malformed += entries.finish()?;
        Ok(())
    })?;
    Ok((games, malformed + failures > 0))
}

/// Analyses games and positions and writes each result, until the engine is stopped. Returns the judged games and the
/// number of positions.
fn analyze<'a>(
    arguments: &Arguments,
    inputs: &'a [InputGame],
    strength: Strength,
    book: &mut dyn OpeningBook,
    engine: &mut Engine,
) -> io::Result<(Vec<Analysis<'a>>, usize)> {
    let steps = |input: &InputGame| match input.is_position() {
        true => 1,
        false => input.move_count() + 1 - input.first_judged(arguments),
    };
    let progress = arguments.progress.steps(inputs.iter().map(steps).sum());
    let (mut analyses, mut positions) = (Vec::new(), 0);
    for input in inputs {
        let text = if input.is_position() {
            let Some(position) = JudgedPosition::judge(book, engine, input, strength) else {
                break;
            };
            positions += 1;
            progress.advance();
            match arguments.json {
                true => position.json(),
                false => position.table(),
            }
        } else {
            let advance = |_: &_| progress.advance();
            let game = &input.record.game;
            let first = input.first_judged(arguments);
            let moves = judge_from(book, engine, game, first, strength, advance);
            let moves = moves.expect("the reader takes no square held twice");
            let Some(moves) = moves else { break };
            let analysis = Analysis {
                game: input,
                first,
                moves,
            };
            let text = match arguments.json {
                true => json::game(&analysis),
                false => table::game(&analysis),
            };
            analyses.push(analysis);
            text
        };
        progress.suspend(|| console::print_line(text))?;
    }
    Ok((analyses, positions))
}
