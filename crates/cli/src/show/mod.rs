//! `outflank show`: positions as boards, texts and pictures.

mod glyphs;
mod png;

use std::path::PathBuf;

use clap::Args;
use outflank::diagram::Diagram;
use outflank::notation::{Contents, Format, Spelling};
use outflank::{Board, Game, Square};

use super::console::{print_line, remark};
use super::engine::{EngineArguments, StrengthArguments};
use super::error::{CommandError, FAILURE, USAGE, exit_status, for_each_file};
use super::input::{Inputs, PositionArguments, game_name};
use super::move_scores::MoveScores;
use super::number_options::{names, whole};
use super::output_files::{Files, ForceArgument, kind};
use super::replace::OutputFile;
use super::signals::{report_interrupted, stop_on_interrupt};
use super::terminal_board;
use super::text_format::depth_or_exact;
use png::png;

/// Show positions: as boards, as text in several spellings, as pictures
///
/// A file has positions or games, whose last positions are shown. Positions can have any spelling that is shown: 64
/// squares, rows with numbers of empty squares as in chess, or the hexadecimal bitboards of black and white, in which
/// A1 is bit 0.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files of positions or games; - is standard input. A position or moves are accepted in place of a file
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Format of the files [default: detected from their contents]
    #[arg(long, value_name = "FORMAT", value_parser = names(&Format::ALL, Format::name))]
    from: Option<Format>,

    #[command(flatten)]
    position: PositionArguments,

    /// Number of the only game or position to show, counted from 1 through all files
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=u64::MAX.into()))]
    game: Option<usize>,

    /// Write each position as one line in this spelling
    #[arg(long = "as", value_name = "SPELLING", value_parser = names(&Spelling::ALL, Spelling::name))]
    #[arg(conflicts_with_all = ["svg", "png"])]
    spelling: Option<Spelling>,

    /// Number the moves of the game on their squares
    #[arg(long, conflicts_with = "spelling")]
    numbers: bool,

    /// Search all moves and write their scores on their squares
    #[arg(long, conflicts_with = "spelling")]
    values: bool,

    /// Draw arrows along the discs that the last move flipped
    #[arg(long, conflicts_with = "spelling")]
    arrows: bool,

    /// Draw a single position as an SVG picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Draw a single position as a PNG picture
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,

    /// Width and height of the PNG picture in pixels [default: 720]
    #[arg(long, value_name = "PIXELS", value_parser = whole::<u32>(16..=8192))]
    width: Option<u32>,

    #[command(flatten)]
    force: ForceArgument,

    #[command(flatten)]
    strength: StrengthArguments,

    #[command(flatten)]
    engine: EngineArguments,
}

const EXAMPLES: &str = "\
Examples:
  outflank show f5d6c3                             the position after three moves
  outflank show game.ggf --numbers --png game.png  a diagram with the numbers of the moves
  outflank show game.ggf --move 20 --values        the scores of all moves before move 20
  outflank show WTH_2020.wtb --move 21 --as hex    bitboards of each game, one line each
  outflank show '8/8/8/3OX3/3XO3/8/8/8 X'

The exit status is 1 if a file, line or game could not be read, else 0.";

/// Reason why no picture is drawn.
#[derive(Debug, thiserror::Error)]
enum ShowError {
    #[error("a picture shows one position, and there are {0}: choose one with --game N")]
    Several(usize),
    #[error("there is no game or position {asked}: the files have {count}")]
    NoGame { asked: usize, count: usize },
    #[error("{0} needs {1}")]
    Needs(&'static str, &'static str),
}
exit_status!(USAGE; ShowError);

/// Position with the game that led to it. The game may begin with it.
struct Shown {
    game: Game,
    name: Option<String>,
}

/// Width of a picture in pixels.
const WIDTH: u32 = 720;

