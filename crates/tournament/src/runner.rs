//! Runner of a match: plays its games, several at once.

use std::error::Error;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

use crossbeam_channel::{RecvTimeoutError, Sender, unbounded};
use outflank::book::OpeningBook;
use outflank::search::StopHandle;

use crate::driver::Driver;
use crate::engine::{EngineError, EngineProblem, MatchEngine};
use crate::fault::{EngineFault, Failure};
use crate::limits::GameLimits;
use crate::openings::{Openings, OpeningsError};
use crate::pairing::{EngineId, ScheduledGame};
use crate::process::POLL;
use crate::referee::{PlayedGame, Referee};
use crate::result::{GameResult, GgfHeading};
use crate::schedule::Schedule;

/// Error of an opening book.
pub type BookError = Box<dyn Error + Send + Sync>;

/// Reason why a match cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// An engine cannot be started any more.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// There is no opening for a pair.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// A book cannot be read any more.
    #[error(transparent)]
    Book(BookError),
}

impl MatchError {
    fn is_stop(&self) -> bool {
        match self {
            MatchError::Engine(error) => matches!(error.problem, EngineProblem::Stopped),
            MatchError::Openings(error) => matches!(error, OpeningsError::Stopped),
            MatchError::Book(_) => false,
        }
    }
}

/// Function that opens a book for the game of this number, from 0.
pub type OpenBook = dyn Fn(u64) -> Result<Box<dyn OpeningBook>, BookError> + Sync;

/// Opening book that moves for an engine while it knows the position.
pub struct MatchBook {
    /// Name in reports.
    pub name: String,
    /// Description that differs between books with different moves.
    pub origin: String,
    /// Opens the book anew for each game, so that its moves do not depend on other games.
    pub open: Box<OpenBook>,
}

/// Match in which every opening is played twice with colours exchanged. Arrays have A's value first.
#[derive(Clone, Copy)]
pub struct Match<'a> {
    /// The engines.
    pub engines: [&'a MatchEngine; 2],
    /// Books that move for the engines.
    pub books: [Option<&'a MatchBook>; 2],
    /// Limits of both engines.
    pub limits: GameLimits,
    /// Games at once, at least 1. Each has its own engine processes.
    pub concurrency: usize,
    /// Pairs of games.
    pub pairs: usize,
    /// Start of the match, as GGF's `DT`.
    pub date: &'a str,
}

/// Number of consecutive failures to begin a game at which an engine ends the match.
const MAX_FAILURES: u32 = 3;

struct Shared {
    schedule: Mutex<Schedule>,
    /// Consecutive failures of A and of B to begin a game.
    failures: [AtomicU32; 2],
    halt: StopHandle,
}

impl Match<'_> {
    /// Plays all games but those `played` before, and passes each result to `on_result` as it comes.
    ///
    /// Games in progress are abandoned when `on_result` breaks, or when `stop` is used.
    pub fn play(
        &self,
        openings: Openings,
        played: &[GameResult],
        stop: &StopHandle,
        mut on_result: impl FnMut(GameResult) -> ControlFlow<()>,
    ) -> Result<(), MatchError> {
        let shared = Shared {
            schedule: Mutex::new(Schedule::new(openings, played, self.pairs)),
            failures: Default::default(),
            halt: StopHandle::default(),
        };
        let (sender, results) = unbounded();
        let mut first_error = None;
        thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let (sender, shared) = (sender.clone(), &shared);
                scope.spawn(move || Worker::new(self, shared).run(&sender));
            }
            drop(sender);
            loop {
                match results.recv_timeout(POLL) {
                    Ok(Ok(result)) => {
                        if on_result(result).is_break() {
                            shared.halt.stop();
                        }
                    }
                    Ok(Err(error)) => {
                        // Games in progress still count when only openings are missing.
                        if !matches!(error, MatchError::Openings(OpeningsError::TooFew { .. })) {
                            shared.halt.stop();
                        }
                        first_error.get_or_insert(error);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if stop.is_stopped() {
                    shared.halt.stop();
                }
            }
        });
        first_error.map_or(Ok(()), Err)
    }

    /// Name of an engine in records. Equal names are extended by A and B.
    fn name(&self, id: EngineId) -> String {
        let [a, b] = self.engines.map(|engine| engine.name.as_str());
        let engine = self.engines[id as usize];
        match engine.name.as_str() {
            "" => engine.command.clone(),
            name if a == b => format!("{name} ({id:?})"),
            name => name.to_owned(),
        }
    }
}

