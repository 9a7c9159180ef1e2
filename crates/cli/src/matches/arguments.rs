//! Options of `outflank match`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use outflank::openings::MAX_PLIES;
use outflank::{Isa, StopHandle};
use outflank_book::{BookPlayer, Tolerance};
use outflank_tournament::{
    GameLimits, Limit, MatchBook, Openings, Protocol, RandomOpenings, Sprt, SprtError,
};

use super::MatchCommandError;
use crate::book::{ChoiceArguments, open_unless_none};
use crate::error::{in_file, report};
use crate::number_options::{ANY_U64, names, real, whole};
use crate::output_files::ForceArgument;
use crate::progress::ProgressArgument;
use crate::{CommandError, IsaArgument, input};

/// Play games between two engines, and tell which one is stronger
///
/// An engine is a program that speaks GTP or NBoard's protocol. Its command is split into words as in a shell, but no
/// shell runs it. Each opening is played twice, with colours exchanged. An engine loses the game if it ends, hangs,
/// floods its output, gives an invalid answer or an illegal move, or exceeds its time. It is then started again, and
/// the match continues.
///
/// Without a limit, the engines play as their commands say. GTP can set times but no depth. NBoard's protocol can set a
/// depth and a clock for the game but no time per move. Neither can set a number of nodes. For such limits, write
/// {depth}, {nodes} or {time} in a command; the number takes its place.
///
/// `outflank gtp` and `outflank nboard` play by the built-in book unless their commands say --book none.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Command of the first engine
    #[arg(value_name = "A")]
    pub(super) a: String,

    /// Command of the second engine
    #[arg(value_name = "B")]
    pub(super) b: String,

    /// Protocol of A [default: detected when A starts]
    #[arg(long, value_name = "PROTOCOL", value_parser = names(&Protocol::ALL, Protocol::name))]
    pub(super) protocol_a: Option<Protocol>,

    /// Protocol of B [default: detected when B starts]
    #[arg(long, value_name = "PROTOCOL", value_parser = names(&Protocol::ALL, Protocol::name))]
    pub(super) protocol_b: Option<Protocol>,

    /// Number of games, two for each opening; an odd number is rounded up [default: 100; with --sprt 20000]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=10_000_000))]
    games: Option<u32>,

    #[command(flatten)]
    pub(super) openings: OpeningArguments,

    #[command(flatten)]
    pub(super) books: MatchBookArguments,

    #[command(flatten)]
    pub(super) limits: LimitArguments,

    /// Number of games to play at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=512))]
    pub(super) concurrency: u32,

    #[command(flatten)]
    pub(super) test: TestArguments,

    /// Log file, to which each game is added when it ends; a match with an existing log is resumed
    #[arg(long, value_name = "FILE")]
    pub(super) log: Option<PathBuf>,

    /// File of the games in GGF, to which each game is added when it ends
    #[arg(long, value_name = "FILE")]
    pub(super) ggf: Option<PathBuf>,

    #[command(flatten)]
    pub(super) force: ForceArgument,

    /// Write the result as one JSON object instead of sentences
    #[arg(long)]
    pub(super) json: bool,

    #[command(flatten)]
    pub(super) isa: IsaArgument,

    #[command(flatten)]
    pub(super) progress: ProgressArgument,
}

/// Options of the openings.
#[derive(Args)]
pub(super) struct OpeningArguments {
    /// File of openings, used in their order: games as GGF, SGF, WTHOR, Othello Quest or transcripts [default: random
    /// near-even positions after --plies moves]
    #[arg(long, value_name = "FILE")]
    pub(super) openings: Option<PathBuf>,

    /// Moves of each opening; random openings have at most 9 [default: 8, with --openings all moves of a game]
    #[arg(long, value_name = "P", value_parser = whole::<u32>(0..=60))]
    plies: Option<u32>,

    /// Maximum score of a random opening for either side, in discs, by a search of 8 plies
    #[arg(long, value_name = "DISCS", default_value_t = 2, conflicts_with = "openings", value_parser = whole::<u32>(0..=64))]
    even: u32,

    /// Seed of the random openings
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(ANY_U64))]
    #[arg(conflicts_with = "openings")]
    seed: u64,
}

/// Options of opening books that move for the engines.
#[derive(Args)]
pub(super) struct MatchBookArguments {
    /// Opening book, a file or built-in, that makes the moves of both sides while it knows the position
    #[arg(long, value_name = "BOOK", conflicts_with_all = ["book_a", "book_b"])]
    book: Option<PathBuf>,

    /// Opening book that makes the moves of A only
    #[arg(long, value_name = "BOOK")]
    book_a: Option<PathBuf>,

    /// Opening book that makes the moves of B only
    #[arg(long, value_name = "BOOK")]
    book_b: Option<PathBuf>,

    #[command(flatten)]
    choice: ChoiceArguments,
}

/// Options of the limits.
#[derive(Args)]
pub(super) struct LimitArguments {
    /// Time limit of each move in seconds
    #[arg(long, value_name = "S", value_parser = seconds, group = "control")]
    move_time: Option<Duration>,

    /// Time limit of each engine for a whole game in seconds
    #[arg(long, value_name = "S", value_parser = seconds, group = "control")]
    game_time: Option<Duration>,

    /// Seconds that each move adds to the clock of --game-time
    #[arg(long, value_name = "S", value_parser = seconds, requires = "game_time")]
    increment: Option<Duration>,