impl Arguments {
    /// Refuses options without those that they belong to.
    fn check(&self) -> Result<(), ShowError> {
        let has_picture = self.svg.is_some() || self.png.is_some();
        for (is_given, option, is_used, needed) in [
            (self.arrows, "--arrows", has_picture, "--svg or --png"),
            (self.width.is_some(), "--width", self.png.is_some(), "--png"),
            (
                self.strength.strength().is_some(),
                "a depth or level",
                self.values,
                "--values",
            ),
        ] {
            if is_given && !is_used {
                return Err(ShowError::Needs(option, needed));
            }
        }
        Ok(())
    }
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    arguments.check()?;
    let (positions, failed) = read(arguments)?;
    let has_picture = arguments.svg.is_some() || arguments.png.is_some();
    if has_picture && positions.len() > 1 {
        return Err(ShowError::Several(positions.len()).into());
    }
    let mut engine = match arguments.values {
        true => Some(arguments.engine.engine()?),
        false => None,
    };
    let [mut svg_file, mut png_file] = open(arguments)?;
    let stop = engine.as_ref().map(outflank::Engine::stop_handle);
    if let Some(stop) = &stop {
        stop_on_interrupt(stop)?;
    }
    for shown in &positions {
        let (board, side) = shown.game.position();
        if let Some(spelling) = arguments.spelling {
            print_line(spelling.write(board, side))?;
            continue;
        }
        let scores = match &mut engine {
            None => None,
            Some(engine) => {
                let strength = arguments.strength.strength().unwrap_or_default();
                match MoveScores::of(board, &mut (), engine, strength) {
                    None => return Ok(report_interrupted()),
                    scores => scores,
                }
            }
        };
        write(arguments, shown, scores.as_ref())?;
        let diagram = draw(arguments, &shown.game, scores.as_ref());
        if let Some(file) = &mut svg_file {
            file.write(diagram.svg().as_bytes())?;
        }
        if let Some(file) = &mut png_file {
            file.write(&png(&diagram, arguments.width.unwrap_or(WIDTH)))?;
        }
    }
    Ok(if failed { FAILURE } else { 0 })
}

/// Reads the positions. Returns `true` with them if something could not be read.
fn read(arguments: &Arguments) -> Result<(Vec<Shown>, bool), CommandError> {
    let mut inputs = Inputs::new(arguments.from);
    let (mut all, mut failed) = (Vec::new(), false);
    let failures = for_each_file(&arguments.files, |path| {
        let input = inputs.open(path)?;
        let mut entries = input.entries();
        let mut unmatched = 0;
        for entry in entries.by_ref() {
            let (game, name) = match entry.contents {
                Contents::Position(problem) => {
                    let game = Game::from_start(problem.board, problem.side);
                    (game.expect("a square has one disc"), problem.name)
                }
                Contents::Game(record) => {
                    let name = game_name(&record, entry.number);
                    (record.game, name)
                }
            };
            let game = arguments.position.up_to(game);
            unmatched += usize::from(game.is_none());
            all.push(game.map(|game| Shown { game, name }));
        }
        if unmatched > 0 && arguments.game.is_none() {
            remark(format_args!(
                "{}: {unmatched} without such a position",
                input.name
            ));
        }
        failed |= entries.finish()? > 0;
        Ok(())
    })?;
    if let Some(asked) = arguments.game {
        let count = all.len();
        if asked > count && failures == 0 {
            return Err(ShowError::NoGame { asked, count }.into());
        }
        all = all.into_iter().skip(asked - 1).take(1).collect();
    }
    let positions = all.into_iter().flatten().collect();
    Ok((positions, failed || failures > 0))
}

/// Opens the files of the pictures.
fn open(arguments: &Arguments) -> Result<[Option<OutputFile>; 2], CommandError> {
    let pictures = [
        ("--svg", arguments.svg.as_ref(), kind::SVG),
        ("--png", arguments.png.as_ref(), kind::PNG),
    ];
    let files = Files::new().reading("FILE", &arguments.files);
    Ok(files.writing(pictures, arguments.force)?)
}

