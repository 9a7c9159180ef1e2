//! The options of `outflank match`.

use std::path::PathBuf;
use std::time::Duration;

use crate::book::{ChoiceArguments, open_unless_none};
use crate::tournament::{Control, Draw, Openings, Protocol, SeatBook, Sprt, SprtError};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use outflank::openings::MAX_PLIES;
use outflank::{Isa, StopHandle};

use super::MatchError;
use crate::numbers::{ANY, real, whole};
use crate::outputs::ForceArgument;
use crate::progress::ProgressArgument;
use crate::{CommandError, IsaArgument, input};

/// Play games between two engines, and tell which one is stronger
///
/// An engine is a program that speaks GTP or NBoard's protocol; its command is split into words as a
/// shell does. Each opening is played twice, with colours changed. An engine that ends, hangs, floods,
/// answers nonsense or an illegal move, or oversteps its time loses that game, is started again, and
/// the match goes on.
///
/// Without a limit the engines play as their commands tell them to. GTP has times but no depth, NBoard
/// a depth and clocks but no time for a move, and both have no number of nodes: {depth}, {nodes} and
/// {time} in a command stand for the limit.
///
/// `outflank gtp` and `outflank nboard` play by the built-in book unless their commands say --book none.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The command of the first engine
    #[arg(value_name = "A")]
    pub(super) a: String,

    /// The command of the second one
    #[arg(value_name = "B")]
    pub(super) b: String,

    /// Protocol of A [default: the one that it answers]
    #[arg(long, value_name = "PROTOCOL", value_parser = protocols())]
    pub(super) protocol_a: Option<Protocol>,

    /// Protocol of B [default: the one that it answers]
    #[arg(long, value_name = "PROTOCOL", value_parser = protocols())]
    pub(super) protocol_b: Option<Protocol>,

    /// Games, two for each opening; an odd number is rounded up [default: 100; with --sprt 20000]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=10_000_000))]
    games: Option<u32>,

    #[command(flatten)]
    pub(super) openings: OpeningArguments,

    #[command(flatten)]
    pub(super) books: BooksArguments,

    #[command(flatten)]
    pub(super) limits: LimitArguments,

    /// Games to play at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=512))]
    pub(super) concurrency: u32,

    #[command(flatten)]
    pub(super) test: TestArguments,

    /// Keep every game in FILE as it ends; an existing FILE is continued
    #[arg(long, value_name = "FILE")]
    pub(super) log: Option<PathBuf>,

    /// Write the games to FILE in GGF, each as it ends
    #[arg(long, value_name = "FILE")]
    pub(super) ggf: Option<PathBuf>,

    #[command(flatten)]
    pub(super) force: ForceArgument,

    /// Write one JSON object instead of sentences
    #[arg(long)]
    pub(super) json: bool,

    #[command(flatten)]
    pub(super) isa: IsaArgument,

    #[command(flatten)]
    pub(super) progress: ProgressArgument,
}

/// Where the openings come from.
#[derive(Args)]
pub(super) struct OpeningArguments {
    /// Openings: games as transcripts, GGF or WTHOR, taken in their order [default: drawn at random from all positions
    /// after --plies moves that are near even]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Moves of an opening [default: 8, with --openings all of them]
    #[arg(long, value_name = "P", value_parser = whole::<u32>(0..=60))]
    plies: Option<u32>,

    /// Most discs that an opening drawn at random is worth to either side, as judged by a search of 8 plies
    #[arg(long, value_name = "DISCS", default_value_t = 2, conflicts_with = "openings", value_parser = whole::<u32>(0..=64))]
    even: u32,

    /// Seed of the openings that are drawn
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1,
        conflicts_with = "openings",
        value_parser = whole::<u64>(ANY)
    )]
    seed: u64,
}

/// What moves are made by without asking the engines.
#[derive(Args)]
pub(super) struct BooksArguments {
    /// Make the moves of both sides by an opening book, a file or built-in, as long as it knows the position; the engines
    /// play from then on
    #[arg(long, value_name = "BOOK", conflicts_with_all = ["book_a", "book_b"])]
    book: Option<PathBuf>,

    /// Make the moves of A alone by an opening book
    #[arg(long, value_name = "BOOK")]
    book_a: Option<PathBuf>,

    /// Make the moves of B alone by an opening book
    #[arg(long, value_name = "BOOK")]
    book_b: Option<PathBuf>,

    #[command(flatten)]
    choice: ChoiceArguments,
}

/// What limits the engines.
#[derive(Args)]
pub(super) struct LimitArguments {
    /// Seconds for each move
    #[arg(long, value_name = "S", value_parser = seconds, group = "control")]
    move_time: Option<Duration>,

    /// Seconds for each game, each engine
    #[arg(long, value_name = "S", value_parser = seconds, group = "control")]
    game_time: Option<Duration>,

    /// Seconds that each move adds to the clock
    #[arg(long, value_name = "S", value_parser = seconds, requires = "game_time")]
    increment: Option<Duration>,

    /// Plies for each move
    #[arg(long, value_name = "D", value_parser = whole::<u32>(1..=60), group = "control")]
    depth: Option<u32>,

    /// Nodes for each move
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX.into()), group = "control")]
    nodes: Option<u64>,

    /// Milliseconds by which an engine may exceed its time: answers need some time to arrive
    #[arg(long, value_name = "MS", default_value_t = 20, value_parser = whole::<u64>(0..=60_000))]
    pub(super) margin: u64,

    /// Seconds that an engine may take where no clock limits it: to start, and to move without a limit of time
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "60")]
    pub(super) patience: Duration,
}

