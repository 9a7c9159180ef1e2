//! `outflank match`: games between two engines.

mod arguments;
mod report;

use std::fs::File;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use crate::outputs::{Files, kind};
use crate::replace::Output;
use crate::tournament::statistics::Tally;
use crate::tournament::{
    Candidate, Contest, ContestError, Contestant, ContestantError, Finished, Log, LogError,
    MatchSettings, Openings, OpeningsError, SprtError,
};
use jiff::{Timestamp, tz::TimeZone};
use outflank::StopHandle;
use outflank::openings::MAX_PLIES;
use outflank::text::counted;

use crate::tournament;

use super::CommandError;
use super::output::{line, remark};
use super::progress::Progress;
use super::signals::{GRACE, SignalError, interrupted_status, on_interrupt};
pub(super) use arguments::Arguments;
use report::Standing;

/// Why there is no match, or no more of it.
#[derive(Debug, thiserror::Error)]
pub(super) enum MatchError {
    #[error(transparent)]
    Contestant(#[from] ContestantError),
    #[error("{}: {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    #[error("there are {MAX_PLIES} --plies at most, where openings are drawn")]
    Plies,
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Test(#[from] SprtError),
    /// It had begun.
    #[error("the match cannot go on: {0}")]
    Contest(#[from] ContestError),
    #[error("cannot write the games to {}: {error}", path.display())]
    Games { path: PathBuf, error: io::Error },
}

impl MatchError {
    /// Whether it could not be begun as asked.
    pub(super) fn is_usage(&self) -> bool {
        match self {
            MatchError::Contestant(_) | MatchError::Plies | MatchError::Test(_) => true,
            MatchError::Openings(error) => {
                !matches!(error, OpeningsError::Read(..) | OpeningsError::Format(..))
            }
            MatchError::Log(error) => {
                matches!(error, LogError::Settings { .. } | LogError::Other(_))
            }
            MatchError::Unreadable { .. } | MatchError::Contest(_) | MatchError::Games { .. } => {
                false
            }
        }
    }

    /// Whether Ctrl-C is all that happened.
    fn is_stop(&self) -> bool {
        matches!(
            self,
            MatchError::Contestant(ContestantError::Stopped)
                | MatchError::Openings(OpeningsError::Stopped)
        )
    }
}

/// Plays and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let stop = StopHandle::default();
    end_on_interrupt(&stop)?;
    match play(arguments, &stop) {
        Err(CommandError::Match(error)) if error.is_stop() => {}
        played => played?,
    }
    Ok(match stop.is_stopped() {
        true => interrupted_status(),
        false => 0,
    })
}

/// Lets Ctrl-C stop what `stop` stops. The program ends soon after it in any case, also where it waits for a
/// file of openings or for the reader of its output; the log has all games that were played, and no engine
/// is left behind.
fn end_on_interrupt(stop: &StopHandle) -> Result<(), SignalError> {
    let stop = stop.clone();
    on_interrupt(move || {
        // However often it is asked: whoever left at once would leave the engines behind.
        if !stop.is_stopped() {
            stop.stop();
            std::thread::spawn(|| {
                std::thread::sleep(GRACE);
                tournament::end_engines();
                std::process::exit(interrupted_status().into());
            });
        }
    })
}

/// Plays, until `stop` is used at the latest, and reports.
fn play(arguments: &Arguments, stop: &StopHandle) -> Result<(), CommandError> {
    let files = OpenFiles::open(arguments)?;
    let isa = arguments.isa.isa()?;
    let test = arguments.test.test().map_err(MatchError::from)?;
    let books = arguments.books.books()?;
    let openings = arguments.openings.read(isa, stop)?;
    if let Some(count) = openings.count()
        && count < arguments.pairs()
    {
        remark(format_args!(
            "{} for {}: they are played again, by which engines without chance tell nothing new",
            counted(count, "opening", "different openings"),
            counted(arguments.pairs(), "pair", "pairs")
        ));
    }
    let control = arguments.limits.control();
    let contestant = |command, protocol| {
        Contestant::new(command, protocol, control, arguments.limits.patience, stop)
            .map_err(MatchError::from)
    };
    let a = contestant(&arguments.a, arguments.protocol_a)?;
    let b = contestant(&arguments.b, arguments.protocol_b)?;
    let date = Timestamp::now().to_zoned(TimeZone::UTC);
    let date = date.strftime("%Y.%m.%d_%H:%M:%S.UTC").to_string();
    let contest = Contest {
        contestants: [&a, &b],
        books: books.each_ref().map(Option::as_ref),
        control,
        margin: Duration::from_millis(arguments.limits.margin),
        patience: arguments.limits.patience,
        concurrency: arguments.concurrency as usize,
        pairs: arguments.pairs(),
        date: &date,
    };
    let mut records = Records::begin(files, &MatchSettings::of(&contest, &openings))?;
    let played = std::mem::take(&mut records.before);
    // Of a longer match, all counts.
    let mut standing = Standing {
        contest,
        tally: Tally::default(),
        test,
    };
    played.iter().for_each(|game| standing.tally.add(game));
    if !played.is_empty() {
        let games = counted(played.len(), "game", "games");
        remark(format_args!("goes on behind {games}"));
    }

    let done = match standing.decision() {
        Some(_) => Ok(()),
        None => {
            let progress = arguments
                .progress
                .rated(2 * contest.pairs, played.len() as u64);
            carry_out(
                &mut standing,
                openings,
                &played,
                &mut records,
                progress,
                stop,
            )
        }
    };
    match arguments.json {
        true => line(standing.json(stop.is_stopped()))?,
        false => line(standing.text())?,
    }
    done
}

/// Plays the games that were not played before.
fn carry_out(
    standing: &mut Standing,
    openings: Openings,
    before: &[Finished],
    records: &mut Records,
    progress: Progress,
    stop: &StopHandle,
) -> Result<(), CommandError> {
    let contest = standing.contest;
    let mut failure = None;
    let played = contest.play(openings, before, stop, |game| {
        if failure.is_some() || standing.decision().is_some() {
            // Games that were under way could only blur what is decided.
            return ControlFlow::Break(());
        }
        standing.tally.add(&game);
        if let Some(told) = report::forfeit(&game) {
            progress.aside(|| remark(told));
        }
        failure = records.add(&game).err();
        progress.advance_by(1, || standing.in_short());
        match failure.is_some() || standing.decision().is_some() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    drop(progress);
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(played.map_err(MatchError::from)?),
    }
}

/// The files that the games are written to, before the engines are started.
struct OpenFiles {
    log: Option<Candidate>,
    ggf: Option<(PathBuf, Output)>,
}

impl OpenFiles {
    fn open(arguments: &Arguments) -> Result<OpenFiles, CommandError> {
        let files = Files::new()
            .reading("--openings", arguments.openings.file())
            .reading("--book", arguments.books.files())
            .updating("--log", &arguments.log)?;
        let log = arguments.log.as_deref().map(Candidate::open).transpose();
        let log = log.map_err(MatchError::from)?;
        // A match that goes on has written to the file before.
        let is_own = log.as_ref().zip(arguments.ggf.as_ref());
        let is_own = is_own.is_some_and(|(log, path)| log.has_games_of(path));
        let [ggf] = files.writing(
            [("--ggf", arguments.ggf.as_ref(), kind::GAMES)],
            arguments.force.or(is_own),
        )?;
        let ggf = arguments.ggf.clone().zip(ggf);
        Ok(OpenFiles { log, ggf })
    }
}

/// The files that get each game as it ends.
struct Records {
    log: Option<Log>,
    /// The games that the log had.
    before: Vec<Finished>,
    ggf: Option<(PathBuf, File)>,
}

impl Records {
    /// Writes what stands before the first game that is played now.
    fn begin(files: OpenFiles, settings: &MatchSettings) -> Result<Records, CommandError> {
        let (log, before) = match files.log {
            None => (None, Vec::new()),
            Some(log) => {
                let (log, before) = log.go_on(settings).map_err(MatchError::from)?;
                (Some(log), before)
            }
        };
        let ggf = match files.ggf {
            None => None,
            Some((path, output)) => {
                let games: String = before.iter().map(|game| game.ggf.clone() + "\n").collect();
                Some((path, output.begin(games.as_bytes())?))
            }
        };
        Ok(Records { log, before, ggf })
    }

    fn add(&mut self, game: &Finished) -> Result<(), MatchError> {
        if let Some(log) = &mut self.log {
            log.add(game)?;
        }
        if let Some((path, file)) = &mut self.ggf {
            let line = format!("{}\n", game.ggf);
            let written = file.write_all(line.as_bytes());
            written.map_err(|error| MatchError::Games {
                path: path.clone(),
                error,
            })?;
        }
        Ok(())
    }
}