    /// Search depth of each move in plies
    #[arg(long, value_name = "D", value_parser = whole::<u32>(1..=60), group = "control")]
    depth: Option<u32>,

    /// Maximum number of nodes for each move
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX.into()), group = "control")]
    nodes: Option<u64>,

    /// Milliseconds by which an engine may exceed its time without losing, because answers take time to arrive
    #[arg(long, value_name = "MS", default_value_t = 20, value_parser = whole::<u64>(0..=60_000))]
    margin: u64,

    /// Maximum wait in seconds for answers without a clock: for the start of an engine, and for moves without a time
    /// limit
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "60")]
    patience: Duration,
}

/// Options of the test that ends the match.
#[derive(Args)]
pub(super) struct TestArguments {
    /// End the match as soon as a sequential test (SPRT) decides between two hypotheses: A is stronger by ELO0, or by
    /// ELO1
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

The exit status is 0 if the match was completed, whatever its result. It is 1 if an engine could not be
restarted, or if a file could not be read or written, 2 if the match could not begin as asked, 130 after
Ctrl-C, and 143 after SIGTERM. All games played until then are reported. See docs/guide/match.md.";

/// Default number of plies of random openings.
const PLIES: u32 = 8;

/// Default seed of books. It is fixed, so that the same command resumes a log.
const BOOK_SEED: u64 = 1;

/// Default number of games without a test.
const GAMES: u32 = 100;

/// Default number of games with a test.
const GAMES_OF_TEST: u32 = 20_000;

/// Parses a time from 1 ms to less than two weeks, rounded to milliseconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = real(0.001..=1e6)(text)?;
    Ok(Duration::from_millis((seconds * 1000.0).round() as u64))
}

impl Arguments {
    /// Number of pairs of games.
    pub(super) fn pairs(&self) -> usize {
        let games = self.games.unwrap_or(match self.test.sprt {
            None => GAMES,
            Some(_) => GAMES_OF_TEST,
        });
        games.div_ceil(2) as usize
    }
}

impl OpeningArguments {
    /// Reads the openings, or prepares random ones.
    pub(super) fn read(&self, isa: Isa, stop: &StopHandle) -> Result<Openings, CommandError> {
        let Some(path) = &self.openings else {
            let plies = self.plies.unwrap_or(PLIES);
            if plies > MAX_PLIES {
                return Err(MatchCommandError::Plies.into());
            }
            let choice = RandomOpenings {
                plies,
                max_score: self.even,
                seed: self.seed,
            };
            return Ok(Openings::random(choice, isa, stop)?);
        };
        let file = input::read(path).map_err(in_file(path))?;
        let name = path.display().to_string();
        Ok(Openings::read(&name, &file, self.plies)?)
    }
}

impl MatchBookArguments {
    /// Paths of books, including the names `built-in` and `none`.
    pub(super) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        let books = [&self.book, &self.book_a, &self.book_b];
        books.into_iter().flatten()
    }

    /// Books of A and B. Each is opened once as a check.
    pub(super) fn books(&self) -> Result<[Option<MatchBook>; 2], CommandError> {
        let books = [self.book(&self.book_a)?, self.book(&self.book_b)?];
        if books.iter().all(Option::is_none) {
            self.choice.refuse_tolerance()?;
        }
        Ok(books)
    }

    /// Book of one engine: its own if it has one, else the common book of `--book`.
    fn book(&self, of_engine: &Option<PathBuf>) -> Result<Option<MatchBook>, CommandError> {
        let Some(path) = of_engine.as_ref().or(self.book.as_ref()).cloned() else {
            return Ok(None);
        };
        if open_unless_none(&path)?.is_none() {
            return Ok(None);
        }
        let tolerance = self.choice.tolerance(&path);
        let seed = self.choice.book_seed.unwrap_or(BOOK_SEED);
        let Tolerance { of_move, of_game } = tolerance;
        let name = path.display().to_string();
        Ok(Some(MatchBook {
            origin: format!("{name}, tolerance {of_move} and {of_game}, seed {seed}"),
            name,
            open: Box::new(move |game| {
                let book = open_unless_none(&path)?.expect("the path is not `none`");
                let player = BookPlayer::new(book, tolerance, seed.wrapping_add(game));
                Ok(Box::new(player.on_error(|error| report(&error))))
            }),
        }))
    }
}

impl LimitArguments {
    pub(super) fn limits(&self) -> GameLimits {
        let increment = self.increment.unwrap_or_default();
        GameLimits {
            limit: match (self.move_time, self.game_time, self.depth, self.nodes) {
                (Some(time), ..) => Limit::Move(time),
                (_, Some(main), ..) => Limit::Game { main, increment },
                (_, _, Some(depth), _) => Limit::Depth(depth),
                (.., Some(nodes)) => Limit::Nodes(nodes),
                (None, None, None, None) => Limit::EngineDefault,
            },
            margin: Duration::from_millis(self.margin),
            patience: self.patience,
        }
    }
}

impl TestArguments {
    /// Test that ends the match.
    pub(super) fn test(&self) -> Result<Option<Sprt>, SprtError> {
        match self.sprt.as_deref() {
            Some(&[elo0, elo1]) => Sprt::new(elo0, elo1, self.alpha, self.beta).map(Some),
            _ => Ok(None),
        }
    }
}
