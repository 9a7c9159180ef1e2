//! All games of a match, several at once.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, Sender, unbounded};

use super::books::SeatBook;
use super::contestant::{Contestant, ContestantError, StartError};
use super::control::{Control, Rules};
use super::fault::{Fault, Trouble};
use super::finished::{Finished, Heading, Seat};
use super::openings::{Openings, OpeningsError};
use super::player::Player;
use super::referee::{self, Played, Stopped};
use super::schedule::{Schedule, Task};
use outflank::search::StopHandle;
use outflank_book::{BookError, BookPlayer};

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ContestError {
    /// An engine's command cannot be run any more.
    #[error(transparent)]
    Contestant(#[from] ContestantError),
    /// There is no opening for a pair.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// A book cannot be read any more.
    #[error(transparent)]
    Book(#[from] BookError),
}

/// A match: every opening is played twice, with sides changed.
#[derive(Clone, Copy)]
pub(crate) struct Contest<'a> {
    /// A and B.
    pub(crate) contestants: [&'a Contestant; 2],
    /// What their moves are made by as long as it knows the position.
    pub(crate) books: [Option<&'a SeatBook>; 2],
    /// What limits them.
    pub(crate) control: Control,
    /// By how much a limit may be overstepped without losing.
    pub(crate) margin: Duration,
    /// How long an answer is awaited that no clock limits.
    pub(crate) patience: Duration,
    /// Games at once, 1 or more. An engine runs once for each.
    pub(crate) concurrency: usize,
    /// Pairs of games.
    pub(crate) pairs: usize,
    /// When it began, as GGF's `DT` has it.
    pub(crate) date: &'a str,
}

/// How often in a row an engine of this seat did not come to begin a game.
type Failures = [AtomicU32; 2];

/// After so many of those there is no match any more: something is not as it was when it began, and the
/// games would be lost one after another.
const STARTS: u32 = 3;

/// How often it is looked whether the match was stopped.
const LOOK: Duration = Duration::from_millis(25);

impl Contest<'_> {
    /// Plays all games that are not among those `before`, and hands over each as it ends; where `on` does
    /// not want more, or `stop` is used, those under way are given up.
    pub(crate) fn play(
        &self,
        openings: Openings,
        before: &[Finished],
        stop: &StopHandle,
        mut on: impl FnMut(Finished) -> ControlFlow<()>,
    ) -> Result<(), ContestError> {
        let schedule = Mutex::new(Schedule::new(openings, before, self.pairs));
        let failures = Failures::default();
        let halt = StopHandle::default();
        let (sender, results) = unbounded();
        let mut failure = None;
        thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let (sender, schedule, halt) = (sender.clone(), &schedule, &halt);
                let failures = &failures;
                scope.spawn(move || self.work(schedule, failures, halt, &sender));
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
                        // Without openings left, the games under way still count.
                        if !matches!(error, ContestError::Openings(OpeningsError::TooFew { .. })) {
                            halt.stop();
                        }
                        failure.get_or_insert(error);
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
        failures: &Failures,
        halt: &StopHandle,
        results: &Sender<Result<Finished, ContestError>>,
    ) {
        let mut players = [None, None];
        while !halt.is_stopped() {
            let next = schedule.lock().expect("no panic").next();
            let finished = match next {
                None => return,
                Some(Ok(task)) => self.game(&mut players, &task, failures, halt),
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
        failures: &Failures,
        halt: &StopHandle,
    ) -> Result<Finished, Ended> {
        let mut forfeit = None;
        for seat in Seat::ALL {
            if let Err(fault) =
                self.ready(&mut players[seat as usize], seat, task, failures, halt)?
            {
                players[seat as usize] = None;
                forfeit = Some((seat, fault));
                break;
            }
        }
        let played = match (forfeit, &mut *players) {
            (None, [Some(a), Some(b)]) => {
                let [own, other] = [self.book(Seat::A, task)?, self.book(Seat::B, task)?];
                let (players, books): ([&mut dyn Player; 2], _) = match task.black {
                    Seat::A => ([a.as_mut(), b.as_mut()], [own, other]),
                    Seat::B => ([b.as_mut(), a.as_mut()], [other, own]),
                };
                let played = referee::play(players, books, &task.opening, self.rules());
                played.map_err(|Stopped| Ended::Stopped)?
            }
            (forfeit, _) => Played {
                game: task.opening.clone(),
                notes: Vec::new(),
                forfeit: forfeit.map(|(seat, fault)| (task.side(seat), fault)),
                overstep: [Duration::ZERO; 2],
            },
        };
        let heading = Heading {
            contestants: self.contestants,
            control: self.control,
            date: self.date,
        };
        let finished = Finished::of(task, played, &heading);
        if let Some(forfeit) = &finished.forfeit {
            players[forfeit.by as usize] = None;
        }
        Ok(finished)
    }

    /// The book of an engine for a game, if it has one.
    fn book(&self, seat: Seat, task: &Task) -> Result<Option<BookPlayer>, Ended> {
        let book = self.books[seat as usize].map(|book| book.player(task));
        let book = book.transpose().map_err(ContestError::from);
        book.map(Option::flatten).map_err(Ended::Error)
    }

    /// Starts an engine, unless it runs, and lets it begin the game; what it did wrong.
    fn ready(
        &self,
        player: &mut Option<Box<dyn Player>>,
        seat: Seat,
        task: &Task,
        failures: &Failures,
        halt: &StopHandle,
    ) -> Result<Result<(), Fault>, Ended> {
        let contestant = self.contestants[seat as usize];
        if let Some(running) = player {
            match contestant.begin(running.as_mut(), &task.opening) {
                Ok(()) => return Ok(Ok(())),
                Err(Trouble::Stopped) => return Err(Ended::Stopped),
                // It ended behind the game before, which is no fault in this one.
                Err(Trouble::Fault(_)) => *player = None,
            }
        }
        let begun = match contestant.start(halt) {
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
        };
        let failures = &failures[seat as usize];
        match begun {
            Ok(()) => {
                failures.store(0, Relaxed);
                Ok(Ok(()))
            }
            Err(Trouble::Fault(fault)) if failures.fetch_add(1, Relaxed) + 1 < STARTS => {
                Ok(Err(fault))
            }
            Err(trouble) => Err(match contestant.unready(trouble) {
                ContestantError::Stopped => Ended::Stopped,
                error => Ended::Error(error.into()),
            }),
        }
    }

    fn rules(&self) -> Rules {
        Rules {
            control: self.control,
            margin: self.margin,
            patience: self.patience,
        }
    }
}

/// Why a game has no result.
enum Ended {
    Stopped,
    Error(ContestError),
}
