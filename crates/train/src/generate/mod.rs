//! Generation of labelled positions from games.
//!
//! A search meets positions that good players avoid. Weights fitted to games alone are inaccurate there, so some
//! random moves may deviate from the game before a position is taken.
//!
//! Records depend on the [`Plan`] and the number of the game only. Threads and interruptions change nothing.
//! Games form numbered blocks, which are written in order.

mod collection;
mod empties;
mod label;
mod path;

use std::fmt;
use std::sync::Arc;

use outflank_kernels::Isa;
use outflank_random::SplitMix64;

use crate::parallel;
use crate::record::{Block, EncodedBlock, MAX_RECORDS, RecordError, RecordSettings, Writer};
use outflank::board::Board;
use outflank::eval::Evaluation;
use outflank::openings::MAX_PLIES;
use outflank::search::{EngineError, SearchError, Selectivity};
use outflank_support::text::plural;

pub use collection::{Collection, CollectionError};
pub use empties::{EmptiesDistribution, EmptiesDistributionError};
use label::{Games, Labeller};
use outflank_support::queue::Queue;
pub use path::SelfPlay;

/// Settings that determine every byte of a record file.
pub struct Plan {
    /// Seed of all random choices.
    pub seed: u64,
    /// Origin of the games.
    pub origin: Origin,
    /// Games per block. A killed run loses its unfinished blocks.
    pub block_games: u32,
    /// Positions per game.
    pub per_game: u32,
    /// Distribution of the positions' empty squares.
    pub empties: EmptiesDistribution,
    /// Maximum number of random moves before a position. All numbers from 0 to this one are equally likely.
    pub deviations: u32,
    /// Maximum number of empty squares of exactly solved positions.
    pub exact: u32,
    /// Label of positions with more than `exact` empty squares.
    pub unsolved_label: UnsolvedLabel,
    /// Minimum number of empty squares of positions from the principal variations of solves. `None` takes no such
    /// positions.
    pub line: Option<u32>,
    /// Evaluation for searches and self-play.
    pub evaluation: Option<NamedEvaluation>,
}

/// Origin of games.
pub enum Origin {
    /// Games read from files.
    Read(Collection),
    /// Games that the program plays against itself.
    SelfPlay(Openings, SelfPlay),
}

/// Openings of self-play.
pub enum Openings {
    /// All positions after this number of plies, one for each symmetry class, in turn.
    Plies(u32),
    /// Positions of collected games. Their numbers of empty squares are drawn from the distribution.
    Games(Collection, EmptiesDistribution),
}

/// Label of a position with too many empty squares for a solve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnsolvedLabel {
    /// Value of a search: in 1/128 disc at full selectivity, else in whole discs.
    Search {
        /// Depth in plies.
        depth: u32,
        /// Confidence of selective cuts.
        selectivity: Selectivity,
    },
    /// Result of the game, with perfect play from where solving begins. No random moves precede these positions.
    Game,
}

/// Evaluation with its name in the settings of record files.
pub struct NamedEvaluation {
    /// Evaluation.
    pub evaluation: Arc<Evaluation>,
    /// Identifying name.
    pub name: String,
}

/// Reason why a plan is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// Searches need an evaluation.
    #[error("self-play and searches need an evaluation: name a file of weights")]
    NoEvaluation,
    /// The files have no usable games.
    #[error("the files have no game that could be used")]
    NoGames,
    /// The plan yields no positions.
    #[error("expected at least one position of a game, and one game in a block")]
    Nothing,
    /// A block would have too many positions.
    #[error(
        "{} with {} each are too much for a block: expected at most {MAX_PICKED} positions",
        plural(block_games, "game", "games"),
        plural(per_game, "position", "positions")
    )]
    TooMany {
        /// Games per block.
        block_games: u32,
        /// Positions per game.
        per_game: u32,
    },
    /// All games begin with too few empty squares.
    #[error(
        "the games begin with at most {begin} empty squares, and positions with {least} and more are asked \
         for"
    )]
    TooLate {
        /// Maximum number of empty squares at the start of a game.
        begin: u32,
        /// Minimum number of empty squares of a position.
        least: u32,
    },
    /// The openings have too many plies.
    #[error("expected at most {MAX_PLIES} plies of openings, found {0}")]
    Openings(u32),
}

/// Maximum number of positions picked for a block. Each may add a principal variation.
const MAX_PICKED: usize = MAX_RECORDS / 64;

/// Reason why generation failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The plan is invalid.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The engine could not be built.
    #[error(transparent)]
    Solver(#[from] EngineError),
    /// A search failed.
    #[error(transparent)]
    Solve(#[from] SearchError),
    /// The file could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Notification after a block was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrittenBlock {
    /// Blocks in the file.
    pub blocks: u64,
    /// Records in this block.
    pub records: u64,
    /// Length of the file in bytes.
    pub bytes: u64,
}

/// Execution options that do not influence the records.
pub struct RunOptions<'a> {
    /// Instruction-set level of the kernels.
    pub isa: Isa,
    /// Number of threads, 1 or more.
    pub threads: usize,
    /// Number of blocks at which to stop; `None` leaves that to `is_over`.
    pub blocks: Option<u64>,
    /// Queried before each block. `true` starts no more blocks; started blocks are finished.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
    /// Called after each block.
    pub written: &'a mut (dyn FnMut(WrittenBlock) + Send),
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Plies(plies) => write!(f, "openings of {plies} plies"),
            Openings::Games(games, empties) => {
                write!(f, "positions of {games}, with {empties} empty squares")
            }
        }
    }
}