/// Writes a position and its spellings.
fn write(
    arguments: &Arguments,
    shown: &Shown,
    scores: Option<&MoveScores>,
) -> Result<(), CommandError> {
    let (board, side) = shown.game.position();
    if let Some(name) = &shown.name {
        print_line(name)?;
    }
    terminal_board::show(&shown.game)?;
    if arguments.numbers {
        let numbers: Vec<_> = shown.game.moves().zip(1..).collect();
        let first = shown.game.start();
        print_line(grid(first.1.black_first(first.0), |square| {
            let (_, number) = numbers.iter().find(|(played, _)| *played == square)?;
            Some(format!("{number}"))
        }))?;
    }
    if let Some(scores) = scores {
        let depth = depth_or_exact(scores.depth, scores.selectivity, board.empty_count());
        print_line(format_args!("scores ({depth})"))?;
        print_line(grid(side.black_first(board), |square| {
            let mut moves = scores.moves.iter();
            let scored = moves.find(|scored| scored.ply == Some(square))?;
            Some(format!("{:+}", scored.score))
        }))?;
    }
    for spelling in Spelling::ALL {
        print_line(format_args!(
            "{:<4} {}",
            spelling.name(),
            spelling.write(board, side)
        ))?;
    }
    Ok(print_line("")?)
}

/// Draws a board, black first, with a text on each square for which `text` returns one.
fn grid(board: Board, text: impl Fn(Square) -> Option<String>) -> String {
    let cell = |square: Square| {
        text(square).unwrap_or_else(|| {
            let disc = match square.bit() {
                bit if board.player & bit != 0 => "X",
                bit if board.opponent & bit != 0 => "O",
                _ => ".",
            };
            disc.to_owned()
        })
    };
    let mut lines = vec!["       A   B   C   D   E   F   G   H".to_owned()];
    lines.extend((0..8_u8).map(|row| {
        let squares = (0..8).filter_map(|column| Square::new(8 * row + column));
        let cells: String = squares
            .map(|square| format!("{:>4}", cell(square)))
            .collect();
        format!("  {} {cells}", row + 1)
    }));
    lines.push(String::new());
    lines.join("\n")
}

/// Draws the picture of a position.
fn draw(arguments: &Arguments, game: &Game, scores: Option<&MoveScores>) -> Diagram {
    let (board, side) = game.position();
    let mut diagram = Diagram::new(board, side).last(game.plies().last().copied().flatten());
    if arguments.numbers {
        diagram = diagram.numbers(game);
    }
    if let Some(scores) = scores {
        let moves = scores.moves.iter();
        diagram = diagram.values(moves.filter_map(|scored| Some((scored.ply?, scored.score))));
    }
    if arguments.arrows {
        diagram = diagram.arrows(flip_lines(game));
    }
    diagram
}

/// Lines of the last move's flips: its square, and the disc at the other end. There are none after a pass.
fn flip_lines(game: &Game) -> Vec<(Square, Square)> {
    const DIRECTIONS: [(i32, i32); 8] = [
        (1, 0),
        (1, 1),
        (0, 1),
        (-1, 1),
        (-1, 0),
        (-1, -1),
        (0, -1),
        (1, -1),
    ];
    let mut before = game.clone();
    let (Some(Some(played)), board) = (before.undo(), before.board()) else {
        return Vec::new();
    };
    let after = board.play(played).expect("the move was legal");
    let flipped = board.opponent & !after.player;
    let at = |column: i32, row: i32| {
        let is_inside = (0..8).contains(&column) && (0..8).contains(&row);
        is_inside
            .then(|| Square::new((8 * row + column) as u8))
            .flatten()
    };
    let (column, row) = (played.index() as i32 % 8, played.index() as i32 / 8);
    let lines = DIRECTIONS.iter().filter_map(|(right, down)| {
        let mut squares = (1..8).map_while(|step| at(column + step * right, row + step * down));
        let end = squares.find(|square| flipped & square.bit() == 0)?;
        let is_adjacent = at(column + right, row + down) == Some(end);
        (!is_adjacent).then_some((played, end))
    });
    lines.collect()
}
