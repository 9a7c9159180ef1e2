//! Engine that is asked for moves in single positions.

use outflank::search::StopHandle;
use outflank::{Board, Game, Side};

use crate::driver::{Answer, Driver};
use crate::engine::{EngineError, MatchEngine};
use crate::fault::{EngineFault, Failure, FaultKind, Reply};
use crate::limits::{Clock, GameLimits};

/// Engine that is asked for moves in single positions. It runs from the first question on. After a fault it is started
/// again.
pub struct EngineSession<'a> {
    engine: &'a MatchEngine,
    limits: GameLimits,
    stop: StopHandle,
    driver: Option<Box<dyn Driver>>,
    /// Consecutive failures to take a position.
    failures: u32,
    /// `true` once the engine has taken a position.
    has_taken_one: bool,
}

/// Number of consecutive failures to take a position that end the session, once one was taken.
const MAX_FAILURES: u32 = 3;

impl<'a> EngineSession<'a> {
    /// Creates a session with these limits of each move. `stop` ends the wait for an answer.
    pub fn new(
        engine: &'a MatchEngine,
        limits: GameLimits,
        stop: &StopHandle,
    ) -> EngineSession<'a> {
        EngineSession {
            engine,
            limits,
            stop: stop.clone(),
            driver: None,
            failures: 0,
            has_taken_one: false,
        }
    }

    /// Asks for a move of `side`, which has a legal one on `board`, mover first. Returns the fault of an engine that
    /// gives no legal move.
    ///
    /// The answer may come later than a time limit allows.
    ///
    /// # Errors
    ///
    /// The error ends the session: the session was stopped, the engine cannot be started, or it takes no positions.
    ///
    /// # Panics
    ///
    /// Panics if both sides hold the same square.
    pub fn ask(
        &mut self,
        board: Board,
        side: Side,
    ) -> Result<Result<Answer, EngineFault>, EngineError> {
        let game = Game::from_start(board, side).expect("no square is held twice");
        match self.begin(&game) {
            Ok(()) => (self.failures, self.has_taken_one) = (0, true),
            Err(Failure::Fault(fault))
                if self.has_taken_one && self.failures + 1 < MAX_FAILURES =>
            {
                self.failures += 1;
                self.driver = None;
                return Ok(Err(fault));
            }
            Err(failure) => return Err(self.engine.error(failure)),
        }
        match self.choose(&game) {
            Ok(answer) => Ok(Ok(answer)),
            Err(Failure::Fault(fault)) => {
                self.driver = None;
                Ok(Err(fault))
            }
            Err(failure) => Err(self.engine.error(failure)),
        }
    }

    /// Sets up a position. Starts the engine if it does not run.
    fn begin(&mut self, game: &Game) -> Reply {
        let limit = &self.engine.protocol_limit;
        if let Some(running) = &mut self.driver {
            match running.begin_game(game, limit) {
                // An engine that ended after its last answer starts again without a fault.
                Err(Failure::Fault(_)) => self.driver = None,
                result => return result,
            }
        }
        let started = self.engine.start(&self.stop)?;
        self.driver.insert(started).begin_game(game, limit)
    }

    fn choose(&mut self, game: &Game) -> Reply<Answer> {
        let driver = self.driver.as_mut().expect("it took the position");
        let allowance = Clock::new(self.limits).allowance();
        let answer = driver.choose_move(game.side(), &allowance)?;
        let mut after = game.clone();
        let played = after.play_as(game.side(), answer.ply);
        played.map_err(|error| Failure::fault(FaultKind::Illegal, error))?;
        Ok(answer)
    }
}
