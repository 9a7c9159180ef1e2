//! An engine of a match: its command, its protocol, and how it is told what limits it.

use std::fmt;
use std::io;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::control::{Allowance, Clock, Control, Rules};
use super::fault::{Fault, Kind, Trouble};
use super::gtp::Gtp;
use super::nboard::NBoard;
use super::player::{Player, Waiting};
use super::process::Process;
use outflank::search::StopHandle;
use outflank::{Game, Side};

/// A protocol that engines speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Protocol {
    /// The Go Text Protocol, version 2.
    Gtp,
    /// That of NBoard, version 2.
    NBoard,
}

impl Protocol {
    /// Both.
    pub(crate) const ALL: [Protocol; 2] = [Protocol::Gtp, Protocol::NBoard];

    /// The name on the command line.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Protocol::Gtp => "gtp",
            Protocol::NBoard => "nboard",
        }
    }
}

impl fmt::Display for Protocol {
    /// As it is called in a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Protocol::Gtp => "GTP",
            Protocol::NBoard => "NBoard's protocol",
        })
    }
}

impl FromStr for Protocol {
    type Err = UnknownProtocol;

    /// Reads [`Protocol::name`].
    fn from_str(text: &str) -> Result<Protocol, UnknownProtocol> {
        let mut all = Protocol::ALL.into_iter();
        all.find(|protocol| protocol.name() == text)
            .ok_or_else(|| UnknownProtocol(text.to_owned()))
    }
}

/// A name of no protocol.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no protocol: there are gtp and nboard")]
pub(crate) struct UnknownProtocol(String);

/// Why an engine cannot play a match.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ContestantError {
    /// The command cannot be split into words.
    #[error("{0:?} is no command: {1}")]
    Words(String, shell_words::ParseError),
    /// There is no word in it.
    #[error("an engine needs a command, such as 'outflank gtp'")]
    Empty,
    /// A place for a limit that the match does not have.
    #[error("{command:?} has a place for {place}, and the match has no such limit: give {option}")]
    Unfilled {
        /// The command.
        command: String,
        /// `{depth}`, `{nodes}` or `{time}`.
        place: &'static str,
        /// The option that sets it.
        option: &'static str,
    },
    /// The protocol cannot say what limits the engine.
    #[error(
        "{protocol} has no way to set {what}: write {place} where the command {command:?} takes it"
    )]
    Unspeakable {
        /// The command.
        command: String,
        /// Its protocol.
        protocol: Protocol,
        /// What cannot be said.
        what: &'static str,
        /// What is replaced by it.
        place: &'static str,
    },
    /// NBoard's clocks have whole seconds.
    #[error(
        "NBoard's protocol has clocks of whole seconds: give {0:?} others, or speak GTP with it"
    )]
    WholeSeconds(String),
    /// The command cannot be run.
    #[error("cannot start {command:?}: {error}")]
    Start {
        /// The command.
        command: String,
        /// Why.
        error: io::Error,
    },
    /// It answers by neither protocol.
    #[error("{command:?} speaks neither GTP nor NBoard's protocol: {fault}")]
    Unknown {
        /// The command.
        command: String,
        /// What it did.
        fault: Fault,
    },
    /// It does not begin a game.
    #[error("{command:?} begins no game by {protocol}: {fault}")]
    Unready {
        /// The command.
        command: String,
        /// The protocol it was greeted in.
        protocol: Protocol,
        /// What it did.
        fault: Fault,
    },
    /// The match was stopped before.
    #[error("stopped")]
    Stopped,
}

/// An engine that was tried: it starts, and begins a game.
#[derive(Clone, Debug)]
pub(crate) struct Contestant {
    /// The command as it was given.
    pub(crate) command: String,
    /// What it speaks.
    pub(crate) protocol: Protocol,
    /// What it calls itself; empty where it says nothing.
    pub(crate) name: String,
    words: Vec<String>,
    /// What it is told by its protocol.
    told: Control,
    patience: Duration,
}

/// Why an engine that could be started before cannot be now.
pub(super) enum StartError {
    Command(io::Error),
    Trouble(Trouble),
}

impl Contestant {
    /// The engine of this command, split into words as a shell does. `{depth}`, `{nodes}` and `{time}`
    /// in it stand for the limit of `control`; what is not said so, the protocol has to say. The engine
    /// is started, asked for its protocol unless that is given, and told to begin a game, for each of
    /// which it has `patience`; then it is ended.
    pub(crate) fn new(
        command: &str,
        protocol: Option<Protocol>,
        control: Control,
        patience: Duration,
        stop: &StopHandle,
    ) -> Result<Contestant, ContestantError> {
        let words = shell_words::split(command)
            .map_err(|error| ContestantError::Words(command.to_owned(), error))?;
        if words.is_empty() {
            return Err(ContestantError::Empty);
        }
        let (words, is_filled) = fill(command, words, control)?;
        let protocol = match protocol {
            Some(protocol) => protocol,
            None => detect(command, &words, patience, stop)?,
        };
        let told = match is_filled {
            true => Control::Own,
            false => {
                can_say(command, protocol, control)?;
                control
            }
        };
        let mut contestant = Contestant {
            command: command.to_owned(),
            protocol,
            name: String::new(),
            words,
            told,
            patience,
        };
        contestant.name = contestant.try_out(stop)?;
        Ok(contestant)
    }

    /// Begins a game with it; its name.
    fn try_out(&self, stop: &StopHandle) -> Result<String, ContestantError> {
        let mut player = self.start(stop).map_err(|error| match error {
            StartError::Command(error) => self.not_started(error),
            StartError::Trouble(trouble) => self.unready(trouble),
        })?;
        let begun = player.begin(&Game::new(), &self.told);
        begun.map_err(|trouble| self.unready(trouble))?;
        Ok(player.name().to_owned())
    }