/// Thread that plays one game after another with its own engine processes.
struct Worker<'a> {
    settings: &'a Match<'a>,
    shared: &'a Shared,
    heading: GgfHeading<'a>,
    drivers: [Option<Box<dyn Driver>>; 2],
}

impl<'a> Worker<'a> {
    fn new(settings: &'a Match<'a>, shared: &'a Shared) -> Worker<'a> {
        Worker {
            settings,
            shared,
            heading: GgfHeading {
                names: EngineId::ALL.map(|id| settings.name(id)),
                clock: settings.limits.limit.ggf_clock(),
                date: settings.date,
            },
            drivers: [None, None],
        }
    }

    /// Plays games until there are no more, or one has no result.
    fn run(&mut self, results: &Sender<Result<GameResult, MatchError>>) {
        while !self.shared.halt.is_stopped() {
            let schedule = &self.shared.schedule;
            let next = schedule.lock().expect("no panic while locked").next();
            let result = match next {
                None => return,
                Some(Ok(game)) => self.play(&game),
                Some(Err(error)) => Err(error.into()),
            };
            // A worker that was stopped has nothing to report.
            if result.as_ref().is_err_and(MatchError::is_stop) {
                return;
            }
            let is_over = result.is_err();
            if results.send(result).is_err() || is_over {
                return;
            }
        }
    }

    /// Plays a game, and starts the engines that do not run. An engine that forfeits is ended.
    fn play(&mut self, game: &ScheduledGame) -> Result<GameResult, MatchError> {
        let mut forfeit = None;
        for id in EngineId::ALL {
            forfeit = self.begin(id, game)?.map(|fault| (game.side(id), fault));
            if forfeit.is_some() {
                break;
            }
        }
        let played = match forfeit {
            Some((side, fault)) => PlayedGame::forfeited(&game.opening, side, fault),
            None => self.referee(game)?,
        };
        let result = GameResult::new(game, played, &self.heading);
        if let Some(forfeit) = &result.forfeit {
            self.drivers[forfeit.by as usize] = None;
        }
        Ok(result)
    }

    /// Plays a game that both engines have begun.
    fn referee(&mut self, game: &ScheduledGame) -> Result<PlayedGame, MatchError> {
        let Match { books, limits, .. } = self.settings;
        let open = |book: &MatchBook| (book.open)(game.number()).map_err(MatchError::Book);
        let [book_a, book_b] = books.map(|book| book.map(open).transpose());
        let mut books = [book_a?, book_b?];
        let drivers = self.drivers.each_mut();
        let mut drivers = drivers.map(|driver| -> &mut dyn Driver {
            driver.as_mut().expect("it has begun the game").as_mut()
        });
        if game.black == EngineId::B {
            drivers.reverse();
            books.reverse();
        }
        let played = Referee::new(drivers, books, &game.opening, *limits).play();
        let engine = |side| self.settings.engines[game.engine(side) as usize];
        played.map_err(|(side, failure)| engine(side).error(failure).into())
    }

    /// Makes an engine begin a game, and starts it if it does not run. Returns its fault, if any.
    fn begin(
        &mut self,
        id: EngineId,
        game: &ScheduledGame,
    ) -> Result<Option<EngineFault>, MatchError> {
        let engine = self.settings.engines[id as usize];
        let driver = &mut self.drivers[id as usize];
        if let Some(running) = driver {
            match running.begin_game(&game.opening, &engine.protocol_limit) {
                Ok(()) => return Ok(None),
                // An engine that ended after its last game starts again without a fault.
                Err(Failure::Fault(_)) => *driver = None,
                Err(failure) => return Err(engine.error(failure).into()),
            }
        }
        let limits = self.settings.limits;
        let begun = engine.start(&self.shared.halt).and_then(|started| {
            let started = driver.insert(started).as_mut();
            if limits.limit.is_timed() {
                engine.warm_up(started, limits)?;
            }
            started.begin_game(&game.opening, &engine.protocol_limit)
        });
        let failures = &self.shared.failures[id as usize];
        match begun {
            Ok(()) => {
                failures.store(0, Relaxed);
                Ok(None)
            }
            Err(Failure::Fault(fault)) if failures.fetch_add(1, Relaxed) + 1 < MAX_FAILURES => {
                *driver = None;
                Ok(Some(fault))
            }
            Err(failure) => Err(engine.error(failure).into()),
        }
    }
}
