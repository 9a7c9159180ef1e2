//! Openings of a match: games of a file, or near-even positions in random order.

use std::collections::HashSet;

use outflank::Game;
use outflank::drawn_openings::EvenOpenings;
use outflank::kernels::Isa;
use outflank::notation::{self, Contents, Format, FormatError, Location, ReadError};
use outflank::openings::MAX_PLIES;
use outflank::search::{Engine, EngineError, StopHandle};
use outflank_support::text::plural;

/// Reason why there are no openings, or too few.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningsError {
    /// An entry of the file cannot be read.
    #[error("{}", .1.in_file(.0))]
    Read(String, ReadError),
    /// The file is empty, or of another kind.
    #[error("{0}: {1}")]
    Format(String, #[source] FormatError),
    /// A position comes without the moves that lead to it.
    #[error("{0}: a position without moves is no opening: give games")]
    Position(String),
    /// A game has another starting position.
    #[error("{0}: openings begin with the usual position, for engines are told moves")]
    Start(String),
    /// A game is over.
    #[error("{0}: the game is over: take its first moves as opening, --plies N")]
    Over(String),
    /// All random openings have been played.
    #[error(
        "{} as many openings, and of {drawn} after {} {} worth {} or less: play fewer games, \
         or let openings have more --plies or be less --even",
        plural(pairs, "pair needs", "pairs need"),
        plural(settings.plies, "ply", "plies"),
        plural(near_even, "is", "are"),
        plural(settings.max_score, "disc", "discs")
    )]
    TooFew {
        /// Pairs of the match.
        pairs: usize,
        /// Number of openings of this length, all of which were drawn.
        drawn: usize,
        /// Number of near-even openings.
        near_even: usize,
        /// Choice of the openings.
        settings: RandomOpenings,
    },
    /// The engine that judges openings cannot be created.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The match was stopped meanwhile.
    #[error("stopped")]
    Stopped,
}

/// Choice of random openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomOpenings {
    /// Moves of an opening, at most [`MAX_PLIES`].
    pub plies: u32,
    /// Greatest absolute score of an opening in discs, by a search of 8 plies.
    pub max_score: u32,
    /// Seed of the order.
    pub seed: u64,
}

/// Openings of a match, one for each pair of games.
pub struct Openings(Source);

enum Source {
    File { games: Vec<Game>, crc: u32 },
    Random(Box<Sampler>),
}

impl Openings {
    /// Reads a file of transcripts, GGF or WTHOR. `name` is its name in errors.
    ///
    /// An opening is the first `plies` moves of a game, or all moves for `None`. Of openings that are equal up to
    /// symmetry only the first is used. If there are more pairs, the openings repeat.
    pub fn read(name: &str, file: &[u8], plies: Option<u32>) -> Result<Openings, OpeningsError> {
        let (mut games, mut seen) = (Vec::new(), HashSet::new());
        let unusable = |error| OpeningsError::Format(name.to_owned(), error);
        for entry in notation::read(file, Format::detect(file).map_err(unusable)?) {
            let entry = entry.map_err(|error| OpeningsError::Read(name.to_owned(), error))?;
            let Contents::Game(record) = entry.contents else {
                return Err(OpeningsError::Position(entry.location.in_file(name)));
            };
            let game = opening(record.game, plies, entry.location, name)?;
            if seen.insert(game.board().canonical().0) {
                games.push(game);
            }
        }
        if games.is_empty() {
            return Err(unusable(FormatError::Empty));
        }
        let lines: Vec<String> = games.iter().map(transcript).collect();
        let crc = crc32fast::hash(lines.join("\n").as_bytes());
        Ok(Openings(Source::File { games, crc }))
    }

    /// Prepares random near-even openings, one of each symmetry class. An engine at the level `isa` judges them.
    ///
    /// # Panics
    ///
    /// Panics if there are more than [`MAX_PLIES`] plies.
    pub fn random(
        settings: RandomOpenings,
        isa: Isa,
        stop: &StopHandle,
    ) -> Result<Openings, OpeningsError> {
        assert!(settings.plies <= MAX_PLIES, "too many openings");
        let engine = Engine::builder().isa(isa).hash_mib(1);
        let engine = engine.stop_handle(stop.clone()).build()?;
        Ok(Openings(Source::Random(Box::new(Sampler {
            settings,
            source: EvenOpenings::new(settings.plies, settings.max_score, settings.seed, engine),
            near_even: Vec::new(),
        }))))
    }

    /// Opening of pair number `pair`, from 0. `pairs` is the number of all pairs, which only an error mentions.
    pub fn of_pair(&mut self, pair: usize, pairs: usize) -> Result<Game, OpeningsError> {
        match &mut self.0 {
            Source::File { games, .. } => Ok(games[pair % games.len()].clone()),
            Source::Random(sampler) => sampler.of_pair(pair, pairs),
        }
    }

    /// Number of openings in the file, after which they repeat; `None` for random openings, which never do.
    pub fn count(&self) -> Option<usize> {
        match &self.0 {
            Source::File { games, .. } => Some(games.len()),
            Source::Random(_) => None,
        }
    }

    /// Description that identifies the openings in a log.
    pub fn origin(&self) -> String {
        match &self.0 {
            Source::File { games, crc } => format!("{} of a file, CRC-32 {crc:08x}", games.len()),
            Source::Random(sampler) => {
                let RandomOpenings {
                    plies,
                    max_score,
                    seed,
                } = sampler.settings;
                format!("drawn after {plies} plies, even to {max_score} discs, seed {seed}")
            }
        }
    }
}

/// First moves of a game in a file, if they can be an opening.
fn opening(
    mut game: Game,
    plies: Option<u32>,
    location: Location,
    name: &str,
) -> Result<Game, OpeningsError> {
    if !game.has_usual_start() {
        return Err(OpeningsError::Start(location.in_file(name)));
    }
    if let Some(plies) = plies {
        while game.moves().count() > plies as usize {
            game.undo();
        }
    }
    match game.is_over() {
        true => Err(OpeningsError::Over(location.in_file(name))),
        false => Ok(game),
    }
}

/// Transcript of a game without passes, in lower case.
pub(crate) fn transcript(game: &Game) -> String {
    game.moves().map(|square| format!("{square:#}")).collect()
}

/// Source of random openings, which are drawn on demand.
struct Sampler {
    settings: RandomOpenings,
    source: EvenOpenings,
    /// Near-even openings in the order of their pairs.
    near_even: Vec<Game>,
}

impl Sampler {
    fn of_pair(&mut self, pair: usize, pairs: usize) -> Result<Game, OpeningsError> {
        while self.near_even.len() <= pair {
            match self.source.draw() {
                Ok(Some(game)) => self.near_even.push(game),
                Ok(None) => {
                    return Err(OpeningsError::TooFew {
                        pairs,
                        drawn: self.source.drawn(),
                        near_even: self.near_even.len(),
                        settings: self.settings,
                    });
                }
                Err(_) => return Err(OpeningsError::Stopped),
            }
        }
        Ok(self.near_even[pair].clone())
    }
}