impl Plan {
    /// Validates the plan.
    pub fn check(&self) -> Result<(), PlanError> {
        let picked = u64::from(self.block_games) * u64::from(self.per_game);
        if picked == 0 {
            return Err(PlanError::Nothing);
        }
        if picked > MAX_PICKED as u64 {
            return Err(PlanError::TooMany {
                block_games: self.block_games,
                per_game: self.per_game,
            });
        }
        match &self.origin {
            Origin::Read(games) | Origin::SelfPlay(Openings::Games(games, _), _)
                if games.is_empty() =>
            {
                Err(PlanError::NoGames)
            }
            Origin::SelfPlay(Openings::Plies(plies), _) if *plies > MAX_PLIES => {
                Err(PlanError::Openings(*plies))
            }
            _ if self.begin() < self.empties.least() => Err(PlanError::TooLate {
                begin: self.begin(),
                least: self.empties.least(),
            }),
            _ if self.needs_evaluation() && self.evaluation.is_none() => {
                Err(PlanError::NoEvaluation)
            }
            _ => Ok(()),
        }
    }

    /// Maximum number of empty squares at the start of a game.
    fn begin(&self) -> u32 {
        let start = Board::START.empty_count();
        match &self.origin {
            Origin::Read(_) => start,
            Origin::SelfPlay(Openings::Plies(plies), _) => start - plies,
            Origin::SelfPlay(Openings::Games(_, left), _) => left.most(),
        }
    }

    /// Returns `true` if some positions are searched instead of solved.
    fn searches(&self) -> bool {
        matches!(self.unsolved_label, UnsolvedLabel::Search { .. })
            && self.empties.most() > self.exact
    }

    /// Returns `true` if the plan needs an evaluation.
    pub fn needs_evaluation(&self) -> bool {
        self.searches() || matches!(self.origin, Origin::SelfPlay(..))
    }

    /// Returns `true` if random moves may precede positions with `empties` empty squares.
    fn takes_deviations(&self, empties: u32) -> bool {
        empties <= self.exact || self.unsolved_label != UnsolvedLabel::Game
    }

    /// Size of a thread's table in MiB, enough for solves at `exact` empty squares. It depends on the plan only,
    /// because it influences the choice between equal moves.
    fn hash_mib(&self) -> usize {
        16 << self.exact.saturating_sub(18).min(4)
    }

    /// Settings for the header of the record file.
    pub fn settings(&self) -> RecordSettings {
        let mut settings = RecordSettings::default();
        settings.set("made by", concat!("outflank ", env!("CARGO_PKG_VERSION")));
        settings.set("seed", self.seed);
        match &self.origin {
            Origin::Read(games) => settings.set("from", games),
            Origin::SelfPlay(openings, play) => {
                settings.set("from", format_args!("self-play, {openings}, {play}"));
            }
        }
        settings.set("games in a block", self.block_games);
        settings.set("positions of a game", self.per_game);
        settings.set("empty squares", &self.empties);
        settings.set("random moves up to", self.deviations);
        settings.set("exact up to", self.exact);
        match self.unsolved_label {
            _ if self.empties.most() <= self.exact => {}
            UnsolvedLabel::Search {
                depth,
                selectivity: Selectivity::Full,
            } => settings.set("else searched to", depth),
            UnsolvedLabel::Search { depth, selectivity } => {
                settings.set("else searched to", format_args!("{depth}@{selectivity}"));
            }
            UnsolvedLabel::Game => settings.set("else", "result of the game"),
        }
        if let Some(least) = self.line {
            settings.set("best lines down to", least);
        }
        if let Some(evaluation) = &self.evaluation
            && self.needs_evaluation()
        {
            settings.set("weights", &evaluation.name);
        }
        settings
    }

    /// Appends blocks to `writer` until the run is over.
    pub fn run(&self, writer: &mut Writer, run: RunOptions<'_>) -> Result<(), GenerateError> {
        self.check()?;
        let games = Games::new(self);
        let first = writer.next();
        let sink = |block: EncodedBlock| {
            writer.write(&block)?;
            (run.written)(WrittenBlock {
                blocks: writer.next(),
                records: block.records(),
                bytes: writer.bytes(),
            });
            Ok::<(), GenerateError>(())
        };
        let threads = run.threads.max(1);
        let queue = Queue::new(
            first,
            run.blocks.unwrap_or(u64::MAX),
            4 * threads as u64,
            sink,
        );
        let work = || -> Result<(), GenerateError> {
            let mut labeller = Labeller::new(self, &games, run.isa)?;
            while let Some(ticket) = queue.take(run.is_over) {
                let block = self.block(ticket.number(), &mut labeller)?;
                ticket.deliver(block.encode())?;
            }
            Ok(())
        };
        let results = parallel::each(threads, &mut vec![(); threads], |()| work());
        results.into_iter().collect()
    }

    fn block(&self, number: u64, labeller: &mut Labeller) -> Result<Block, SearchError> {
        let mut records = Vec::new();
        for game in 0..u64::from(self.block_games) {
            let game = number * u64::from(self.block_games) + game;
            labeller.game(game, &mut records)?;
        }
        Ok(Block { number, records })
    }

    fn random(&self, game: u64) -> SplitMix64 {
        // Streams of one generator that begin at neighbouring states would overlap.
        let mut seeds = SplitMix64::new(self.seed ^ SplitMix64::new(game).bits());
        SplitMix64::new(seeds.bits())
    }
}