    /// That it does not come to begin a game.
    pub(super) fn unready(&self, trouble: Trouble) -> ContestantError {
        match trouble {
            Trouble::Stopped => ContestantError::Stopped,
            Trouble::Fault(fault) => ContestantError::Unready {
                command: self.command.clone(),
                protocol: self.protocol,
                fault,
            },
        }
    }

    pub(super) fn not_started(&self, error: io::Error) -> ContestantError {
        ContestantError::Start {
            command: self.command.clone(),
            error,
        }
    }

    /// Starts it.
    pub(super) fn start(&self, stop: &StopHandle) -> Result<Box<dyn Player>, StartError> {
        let process = Process::start(&self.words, stop).map_err(StartError::Command)?;
        let greeted: Result<Box<dyn Player>, Trouble> = match self.protocol {
            Protocol::Gtp => Gtp::greet(process, self.patience).map(|one| Box::new(one) as _),
            Protocol::NBoard => NBoard::greet(process, self.patience).map(|one| Box::new(one) as _),
        };
        greeted.map_err(|trouble| {
            StartError::Trouble(match trouble {
                Trouble::Fault(fault) => Trouble::of(Kind::Start, fault),
                Trouble::Stopped => Trouble::Stopped,
            })
        })
    }

    /// Asks one that was just started for moves that do not count: what a program loads at its first
    /// move, and the first time that it clears a table which was used, are not to be taken from the time
    /// of a game.
    pub(super) fn warm_up(&self, player: &mut dyn Player, rules: Rules) -> Result<(), Trouble> {
        /// New games, each with one move.
        const GAMES: u32 = 2;
        let control = rules.control.of_trial();
        let told = match self.told {
            Control::Own => Control::Own,
            _ => control,
        };
        let rules = Rules { control, ..rules };
        for _ in 0..GAMES {
            player.begin(&Game::new(), &told)?;
            // What it loads now may take longer than any move.
            let allowance = Clock::new(rules).allowance();
            let wait = allowance.wait.max(rules.patience);
            player.choose(Side::Black, &Allowance { wait, ..allowance })?;
        }
        Ok(())
    }

    /// Lets it begin a game.
    pub(super) fn begin(&self, player: &mut dyn Player, opening: &Game) -> Result<(), Trouble> {
        player.begin(opening, &self.told)
    }
}

/// Puts the limit of the match into the words of a command; whether there was a place for it.
fn fill(
    command: &str,
    mut words: Vec<String>,
    control: Control,
) -> Result<(Vec<String>, bool), ContestantError> {
    let depth = match control {
        Control::Depth(depth) => Some(depth.to_string()),
        _ => None,
    };
    let nodes = match control {
        Control::Nodes(nodes) => Some(nodes.to_string()),
        _ => None,
    };
    let time = match control {
        Control::Move(time) => Some(time.as_secs_f64().to_string()),
        _ => None,
    };
    let mut is_filled = false;
    for (place, option, value) in [
        ("{depth}", "--depth", depth),
        ("{nodes}", "--nodes", nodes),
        ("{time}", "--move-time", time),
    ] {
        for word in words.iter_mut().filter(|word| word.contains(place)) {
            let Some(value) = &value else {
                return Err(ContestantError::Unfilled {
                    command: command.to_owned(),
                    place,
                    option,
                });
            };
            *word = word.replace(place, value);
            is_filled = true;
        }
    }
    Ok((words, is_filled))
}

/// Whether `protocol` has a way to say what limits the engine.
fn can_say(command: &str, protocol: Protocol, control: Control) -> Result<(), ContestantError> {
    let (what, place) = match (protocol, control) {
        (Protocol::Gtp, Control::Depth(_)) => ("a depth", "{depth}"),
        (_, Control::Nodes(_)) => ("a number of nodes", "{nodes}"),
        (Protocol::NBoard, Control::Move(_)) => ("a time for each move", "{time}"),
        (Protocol::NBoard, Control::Game { main, increment })
            if main.subsec_nanos() + increment.subsec_nanos() > 0 =>
        {
            return Err(ContestantError::WholeSeconds(command.to_owned()));
        }
        _ => return Ok(()),
    };
    Err(ContestantError::Unspeakable {
        command: command.to_owned(),
        protocol,
        what,
        place,
    })
}

/// What an engine speaks. It is told three lines: one of GTP knows the first and refuses the others, or at
/// worst all of them; one of NBoard answers the last, whatever it says to the first.
fn detect(
    command: &str,
    words: &[String],
    patience: Duration,
    stop: &StopHandle,
) -> Result<Protocol, ContestantError> {
    let process = Process::start(words, stop);
    let mut process = process.map_err(|error| ContestantError::Start {
        command: command.to_owned(),
        error,
    })?;
    let Waiting { since, patience } = Waiting::from_now(patience);
    process.say("protocol_version");
    process.say("nboard 2");
    process.say("ping 1");
    let mut refused = 0;
    loop {
        match process.line(since, patience) {
            Ok(line) if line.starts_with('=') => return Ok(Protocol::Gtp),
            Ok(line) if line.starts_with('?') => {
                refused += 1;
                if refused == 3 {
                    return Ok(Protocol::Gtp);
                }
            }
            Ok(line) if line.trim() == "pong 1" => return Ok(Protocol::NBoard),
            Ok(_) => {}
            Err(Trouble::Stopped) => return Err(ContestantError::Stopped),
            Err(Trouble::Fault(fault)) => {
                return Err(ContestantError::Unknown {
                    command: command.to_owned(),
                    fault,
                });
            }
        }
    }
}
