//! All games of a match, several at once.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, Sender, unbounded};
use serde::{Deserialize, Serialize};

use super::contestant::{Contestant, ContestantError, StartError};
use super::control::{Control, Rules};
use super::fault::{Fault, Kind, Trouble};
use super::nboard::ggf_time;
use super::openings::{Openings, OpeningsError, moves};
use super::player::Player;
use super::referee::{self, Played, Stopped};
use crate::notation::{GameRecord, ggf, transcript};
use crate::search::StopHandle;
use crate::{Game, Side};

/// The place of an engine in a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Seat {
    /// The first one.
    A,
    /// The second one.
    B,
}

impl Seat {
    /// Both.
    pub const ALL: [Seat; 2] = [Seat::A, Seat::B];

    /// The other one.
    pub const fn other(self) -> Seat {
        match self {
            Seat::A => Seat::B,
            Seat::B => Seat::A,
        }
    }
}

/// A game that was lost before its end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Forfeit {
    /// By this engine,
    pub by: Seat,
    /// which did this.
    #[serde(flatten)]
    pub fault: Fault,
}

/// A game that was played, and how it ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finished {
    /// The number of its pair, from 0: both of a pair have the same opening.
    pub pair: usize,
    /// Who had black. In a pair, A has it first.
    pub black: Seat,
    /// The moves of the opening, as a transcript.
    pub opening: String,
    /// What the game came to, in discs from A's side, -64..=64; a game that was lost before its end is
    /// lost by 64.
    pub score: i32,
    /// How it was lost before its end, if it was.
    pub forfeit: Option<Forfeit>,
    /// By how many milliseconds A and B overstepped their limits at most.
    pub overstep_ms: [f64; 2],
    /// The game in GGF.
    pub ggf: String,
}

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// An engine's command cannot be run any more.
    #[error(transparent)]
    Contestant(#[from] ContestantError),
    /// There is no opening for a pair.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
}

/// A match: every opening is played twice, with sides changed.
#[derive(Clone, Copy)]
pub struct Contest<'a> {
    /// A and B.
    pub contestants: [&'a Contestant; 2],
    /// What limits them.
    pub control: Control,
    /// By how much a limit may be overstepped without losing.
    pub margin: Duration,
    /// How long an answer is awaited that no clock limits.
    pub patience: Duration,
    /// Games at once, 1 or more. An engine runs once for each.
    pub concurrency: usize,
    /// Pairs of games.
    pub pairs: usize,
    /// When it began, as GGF's `DT` has it.
    pub date: &'a str,
}

/// How often it is looked whether the match was stopped.
const LOOK: Duration = Duration::from_millis(50);

