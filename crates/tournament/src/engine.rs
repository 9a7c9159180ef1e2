//! Engines of a match: command, protocol and limit, and the driver of a running engine.

use std::fmt;
use std::io;
use std::time::Duration;

use outflank::search::StopHandle;
use outflank::{Game, Side};

use crate::driver::Driver;
use crate::fault::{EngineFault, Failure, FaultKind, Reply};
use crate::gtp::Gtp;
use crate::limits::{Allowance, Clock, GameLimits, Limit};
use crate::nboard::NBoard;
use crate::process::{Process, Wait};

/// Protocol of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// Go Text Protocol, version 2.
    Gtp,
    /// NBoard's protocol, version 2.
    NBoard,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Protocol; 2] = [Protocol::Gtp, Protocol::NBoard];

    /// Name in lower case, for command lines and logs.
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Gtp => "gtp",
            Protocol::NBoard => "nboard",
        }
    }
}

impl fmt::Display for Protocol {
    /// Writes the name for use in a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Protocol::Gtp => "GTP",
            Protocol::NBoard => "NBoard's protocol",
        })
    }
}

/// Error of an engine that cannot play a match.
#[derive(Debug, thiserror::Error)]
#[error("{command:?} {problem}")]
#[non_exhaustive]
pub struct EngineError {
    /// Command of the engine.
    pub command: String,
    /// Reason.
    pub problem: EngineProblem,
}

/// Reason why an engine cannot play. Its text continues a sentence that begins with the command.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineProblem {
    /// The command cannot be split into words.
    #[error("is no command: {0}")]
    Words(#[from] shell_words::ParseError),
    /// The command is empty.
    #[error("is no command: an engine needs a command, such as 'outflank gtp'")]
    Empty,
    /// The command has a placeholder, such as `{depth}`, for a limit that is not given.
    #[error("has a place for {0}, and no such limit is given")]
    NoSuchLimit(&'static str),
    /// The protocol cannot set the limit. The third field is the placeholder by which the command could set it.
    #[error("speaks {0}, which has no way to set {1}: write {2} where the command takes it")]
    CannotSet(Protocol, &'static str, &'static str),
    /// NBoard's clocks have whole seconds.
    #[error(
        "speaks NBoard's protocol, which has clocks of whole seconds: give other limits, or use GTP"
    )]
    WholeSeconds,
    /// The command cannot be run.
    #[error("cannot be started: {0}")]
    Start(io::Error),
    /// No protocol was detected.
    #[error("speaks neither GTP nor NBoard's protocol: {0}")]
    UnknownProtocol(EngineFault),
    /// The engine does not begin a game.
    #[error("begins no game by {0}: {1}")]
    BeginsNoGame(Protocol, EngineFault),
    /// The match was stopped meanwhile.
    #[error("was stopped")]
    Stopped,
}

impl Failure {
    /// Translates the failure. `of_fault` translates faults.
    fn problem(self, of_fault: impl FnOnce(EngineFault) -> EngineProblem) -> EngineProblem {
        match self {
            Failure::Stopped => EngineProblem::Stopped,
            Failure::Start(error) => EngineProblem::Start(error),
            Failure::Fault(fault) => of_fault(fault),
        }
    }
}

/// Engine of a match. It has passed a test: it was started and began a game.
#[derive(Clone, Debug)]
pub struct MatchEngine {
    /// Command as it was given.
    pub command: String,
    /// Protocol that was given or detected.
    pub protocol: Protocol,
    /// Name that the engine reports; empty without one.
    pub name: String,
    /// Words of the command. Limits have replaced the placeholders.
    words: Vec<String>,
    /// Limit to set by the protocol; [`Limit::EngineDefault`] if the command sets it.
    pub(crate) protocol_limit: Limit,
    patience: Duration,
}

impl MatchEngine {
    /// Tests an engine: starts it, begins a game, and ends it.
    ///
    /// The command is split into words as by a shell. The number of the limit replaces the placeholders `{depth}`,
    /// `{nodes}` and `{time}` in it. Without a placeholder the protocol sets the limit. If `protocol` is `None`, it is
    /// detected by the engine's answers.
    pub fn new(
        command: &str,
        protocol: Option<Protocol>,
        limits: &GameLimits,
        stop: &StopHandle,
    ) -> Result<MatchEngine, EngineError> {
        let prepare = || -> Result<MatchEngine, EngineProblem> {
            let mut words = shell_words::split(command)?;
            if words.is_empty() {
                return Err(EngineProblem::Empty);
            }
            let is_filled = fill_placeholders(&mut words, limits.limit)?;
            let protocol = match protocol {
                Some(protocol) => protocol,
                None => detect(&words, limits.patience, stop)?,
            };
            let protocol_limit = match is_filled {
                true => Limit::EngineDefault,
                false => checked_limit(protocol, limits.limit)?,
            };
            let mut engine = MatchEngine {
                command: command.to_owned(),
                protocol,
                name: String::new(),
                words,
                protocol_limit,
                patience: limits.patience,
            };
            let begun = engine.start(stop).and_then(|mut driver| {
                driver.begin_game(&Game::new(), &protocol_limit)?;
                Ok(driver.name().to_owned())
            });
            engine.name = begun.map_err(|failure| engine.problem(failure))?;
            Ok(engine)
        };
        prepare().map_err(|problem| EngineError {
            command: command.to_owned(),
            problem,
        })
    }

