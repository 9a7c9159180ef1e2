//! Labelled positions: games, positions from them and from deviations of them, and what those are worth.
//!
//! A search meets positions that good players never leave, so weights that are fitted to games alone
//! are far off where they matter. Here every position of a game may first go through some random moves.
//!
//! What is made depends on the [`Plan`] and on the number of the game, on nothing else: not on the
//! number of threads, nor on whether a run was killed and gone on with. Games are made in numbered
//! blocks, written in order.

mod collection;
mod label;
mod path;
mod self_play;
mod shares;

use std::fmt;
use std::sync::Arc;

use outflank_kernels::Isa;
use outflank_random::SplitMix;

use crate::record::{Block, Encoded, MAX_RECORDS, RecordError, RecordSettings, Writer};
use outflank::board::Board;
use outflank::eval::Evaluation;
use outflank::openings::MAX_PLIES;
use outflank::search::{EngineError, SearchError, Selectivity};
use outflank::text::counted;

pub use collection::{Collection, CollectionError};
use label::{Games, Labeller};
use outflank::queue::Queue;
pub use self_play::SelfPlay;
pub use shares::{Shares, SharesError};

/// What is made, game by game. It decides every byte of the file.
pub struct Plan {
    /// Seed of all that is random.
    pub seed: u64,
    /// Where the games come from.
    pub origin: Origin,
    /// Games in a block: what a killed run may lose.
    pub block_games: u32,
    /// Positions taken from a game.
    pub per_game: u32,
    /// How many empty squares they have.
    pub empties: Shares,
    /// The most random moves that lead away from the game before a position is taken; every number of
    /// them up to this one is as likely.
    pub deviations: u32,
    /// The most empty squares with which a position is solved exactly.
    pub exact: u32,
    /// What positions with more empty squares are worth.
    pub above: Above,
    /// Positions on the line of best play that a solve finds, down to this number of empty squares,
    /// are taken too: what they are worth is known for nothing.
    pub line: Option<u32>,
    /// The evaluation at the leaves of searches.
    pub evaluation: Option<NamedEvaluation>,
}

/// Where games come from.
pub enum Origin {
    /// They were read from files.
    Read(Collection),
    /// The program plays them against itself, from these openings.
    SelfPlay(Openings, SelfPlay),
}

/// What games of self-play begin with.
pub enum Openings {
    /// Every position that so many plies can lead to, once for each class of symmetric ones. The games
    /// take them in turn.
    Plies(u32),
    /// Positions of games that were read, with numbers of empty squares that are drawn for each: games
    /// that people began lead to positions that people might have come to, and to others than theirs.
    Games(Collection, Shares),
}

/// What a position is worth that has too many empty squares to be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Above {
    /// What a search of `depth` plies finds: in 1/128 disc where it leaves nothing out, else in discs.
    Search {
        /// Plies.
        depth: u32,
        /// How certain selective cuts are.
        selectivity: Selectivity,
    },
    /// What the game came to: the exact score of its position where solving begins. Only positions of
    /// the game itself are taken.
    Game,
}

/// An evaluation, and what it is called in the settings of a file.
pub struct NamedEvaluation {
    /// The evaluation.
    pub evaluation: Arc<Evaluation>,
    /// What tells them from others.
    pub name: String,
}

/// Why a plan cannot be carried out.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlanError {
    /// Searches need an evaluation.
    #[error("self-play and searches need an evaluation: name a file of weights")]
    NoEvaluation,
    /// There are no games.
    #[error("the files have no game that could be used")]
    NoGames,
    /// Nothing would be made.
    #[error("expected at least one position of a game, and one game in a block")]
    Nothing,
    /// A block would be too large.
    #[error(
        "{} with {} each are too much for a block: expected at most {MAX_PICKED} positions",
        counted(block_games, "game", "games"),
        counted(per_game, "position", "positions")
    )]
    TooMany {
        /// Games in a block.
        block_games: u32,
        /// Positions of a game.
        per_game: u32,
    },
    /// The games begin too late.
    #[error(
        "the games begin with at most {begin} empty squares, and positions with {least} and more are asked \
         for"
    )]
    TooLate {
        /// The most empty squares that a game begins with.
        begin: u32,
        /// The fewest that a position is to have.
        least: u32,
    },
    /// The openings are too many.
    #[error("expected at most {MAX_PLIES} plies of openings, found {0}")]
    Openings(u32),
}