impl Contest<'_> {
    /// Plays all games that are not among those `before`, and hands over each as it ends; where `on` does
    /// not want more, or `stop` is used, those under way are given up.
    pub fn play(
        &self,
        openings: Openings,
        before: &[Finished],
        stop: &StopHandle,
        mut on: impl FnMut(Finished) -> ControlFlow<()>,
    ) -> Result<(), ContestError> {
        let schedule = Mutex::new(Schedule::new(openings, before, self.pairs));
        let halt = StopHandle::default();
        let (sender, results) = unbounded();
        let mut failure = None;
        thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let (sender, schedule, halt) = (sender.clone(), &schedule, &halt);
                scope.spawn(move || self.work(schedule, halt, &sender));
            }
            drop(sender);
            loop {
                match results.recv_timeout(LOOK) {
                    Ok(Ok(finished)) => {
                        if on(finished).is_break() {
                            halt.stop();
                        }
                    }
                    Ok(Err(error)) => {
                        failure.get_or_insert(error);
                        halt.stop();
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if stop.is_stopped() {
                    halt.stop();
                }
            }
        });
        match failure {
            // Openings are searched by an engine that heeds the same handle.
            Some(ContestError::Openings(OpeningsError::Stopped)) | None => Ok(()),
            Some(error) => Err(error),
        }
    }

    /// Plays one game after another.
    fn work(
        &self,
        schedule: &Mutex<Schedule>,
        halt: &StopHandle,
        results: &Sender<Result<Finished, ContestError>>,
    ) {
        let mut players = [None, None];
        while !halt.is_stopped() {
            let next = schedule.lock().expect("no panic").next();
            let finished = match next {
                None => return,
                Some(Ok(task)) => self.game(&mut players, &task, halt),
                Some(Err(error)) => Err(Ended::Error(error.into())),
            };
            let result = match finished {
                Ok(finished) => Ok(finished),
                Err(Ended::Error(error)) => Err(error),
                Err(Ended::Stopped) => return,
            };
            let is_over = result.is_err();
            if results.send(result).is_err() || is_over {
                return;
            }
        }
    }

    /// Plays a game with engines that run already, or are started for it. Those that did wrong are ended.
    fn game(
        &self,
        players: &mut [Option<Box<dyn Player>>; 2],
        task: &Task,
        halt: &StopHandle,
    ) -> Result<Finished, Ended> {
        let mut forfeit = None;
        for seat in Seat::ALL {
            if let Err(fault) = self.ready(&mut players[seat as usize], seat, task, halt)? {
                players[seat as usize] = None;
                forfeit = Some((seat, fault));
                break;
            }
        }
        let played = match (forfeit, &mut *players) {
            (None, [Some(a), Some(b)]) => {
                let black_first: [&mut dyn Player; 2] = match task.black {
                    Seat::A => [a.as_mut(), b.as_mut()],
                    Seat::B => [b.as_mut(), a.as_mut()],
                };
                let played = referee::play(black_first, &task.opening, self.rules());
                played.map_err(|Stopped| Ended::Stopped)?
            }
            (forfeit, _) => Played {
                game: task.opening.clone(),
                notes: Vec::new(),
                forfeit: forfeit.map(|(seat, fault)| (task.side(seat), fault)),
                overstep: [Duration::ZERO; 2],
            },
        };
        let names = [0, 1].map(|seat| players[seat].as_ref().map_or("", |one| one.name()));
        let finished = self.finished(task, played, names);
        if let Some(forfeit) = &finished.forfeit {
            players[forfeit.by as usize] = None;
        }
        Ok(finished)
    }

    /// Starts an engine, unless it runs, and lets it begin the game; what it did wrong.
    fn ready(
        &self,
        player: &mut Option<Box<dyn Player>>,
        seat: Seat,
        task: &Task,
        halt: &StopHandle,
    ) -> Result<Result<(), Fault>, Ended> {
        let contestant = self.contestants[seat as usize];
        let begun = match player {
            Some(player) => contestant.begin(player.as_mut(), &task.opening),
            None => match contestant.start(halt) {
                Ok(started) => {
                    let started = player.insert(started).as_mut();
                    let warm = match self.control.is_timed() {
                        true => contestant.warm_up(started, self.rules()),
                        false => Ok(()),
                    };
                    warm.and_then(|()| contestant.begin(started, &task.opening))
                }
                Err(StartError::Trouble(trouble)) => Err(trouble),
                Err(StartError::Command(error)) => {
                    let error = contestant.not_started(error);
                    return Err(Ended::Error(error.into()));
                }
            },
        };
        match begun {
            Ok(()) => Ok(Ok(())),
            Err(Trouble::Fault(fault)) => Ok(Err(fault)),
            Err(Trouble::Stopped) => Err(Ended::Stopped),
        }
    }

    fn rules(&self) -> Rules {
        Rules {
            control: self.control,
            margin: self.margin,
            patience: self.patience,
        }
    }

    /// A game that was played, with all that is to be kept of it.
    fn finished(&self, task: &Task, played: Played, names: [&str; 2]) -> Finished {
        let black_score = match (&played.forfeit, played.game.score()) {
            (Some((side, _)), _) => side.black_score(-64),
            (None, score) => score.expect("it was played to the end"),
        };
        let by_seat = |of_sides: [Duration; 2]| {
            Seat::ALL.map(|seat| of_sides[task.side(seat) as usize].as_secs_f64() * 1000.0)
        };
        let forfeit = played.forfeit.map(|(side, fault)| Forfeit {
            by: task.seat(side),
            fault,
        });
        let mut record = GameRecord::new(played.game);
        record.notes = played.notes;
        let named = |seat: Seat| {
            // An engine that is not there any more had a name when it was tried.
            let contestant = self.contestants[seat as usize];
            let name = match names[seat as usize] {
                "" => contestant.name.as_str(),
                name => name,
            };
            match (name, self.contestants[0].name == self.contestants[1].name) {
                ("", _) => contestant.command.clone(),
                (name, true) => format!("{name} ({seat:?})"),
                (name, false) => name.to_owned(),
            }
        };
        let mut result = format!("{black_score:+}.000");
        match &forfeit {
            None => {}
            Some(forfeit) if forfeit.fault.kind == Kind::Time => result += ":t",
            Some(_) => result += ":r",
        }
        let told = forfeit
            .as_ref()
            .map(|Forfeit { by, fault }| format!("{by:?} loses {}: {fault}", fault.kind));
        for (name, value) in [
            ("PC", Some("outflank match".to_owned())),
            ("DT", Some(self.date.to_owned())),
            ("PB", Some(named(task.seat(Side::Black)))),
            ("PW", Some(named(task.seat(Side::White)))),
            ("RE", Some(result)),
            ("TI", ggf_time(&self.control)),
            ("TY", Some("8".to_owned())),
            ("CO", told),
        ] {
            if let Some(value) = value {
                record.set(name, &value).expect("a name of a property");
            }
        }
        Finished {
            pair: task.pair,
            black: task.black,
            opening: moves(&task.opening),
            score: task.side(Seat::A).black_score(black_score),
            forfeit,
            overstep_ms: by_seat(played.overstep),
            ggf: ggf::write(&record),
        }
    }
}