    /// Reason why the engine does not begin a game.
    fn problem(&self, failure: Failure) -> EngineProblem {
        failure.problem(|fault| EngineProblem::BeginsNoGame(self.protocol, fault))
    }

    /// Error of an engine that does not begin a game.
    pub(crate) fn error(&self, failure: Failure) -> EngineError {
        EngineError {
            command: self.command.clone(),
            problem: self.problem(failure),
        }
    }

    /// Starts and greets the engine.
    pub(crate) fn start(&self, stop: &StopHandle) -> Reply<Box<dyn Driver>> {
        let process = Process::start(&self.words, stop).map_err(Failure::Start)?;
        let greeted = match self.protocol {
            Protocol::Gtp => Gtp::greet(process, self.patience),
            Protocol::NBoard => NBoard::greet(process, self.patience),
        };
        greeted.map_err(|failure| match failure {
            Failure::Fault(fault) => Failure::fault(FaultKind::Start, fault),
            other => other,
        })
    }

    /// Plays trial games of one move, which do not count. Loading weights and clearing a used table then take no time
    /// from a real game.
    pub(crate) fn warm_up(&self, driver: &mut dyn Driver, limits: GameLimits) -> Reply {
        const GAMES: u32 = 2;
        let limit = limits.limit.for_trial();
        let protocol_limit = match self.protocol_limit {
            Limit::EngineDefault => Limit::EngineDefault,
            _ => limit,
        };
        let allowance = Clock::new(GameLimits { limit, ..limits }).allowance();
        let allowance = Allowance {
            wait: allowance.wait.max(limits.patience),
            ..allowance
        };
        for _ in 0..GAMES {
            driver.begin_game(&Game::new(), &protocol_limit)?;
            driver.choose_move(Side::Black, &allowance)?;
        }
        Ok(())
    }
}

/// Replaces placeholders by the limit. Returns `true` if there were any.
fn fill_placeholders(words: &mut [String], limit: Limit) -> Result<bool, EngineProblem> {
    let (given, number) = match limit {
        Limit::Depth(plies) => ("{depth}", plies.to_string()),
        Limit::Nodes(count) => ("{nodes}", count.to_string()),
        Limit::Move(time) => ("{time}", time.as_secs_f64().to_string()),
        Limit::EngineDefault | Limit::Game { .. } => ("", String::new()),
    };
    let mut is_filled = false;
    for placeholder in ["{depth}", "{nodes}", "{time}"] {
        for word in words.iter_mut().filter(|word| word.contains(placeholder)) {
            if placeholder != given {
                return Err(EngineProblem::NoSuchLimit(placeholder));
            }
            *word = word.replace(placeholder, &number);
            is_filled = true;
        }
    }
    Ok(is_filled)
}

/// Returns the limit if `protocol` can set it.
fn checked_limit(protocol: Protocol, limit: Limit) -> Result<Limit, EngineProblem> {
    let (name, placeholder) = match (protocol, limit) {
        (Protocol::Gtp, Limit::Depth(_)) => ("a depth", "{depth}"),
        (_, Limit::Nodes(_)) => ("a number of nodes", "{nodes}"),
        (Protocol::NBoard, Limit::Move(_)) => ("a time for each move", "{time}"),
        (Protocol::NBoard, Limit::Game { .. }) if limit.ggf_clock().is_none() => {
            return Err(EngineProblem::WholeSeconds);
        }
        _ => return Ok(limit),
    };
    Err(EngineProblem::CannotSet(protocol, name, placeholder))
}

/// Detects the protocol by three commands.
///
/// A GTP engine answers the first, or refuses all three. An NBoard engine answers the last.
fn detect(
    words: &[String],
    patience: Duration,
    stop: &StopHandle,
) -> Result<Protocol, EngineProblem> {
    let mut process = Process::start(words, stop).map_err(EngineProblem::Start)?;
    let wait = Wait::new(patience);
    let commands = ["protocol_version", "nboard 2", "ping 1"];
    for command in commands {
        process.send(command);
    }
    let mut refused = 0;
    loop {
        match process.receive(wait) {
            Ok(line) if line.starts_with('=') => return Ok(Protocol::Gtp),
            Ok(line) if line.starts_with('?') => {
                refused += 1;
                if refused == commands.len() {
                    return Ok(Protocol::Gtp);
                }
            }
            Ok(line) if line.trim() == "pong 1" => return Ok(Protocol::NBoard),
            Ok(_) => {}
            Err(failure) => return Err(failure.problem(EngineProblem::UnknownProtocol)),
        }
    }
}