/// The most positions taken for a block: each may bring a line of play.
const MAX_PICKED: usize = MAX_RECORDS / 64;

/// Why making records ended early.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The plan is none.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// There is no solver.
    #[error(transparent)]
    Solver(#[from] EngineError),
    /// A position could not be solved.
    #[error(transparent)]
    Solve(#[from] SearchError),
    /// The file could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// A block was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// The blocks of the file.
    pub blocks: u64,
    /// The records of this one.
    pub records: u64,
    /// The length of the file.
    pub bytes: u64,
}

/// How a plan is carried out, which makes no difference to what is made.
pub struct Run<'a> {
    /// The instruction-set level of all kernels.
    pub isa: Isa,
    /// Threads, 1 or more.
    pub threads: usize,
    /// The blocks that the file shall have in the end; without, there is no end but `is_over`.
    pub blocks: Option<u64>,
    /// Asked before each block: no more are begun where it says so. Those under way are finished.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
    /// Told after each block.
    pub written: &'a mut (dyn FnMut(Written) + Send),
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
    /// Whether it can be carried out.
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

    /// The most empty squares that a game begins with.
    fn begin(&self) -> u32 {
        let start = Board::START.empty_count();
        match &self.origin {
            Origin::Read(_) => start,
            Origin::SelfPlay(Openings::Plies(plies), _) => start - plies,
            Origin::SelfPlay(Openings::Games(_, left), _) => left.most(),
        }
    }

    /// Whether some positions are searched, not solved.
    fn searches(&self) -> bool {
        matches!(self.above, Above::Search { .. }) && self.empties.most() > self.exact
    }

    /// Whether it needs an evaluation.
    pub fn needs_evaluation(&self) -> bool {
        self.searches() || matches!(self.origin, Origin::SelfPlay(..))
    }

    /// Whether positions with `empties` empty squares may come after random moves.
    fn takes_deviations(&self, empties: u32) -> bool {
        empties <= self.exact || self.above != Above::Game
    }

    /// The memory of a thread's table in MiB: as much as a solve with so many empty squares uses, within
    /// reason. It is of the plan, because which of equal moves is found may depend on it.
    fn hash_mib(&self) -> usize {
        16 << self.exact.saturating_sub(18).min(4)
    }

    /// All that decides what is made, for the head of the file.
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
        match self.above {
            _ if self.empties.most() <= self.exact => {}
            Above::Search {
                depth,
                selectivity: Selectivity::Full,
            } => settings.set("else searched to", depth),
            Above::Search { depth, selectivity } => {
                settings.set("else searched to", format_args!("{depth}@{selectivity}"));
            }
            Above::Game => settings.set("else", "result of the game"),
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

    /// Adds blocks to `writer` until there are enough.
    pub fn run(&self, writer: &mut Writer, run: Run<'_>) -> Result<(), GenerateError> {
        self.check()?;
        let games = Games::new(self);
        let first = writer.next();
        let sink = |block: Encoded| {
            writer.write(&block)?;
            (run.written)(Written {
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
            let mut labeller = Labeller::new(self, &games, run.isa, self.hash_mib())?;
            while let Some(ticket) = queue.take(run.is_over) {
                let block = self.block(ticket.number(), &mut labeller)?;
                ticket.deliver(block.encode())?;
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        })
    }

    fn block(&self, number: u64, labeller: &mut Labeller) -> Result<Block, SearchError> {
        let mut records = Vec::new();
        for game in 0..u64::from(self.block_games) {
            let game = number * u64::from(self.block_games) + game;
            labeller.game(game, &mut records)?;
        }
        Ok(Block { number, records })
    }

    /// What game `game` draws its random numbers from.
    fn random(&self, game: u64) -> SplitMix {
        // Streams of one generator that begin at neighbouring states would overlap.
        let mut seeds = SplitMix::new(self.seed ^ SplitMix::new(game).bits());
        SplitMix::new(seeds.bits())
    }
}