/// A test that ends the match.
#[derive(Args)]
pub(super) struct TestArguments {
    /// End the match when a test (SPRT) has decided whether A is stronger by ELO0 or by ELO1
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], value_parser = real(-10_000.0..=10_000.0))]
    sprt: Option<Vec<f64>>,

    /// Probability that --sprt accepts ELO1 although ELO0 is true
    #[arg(long, value_name = "RISK", default_value_t = 0.05, requires = "sprt", value_parser = real(0.0..=1.0))]
    alpha: f64,

    /// Probability that --sprt accepts ELO0 although ELO1 is true
    #[arg(long, value_name = "RISK", default_value_t = 0.05, requires = "sprt", value_parser = real(0.0..=1.0))]
    beta: f64,
}

const EXAMPLES: &str = "\
Examples:
  outflank match 'outflank gtp --depth 8' 'outflank gtp --depth 4' --games 200
  outflank match './new gtp' './old gtp' --move-time 0.1 --sprt 0 10 --concurrency 4 --log new.log
  outflank match 'outflank nboard' 'outflank gtp --level {depth}' --depth 6 --ggf games.ggf
  outflank match 'outflank gtp' 'mEdax -gtp' --game-time 60 --increment 0.5 --openings xot.txt
  outflank match 'outflank gtp' 'mEdax -gtp' --book my.book --tolerance 1 --plies 0

The exit status is 0 where the match came to its end, whoever lost how; 1 where an engine could not be
started again or a file not be read or written, 2 where the match could not be begun as asked, 130
after Ctrl-C, 143 after SIGTERM. What was played is reported in any case. docs/guide/match.md says more.";

/// The plies of openings that are drawn.
const PLIES: u32 = 8;

/// The seed of books where none is given: a log goes on with the same command.
const BOOK_SEED: u64 = 1;

/// Games where none are asked for, without a test and with one.
const GAMES: u32 = 100;
const GAMES_OF_TEST: u32 = 20_000;

fn protocols() -> impl TypedValueParser<Value = Protocol> {
    PossibleValuesParser::new(Protocol::ALL.map(Protocol::name))
        .map(|name| name.parse().expect("one of the names"))
}

/// Reads a time: more than nothing, less than two weeks, to the millisecond.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = real(0.001..=1e6)(text)?;
    Ok(Duration::from_millis((seconds * 1000.0).round() as u64))
}

impl Arguments {
    /// Pairs of games.
    pub(super) fn pairs(&self) -> usize {
        let games = self.games.unwrap_or(match self.test.sprt {
            None => GAMES,
            Some(_) => GAMES_OF_TEST,
        });
        games.div_ceil(2) as usize
    }
}

impl OpeningArguments {
    /// The file that they come from, if it is one.
    pub(super) fn file(&self) -> &Option<PathBuf> {
        &self.openings
    }

    /// Reads them, or prepares to draw them.
    pub(super) fn read(&self, isa: Isa, stop: &StopHandle) -> Result<Openings, MatchError> {
        let Some(path) = &self.openings else {
            let plies = self.plies.unwrap_or(PLIES);
            if plies > MAX_PLIES {
                return Err(MatchError::Plies);
            }
            let draw = Draw {
                plies,
                even: self.even,
                seed: self.seed,
            };
            return Ok(Openings::drawn(draw, isa, stop)?);
        };
        let file = input::read(path);
        let file = file.map_err(|error| MatchError::Unreadable {
            path: path.clone(),
            error,
        })?;
        Ok(Openings::read(
            &path.display().to_string(),
            &file,
            self.plies,
        )?)
    }
}

impl BooksArguments {
    /// The books that are named.
    pub(super) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        let books = [&self.book, &self.book_a, &self.book_b];
        books.into_iter().flatten()
    }

    /// The books of A and B, which were opened once to see that they can be.
    pub(super) fn books(&self) -> Result<[Option<SeatBook>; 2], CommandError> {
        let book = |own: &Option<PathBuf>| -> Result<Option<SeatBook>, CommandError> {
            let Some(path) = own.as_ref().or(self.book.as_ref()) else {
                return Ok(None);
            };
            Ok(open_unless_none(path)?.map(|_| SeatBook {
                path: path.clone(),
                tolerance: self.choice.tolerance(path),
                seed: self.choice.seed().unwrap_or(BOOK_SEED),
            }))
        };
        let books = [book(&self.book_a)?, book(&self.book_b)?];
        if books.iter().all(Option::is_none) {
            self.choice.refuse_tolerance()?;
        }
        Ok(books)
    }
}

impl LimitArguments {
    /// The limit that is asked for.
    pub(super) fn control(&self) -> Control {
        match (self.move_time, self.game_time, self.depth, self.nodes) {
            (Some(time), ..) => Control::Move(time),
            (_, Some(main), ..) => Control::Game {
                main,
                increment: self.increment.unwrap_or_default(),
            },
            (_, _, Some(depth), _) => Control::Depth(depth),
            (.., Some(nodes)) => Control::Nodes(nodes),
            (None, None, None, None) => Control::Own,
        }
    }
}

impl TestArguments {
    /// The test that is asked for.
    pub(super) fn test(&self) -> Result<Option<Sprt>, SprtError> {
        let test = self.sprt.as_deref().map(|elo| match elo {
            &[elo0, elo1] => Sprt::new(elo0, elo1, self.alpha, self.beta),
            _ => unreachable!("clap takes two"),
        });
        test.transpose()
    }
}
