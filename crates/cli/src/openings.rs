//! `outflank openings`: established names of openings.

use clap::Args;
use outflank::drawn_openings::{DrawError, DrawnOpenings, OpeningChoice};
use outflank::notation::transcript::{self, TranscriptFault};
use outflank::opening_names::{NamedOpening, named_openings, openings_of};
use outflank::{Game, IllegalMove};

use super::console::print_line;
use super::error::{CommandError, FAILURE, USAGE, exit_status};
use super::json::{object, to_line};
use super::number_options::{ANY_U64, whole};
use super::skill::new_seed;

crate::subcommands! {
    /// Openings: list their names, find those of a game, draw some at random
    ///
    /// Names are English and Japanese. They belong to positions, so that other orders of the moves and symmetric games
    /// have them, too.
    #[command(after_help = EXAMPLES)]
    pub(super) enum Arguments {
        List(ListArguments) => list,
        Find(FindArguments) => find,
        Draw(DrawArguments) => draw,
    }
}

const EXAMPLES: &str = "\
Examples:
  outflank openings list                       all names with their moves
  outflank openings find f5d6c3d3c4f4f6f3g4    names that a game passes through
  outflank openings draw --count 100           random even openings for practice or a match";

/// List openings with their moves
#[derive(Args)]
#[command(after_help = LIST_EXAMPLES)]
pub(super) struct ListArguments {
    /// Only names that contain this text, in either language; capitals do not matter
    #[arg(value_name = "TEXT")]
    text: Option<String>,

    /// Write one JSON object per opening
    ///
    /// {plies, moves, english, japanese}. A name is null if there is none in the language.
    #[arg(long)]
    json: bool,
}

const LIST_EXAMPLES: &str = "\
Examples:
  outflank openings list
  outflank openings list tiger
  outflank openings list --json";

/// Find the named openings that a game passes through
///
/// The last name is the most specific one.
#[derive(Args)]
#[command(after_help = FIND_EXAMPLES)]
pub(super) struct FindArguments {
    /// Moves from the start of the game, together or as several words
    #[arg(required = true, value_name = "MOVES")]
    moves: Vec<String>,

    /// Write one JSON object per opening
    ///
    /// {plies, moves, english, japanese}. The moves are one order of the moves of the opening; a name is null if there
    /// is none in the language.
    #[arg(long)]
    json: bool,
}

const FIND_EXAMPLES: &str = "\
Examples:
  outflank openings find f5d6c3d3c4f4f6f3g4
  outflank openings find c4 e3 f6 e6 f5        a symmetric game

The exit status is 1 if no opening has a name.";

/// Draw openings at random, one transcript a line
///
/// Random even openings come at most once each, up to symmetry. A search of 8 plies gives them a score of at most 2 discs
/// for either side. `outflank convert` makes other formats of the transcripts, `outflank match --openings` plays them.
#[derive(Args)]
#[command(after_help = DRAW_EXAMPLES)]
pub(super) struct DrawArguments {
    /// Openings to draw from: names of `outflank openings list`, moves (f5d6c3), xot for random even openings of 8
    /// moves, even:N for those of N moves. =W at the end is a weight among several: tiger=3
    #[arg(value_name = "OPENING", default_value = "xot")]
    openings: Vec<OpeningChoice>,

    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=1_000_000))]
    count: u32,

    /// Seed of the drawing [default: a new one in each run]
    #[arg(long, value_name = "S", value_parser = whole::<u64>(ANY_U64))]
    seed: Option<u64>,
}

const DRAW_EXAMPLES: &str = "\
Examples:
  outflank openings draw
  outflank openings draw --count 100 --seed 1 > xot.txt
  outflank openings draw even:12 tiger=2 f5f6e6f4 --count 20
  outflank openings draw even:10 --count 50 | outflank convert - --to obf

The exit status is 1 if there are fewer even openings than --count.";

/// Error of `outflank openings`.
#[derive(Debug, thiserror::Error)]
enum OpeningsError {
    #[error("no name of an opening contains {0:?}; `outflank openings list` shows all")]
    NoName(String),
    #[error("{0}")]
    Moves(TranscriptFault),
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    #[error("no position of the game has a name")]
    Unnamed,
}
exit_status!(OpeningsError { Self::Moves(_) | Self::Illegal(_) => USAGE, _ => FAILURE });

exit_status!(FAILURE; DrawError);

/// Draws openings.
fn draw(arguments: &DrawArguments) -> Result<u8, CommandError> {
    let seed = arguments.seed.unwrap_or_else(new_seed);
    let openings = DrawnOpenings::new(arguments.openings.clone(), seed)?;
    let mut openings = openings.without_repetition();
    for _ in 0..arguments.count {
        let moves = openings.draw()?.moves().collect::<Vec<_>>();
        let names: String = moves.iter().map(|square| format!("{square:#}")).collect();
        print_line(names)?;
    }
    Ok(0)
}

/// Lists openings.
fn list(arguments: &ListArguments) -> Result<u8, CommandError> {
    let text = arguments.text.as_deref().unwrap_or_default();
    let wanted = text.to_lowercase();
    let contains =
        |name: Option<&str>| name.is_some_and(|name| name.to_lowercase().contains(&wanted));
    let found: Vec<_> = named_openings()
        .iter()
        .filter(|opening| contains(opening.english) || contains(opening.japanese))
        .collect();
    if found.is_empty() {
        return Err(OpeningsError::NoName(text.to_owned()).into());
    }
    print(&found, arguments.json)
}

/// Finds the openings of a game.
fn find(arguments: &FindArguments) -> Result<u8, CommandError> {
    let moves = transcript::moves(&arguments.moves.join(" "));
    let moves = moves.map_err(|error| OpeningsError::Moves(error.fault))?;
    let game = Game::from_moves(&moves).map_err(OpeningsError::Illegal)?;
    let found = openings_of(&game);
    if found.is_empty() {
        return Err(OpeningsError::Unnamed.into());
    }
    print(&found, arguments.json)
}

fn print(openings: &[&NamedOpening], json: bool) -> Result<u8, CommandError> {
    let longest = openings.iter().map(|opening| opening.moves.len()).max();
    let width = longest.unwrap_or_default();
    for opening in openings {
        let NamedOpening {
            moves,
            english,
            japanese,
            ..
        } = **opening;
        let plies = opening.plies();
        match json {
            true => print_line(to_line(&object! { plies, moves, english, japanese }))?,
            false => {
                let names: Vec<_> = english.into_iter().chain(japanese).collect();
                print_line(format_args!(
                    "{plies:>2} {moves:<width$} {}",
                    names.join(", ")
                ))?;
            }
        }
    }
    Ok(0)
}