/// Why a game has no result.
enum Ended {
    Stopped,
    Error(ContestError),
}

/// A game to play.
struct Task {
    pair: usize,
    black: Seat,
    opening: Game,
}

impl Task {
    fn side(&self, seat: Seat) -> Side {
        match seat == self.black {
            true => Side::Black,
            false => Side::White,
        }
    }

    fn seat(&self, side: Side) -> Seat {
        match side {
            Side::Black => self.black,
            Side::White => self.black.other(),
        }
    }
}

/// The games that are to be played.
struct Schedule {
    openings: Openings,
    pairs: usize,
    /// The next game: twice the number of its pair, and 1 more where B has black.
    next: usize,
    done: HashSet<(usize, Seat)>,
    /// The openings of pairs that were begun before: the second game has that of the first.
    begun: HashMap<usize, String>,
}

impl Schedule {
    fn new(openings: Openings, before: &[Finished], pairs: usize) -> Schedule {
        let begun = before.iter().map(|game| (game.pair, game.opening.clone()));
        Schedule {
            openings,
            pairs,
            next: 0,
            done: before.iter().map(|game| (game.pair, game.black)).collect(),
            begun: begun.collect(),
        }
    }

    fn next(&mut self) -> Option<Result<Task, OpeningsError>> {
        loop {
            let (pair, black) = (self.next / 2, Seat::ALL[self.next % 2]);
            if pair >= self.pairs {
                return None;
            }
            self.next += 1;
            if self.done.contains(&(pair, black)) {
                continue;
            }
            let begun = self.begun.get(&pair).and_then(|line| of_line(line));
            let opening = match begun {
                Some(opening) => Ok(opening),
                None => self.openings.of_pair(pair, self.pairs),
            };
            return Some(opening.map(|opening| Task {
                pair,
                black,
                opening,
            }));
        }
    }
}

/// The opening of a line that [`moves`] wrote.
fn of_line(line: &str) -> Option<Game> {
    transcript::read(line.as_bytes()).next()?.ok()?.game().ok()
}
